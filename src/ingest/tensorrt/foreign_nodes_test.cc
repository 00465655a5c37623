#include "ingest/tensorrt/foreign_nodes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "ingest/tensorrt/source_names.h"

namespace planex::ingest::tensorrt {
namespace {

using ::testing::ElementsAre;
using ::testing::UnorderedElementsAre;

struct Node {
  std::string name;
  std::vector<std::string> inputs;
  std::string output;
};

void add_nodes(const std::vector<Node>& nodes, model::ModelBuilder& builder) {
  model::PlanModel& model = builder.model();
  const auto add_port = [&](std::size_t operation, model::Direction direction,
                            const std::string& tensor) {
    const std::size_t row = model.operation_ports.add_row();
    model.operation_ports.operation_id.set(row, model::OperationId(operation));
    model.operation_ports.direction.set(row, direction);
    model.operation_ports.tensor.set(row, builder.strings().intern(tensor));
  };
  for (const Node& node : nodes) {
    const std::size_t row = model.operations.add_row();
    model.operations.operation_id.set(row, model::OperationId(row));
    model.operations.name.set(row, builder.strings().intern(node.name));
    model.operations.type.set(row, builder.strings().intern("MatMul"));
    for (const std::string& input : node.inputs) {
      add_port(row, model::Direction::kInput, input);
    }
    add_port(row, model::Direction::kOutput, node.output);
  }
}

std::vector<std::string> sources_of(std::string_view layer_name, const std::vector<Node>& nodes) {
  model::ModelBuilder builder;
  const base::StringId name = builder.strings().intern(layer_name);
  add_sources_of_name(builder.add_layer(name), builder.strings().view(name), builder);
  add_nodes(nodes, builder);
  add_operations_between(builder);
  const model::PlanModel model = builder.finish();
  std::vector<std::string> names;
  for (std::size_t row = 0; row < model.sources.row_count(); ++row) {
    names.emplace_back(model.text(model.sources.op_name[row]));
  }
  return names;
}

// in -> a -> { b -> c, d } -> e -> out, and f separate from all of it.
const std::vector<Node> kFork = {{"a", {"in"}, "ta"},       {"b", {"ta"}, "tb"},
                                 {"f", {"in"}, "tf"},       {"c", {"tb"}, "tc"},
                                 {"d", {"ta", "tf"}, "td"}, {"e", {"tc", "td"}, "t_e"},
                                 {"g", {"t_e"}, "out"}};

TEST(OperationsBetween, AreThoseOnAllPaths) {
  EXPECT_THAT(sources_of("{ForeignNode[a...e]}", kFork),
              UnorderedElementsAre("a", "b", "c", "d", "e"));
  EXPECT_THAT(sources_of("{ForeignNode[b...g]}", kFork), UnorderedElementsAre("b", "c", "e", "g"));
  EXPECT_THAT(sources_of("{ForeignNode[w + (Unnamed Layer* 3) [Shuffle] + a...c]}", kFork),
              UnorderedElementsAre("a", "b", "c"));
}

TEST(OperationsBetween, AreNotGuessedWhereAnEndIsNotInTheModel) {
  EXPECT_THAT(sources_of("{ForeignNode[x...e]}", kFork), ElementsAre("x", "e"));
  EXPECT_THAT(sources_of("{ForeignNode[e...a]}", kFork), ElementsAre("e", "a"));
  EXPECT_THAT(sources_of("{ForeignNode[a...e]}", {}), ElementsAre("a", "e"));
}

TEST(OperationsBetween, EndInCircles) {
  EXPECT_THAT(sources_of("{ForeignNode[a...b]}",
                         {{"a", {"tb"}, "ta"}, {"b", {"ta"}, "tb"}, {"c", {"tb"}, "tc"}}),
              ElementsAre("a", "b"));
}

}  // namespace
}  // namespace planex::ingest::tensorrt
