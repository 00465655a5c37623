#include "clean/draft.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "clean/test_net.h"
#include "onnx/test_message.h"

namespace planex::clean {
namespace {

using testing::ElementsAre;

struct Opened {
  explicit Opened(std::string text)
      : bytes(std::move(text)),
        model(onnx::read_model(bytes).value()),
        links(model),
        values(bytes, model, files, ""),
        draft(model, links, values) {}
  explicit Opened(const TestNet& net) : Opened(net.bytes()) {}

  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const NodeId node : draft.nodes()) all.push_back(draft.name_of(node));
    return all;
  }
  NodeId node(std::string_view output) const { return draft.maker(draft.find(output)); }

  base::MemoryFiles files;
  std::string bytes;
  onnx::Model model;
  onnx::Links links;
  onnx::Values values;
  Draft draft;
};

TestNet chain() {
  TestNet net;
  return net.input("x", {2, 3})
      .node("Relu", {"x"}, "a")
      .node("Identity", {"a"}, "b")
      .node("Add", {"b", "b"}, "c")
      .output("c", {2, 3});
}

TEST(Draft, ReadsTheGraph) {
  Opened opened(chain());
  const Draft& draft = opened.draft;
  EXPECT_TRUE(draft.is_sound());
  EXPECT_THAT(opened.names(), ElementsAre("a", "b", "c"));
  EXPECT_EQ(draft.sole_reader(draft.find("a")), opened.node("b"));
  EXPECT_EQ(draft.sole_reader(draft.find("b")), kNone) << "c reads it twice";
  EXPECT_EQ(draft.static_shape(draft.find("c")), (Dims{2, 3}));
  EXPECT_TRUE(draft.tensor(draft.find("c")).is_pinned());
}

TEST(Draft, BypassesANode) {
  Opened opened(chain());
  EXPECT_TRUE(opened.draft.bypass(opened.node("b"), opened.draft.find("a")));
  EXPECT_THAT(opened.names(), ElementsAre("a", "c"));
  EXPECT_EQ(opened.draft.input(opened.node("c"), 1), opened.draft.find("a"));
  EXPECT_EQ(opened.draft.tensor(opened.draft.find("a")).readers.size(), 2U);
}

TEST(Draft, KeepsTheNameOfAnOutput) {
  TestNet net;
  Opened opened(
      net.input("x", {2}).node("Relu", {"x"}, "a").node("Identity", {"a"}, "y").output("y", {2}));
  EXPECT_TRUE(opened.draft.bypass(opened.node("y"), opened.draft.find("a")));
  EXPECT_EQ(opened.draft.op(opened.node("y")), "Relu");
  // An input can't be called like an output.
  TestNet other;
  Opened direct(other.input("x", {2}).node("Identity", {"x"}, "y").output("y", {2}));
  EXPECT_FALSE(direct.draft.bypass(direct.node("y"), direct.draft.find("x")));
  EXPECT_THAT(direct.names(), ElementsAre("y"));
}

TEST(Draft, InsertsInOrder) {
  Opened opened(chain());
  Draft& draft = opened.draft;
  const TensorId a = draft.find("a");
  const TensorId made = draft.add_tensor("a", onnx::DataType::kFloat, Dims{2, 3});
  EXPECT_EQ(draft.tensor(made).name, "a_2");
  draft.insert_after(opened.node("a"),
                     {.op = "Neg", .name = "neg", .inputs = {a}, .attributes = {}}, {made});
  draft.set_input(opened.node("b"), 0, made);
  onnx::Edit edit;
  draft.write(edit);
  const std::string bytes = onnx::edited(opened.bytes, opened.model, edit).value();
  const onnx::Model model = onnx::read_model(bytes).value();
  ASSERT_EQ(model.nodes.size(), 4U);
  EXPECT_EQ(model.nodes[1].op_type, "Neg");
  EXPECT_THAT(model.inputs_of(model.nodes[2]), ElementsAre("a_2"));
}

TEST(Draft, TakesNamesOnce) {
  Opened opened(chain());
  EXPECT_EQ(opened.draft.fresh("new"), "new");
  EXPECT_EQ(opened.draft.fresh("new"), "new_2");
  EXPECT_EQ(opened.draft.fresh("new_2"), "new_2_2");
  EXPECT_EQ(opened.draft.fresh("new"), "new_3");
}

TEST(Draft, SeesDisorder) {
  EXPECT_FALSE(Opened(onnx::model_message(onnx::node_field("Relu", {"b"}, "a", "first") +
                                          onnx::node_field("Relu", {"a"}, "b", "second")))
                   .draft.is_sound());
  EXPECT_FALSE(Opened(onnx::model_message(onnx::node_field("Constant", {}, "a", "first") +
                                          onnx::node_field("Constant", {}, "a", "second")))
                   .draft.is_sound());
}

TEST(Draft, DoesNotBelieveDeclaredShapes) {
  // Of an input it has to; the value in between is said to be larger than it is.
  const auto value = [](unsigned field, std::string_view name, std::uint64_t size) {
    const std::string dim = onnx::bytes_field(1, onnx::varint_field(1, size));
    const std::string type = onnx::varint_field(1, 1) + onnx::bytes_field(2, dim);
    return onnx::bytes_field(
        field, onnx::bytes_field(1, name) + onnx::bytes_field(2, onnx::bytes_field(1, type)));
  };
  Opened opened(onnx::model_message(onnx::node_field("Relu", {"x"}, "a", "r") + value(11, "x", 2) +
                                    value(13, "a", 7)));
  EXPECT_EQ(opened.draft.static_shape(opened.draft.find("a")), Dims{2});
}

}  // namespace
}  // namespace planex::clean
