#include "clean/clean.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "clean/test_net.h"

namespace planex::clean {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TestNet identities() {
  TestNet net;
  return net.input("x", {2})
      .node("Identity", {"x"}, "a")
      .node("Relu", {"a"}, "b")
      .node("Abs", {"a"}, "dead")
      .output("b", {2});
}

TEST(Clean, TellsWhatItDid) {
  const CleanNet net(identities());
  EXPECT_EQ(net.operators(), "Relu");
  ASSERT_EQ(net.cleaned.steps.size(), 2U);
  EXPECT_EQ(net.cleaned.steps[0].id, "dead");
  EXPECT_THAT(net.cleaned.steps[0].nodes, ElementsAre("dead"));
  EXPECT_EQ(net.cleaned.steps[1].id, "no-ops");
  EXPECT_EQ(net.cleaned.nodes_before, 3U);
  EXPECT_EQ(net.cleaned.nodes, 1U);
}

TEST(Clean, RunsThePassesThatAreAsked) {
  // What nothing reads goes with every pass.
  EXPECT_EQ(CleanNet(identities(), {.only = {"no-ops"}, .skipped = {}, .opset = {}}).operators(),
            "Relu");
  EXPECT_EQ(CleanNet(identities(), {.only = {}, .skipped = {"no-ops"}, .opset = {}}).operators(),
            "Identity Relu");
  const std::string bytes = identities().bytes();
  const base::MemoryFiles files;
  const auto failed =
      clean_model(bytes, files, "", {.only = {"nonsense"}, .skipped = {}, .opset = {}});
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code, ErrorCode::kUsage);
  EXPECT_THAT(failed.error().hint, HasSubstr("transposes"));
}

TEST(Clean, LeavesACleanModelAsItIs) {
  TestNet net;
  const CleanNet clean(net.input("x", {2}).node("Relu", {"x"}, "y").output("y", {2}));
  EXPECT_TRUE(clean.cleaned.bytes.empty());
  EXPECT_TRUE(clean.cleaned.steps.empty());
}

TEST(Clean, RefusesWhatItCantJudge) {
  const base::MemoryFiles files;
  const auto code_of = [&](const std::string& bytes, const CleanOptions& options = {}) {
    const auto result = clean_model(bytes, files, "", options);
    return result ? std::optional<ErrorCode>() : result.error().code;
  };
  EXPECT_EQ(code_of("no model"), ErrorCode::kBadInput);
  EXPECT_EQ(code_of(onnx::model_message("", 8)), ErrorCode::kUnsupported);
  EXPECT_EQ(code_of(onnx::model_message("", 13), {.only = {}, .skipped = {}, .opset = 99}),
            ErrorCode::kUnsupported);
  EXPECT_EQ(code_of(onnx::model_message(onnx::node_field("Relu", {"later"}, "a", "r") +
                                        onnx::node_field("Relu", {"a"}, "later", "s"))),
            ErrorCode::kBadInput);
}

TEST(Clean, SurvivesNodesWithoutInputs) {
  // A Transpose and others that read nothing, beside nodes that passes look at.
  std::string graph;
  for (const std::string_view op : {"Transpose", "Identity", "Pad", "Conv", "Reshape", "Cast"}) {
    const std::string made(op);
    graph += onnx::node_field(op, {}, made, made) +
             onnx::node_field("Reshape", {made, "c"}, made + "_r", made + "_r");
  }
  const std::string bytes = onnx::model_message(
      onnx::bytes_field(5, onnx::varint_field(1, 1) + onnx::varint_field(2, 7) +
                               onnx::bytes_field(8, "c") + onnx::varint_field(7, 1)) +
      graph + onnx::bytes_field(12, onnx::bytes_field(1, "Transpose_r")));
  const base::MemoryFiles files;
  EXPECT_TRUE(clean_model(bytes, files, "", {}));
}

TEST(Clean, HasAPassOfEachName) {
  std::set<std::string_view> seen;
  for (const Pass& pass : all_passes()) {
    EXPECT_TRUE(seen.insert(pass.id).second) << pass.id;
    EXPECT_FALSE(pass.summary.empty());
    EXPECT_NE(pass.run, nullptr);
  }
}

