#include "drive/unread_nodes.h"

#include <gtest/gtest.h>

#include <string>

#include "onnx/read.h"
#include "onnx/test_message.h"

namespace planex::drive {
namespace {

using onnx::bytes_field;
using onnx::node_field;

// Messages as OpenVINO 2026.4.1 wrote them, without its source lines.
const std::string kUnknown =
    "Check 'false' failed\nFrontEnd API failed with OpConversionFailure:\nModel wasn't fully "
    "converted.\nSummary:\n-- No conversion rule found for operations: my.domain.FlyToTheMoon, "
    "StringNormalizer-17\n\n";
const std::string kRefused =
    "Check 'false' failed\nFrontEnd API failed with OpConversionFailure:\nModel wasn't fully "
    "converted. Failed operations detailed log:\n-- GridSample-17 with a message:\nCheck "
    "'(data_rank.is_dynamic() || data_rank.get_length() == 4)' failed\nWhile validating ONNX node "
    "'<Node(GridSample): warped>':\nGridSample is only supported for 4D input tensors. Got rank: "
    "5\n\nSummary:\n-- Conversion is failed for: GridSample-17\n";
// The check comes after the node, and contains another node.
const std::string kRefusedInside =
    "Model wasn't fully converted. Failed operations detailed log:\n-- MatMul-17 with a "
    "message:\nWhile validating ONNX node '<Node(MatMul): y>': Check 'DimType::merge(a, b)' "
    "failed\nWhile validating node 'opset1::MatMul MatMul_26 (opset1::Parameter x[0]:f32[1,4]) -> "
    "(dynamic[...])' with friendly_name 'MatMul_26':\nIncompatible MatMul matrix dimension. First "
    "input dimension=4\n\n-- Conv-17 with a message:\nWhile validating ONNX node '<Node(Conv): "
    "z>':\nno\n\nSummary:\n-- Conversion is failed for: MatMul-17, Conv-17\n";

std::string bytes_of_model() {
  std::string nodes;
  const std::string domain = bytes_field(7, "my.domain");
  for (const char* name : {"a", "b", "c", "d"}) {
    nodes += node_field("FlyToTheMoon", {"x"}, name, std::string("blk/") + name, domain);
  }
  // Of the same type, and ONNX's own.
  nodes += node_field("FlyToTheMoon", {"x"}, "e", "other");
  nodes += node_field("StringNormalizer", {"x"}, "f", "");
  nodes += node_field("GridSample", {"x"}, "warped", "flow/sample");
  nodes += node_field("MatMul", {"x"}, "y", "enc/mm");
  return onnx::model_message(nodes);
}

// Read once: nodes refer to the bytes.
const onnx::Model& model_of_test() {
  static const std::string bytes = bytes_of_model();
  static const auto model = onnx::read_model(bytes);
  EXPECT_TRUE(model);
  return model.value();
}

UnreadNodes found(const std::string& message, const onnx::Model* model) {
  EXPECT_TRUE(is_about_nodes(message));
  return find_unread_nodes(message, model).value_or(UnreadNodes{});
}

TEST(UnreadNodes, NamesTheNodesOfUnknownOperations) {
  const onnx::Model& model = model_of_test();
  const UnreadNodes nodes = found(kUnknown, &model);
  EXPECT_EQ(nodes.message,
            "OpenVINO has no conversion for the operations \"my.domain.FlyToTheMoon\", 4 nodes: "
            "\"blk/a\", \"blk/b\", \"blk/c\", …; \"StringNormalizer\", node writing \"f\"");
  EXPECT_TRUE(nodes.is_unknown_operation);
  EXPECT_NE(nodes.hint.find("custom"), std::string::npos);
  EXPECT_NE(nodes.hint.find("older opset"), std::string::npos);
  EXPECT_EQ(found(kUnknown, nullptr).message,
            "OpenVINO has no conversion for the operations \"my.domain.FlyToTheMoon\"; "
            "\"StringNormalizer\"");
}

TEST(UnreadNodes, NamesTheNodeThatIsRefusedAndWhy) {
  const onnx::Model& model = model_of_test();
  const UnreadNodes nodes = found(kRefused, &model);
  EXPECT_EQ(nodes.message,
            "OpenVINO does not support the GridSample node \"flow/sample\": \"GridSample is only "
            "supported for 4D input tensors. Got rank: 5\"");
  EXPECT_FALSE(nodes.is_unknown_operation);
  EXPECT_EQ(found(kRefusedInside, &model).message,
            "OpenVINO does not support the MatMul node \"enc/mm\": \"Incompatible MatMul matrix "
            "dimension. First input dimension=4\"; and 1 other node");
  EXPECT_EQ(found(kRefused, nullptr).message,
            "OpenVINO does not support the GridSample node \"<Node(GridSample): warped>\": "
            "\"GridSample is only supported for 4D input tensors. Got rank: 5\"");
}

// The text comes from a tool, and the model's names can be anything.
TEST(UnreadNodes, SurvivesAnyEnding) {
  const onnx::Model& model = model_of_test();
  for (const std::string& whole : {kUnknown, kRefused, kRefusedInside}) {
    for (std::size_t length = 0; length <= whole.size(); ++length) {
      const std::string message = whole.substr(0, length);
      const auto nodes = find_unread_nodes(message, &model);
      EXPECT_EQ(nodes.has_value(), is_about_nodes(message));
      if (nodes) {
        EXPECT_EQ(nodes->message.find('\n'), std::string::npos);
      }
    }
  }
  EXPECT_FALSE(find_unread_nodes("Model can't be parsed", nullptr));
}

}  // namespace
}  // namespace planex::drive
