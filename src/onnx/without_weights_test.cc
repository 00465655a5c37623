#include "onnx/without_weights.h"

#include <gtest/gtest.h>

#include <string>

#include "base/text.h"
#include "onnx/fields.h"
#include "onnx/read.h"
#include "onnx/test_message.h"
#include "support/test_data.h"

namespace planex::onnx {
namespace {

// Everything that read() returns, except for where data is stored.
std::string told(const Model& model) {
  std::string text;
  for (const Tensor& tensor : model.tensors) {
    text += base::format("tensor {} {} {}", tensor.name, static_cast<int>(tensor.type),
                         bytes_of(model, tensor).value_or(-1));
    for (const auto dim : model.dims_of(tensor)) text += base::format(" {}", dim);
    text += has_wrong_size(model, tensor) ? " wrong\n" : "\n";
  }
  for (const Node& node : model.nodes) {
    text += base::format("node {} {}", node.name, node.op_type);
    for (const auto name : model.inputs_of(node)) text += base::format(" {}", name);
    text += base::format(" {}\n", model.attributes_of(node).size());
  }
  for (const Graph& graph : model.graphs) {
    for (const Value& value : model.values_of(graph)) {
      text += base::format("value {} {}\n", value.name, model.dims_of(value).size());
    }
  }
  return text;
}

std::string tensor(std::string_view name, std::uint64_t count, std::string_view data) {
  namespace f = field::tensor;
  return varint_field(f::kDims, count) + varint_field(f::kType, 1) + std::string(data) +
         bytes_field(f::kName, name);
}

TEST(WithoutWeights, LargeTensorsGoAndSmallOnesStay) {
  const std::string large(40'000, 'W'), small(16, 'S');
  const std::string graph =
      node_field("Conv", {"x", "w"}, "y", "conv") +
      bytes_field(field::graph::kInitializer,
                  tensor("w", 10'000, bytes_field(field::tensor::kRaw, large))) +
      bytes_field(field::graph::kInitializer,
                  tensor("f", 10'000, bytes_field(field::tensor::kFloats, large))) +
      bytes_field(field::graph::kInitializer,
                  tensor("s", 4, bytes_field(field::tensor::kRaw, small)));
  const std::string file = model_message(graph);
  const auto light = without_weights(file);
  ASSERT_TRUE(light) << light.error().message;
  EXPECT_LT(light->size(), 500u);
  EXPECT_NE(light->find(small), light->npos);
  const auto before = read_model(file), after = read_model(*light);
  ASSERT_TRUE(before && after);
  EXPECT_EQ(told(*after), told(*before));
  EXPECT_EQ(*without_weights(*light), *light) << "nothing is left to omit";
}

TEST(WithoutWeights, WeightsOfSubgraphsAndConstants) {
  const std::string large(4'000, 'W');
  const std::string weight = tensor("w", 1'000, bytes_field(field::tensor::kRaw, large));
  const std::string constant =
      bytes_field(field::node::kAttribute, bytes_field(field::attribute::kName, "value") +
                                               bytes_field(field::attribute::kTensor, weight) +
                                               varint_field(field::attribute::kType, 4));
  const std::string body = bytes_field(
      field::node::kAttribute,
      bytes_field(field::attribute::kName, "then_branch") +
          bytes_field(field::attribute::kGraph, bytes_field(field::graph::kInitializer, weight)) +
          varint_field(field::attribute::kType, 5));
  const std::string file = model_message(node_field("Constant", {}, "c", "const", constant) +
                                         node_field("If", {"c"}, "y", "if", body));
  const auto light = without_weights(file);
  ASSERT_TRUE(light);
  EXPECT_EQ(light->find("WWWW"), light->npos);
  EXPECT_EQ(told(*read_model(*light)), told(*read_model(file)));
}

TEST(WithoutWeights, Damaged) {
  const std::string file = model_message(node_field("Conv", {"x"}, "y", "conv"));
  const auto cut = without_weights(std::string_view(file).substr(0, file.size() - 3));
  ASSERT_FALSE(cut);
  EXPECT_EQ(cut.error().code, ErrorCode::kBadInput);
  EXPECT_TRUE(cut.error().byte_offset);
  // Graphs nested more deeply than any stack should follow.
  std::string graph = "x";
  for (int depth = 0; depth < 2'000; ++depth) {
    graph = bytes_field(
        field::graph::kNode,
        bytes_field(field::node::kAttribute, bytes_field(field::attribute::kGraph, graph)));
  }
  EXPECT_FALSE(without_weights(model_message(graph)));
}

TEST(WithoutWeights, RealModels) {
  PLANEX_NEED_TEST_DATA(data);
  std::size_t tried = 0;
  for (const std::string& path : test::files_below(data + "/engines", {".onnx"})) {
    SCOPED_TRACE(path);
    const auto bytes = base::disk().read(path);
    ASSERT_TRUE(bytes);
    const auto before = read_model((*bytes)->view());
    if (!before) continue;
    const auto light = without_weights((*bytes)->view());
    ASSERT_TRUE(light);
    const auto after = read_model(*light);
    ASSERT_TRUE(after);
    EXPECT_EQ(told(*after), told(*before));
    EXPECT_LE(light->size(), (*bytes)->view().size() + 200 * before->tensors.size());
    ++tried;
  }
  EXPECT_GE(tried, 5u);
}

}  // namespace
}  // namespace planex::onnx
