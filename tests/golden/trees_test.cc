// tests/golden/trees/<folder>.txt: the groups of each folder of real engines, in both views that
// have some, so that no change of what is one piece goes unseen. `tools/golden --update` writes the
// files anew.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/text.h"
#include "graph/hierarchy.h"
#include "graph/selection.h"
#include "support/golden.h"
#include "support/test_data.h"

namespace planex::test {
namespace {

using base::format;
using graph::Group;
using graph::GroupId;
using graph::GroupTree;
using graph::PlanGraph;

const std::string kGoldens = PLANEX_GOLDEN_FOLDER "/trees";

std::string line_of(const model::PlanModel& model, const PlanGraph& graph, const GroupTree& tree,
                    const Group& group) {
  std::string line = format("{} {} [{}]  {} nodes", to_string(group.kind), group.name, group.path,
                            group.node_count);
  if (group.layer_count > 0) line += format(", {} layers", group.layer_count);
  if (group.median_ms) line += format(", {:.4f} ms", *group.median_ms);
  if (group.shape != 0) line += format(", shape {}", group.shape);
  if (group.instance_median_ms) {
    line += format(", turns {:.4f} {:.4f} {:.4f} ms", *group.instance_min_ms,
                   *group.instance_median_ms, *group.instance_max_ms);
  }
  for (const GroupId odd : group.outliers) line += ", odd " + tree.groups[odd.index()].name;
  if (!group.hottest.is_null()) {
    line += ", hottest " + base::quoted(node_name(model, graph.nodes[group.hottest.index()]), 60);
  }
  return line;
}

std::string tree_text(const model::PlanModel& model, graph::View view) {
  const PlanGraph graph = graph::build_plan_graph(model, {.view = view});
  const GroupTree tree = build_groups(model, graph);
  const auto loose =
      std::ranges::count_if(tree.group_of_node, [](GroupId group) { return group.is_null(); });
  std::string text = format("{} nodes, {} edges, {} groups, {} nodes in none\n", graph.nodes.size(),
                            graph.edges.size(), tree.groups.size(), loose);
  std::vector<std::size_t> depth(tree.groups.size(), 1);
  for (std::size_t i = 0; i < tree.groups.size(); ++i) {
    const Group& group = tree.groups[i];
    if (!group.parent.is_null()) depth[i] = depth[group.parent.index()] + 1;
    text += std::string(depth[i] * 2, ' ') + line_of(model, graph, tree, group) + "\n";
  }
  return text;
}

std::string result_of(const std::string& folder) {
  auto loaded = load_completed({.path = folder}, base::disk());
  if (!loaded) return to_text(loaded.error()) + "\n";
  return "execution: " + tree_text(*loaded, graph::View::kExecution) +
         "source: " + tree_text(*loaded, graph::View::kSource);
}

TEST(TreesGolden, EveryFolderIsAsExpected) {
  PLANEX_NEED_TEST_DATA(data);
  for (const std::string& folder : engine_folders(data)) {
    SCOPED_TRACE(folder);
    for (const std::string& engine : engines_in(folder, base::disk())) {
      expect_golden(kGoldens + "/" + name_of_engine(folder, engine) + ".txt", result_of(engine));
    }
  }
}

}  // namespace
}  // namespace planex::test