// An If, one branch of which reads sizes and a constant around it.
std::string with_branches() {
  const auto graph_field = [](std::string_view name, const std::string& graph) {
    return onnx::bytes_field(
        5, onnx::bytes_field(1, name) + onnx::bytes_field(6, graph) + onnx::varint_field(20, 5));
  };
  const auto value = [](std::uint32_t number, std::string_view name) {
    return onnx::bytes_field(number, onnx::bytes_field(1, name));
  };
  const std::string then_graph = onnx::node_field("Shape", {"x"}, "shape", "shape") +
                                 onnx::node_field("Gather", {"shape", "zero"}, "rows", "rows") +
                                 onnx::node_field("Identity", {"x"}, "same", "same") +
                                 onnx::node_field("Tile", {"same", "rows"}, "tiled", "tiled") +
                                 onnx::node_field("Abs", {"unread"}, "gone", "gone") +
                                 value(12, "tiled");
  const std::string else_graph =
      onnx::node_field("Relu", {"x"}, "positive", "positive") + value(12, "positive");
  const std::string three = onnx::bytes_field(2, onnx::bytes_field(1, onnx::varint_field(1, 3)));
  const std::string type = onnx::bytes_field(1, onnx::varint_field(1, 1) + three);
  const std::string zero = onnx::varint_field(1, 1) + onnx::varint_field(2, 7) +
                           onnx::varint_field(7, 0) + onnx::bytes_field(8, "zero");
  return onnx::model_message(
      onnx::bytes_field(11, onnx::bytes_field(1, "x") + onnx::bytes_field(2, type)) +
      value(11, "c") + value(11, "unread") + onnx::bytes_field(5, zero) +
      onnx::node_field(
          "If", {"c"}, "y", "if",
          graph_field("then_branch", then_graph) + graph_field("else_branch", else_graph)) +
      value(12, "y"));
}

TEST(Clean, SimplifiesBodies) {
  const base::MemoryFiles files;
  const std::string bytes = with_branches();
  const auto cleaned = clean_model(bytes, files, "", {});
  ASSERT_TRUE(cleaned) << cleaned.error().message;
  const onnx::Model model = onnx::read_model(cleaned->bytes).value();
  ASSERT_EQ(model.graphs.size(), 3U);
  const onnx::Graph& then_graph = model.graphs[1];
  ASSERT_EQ(then_graph.nodes.count, 1U);
  const onnx::Node& tile = model.nodes_of(then_graph).front();
  EXPECT_EQ(tile.op_type, "Tile");
  // What it reads of the graph around is neither an input of the branch nor in it.
  EXPECT_EQ(model.inputs_of(tile).front(), "x");
  ASSERT_EQ(then_graph.initializers.count, 1U);
  EXPECT_EQ(model.initializers_of(then_graph).front().name, model.inputs_of(tile)[1]);
  EXPECT_EQ(then_graph.values.count, 1U);
  EXPECT_EQ(model.graphs[2].nodes.count, 1U);
  EXPECT_EQ(cleaned->nodes_before, 7U);
  EXPECT_EQ(cleaned->nodes, 3U);
  // The constant is no longer read.
  EXPECT_EQ(model.graphs.front().initializers.count, 0U);
}

TEST(Clean, LeavesABodyThatCantStandAlone) {
  std::string bytes = with_branches();
  // "unread" is no longer declared: nobody makes what the branch reads.
  const std::size_t at = bytes.find("unread");
  ASSERT_NE(at, bytes.npos);
  bytes[at] = 'U';
  const base::MemoryFiles files;
  const auto cleaned = clean_model(bytes, files, "", {});
  ASSERT_TRUE(cleaned) << cleaned.error().message;
  EXPECT_EQ(
      onnx::read_model(cleaned->bytes.empty() ? bytes : cleaned->bytes)->graphs[1].nodes.count, 5U);
}

TEST(Clean, FoldsSizesOfAFixedInput) {
  TestNet net;
  const CleanNet clean(net.input("x", {2, 3, 4})
                           .ints("zero", {0})
                           .ints("rest", {-1})
                           .node("Shape", {"x"}, "shape")
                           .node("Gather", {"shape", "zero"}, "batch")
                           .node("Concat", {"batch", "rest"}, "sizes", {{"axis", std::int64_t{0}}})
                           .node("Reshape", {"x", "sizes"}, "y")
                           .output("y", {2, 12}));
  EXPECT_EQ(clean.operators(), "Reshape");
  EXPECT_EQ(CleanNet(net).ints("Reshape", 1), (Dims{2, -1}));
}

TEST(Clean, DoesNotMakeFilesLarge) {
  TestNet net;
  net.input("x", {1, 1})
      .floats("one", {1}, {1.5F})
      .ints("sizes", {1000, 1000})
      .node("Expand", {"one", "sizes"}, "large")
      .node("Add", {"x", "large"}, "y")
      .output("y", {1000, 1000});
  EXPECT_EQ(CleanNet(net).operators(), "Expand Add");
}

TEST(Clean, KeepsInputsThatAreDefaults) {
  // From ir_version 4 on the caller may give another value.
  TestNet net;
  const CleanNet clean(net.input("x", {2})
                           .input("c", {1})
                           .floats("c", {1}, {1})
                           .node("Mul", {"x", "c"}, "y")
                           .output("y", {2}));
  EXPECT_EQ(clean.operators(), "Mul");
}

TEST(Clean, MergesDuplicates) {
  TestNet net;
  CleanNet clean(net.input("x", {2})
                     .floats("one", {2}, {3, 4})
                     .floats("other", {2}, {3, 4})
                     .node("Add", {"x", "one"}, "a")
                     .node("Add", {"x", "other"}, "b")
                     .node("Mul", {"a", "b"}, "y")
                     .output("y", {2}));
  EXPECT_EQ(clean.operators(), "Add Mul");
  EXPECT_EQ(clean.model.tensors.size(), 1U);
}

}  // namespace
}  // namespace planex::clean
