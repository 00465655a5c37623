// Constant nodes hold what initializers hold; some tools only look at the latter, and an importer
// that keeps them as nodes shows a graph of twice the size.
#include "clean/passes.h"
#include "onnx/attributes.h"

namespace planex::clean {
namespace {

using onnx::DataType;

// The forms without a tensor: one number, or a list.
std::optional<Constant> short_form(const Draft& draft, NodeId node) {
  const onnx::Node& of = draft.model().nodes[draft.origin(node)];
  constexpr std::size_t kMax = 1 << 20;
  for (const onnx::Attribute& attribute : draft.model().attributes_of(of)) {
    if (attribute.name == "value_int") {
      const auto value = onnx::int_of(attribute);
      if (value) return Constant{DataType::kInt64, {}, onnx::raw_of(Dims{*value})};
    } else if (attribute.name == "value_float") {
      const auto value = onnx::float_of(attribute);
      if (value) return Constant{DataType::kFloat, {}, onnx::raw_of(std::vector{*value})};
    } else if (attribute.name == "value_ints") {
      const Dims values = onnx::ints_of(attribute, kMax);
      return Constant{
          DataType::kInt64, {static_cast<std::int64_t>(values.size())}, onnx::raw_of(values)};
    } else if (attribute.name == "value_floats") {
      const std::vector<float> values = onnx::floats_of(attribute, kMax);
      return Constant{
          DataType::kFloat, {static_cast<std::int64_t>(values.size())}, onnx::raw_of(values)};
    }
  }
  return std::nullopt;
}

void make_initializers(Work& work) {
  Draft& draft = work.draft;
  for (const NodeId node : draft.nodes()) {
    if (!draft.is_op(node, "Constant") || draft.origin(node) == onnx::kNoIndex) continue;
    const TensorId output = draft.output(node);
    // An output without a node is legal, but not every engine reads it. External data stay where
    // they are.
    if (output == kNone || draft.tensor(output).is_output || draft.is_external(output)) continue;
    auto value = draft.is_constant(output) ? draft.load(output) : short_form(draft, node);
    if (!value) continue;
    work.tell(node);
    draft.become_constant(output, *std::move(value));
  }
}

}  // namespace

const Pass passes::kConstantNodes{"constants", "Constant nodes become initializers", Effect::kExact,
                                  make_initializers};

}  // namespace planex::clean
