#include "tune/joined_output.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "onnx/links.h"
#include "onnx/read.h"
#include "onnx/test_message.h"

namespace planex::tune {
namespace {

// A node's attribute axis, or perm.
std::string attribute(std::string_view name, const std::vector<std::uint64_t>& values,
                      bool is_list) {
  constexpr std::uint64_t kInt = 2, kInts = 7;
  std::string text = onnx::bytes_field(1, name);
  for (const std::uint64_t value : values) text += onnx::varint_field(is_list ? 8 : 3, value);
  return onnx::bytes_field(5, text + onnx::varint_field(20, is_list ? kInts : kInt));
}

// A float tensor that the graph describes: field 11 is an input, 12 an output, 13 any other.
std::string described(unsigned field, std::string_view name,
                      const std::vector<std::uint64_t>& dims) {
  std::string shape;
  for (const std::uint64_t dim : dims) {
    shape += onnx::bytes_field(1, onnx::varint_field(1, dim));
  }
  const std::string tensor = onnx::varint_field(1, 1) + onnx::bytes_field(2, shape);
  return onnx::bytes_field(
      field, onnx::bytes_field(1, name) + onnx::bytes_field(2, onnx::bytes_field(1, tensor)));
}

arrays::Split split_of(const std::string& graph) {
  const std::string bytes = onnx::model_message(graph);
  const onnx::Model model = onnx::read_model(bytes).value();
  const onnx::Links links(model);
  return joined_split(model, links, "y");
}

TEST(JoinedOutput, IsSplitAsTheLastConcatJoinsIt) {
  const arrays::Split split =
      split_of(onnx::node_field("Concat", {"a", "b"}, "y", "join", attribute("axis", {1}, false)) +
               described(11, "a", {1, 4, 400}) + described(11, "b", {1, 8, 400}) +
               described(12, "y", {1, 12, 400}));
  EXPECT_EQ(split.axis, 1U);
  EXPECT_EQ(split.sizes, (std::vector<std::int64_t>{4, 8}));
  EXPECT_EQ(split.names, (std::vector<std::string>{"a", "b"}));
}

TEST(JoinedOutput, AxesAreCountedFromTheEndAndTurned) {
  constexpr auto kLast = static_cast<std::uint64_t>(-1);
  const arrays::Split split = split_of(
      onnx::node_field("Concat", {"a", "b"}, "c", "join", attribute("axis", {kLast}, false)) +
      onnx::node_field("Cast", {"c"}, "d", "cast") +
      onnx::node_field("Transpose", {"d"}, "y", "turn", attribute("perm", {0, 2, 1}, true)) +
      described(11, "a", {1, 400, 4}) + described(11, "b", {1, 400, 8}));
  EXPECT_EQ(split.axis, 1U);
  EXPECT_EQ(split.sizes, (std::vector<std::int64_t>{4, 8}));
}

TEST(JoinedOutput, SizesThatTheModelDoesNotTellAreLeftOpen) {
  const arrays::Split split =
      split_of(onnx::node_field("Concat", {"a", "b"}, "y", "join", attribute("axis", {2}, false)) +
               described(11, "a", {1, 400, 4}));
  EXPECT_EQ(split.axis, 2U);
  EXPECT_TRUE(split.sizes.empty());
  EXPECT_EQ(split.names.size(), 2U);
}

TEST(JoinedOutput, WhatComputesEndsTheSearch) {
  EXPECT_TRUE(
      split_of(onnx::node_field("Concat", {"a", "b"}, "c", "join", attribute("axis", {1}, false)) +
               onnx::node_field("Softmax", {"c"}, "y", "softmax"))
          .names.empty());
  EXPECT_TRUE(split_of(onnx::node_field("Relu", {"a"}, "b", "relu")).names.empty());
}

// An axis that depends on an unknown rank.
TEST(JoinedOutput, AnAxisFromTheEndNeedsARank) {
  constexpr auto kLast = static_cast<std::uint64_t>(-1);
  EXPECT_TRUE(split_of(onnx::node_field("Concat", {"a", "b"}, "y", "join",
                                        attribute("axis", {kLast}, false)))
                  .names.empty());
}

}  // namespace
}  // namespace planex::tune
