#include "onnx/attributes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <string>

#include "onnx/read.h"
#include "onnx/test_message.h"

namespace planex::onnx {
namespace {

using ::testing::ElementsAre;

std::string fixed32(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  std::string bytes;
  for (unsigned i = 0; i < 4; ++i) bytes += static_cast<char>(bits >> (8 * i) & 0xFF);
  return bytes;
}

std::string attribute(std::string_view name, unsigned type, std::string_view value) {
  return bytes_field(5, bytes_field(1, name) + varint_field(20, type) + std::string(value));
}

class Attributes : public ::testing::Test {
 protected:
  // A model of one node with these attributes.
  void read(const std::string& attributes) {
    file_ = model_message(node_field("Op", {}, "y", "n", attributes));
    auto model = read_model(file_);
    ASSERT_TRUE(model.has_value()) << model.error().message;
    model_ = std::move(*model);
  }
  const Attribute& get(std::string_view name) {
    const Attribute* found = find_attribute(model_, model_.nodes[0], name);
    EXPECT_NE(found, nullptr) << name;
    return *found;
  }

  std::string file_;
  Model model_;
};

TEST_F(Attributes, SingleValues) {
  read(attribute("i", 2, varint_field(3, static_cast<std::uint64_t>(-7))) +
       attribute("zero", 2, "") + attribute("f", 1, "\x15" + fixed32(0.5F)) +
       attribute("s", 3, bytes_field(4, "SAME_UPPER")));
  EXPECT_EQ(int_of(get("i")), -7);
  EXPECT_EQ(int_of(get("zero")), 0);
  EXPECT_EQ(float_of(get("f")), 0.5F);
  EXPECT_EQ(string_of(get("s")), "SAME_UPPER");
  EXPECT_EQ(int_of(get("f")), std::nullopt);
  EXPECT_EQ(string_of(get("i")), std::nullopt);
  EXPECT_EQ(find_attribute(model_, model_.nodes[0], "other"), nullptr);
}

TEST_F(Attributes, ListsArePackedOrNot) {
  read(attribute("packed", 7, bytes_field(8, varint(1) + varint(300))) +
       attribute("single", 7, varint_field(8, 1) + varint_field(8, 300)) +
       attribute("floats", 6, bytes_field(7, fixed32(1) + fixed32(2)) + "\x3d" + fixed32(3)) +
       attribute("strings", 8, bytes_field(9, "a") + bytes_field(9, "")));
  EXPECT_THAT(ints_of(get("packed"), 10), ElementsAre(1, 300));
  EXPECT_THAT(ints_of(get("single"), 10), ElementsAre(1, 300));
  EXPECT_THAT(ints_of(get("single"), 1), ElementsAre(1));
  EXPECT_THAT(floats_of(get("floats"), 10), ElementsAre(1, 2, 3));
  EXPECT_THAT(strings_of(get("strings"), 10), ElementsAre("a", ""));
  EXPECT_EQ(count_of(get("packed")), 2u);
  EXPECT_EQ(count_of(get("floats")), 3u);
  EXPECT_EQ(count_of(get("strings")), 2u);
}

TEST_F(Attributes, TypeIsFoundWhereItIsNotWritten) {
  read(bytes_field(5, bytes_field(1, "k") + varint_field(8, 3) + varint_field(8, 3)) +
       bytes_field(5,
                   bytes_field(1, "t") + bytes_field(5, varint_field(1, 4) + varint_field(2, 6))));
  EXPECT_THAT(ints_of(get("k"), 10), ElementsAre(3, 3));
  EXPECT_EQ(get("t").type, AttributeType::kTensor);
  EXPECT_EQ(bytes_of(model_, model_.tensors[get("t").tensor]), 16);
}

TEST_F(Attributes, ReferencesOfFunctionsHaveNoValue) {
  read(attribute("alpha", 1, bytes_field(21, "outer")));
  EXPECT_EQ(get("alpha").reference, "outer");
  EXPECT_EQ(float_of(get("alpha")), std::nullopt);
}

TEST_F(Attributes, DamagedListsAreRefusedWhenTheModelIsRead) {
  const auto floats = read_model(
      model_message(node_field("Op", {}, "y", "n", attribute("f", 6, bytes_field(7, "12345")))));
  ASSERT_FALSE(floats.has_value());
  EXPECT_TRUE(floats.error().byte_offset.has_value());
  EXPECT_FALSE(read_model(model_message(node_field("Op", {}, "y", "n",
                                                   attribute("i", 7, bytes_field(8, "\x80")))))
                   .has_value());
}

}  // namespace
}  // namespace planex::onnx
