#include <algorithm>
#include <array>

#include "base/text.h"
#include "lint/layer_facts.h"

namespace planex::lint::concat_copies_rule {
namespace {

using base::format;

constexpr std::array kNeeds = {Need::kTimes};

constexpr RuleInfo kInfo = {
    .id = "concat-copies",
    .pack = Pack::kTensorRt,
    .severity = Severity::kWarning,
    .summary =
        "copies into concatenations, which the producing layers could have written in place, take "
        "at least 3 % of the layer time",
    .rationale =
        "A concatenation costs nothing if each layer before it writes its part of the result in "
        "place. TensorRT copies a part (such layers are named \"… copy\") if another layer reads "
        "the same tensor, if the parts have different types, scales or layouts, or if a layer "
        "without a kernel of its own, such as a resize or a slice, writes the part",
    .fix =
        "Give all inputs of a concatenation one type and one scale, and move their other readers "
        "after it; concatenate before a resize rather than after it if the result is the same",
    .needs = kNeeds,
    .source = "Detectors in TensorRT 8.5.2 on Orin: up to 32 such copies, 27 % of the layer time",
    .evidence = "the number of copies, their time and share, and the longest of them",
    .estimate = "the copies' measured times",
    .depth = 2};

constexpr double kMinShare = 0.03;
constexpr std::size_t kMaxNamed = 4;

// TensorRT's own name for it: the tensor's name and "copy".
bool is_concat_copy(const Context& context, LayerId layer) {
  const std::string_view name = context.model().text(context.model().layers.name[layer.index()]);
  return context.works(layer) && name.ends_with(" copy") && context.time_ms(layer);
}

void run(const Context& context, FindingSink& sink) {
  std::vector<LayerId> copies;
  double ms = 0;
  for (std::size_t row = 0; row < context.layer_count(); ++row) {
    const LayerId layer(row);
    if (context.works(layer)) sink.looked_at();
    if (!is_concat_copy(context, layer)) continue;
    copies.push_back(layer);
    ms += *context.time_ms(layer);
  }
  const double total = context.total_ms().value_or(0);
  if (copies.empty() || !(ms >= kMinShare * total) || !(ms > 0)) return;
  std::ranges::stable_sort(copies, std::ranges::greater{},
                           [&](LayerId layer) { return *context.time_ms(layer); });
  FindingDraft draft;
  draft.layer = copies.front();
  draft.message =
      format("{} into concatenations {} {}{}",
             copies.size() == 1 ? std::string("one copy") : format("{} copies", copies.size()),
             copies.size() == 1 ? "takes" : "take", share_text(context, ms),
             copies.size() == 1 ? "" : ", and this is the longest");
  std::vector<std::string> names;
  for (const LayerId copy : copies) {
    names.push_back(format("{} {}", context.name(copy), time_text(context, copy)));
    draft.savings.push_back({copy});
  }
  draft.evidence = listed(names, kMaxNamed);
  draft.estimate_method = "measured times of the copies, if all of them are removed";
  draft.fix =
      "Let the layers before the concatenation write their parts in place: use one type and one "
      "scale for all of its inputs, and leave no other reader of a part before it";
  sink.add(std::move(draft));
}

}  // namespace
}  // namespace planex::lint::concat_copies_rule

PLANEX_LINT_RULE(concat_copies)
