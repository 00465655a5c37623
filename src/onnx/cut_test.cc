#include "onnx/cut.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "base/files.h"
#include "onnx/read.h"
#include "onnx/test_message.h"

namespace planex::onnx {
namespace {

using testing::ElementsAre;
using testing::UnorderedElementsAre;

std::string initializer(std::string_view name) {
  return bytes_field(
      5, varint_field(1, 1) + varint_field(2, 1) + bytes_field(8, name) + bytes_field(9, "1234"));
}

std::string value(unsigned number, std::string_view name) {
  return bytes_field(number,
                     bytes_field(1, name) + bytes_field(2, bytes_field(1, varint_field(1, 1))));
}

// x -> a -> Q -> DQ -> b (weight with a DQ) -> c -> y, and a side branch from a.
std::string chain() {
  return model_message(
      node_field("Relu", {"x"}, "a", "a") + node_field("QuantizeLinear", {"a", "s"}, "q", "q") +
      node_field("DequantizeLinear", {"q", "s"}, "d", "d") +
      node_field("DequantizeLinear", {"w", "ws"}, "wd", "wd") +
      node_field("Conv", {"d", "wd"}, "b", "b") + node_field("Add", {"b", "a"}, "c", "c") +
      node_field("Mul", {"c", "m"}, "y", "y") + initializer("s") + initializer("w") +
      initializer("ws") + initializer("m") + value(11, "x") + value(12, "y") + value(13, "a") +
      value(13, "c"));
}

struct Opened {
  explicit Opened(std::string text)
      : bytes(std::move(text)),
        model(read_model(bytes).value()),
        links(model),
        values(bytes, model, base::disk(), ".") {}
  Opened(const Opened&) = delete;
  Opened& operator=(const Opened&) = delete;

  std::vector<std::string_view> names(const Cut& cut) const {
    std::vector<std::string_view> names;
    for (const Index node : cut.nodes) names.push_back(model.nodes[node].name);
    return names;
  }

  std::string bytes;
  Model model;
  Links links;
  Values values;
};

constexpr std::array<std::string_view, 1> kMiddle = {"b"};

TEST(Cut, TakesANodeWithItsConstantsAndItsQuantizers) {
  const Opened chain_model(chain());
  const Cut cut = cut_around(chain_model.model, chain_model.links, kMiddle, {});
  EXPECT_THAT(chain_model.names(cut), ElementsAre("q", "d", "wd", "b"));
  EXPECT_THAT(cut.inputs, ElementsAre("a"));
  EXPECT_THAT(cut.outputs, ElementsAre("b"));
}

TEST(Cut, ReachesUpAndDown) {
  const Opened chain_model(chain());
  const Cut up = cut_around(chain_model.model, chain_model.links, kMiddle, {.up = 1});
  EXPECT_THAT(chain_model.names(up), ElementsAre("a", "q", "d", "wd", "b"));
  EXPECT_THAT(up.inputs, ElementsAre("x"));
  EXPECT_THAT(up.outputs, ElementsAre("b"));
  const Cut down = cut_around(chain_model.model, chain_model.links, kMiddle, {.down = 1});
  EXPECT_THAT(chain_model.names(down), ElementsAre("q", "d", "wd", "b", "c"));
  EXPECT_THAT(down.inputs, ElementsAre("a"));
  EXPECT_THAT(down.outputs, ElementsAre("c"));
  const Cut all = cut_around(chain_model.model, chain_model.links, kMiddle, {.up = 99, .down = 99});
  EXPECT_EQ(all.nodes.size(), chain_model.model.nodes.size());
  EXPECT_THAT(all.outputs, ElementsAre("y"));
}

TEST(Cut, FindsTheSamePartOfAnotherModel) {
  const Opened chain_model(chain());
  const Opened plain(model_message(node_field("Relu", {"x"}, "a", "a") +
                                   node_field("Conv", {"a", "w"}, "b", "b") +
                                   node_field("Add", {"b", "a"}, "y", "y") + initializer("w") +
                                   value(11, "x") + value(12, "y")));
  const std::vector<std::string_view> made = {"q", "d", "wd", "b"};
  const Cut cut = cut_of(plain.model, plain.links, made);
  EXPECT_THAT(plain.names(cut), ElementsAre("b"));
  EXPECT_THAT(cut.inputs, ElementsAre("a"));
  EXPECT_THAT(cut.outputs, ElementsAre("b"));
}

using Dims = std::vector<std::int64_t>;

TEST(Cut, LeavesNothingButThePart) {
  Opened chain_model(chain());
  const Cut cut = cut_around(chain_model.model, chain_model.links, kMiddle, {.down = 1});
  Edit edit;
  ASSERT_TRUE(cut_out(chain_model.model, chain_model.links, chain_model.values, cut,
                      {{"a", DataType::kFloat, Dims{1, 4}}}, {},
                      {{"c", DataType::kFloat, Dims{1, 4}}}, edit));
  const auto text = edited(chain_model.bytes, chain_model.model, edit);
  ASSERT_TRUE(text) << text.error().message;
  const Model part = read_model(*text).value();
  std::vector<std::string_view> nodes, constants, inputs, outputs, infos;
  for (const Node& node : part.nodes) nodes.push_back(node.name);
  for (const Tensor& tensor : part.tensors) constants.push_back(tensor.name);
  for (const Value& one : part.values) {
    (one.role == ValueRole::kInput    ? inputs
     : one.role == ValueRole::kOutput ? outputs
                                      : infos)
        .push_back(one.name);
  }
  EXPECT_THAT(nodes, ElementsAre("q", "d", "wd", "b", "c"));
  EXPECT_THAT(constants, UnorderedElementsAre("s", "w", "ws"));
  EXPECT_THAT(inputs, ElementsAre("a"));
  EXPECT_THAT(outputs, ElementsAre("c"));
  EXPECT_TRUE(infos.empty());
  const auto dims = part.dims_of(part.values.front());
  ASSERT_EQ(dims.size(), 2U);
  EXPECT_EQ(dims[1].value, 4);
}

TEST(Cut, MakesConstantsOfInputsThatAreFixed) {
  Opened chain_model(chain());
  const Cut cut = cut_around(chain_model.model, chain_model.links, kMiddle, {});
  Edit edit;
  ASSERT_TRUE(cut_out(chain_model.model, chain_model.links, chain_model.values, cut, {},
                      {{"a", DataType::kFloat, {1}, "1234"}}, {{"b", DataType::kFloat, Dims{1}}},
                      edit));
  const std::string text = edited(chain_model.bytes, chain_model.model, edit).value();
  const Model part = read_model(text).value();
  EXPECT_EQ(part.tensors.size(), 4U);
  EXPECT_EQ(part.values.size(), 1U);
}

}  // namespace
}  // namespace planex::onnx
