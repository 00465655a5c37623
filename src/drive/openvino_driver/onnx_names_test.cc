#include "drive/openvino_driver/onnx_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <random>
#include <string>

namespace planex::drive {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// A field of the wire format: number, type 2, length, content.
std::string bytes_field(unsigned number, std::string_view content) {
  std::string field;
  const auto varint = [&](std::size_t value) {
    for (; value >= 0x80; value >>= 7) field += static_cast<char>(0x80 | (value & 0x7F));
    field += static_cast<char>(value);
  };
  varint(number << 3 | 2);
  varint(content.size());
  field += content;
  return field;
}

std::string node(std::string_view type, std::initializer_list<std::string_view> inputs,
                 std::string_view output, std::string_view name, std::string_view more = {}) {
  std::string content;
  for (const auto input : inputs) content += bytes_field(1, input);
  content += bytes_field(2, output) + bytes_field(3, name) + bytes_field(4, type);
  return bytes_field(1, content + std::string(more));
}

std::string model(std::string_view nodes, char opset = 17) {
  const std::string import = bytes_field(1, "") + "\x10" + opset;
  return "\x08\x08" + bytes_field(7, nodes) + bytes_field(8, import);
}

TEST(OnnxNames, ReadsNodes) {
  const std::string file =
      model(node("Conv", {"x", "w"}, "a", "conv, first") + node("Relu", {"a"}, "y", ""));
  const auto names = read_onnx_names(file);
  ASSERT_TRUE(names.has_value()) << names.error().message;
  ASSERT_EQ(names->nodes.size(), 2u);
  EXPECT_EQ(names->nodes[0].name, "conv, first");
  EXPECT_EQ(names->nodes[0].op_type, "Conv");
  EXPECT_THAT(names->nodes[1].outputs, ElementsAre("y"));
  EXPECT_EQ(names->nodes[1].name, "");
  EXPECT_TRUE(check_required_inputs(*names).has_value());
}

TEST(OnnxNames, FindsMissingInputs) {
  const std::string file = model(node("Conv", {"x", ""}, "y", ""));
  const auto names = read_onnx_names(file);
  ASSERT_TRUE(names.has_value());
  const auto checked = check_required_inputs(*names);
  ASSERT_FALSE(checked.has_value());
  EXPECT_EQ(checked.error().message, "the Conv node \"y\" has 1 input, expected at least 2");
}

TEST(OnnxNames, PadsOfOldModelsAreAttributes) {
  const std::string nodes = node("Pad", {"x"}, "y", "p");
  EXPECT_TRUE(read_onnx_names(model(nodes, 10))->missing_inputs.empty());
  EXPECT_EQ(read_onnx_names(model(nodes, 11))->missing_inputs.size(), 1u);
}

TEST(OnnxNames, LooksIntoSubgraphsOfAnyDepth) {
  std::string nodes = node("Conv", {"x"}, "y", "inner");
  for (int depth = 0; depth < 1000; ++depth) {
    nodes = node("If", {"c"}, "y", "if", bytes_field(5, bytes_field(6, nodes)));
  }
  const std::string file = model(nodes);
  const auto names = read_onnx_names(file);
  ASSERT_TRUE(names.has_value());
  EXPECT_EQ(names->nodes.size(), 1u) << "only the main graph's";
  ASSERT_EQ(names->missing_inputs.size(), 1u);
  EXPECT_EQ(names->missing_inputs[0].name, "inner");
}

TEST(OnnxNames, RefusesWhatIsNoModel) {
  EXPECT_EQ(read_onnx_names("").error().message, "the model file is empty");
  EXPECT_THAT(read_onnx_names("hello world\n").error().message, HasSubstr("not an ONNX model"));
  EXPECT_THAT(read_onnx_names("\x08\x08").error().message, HasSubstr("no graph"));
  const auto cut = read_onnx_names(std::string_view("\x3a\x64 ab", 5));
  EXPECT_THAT(cut.error().message, HasSubstr("a field of 100 bytes where 3 are left"));
  EXPECT_EQ(cut.error().byte_offset, 2u);
}

TEST(OnnxNames, SurvivesTruncationAndMutation) {
  std::string nodes;
  for (int i = 0; i < 5; ++i) {
    nodes += node("Conv", {"x", "w"}, "a", "n",
                  bytes_field(5, bytes_field(6, node("Pad", {"x"}, "y", "p"))));
  }
  const std::string file = model(nodes) + bytes_field(25, bytes_field(7, "\x0a\x01x"));
  for (std::size_t size = 0; size < file.size(); ++size) {
    // Exactly sized, so that the sanitizer sees any step too far.
    const std::string cut(file, 0, size);
    (void)read_onnx_names(cut);
  }
  std::mt19937 random(1);
  for (int round = 0; round < 20'000; ++round) {
    std::string mutated = file;
    for (unsigned i = random() % 4 + 1; i > 0; --i) {
      mutated[random() % mutated.size()] = static_cast<char>(random());
    }
    if (const auto names = read_onnx_names(mutated)) (void)check_required_inputs(*names);
  }
}

TEST(OnnxNames, CatchesTheModelThatCrashesOpenvino) {
  const char* given = std::getenv("PLANEX_TEST_DATA");
  const std::string data = given != nullptr ? given : PLANEX_DEFAULT_TEST_DATA;
  std::ifstream stream(data + "/openvino-crash-conv-arity.onnx", std::ios::binary);
  const std::string file(std::istreambuf_iterator<char>(stream), {});
  if (file.empty()) GTEST_SKIP() << "no test data";
  const auto names = read_onnx_names(file);
  ASSERT_TRUE(names.has_value());
  EXPECT_FALSE(check_required_inputs(*names).has_value());
}

}  // namespace
}  // namespace planex::drive
