#include "graph/selection.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graph/test_engine.h"

namespace planex::graph {
namespace {

using model::PlanModel;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// x -> stem -> left, right -> join -> y, and a layer beside them.
class Selecting : public ::testing::Test {
 protected:
  Selecting() {
    TestEngine engine;
    engine.add("stem", {"x"}, {"t"}, {.ms = 1.0});
    engine.add("left", {"t"}, {"l"}, {.type = "Pooling", .ms = 3.0});
    engine.add("right", {"t"}, {"r"}, {.ms = 2.0});
    engine.add("join", {"l", "r"}, {"y"}, {.ms = 0.5});
    const auto alone = engine.add("alone", {}, {});
    engine.builder.add_attribute(alone, engine.builder.strings().intern("Kernel"),
                                 engine.builder.strings().add("sm80_thing"),
                                 model::ValueType::kString);
    model_ = engine.finish({"x", "y"});
    graph_ = build_plan_graph(model_, {});
  }

  std::vector<std::string> kept(const SelectionRequest& request) {
    const auto selection = select(model_, graph_, request);
    if (!selection) return {selection.error().message};
    return names_of(model_, subgraph(graph_, selection->kept, Contract::kNo));
  }

  PlanModel model_;
  PlanGraph graph_;
};

TEST_F(Selecting, ByPattern) {
  EXPECT_THAT(kept({.select = "^Pool", .neighbours = 0}), ElementsAre("left"));
  EXPECT_THAT(kept({.select = "left"}), ElementsAre("stem", "left", "join"));
  EXPECT_THAT(kept({.select = "sm80", .neighbours = 0}), ElementsAre("alone"));
  EXPECT_THAT(kept({.select = "("}), ElementsAre(HasSubstr("is not a valid regular expression")));
  EXPECT_THAT(kept({.select = "nothing"}), ElementsAre(HasSubstr("leaves no node")));
}

TEST_F(Selecting, AroundIsUpOrDownstream) {
  EXPECT_THAT(kept({.around = "left", .radius = 1}), ElementsAre("stem", "left", "join"));
  EXPECT_THAT(kept({.around = "#1", .radius = 9}), ElementsAre("x", "stem", "left", "join", "y"));
}

TEST_F(Selecting, Between) {
  EXPECT_THAT(kept({.between_from = "stem", .between_to = "right"}), ElementsAre("stem", "right"));
  const auto back = select(model_, graph_, {.between_from = "join", .between_to = "stem"});
  ASSERT_FALSE(back);
  EXPECT_EQ(back.error().hint, "there is a path in the other direction");
}

TEST_F(Selecting, Slowest) {
  EXPECT_THAT(kept({.slowest = 1, .context = 0}), ElementsAre("left"));
  const auto selection = select(model_, graph_, {.slowest = 2, .context = 1});
  ASSERT_TRUE(selection);
  EXPECT_EQ(selection->hits.size(), 2U);
}

TEST_F(Selecting, WithoutDisconnected) {
  EXPECT_THAT(kept({.remove_disconnected = true}),
              ElementsAre("x", "stem", "left", "right", "join", "y"));
}

TEST_F(Selecting, ConditionsHoldTogether) {
  EXPECT_THAT(kept({.select = "left", .neighbours = 0, .around = "alone"}),
              ElementsAre(HasSubstr("leaves no node")));
}

TEST_F(Selecting, NamesOfNodes) {
  const auto name = [&](std::string_view text) -> std::string {
    const auto node = find_node(model_, graph_, text);
    return node ? std::string(node_name(model_, graph_.nodes[node->index()]))
                : node.error().message + "|" + node.error().hint;
  };
  EXPECT_EQ(name("join"), "join");
  EXPECT_EQ(name("joi"), "join");
  EXPECT_EQ(name("2"), "right");
  EXPECT_EQ(name("#0"), "stem");
  EXPECT_EQ(name("y"), "y");
  EXPECT_THAT(name("t"), HasSubstr("3 nodes contain \"t\""));
  EXPECT_THAT(name("rihgt"), HasSubstr("did you mean \"right\"?"));
  EXPECT_THAT(name("#99"), HasSubstr("no node"));
}

TEST_F(Selecting, AWayThroughWhatIsLeftOutIsOneEdge) {
  std::vector<bool> kept(graph_.nodes.size(), true);
  for (std::size_t node = 0; node < kept.size(); ++node) {
    const auto name = node_name(model_, graph_.nodes[node]);
    kept[node] = name == "x" || name == "join" || name == "y";
  }
  const PlanGraph part = subgraph(graph_, kept, Contract::kYes);
  EXPECT_THAT(edges_of(model_, part), ElementsAre("join -> y"));
  EXPECT_THAT(edges_of(model_, part, EdgeKind::kContracted), ElementsAre("x -> join"));
  EXPECT_EQ(part.node_of_layer[3], NodeId(1));
  EXPECT_TRUE(part.node_of_layer[0].is_null());
}

}  // namespace
}  // namespace planex::graph
