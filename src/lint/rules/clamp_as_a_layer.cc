#include <algorithm>
#include <array>

#include "base/text.h"
#include "lint/advice.h"
#include "lint/layer_facts.h"

namespace planex::lint::clamp_as_a_layer_rule {
namespace {

using base::format;

constexpr std::array kNeeds = {Need::kDims, Need::kLinks};

// Share of the layer time.
constexpr double kMinShare = 0.01;

constexpr RuleInfo kInfo = {
    .id = "clamp-as-a-layer",
    .pack = Pack::kGeneric,
    .severity = Severity::kWarning,
    .summary =
        "Min, Max or Clip runs as a separate layer after a convolution or matrix product that "
        "nothing else reads, and all such layers take at least 1 % of the layer time; one finding "
        "per engine, in OpenVINO and ONNX Runtime",
    .rationale =
        "A Clip with constant bounds is fused into the convolution before it and costs nothing. "
        "Written as Min and Max, or with bounds that are computed or given at run time, it reads "
        "and writes the whole tensor once more; ONNX Runtime also copies the tensor out of the "
        "layout of its convolutions and back",
    .fix =
        "Write it as one Clip with constant bounds (in PyTorch nn.ReLU6, or torch.clamp with "
        "numbers)",
    .needs = kNeeds,
    .source =
        "14 forms built with ONNX Runtime 1.32, OpenVINO 2026.4 and TensorRT-RTX 1.7.1: all three "
        "fuse Clip with constants, also after a Relu; Min after Max or Relu stays a layer in ONNX "
        "Runtime, Min after Relu in OpenVINO, and in both so does a Clip with a bound from an "
        "input; TensorRT-RTX fuses all of them",
    .evidence = "the layers with their times, and the layers they read from",
    .estimate = "their measured times, and those of the copies between them and the convolution"};

constexpr std::array<std::string_view, 3> kClamps = {"Min", "Max", "Clip"};

bool is_clamp(const Context& context, LayerId layer) {
  if (!context.works(layer) || context.is_matrix_layer(layer)) return false;
  if (context.model().sources_of(layer).count > 0) {
    // OpenVINO merges the Relu before a Min into the same layer.
    constexpr std::array<std::string_view, 4> kWithRelu = {"Min", "Max", "Clip", "Relu"};
    return has_only_sources(context, layer, kWithRelu) &&
           std::ranges::any_of(
               kClamps, [&](std::string_view type) { return has_source(context, layer, type); });
  }
  return std::ranges::find(kClamps, context.type(layer)) != kClamps.end();
}

// The input that is as large as the output; null if another input is not a single number: then it
// is not a clamp.
std::optional<PortRow> data_of(const Context& context, LayerId layer) {
  const auto in = context.inputs(layer), out = context.outputs(layer);
  if (in.empty() || out.size() != 1 || context.dims_of(out[0]).empty()) return std::nullopt;
  std::optional<PortRow> data;
  const model::RowRange ports = context.model().ports_of(layer);
  for (PortRow port = ports.first; port < ports.end(); ++port) {
    if (context.model().ports.direction[port] == model::Direction::kOutput) continue;
    if (std::ranges::find(in, port) != in.end() &&
        std::ranges::equal(context.dims_of(port), context.dims_of(out[0]))) {
      if (data) return std::nullopt;
      data = port;
    } else if (!without_ones(context.dims_of(port)).empty()) {
      return std::nullopt;
    }
  }
  return data;
}

struct Chain {
  std::vector<LayerId> clamps;       // from the last to the first
  std::vector<LayerId> conversions;  // on the way
  LayerId product;
};

// Whether the layer is the only reader of what the writer writes.
bool reads_alone(const Context& context, const Reach& writer, LayerId layer) {
  const Walk readers = context.real_readers(context.tensor_of(writer.port));
  return !readers.ends_at_engine_edge && readers.reaches.size() == 1 &&
         readers.reaches.front().layer == layer;
}

// From the last clamp up to the product before them.
std::optional<Chain> chain_of(const Context& context, LayerId layer) {
  constexpr std::size_t kMaxClamps = 4;
  Chain chain;
  while (chain.clamps.size() < kMaxClamps) {
    const auto data = data_of(context, layer);
    if (!data) return std::nullopt;
    chain.clamps.push_back(layer);
    const Walk walk = context.real_writers(context.tensor_of(*data));
    if (walk.reaches.size() != 1 || walk.ends_at_engine_edge) return std::nullopt;
    const Reach& writer = walk.reaches.front();
    if (!reads_alone(context, writer, layer)) return std::nullopt;
    chain.conversions.insert(chain.conversions.end(), writer.conversions.begin(),
                             writer.conversions.end());
    if (is_matrix_like(context, writer.layer)) {
      // After an addition that is fused into the product, no form is known to be fused.
      if (context.inputs(writer.layer).size() != 1) return std::nullopt;
      chain.product = writer.layer;
      return chain;
    }
    if (!is_clamp(context, writer.layer)) return std::nullopt;
    layer = writer.layer;
  }
  return std::nullopt;
}

// Whether its bounds are constants, which the compiler can fuse into a product; otherwise they are
// computed.
bool has_constant_bounds(const Context& context, const Chain& chain) {
  return std::ranges::all_of(
      chain.clamps, [&context](LayerId layer) { return context.inputs(layer).size() == 1; });
}

// Already one Clip with constant bounds: something else prevents the fusion.
bool is_one_clip(const Context& context, const Chain& chain) {
  const LayerId layer = chain.clamps.front();
  const bool is_clip = context.model().sources_of(layer).count > 0
                           ? has_source(context, layer, "Clip")
                           : context.type(layer) == "Clip";
  return chain.clamps.size() == 1 && is_clip && has_constant_bounds(context, chain);
}

// Products read its output, in their own layout: the copies before it disappear with it.
bool is_before_product(const Context& context, LayerId layer) {
  const Walk readers = context.real_readers(context.tensor_of(context.outputs(layer).front()));
  return !readers.ends_at_engine_edge && std::ranges::all_of(readers.reaches, [&](const Reach& to) {
    return is_matrix_like(context, to.layer);
  });
}

// Another clamp is the only reader of its output: that one represents both.
bool is_before_another(const Context& context, LayerId layer) {
  const auto out = context.outputs(layer);
  if (out.size() != 1) return false;
  const Walk readers = context.real_readers(context.tensor_of(out[0]));
  return !readers.ends_at_engine_edge && readers.reaches.size() == 1 &&
         is_clamp(context, readers.reaches.front().layer);
}

void report(const Context& context, std::span<const Chain> chains, double ms, FindingSink& sink) {
  const Chain& first = chains.front();
  FindingDraft draft;
  draft.layer = first.clamps.front();
  std::vector<std::string> texts;
  bool is_written_apart = false, is_computed = false;
  for (const Chain& chain : chains) {
    (has_constant_bounds(context, chain) ? is_written_apart : is_computed) = true;
    for (auto at = chain.clamps.rbegin(); at != chain.clamps.rend(); ++at) {
      texts.push_back(format("{} {}", context.name(*at), time_text(context, *at)));
      draft.savings.push_back({*at});
    }
    for (const LayerId copy : chain.conversions) draft.savings.push_back({copy});
  }
  draft.message = format(
      "{} after {} {} of {} own",
      base::counted(texts.size(), "Min, Max or Clip", "Min, Max and Clip"),
      chains.size() == 1 ? "a convolution or matrix product" : "convolutions and matrix products",
      texts.size() == 1 ? "is a layer" : "are layers", texts.size() == 1 ? "its" : "their");
  draft.evidence = format("{}; the first after {}", listed(texts, 4), context.name(first.product));
  if (ms > 0) draft.evidence += format("; together {}", share_text(context, ms));
  draft.estimate_method =
      "measured times of the layers and of the copies before them; fused into the convolution they "
      "cost next to nothing";
  draft.fix = is_written_apart
                  ? "Write each as one Clip with constant bounds right after the convolution (in "
                    "PyTorch nn.ReLU6, or torch.clamp with numbers): it is then fused into the "
                    "convolution, with the same results"
                  : "Make the bounds of the Clip constants of the model: it is then fused into the "
                    "convolution, with the same results as long as the bounds don't change";
  if (is_written_apart && is_computed) {
    draft.fix += "; the bounds of some are given or computed at run time: make them constants";
  }
  sink.add(std::move(draft));
}

void run(const Context& context, FindingSink& sink) {
  const Producer producer = producer_of(context);
  if (producer != Producer::kOpenVino && producer != Producer::kOnnxRuntime) return;
  std::vector<Chain> chains;
  double ms = 0;
  for (std::size_t row = 0; row < context.layer_count(); ++row) {
    const LayerId layer(row);
    if (!is_clamp(context, layer)) continue;
    sink.looked_at();
    if (is_before_another(context, layer)) continue;
    auto chain = chain_of(context, layer);
    if (!chain || is_one_clip(context, *chain)) continue;
    if (!is_before_product(context, layer)) chain->conversions.clear();
    for (const LayerId clamp : chain->clamps) ms += context.time_ms(clamp).value_or(0);
    for (const LayerId copy : chain->conversions) ms += context.time_ms(copy).value_or(0);
    chains.push_back(*std::move(chain));
  }
  if (chains.empty() || ms < kMinShare * context.total_ms().value_or(0)) return;
  report(context, chains, ms, sink);
}

}  // namespace
}  // namespace planex::lint::clamp_as_a_layer_rule

PLANEX_LINT_RULE(clamp_as_a_layer)
