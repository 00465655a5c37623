#include <algorithm>
#include <array>

#include "base/text.h"
#include "lint/advice.h"
#include "lint/layer_facts.h"

namespace planex::lint::tensor_converted_twice_rule {
namespace {

using base::format;

constexpr std::array kNeeds = {Need::kTypes, Need::kDims, Need::kLinks};

constexpr RuleInfo kInfo = {
    .id = "tensor-converted-twice",
    .pack = Pack::kGeneric,
    .severity = Severity::kWarning,
    .summary = "two layers convert the same tensor to the same type and layout",
    .rationale =
        "Each reader gets its own converted copy. With Q/DQ, every consumer has its own quantizer, "
        "usually with its own scale, so the copies can't be shared",
    .fix =
        "Put one Q/DQ pair right after the layer that writes the tensor, for all its readers: one "
        "scale, calibrated once per tensor",
    .needs = kNeeds,
    .source =
        "Seen in a detector with Q/DQ, TensorRT 8.5.2 on Orin; NVIDIA TensorRT Developer "
        "Guide, Q/DQ Layer-Placement Recommendations",
    .evidence = "both copies with their types, layouts and times",
    .estimate = "the second copy's measured time, if both can share one scale",
    .depth = 3,
    .command = kAdviseCommand};

struct Copy {
  LayerId layer;
  PortRow in = 0, out = 0;
};

bool same_result(const Context& context, const Copy& a, const Copy& b) {
  const auto& layouts = context.model().ports.layout;
  return context.type_of(a.out) == context.type_of(b.out) && layouts[a.out] == layouts[b.out];
}

// Conversions of the whole tensor: a view of a part of it is a different tensor in all but name.
std::vector<Copy> whole_copies(const Context& context, TensorId tensor) {
  std::vector<Copy> copies;
  for (const PortRow port : context.readers(tensor)) {
    const LayerId layer = context.layer_of(port);
    if (!context.is_conversion(layer) || !reads_whole(context, port)) continue;
    // A scale is read by the quantizers that share it, and none of them converts it.
    const auto in = context.inputs(layer);
    if (in.empty() || in.front() != port) continue;
    // ONNX Runtime gives each reader its own dequantizer, to fuse with it ("…/duplicated").
    if (producer_of(context) == Producer::kOnnxRuntime &&
        model::is_quantized(context.type_of(port))) {
      continue;
    }
    const auto out = context.outputs(layer);
    if (out.size() == 1 && context.type_of(out[0]) != DType::kNull) {
      copies.push_back({layer, port, out[0]});
    }
  }
  return copies;
}

void run(const Context& context, FindingSink& sink) {
  constexpr std::size_t kMaxCopies = 64;  // real tensors have a few
  for (std::size_t row = 0; row < context.model().tensors.row_count(); ++row) {
    const TensorId tensor(row);
    const auto writers = context.writers(tensor);
    if (writers.size() > 1 || context.readers(tensor).size() < 2) continue;
    const std::vector<Copy> copies = whole_copies(context, tensor);
    if (copies.empty()) continue;
    sink.looked_at();
    for (std::size_t i = 1; i < std::min(copies.size(), kMaxCopies); ++i) {
      const auto first =
          std::find_if(copies.begin(), copies.begin() + static_cast<std::ptrdiff_t>(i),
                       [&](const Copy& c) { return same_result(context, c, copies[i]); });
      if (first == copies.begin() + static_cast<std::ptrdiff_t>(i)) continue;
      FindingDraft draft;
      draft.layer = copies[i].layer;
      draft.message =
          format("{} is converted to {} again, although {} already does that", context.name(tensor),
                 model::to_string(context.type_of(copies[i].out)), context.name(first->layer));
      draft.evidence = format("{} → {}, {}; and {}, {}", context.port_text(copies[i].in),
                              context.port_text(copies[i].out), time_text(context, copies[i].layer),
                              context.port_text(first->out), time_text(context, first->layer));
      draft.savings = {{copies[i].layer}};
      draft.estimate_method = "measured time of the second conversion, if both can share one scale";
      draft.fix = format(
          "Let {} and {} read one copy: {}",
          names_or(context, context.real_readers(context.tensor_of(first->out)), "the output"),
          names_or(context, context.real_readers(context.tensor_of(copies[i].out)), "the output"),
          model::is_quantized(context.type_of(copies[i].out)) && !context.is_calibrated()
              ? "one Q/DQ pair with one scale after the layer that writes the tensor"
              : "convert once, after the layer that writes the tensor");
      sink.add(std::move(draft));
    }
  }
}

}  // namespace
}  // namespace planex::lint::tensor_converted_twice_rule

PLANEX_LINT_RULE(tensor_converted_twice)
