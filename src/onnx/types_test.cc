#include "onnx/types.h"

#include <gtest/gtest.h>

#include <string>

#include "onnx/read.h"
#include "onnx/test_message.h"

namespace planex::onnx {
namespace {

std::string typed(unsigned role, std::string_view name, std::uint64_t type) {
  return bytes_field(role,
                     bytes_field(1, name) + bytes_field(2, bytes_field(1, varint_field(1, type))));
}

TEST(Types, FollowTheNodes) {
  const std::string to_half =
      bytes_field(5, bytes_field(1, "to") + varint_field(3, 10) + varint_field(20, 2));
  const std::string body = bytes_field(
      5, bytes_field(1, "then_branch") +
             bytes_field(6, node_field("Abs", {"x"}, "inner", "") + typed(12, "inner", 11)) +
             varint_field(20, 5));
  const std::string file = model_message(
      typed(11, "x", 1) + typed(13, "said", 16) + node_field("Relu", {"x"}, "r", "") +
      node_field("Shape", {"r"}, "shape", "") + node_field("Less", {"r", "r"}, "less", "") +
      node_field("Where", {"less", "r", "r"}, "where", "") +
      node_field("Cast", {"shape"}, "cast", "", to_half) + node_field("Abs", {"cast"}, "abs", "") +
      node_field("TopK", {"x", "k"}, "top", "", bytes_field(2, "places")) +
      node_field("If", {"less"}, "if", "", body) + node_field("Relu", {"x"}, "said", "") +
      node_field("Relu", {"nothing"}, "unknown", "") +
      node_field("SplitToSequence", {"x", "shape"}, "parts", "") +
      node_field("Identity", {"parts"}, "same", "") +
      node_field("SequenceAt", {"same", "shape"}, "part", ""));
  const Model model = *read_model(file);
  const Types types(model);
  EXPECT_EQ(types.of("r"), DataType::kFloat);
  EXPECT_EQ(types.of("shape"), DataType::kInt64);
  EXPECT_EQ(types.of("less"), DataType::kBool);
  EXPECT_EQ(types.of("where"), DataType::kFloat);
  EXPECT_EQ(types.of("cast"), DataType::kFloat16);
  EXPECT_EQ(types.of("abs"), DataType::kFloat16);
  EXPECT_EQ(types.of("top"), DataType::kFloat);
  EXPECT_EQ(types.of("places"), DataType::kInt64);
  EXPECT_EQ(types.of("if"), DataType::kDouble);
  EXPECT_EQ(types.of("said"), DataType::kBfloat16);
  EXPECT_EQ(types.of("unknown"), DataType::kUndefined);
  EXPECT_EQ(types.of("same"), DataType::kUndefined) << "a sequence";
  EXPECT_EQ(types.of("part"), DataType::kFloat) << "of its elements";
}

}  // namespace
}  // namespace planex::onnx
