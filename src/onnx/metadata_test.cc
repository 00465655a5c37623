#include "onnx/metadata.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include <string>
#include <vector>

#include "onnx/fields.h"
#include "onnx/read.h"
#include "onnx/test_message.h"

namespace planex::onnx {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string entry(unsigned field, std::string_view key, std::string_view value) {
  return bytes_field(field, bytes_field(1, key) + bytes_field(2, value));
}

std::string node_entry(std::string_view key, std::string_view value) {
  return entry(field::node::kMetadata, key, value);
}

Result<std::string> changed(std::string_view file, const std::vector<AddedMetadata>& added) {
  std::string text;
  auto done =
      write_with_metadata(file, added, "planex.", [&](std::string_view piece) -> Result<void> {
        text += piece;
        return {};
      });
  if (!done) return fail(std::move(done).error());
  return text;
}

// One addition for each node, in the order of the file.
std::vector<AddedMetadata> for_each_node(std::string_view file, std::string_view value) {
  std::vector<AddedMetadata> added;
  const Model model = *read_model(file);
  for (const Node& node : model.nodes) {
    added.push_back({node.byte_offset, node_entry("planex.x", value)});
  }
  std::ranges::sort(added, {}, &AddedMetadata::byte_offset);
  return added;
}

TEST(Metadata, WithoutChangesTheFileStaysAsItIs) {
  const std::string file = model_message(node_field("Relu", {"a"}, "b", "n")) + "\xF8\x07\x01";
  EXPECT_EQ(*changed(file, {}), file);
}

TEST(Metadata, IsTheLastFieldOfItsNode) {
  const auto message = [](std::string_view more) {
    return model_message(bytes_field(2, "g") + node_field("Relu", {"a"}, "b", "first") +
                         node_field("Relu", {"b"}, "c", "second", more) +
                         bytes_field(5, bytes_field(9, std::string(300, 'w'))));
  };
  const std::string file = message("");
  const Model model = *read_model(file);
  const std::string added = node_entry("planex.layer", "conv");
  EXPECT_EQ(*changed(file, {{model.nodes[1].byte_offset, added}}), message(added));
}

TEST(Metadata, LengthsGrowThroughAllMessagesAround) {
  // Lengths that need one more byte after the addition, at each level.
  const auto message = [](std::string_view inner_more, std::string_view outer_more) {
    const std::string inner =
        bytes_field(2, std::string(60, 'g')) + node_field("Abs", {"x"}, "y", "inner", inner_more);
    const std::string attribute =
        bytes_field(1, "body") + bytes_field(6, inner) + varint_field(20, 5);
    return model_message(node_field("Loop", {"m"}, "z", "outer",
                                    bytes_field(5, attribute) + std::string(outer_more)) +
                         node_field("Relu", {"z"}, "o", "last"));
  };
  const std::string file = message("", "");
  const Model model = *read_model(file);
  ASSERT_EQ(model.nodes.size(), 3U);
  const std::string one = node_entry("planex.a", std::string(100, '1'));
  const std::string two = node_entry("planex.b", "2");
  std::vector<AddedMetadata> added;
  for (const Node& node : model.nodes) {
    if (node.name == "inner") added.push_back({node.byte_offset, one});
    if (node.name == "outer") added.push_back({node.byte_offset, two});
  }
  std::ranges::sort(added, {}, &AddedMetadata::byte_offset);
  EXPECT_EQ(*changed(file, added), message(one, two));
}

TEST(Metadata, OfTheModelAndOfFunctions) {
  const auto message = [](std::string_view node_more, std::string_view model_more) {
    const std::string node = node_field("Mul", {"x", "x"}, "y", "square", node_more);
    // A function has its nodes in field 7.
    const std::string function = bytes_field(1, "Square") + bytes_field(10, "mine") +
                                 std::string(1, '\x3A') + node.substr(1);
    return model_message(node_field("Square", {"a"}, "b", "call", bytes_field(7, "mine"))) +
           bytes_field(25, function) + std::string(model_more);
  };
  const std::string file = message("", "");
  const Model model = *read_model(file);
  ASSERT_EQ(model.nodes.size(), 2U);
  const std::string of_node = node_entry("planex.a", "1");
  const std::string of_model = entry(field::model::kMetadata, "planex.m", "2");
  const auto at = std::ranges::find(model.nodes, "square", &Node::name)->byte_offset;
  EXPECT_EQ(*changed(file, {{kModelOffset, of_model}, {at, of_node}}), message(of_node, of_model));
}

TEST(Metadata, AddingTwiceIsAddingOnce) {
  const std::string file =
      model_message(node_field("Relu", {"a"}, "b", "n", node_entry("namespace", "kept")) +
                    node_field("Relu", {"b"}, "c", "m"));
  const std::string once = *changed(file, for_each_node(file, "old"));
  const std::string twice = *changed(once, for_each_node(once, "new value"));
  EXPECT_EQ(twice, *changed(file, for_each_node(file, "new value")));
  EXPECT_THAT(twice, Not(HasSubstr("old")));
  EXPECT_THAT(twice, HasSubstr("kept"));
  EXPECT_EQ(*changed(once, {}), file) << "removing restores the file";
}

TEST(Metadata, LengthsInMoreBytesThanNeededAreRead) {
  const std::string node = node_field("Relu", {"a"}, "b", "n");
  // 0x81 0x80 0x00 is 1 with two bytes too many; here the length of the graph.
  const std::string size = varint(node.size());
  ASSERT_EQ(size.size(), 1U);
  const std::string padded = {static_cast<char>(0x80 | size[0]), '\x80', '\0'};
  const std::string file = varint_field(1, 8) + varint(7 << 3 | 2) + padded + node;
  const std::string result = *changed(file, for_each_node(file, "v"));
  const Model model = *read_model(result);
  ASSERT_EQ(model.nodes.size(), 1U);
  EXPECT_EQ(model.nodes[0].name, "n");
  EXPECT_EQ(result, varint_field(1, 8) + bytes_field(7, node_field("Relu", {"a"}, "b", "n",
                                                                   node_entry("planex.x", "v"))));
}

TEST(Metadata, ADamagedFileIsAnError) {
  const std::string file = model_message(node_field("Relu", {"a"}, "b", "n"));
  const auto result = changed(std::string_view(file).substr(0, file.size() - 20), {});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::kBadInput);
}

}  // namespace
}  // namespace planex::onnx
