#include <algorithm>
#include <array>

#include "base/text.h"
#include "lint/advice.h"
#include "lint/layer_facts.h"

namespace planex::lint::kv_cache_copied_rule {
namespace {

using base::format;

constexpr std::array kNeeds = {Need::kDims, Need::kTimes, Need::kLinks};

// Share of the layer time: less is not worth another form of the model.
constexpr double kMinShare = 0.03;

constexpr RuleInfo kInfo = {
    .id = "kv-cache-copied",
    .pack = Pack::kGeneric,
    .severity = Severity::kWarning,
    .summary =
        "concatenations that append new positions to a cache from the caller, and return all of "
        "it, take at least 3 % of the layer time; one finding per engine",
    .rationale =
        "The keys and values of earlier tokens enter a decoder as inputs (past) and leave it as "
        "outputs (present). A concatenation reads and writes all of them to add one position: its "
        "time grows with the length of the text, however little is added. Engines that know the "
        "cache append to it in place",
    .fix =
        "Let the engine keep the cache: with ONNX Runtime, use the GroupQueryAttention operation, "
        "whose past and present can be one buffer; with OpenVINO, use a stateful model "
        "(ov.pass.MakeStateful)",
    .needs = kNeeds,
    .source =
        "Measured with a decoder of two layers, 1024 positions of 8 × 64: 48 % of the layer time "
        "in ONNX Runtime 1.32, 39 % in OpenVINO 2026.4; ONNX Runtime, contrib operator "
        "GroupQueryAttention; OpenVINO, Stateful Models",
    .evidence = "the concatenations with their times, and the bytes that they read and write",
    .estimate =
        "the concatenations' measured times, without the share of the new part in what they write"};

struct CacheCopy {
  LayerId layer;
  PortRow cache = 0, added = 0, out = 0;
  std::int64_t old_count = 0, added_count = 0;
};

bool is_concatenation(const Context& context, LayerId layer) {
  const std::string_view type = context.type(layer);
  return type == "Concat" || type == "Concatenation";
}

// It comes from the caller unchanged, apart from conversions.
bool is_from_caller(const Context& context, PortRow port) {
  const Walk writers = context.real_writers(context.tensor_of(port));
  return writers.ends_at_engine_edge && writers.reaches.empty();
}

// The only axis along which the new part follows the old one; null if the dims differ elsewhere.
std::optional<std::size_t> axis_of(std::span<const std::int64_t> cache,
                                   std::span<const std::int64_t> added,
                                   std::span<const std::int64_t> out) {
  if (cache.size() != added.size() || cache.size() != out.size()) return std::nullopt;
  std::optional<std::size_t> axis;
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (cache[i] <= 0 || added[i] <= 0) return std::nullopt;
    if (cache[i] == out[i] && added[i] == out[i]) continue;
    if (axis || cache[i] + added[i] != out[i]) return std::nullopt;
    axis = i;
  }
  return axis;
}

std::optional<CacheCopy> cache_copy(const Context& context, LayerId layer) {
  const auto in = context.inputs(layer), out = context.outputs(layer);
  if (in.size() != 2 || out.size() != 1) return std::nullopt;
  // The caller gets all of it back, and the attention reads it.
  const Walk readers = context.real_readers(context.tensor_of(out[0]));
  if (!readers.ends_at_engine_edge || readers.reaches.empty()) return std::nullopt;
  if (!is_from_caller(context, in[0]) ||
      context.real_writers(context.tensor_of(in[1])).reaches.empty()) {
    return std::nullopt;
  }
  const auto cache = context.dims_of(in[0]), added = context.dims_of(in[1]);
  const auto axis = axis_of(cache, added, context.dims_of(out[0]));
  // A chunk of a prompt can be as long as what it is appended to.
  if (!axis || cache[*axis] <= added[*axis]) return std::nullopt;
  return CacheCopy{layer, in[0], in[1], out[0], cache[*axis], added[*axis]};
}

std::string_view fix_of(const Context& context) {
  switch (producer_of(context)) {
    case Producer::kOnnxRuntime:
      return "Replace each attention and its cache with one GroupQueryAttention (com.microsoft; "
             "ONNX Runtime's model builder makes it), and bind past and present to one buffer of "
             "the maximum length: it then appends in place";
    case Producer::kOpenVino:
      return "Make the caches states of the model (ov.pass.MakeStateful; Optimum exports decoders "
             "this way): the CPU plugin then appends to them in place";
    default:
      return "Use an attention operation or a plugin that keeps the cache and appends to it in "
             "place";
  }
}

void report(const Context& context, std::span<const CacheCopy> copies, double ms,
            FindingSink& sink) {
  const CacheCopy& longest = *std::ranges::max_element(
      copies, {}, [&](const CacheCopy& copy) { return context.time_ms(copy.layer).value_or(0); });
  FindingDraft draft;
  draft.layer = longest.layer;
  draft.message =
      format("{} and written in full to add {}, which takes {}{}",
             copies.size() == 1 ? "a cache is read" : format("{} caches are read", copies.size()),
             base::counted(static_cast<std::size_t>(longest.added_count), "position"),
             share_text(context, ms), copies.size() == 1 ? "" : "; this copy is the longest");
  std::vector<std::string> names;
  std::optional<double> bytes = 0;
  for (const CacheCopy& copy : copies) {
    names.push_back(format("{} {}", context.name(copy.layer), time_text(context, copy.layer)));
    const auto read = port_bytes(context, copy.cache), written = port_bytes(context, copy.out);
    bytes = bytes && read && written ? std::optional(*bytes + *read + *written) : std::nullopt;
    const auto old_count = static_cast<double>(copy.old_count);
    draft.savings.push_back(
        {copy.layer, old_count / (old_count + static_cast<double>(copy.added_count))});
    draft.also_about.push_back(copy.layer);
  }
  draft.evidence = format("{}; {} → {}", listed(names), context.port_text(longest.cache),
                          context.port_text(longest.out));
  if (bytes) draft.evidence += format("; {} read and written together", bytes_text(*bytes));
  draft.estimate_method =
      "measured times of the concatenations, without the share of the new part in what they write";
  draft.fix = fix_of(context);
  sink.add(std::move(draft));
}

void run(const Context& context, FindingSink& sink) {
  std::vector<CacheCopy> copies;
  double ms = 0;
  for (std::size_t row = 0; row < context.layer_count(); ++row) {
    const LayerId layer(row);
    if (!context.works(layer)) continue;
    sink.looked_at();
    if (!is_concatenation(context, layer) || !context.time_ms(layer)) continue;
    const auto copy = cache_copy(context, layer);
    if (!copy) continue;
    copies.push_back(*copy);
    ms += *context.time_ms(layer);
  }
  if (copies.empty() || !(ms > 0) || ms < kMinShare * context.total_ms().value_or(0)) return;
  report(context, copies, ms, sink);
}

}  // namespace
}  // namespace planex::lint::kv_cache_copied_rule

PLANEX_LINT_RULE(kv_cache_copied)
