#include "onnx/check.h"

#include <algorithm>

#include "base/text.h"
#include "base/try.h"

namespace planex::onnx {
namespace {

// How many leading inputs OpenVINO uses without a check; 0: no such operation. A scan over 24
// operations with inputs removed found that these two crash, all others are rejected with a
// message.
std::size_t required_inputs(std::string_view op_type, std::int64_t opset) {
  if (op_type == "Conv") return 2;
  if (op_type == "Pad") return opset >= 11 ? 2 : 1;  // Until opset 10 the pads are an attribute.
  return 0;
}

// ONNX has reached 27 after nine years.
constexpr std::int64_t kLargestOpset = 10'000;

}  // namespace

std::vector<MissingInputs> find_missing_inputs(const Model& model) {
  std::vector<MissingInputs> missing;
  for (const Node& node : model.nodes) {
    if (!is_default_domain(node.domain)) continue;
    const std::size_t required = required_inputs(node.op_type, model.graphs[node.graph].opset);
    const auto inputs = model.inputs_of(node);
    // An empty name is an input that was left out.
    const auto end = std::ranges::find(inputs, std::string_view{});
    const auto given = static_cast<std::size_t>(end - inputs.begin());
    if (given >= required) continue;
    const auto outputs = model.outputs_of(node);
    const std::string_view output = outputs.empty() ? std::string_view{} : outputs.front();
    missing.push_back({.name = node.name.empty() ? output : node.name,
                       .op_type = node.op_type,
                       .required = required,
                       .given = given,
                       .byte_offset = node.byte_offset});
  }
  std::ranges::sort(missing, {}, &MissingInputs::byte_offset);
  return missing;
}

Result<void> check_required_inputs(const std::vector<MissingInputs>& missing) {
  if (missing.empty()) return {};
  const MissingInputs& first = missing.front();
  Error error;
  error.code = ErrorCode::kBadInput;
  error.message =
      base::format("the {} node {} has {}, expected at least {}", first.op_type,
                   base::quoted(first.name), base::counted(first.given, "input"), first.required);
  error.byte_offset = first.byte_offset;
  if (missing.size() > 1) {
    error.context = base::format("{} have too few inputs.", base::counted(missing.size(), "node"));
  }
  error.hint = "The model breaks the ONNX standard; onnx.checker.check_model names all its faults.";
  return fail(std::move(error));
}

Result<void> check_for_engines(const Model& model) {
  for (const OpsetImport& import : model.opsets) {
    if (import.version <= kLargestOpset) continue;
    return fail({.code = ErrorCode::kBadInput,
                 .message = base::format(
                     "the model imports operator set {}{}, expected at most {}", import.version,
                     import.domain.empty() ? std::string()
                                           : base::format(" of {}", base::quoted(import.domain)),
                     kLargestOpset),
                 .hint = "The file is damaged; export the model again."});
  }
  return check_required_inputs(find_missing_inputs(model));
}

}  // namespace planex::onnx
