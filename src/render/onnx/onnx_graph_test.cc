#include "render/onnx/onnx_graph.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "base/utf8.h"
#include "model/builder.h"
#include "onnx/attributes.h"
#include "onnx/read.h"

namespace planex::render {
namespace {

using graph::EdgeKind;
using graph::NodeId;
using graph::NodeKind;
using model::Direction;
using model::DType;
using model::LayerId;
using model::TensorId;
using model::ValueType;

std::string written_onnx(const model::PlanModel& model, const graph::PlanGraph& graph) {
  std::string bytes;
  const auto result = write_onnx(model, graph, [&](std::string_view piece) {
    bytes += piece;
    return Result<void>();
  });
  EXPECT_TRUE(result);
  return bytes;
}

onnx::Model parsed(std::string_view bytes) {
  auto model = onnx::read_model(bytes);
  EXPECT_TRUE(model) << model.error().message;
  return model ? std::move(*model) : onnx::Model();
}

std::vector<std::string> texts(std::span<const std::string_view> views) {
  return {views.begin(), views.end()};
}

using Texts = std::vector<std::string>;

// What onnx.checker asks of a graph: values are written once, before they are read.
void expect_well_formed(const onnx::Model& model) {
  const onnx::Graph& graph = model.graphs.front();
  std::set<std::string_view> known, node_names;
  for (const onnx::Value& value : model.values_of(graph)) {
    EXPECT_TRUE(base::is_valid_utf8(value.name));
    if (value.role == onnx::ValueRole::kInput) {
      EXPECT_TRUE(known.insert(value.name).second);
    }
  }
  for (const onnx::Node& node : model.nodes_of(graph)) {
    EXPECT_TRUE(node_names.insert(node.name).second) << node.name;
    EXPECT_FALSE(node.op_type.empty());
    EXPECT_EQ(node.domain, "planex");
    EXPECT_FALSE(model.inputs_of(node).empty() && model.outputs_of(node).empty());
    for (const auto input : model.inputs_of(node)) EXPECT_TRUE(known.contains(input)) << input;
    for (const auto output : model.outputs_of(node)) {
      EXPECT_TRUE(known.insert(output).second) << output << " is written twice";
      EXPECT_FALSE(output.empty());
    }
  }
  for (const onnx::Value& value : model.values_of(graph)) {
    if (value.role == onnx::ValueRole::kOutput) {
      EXPECT_TRUE(known.contains(value.name));
    }
  }
}

// A model and its graph, built side by side.
class Builder {
 public:
  LayerId layer(std::string_view name, const std::vector<std::string_view>& inputs,
                const std::vector<std::string_view>& outputs, DType dtype = DType::kFp16) {
    const LayerId id = builder_.add_layer(builder_.strings().add(name));
    const std::vector<std::int64_t> dims = {1, -1, 8};
    for (const auto tensor : inputs) {
      builder_.add_port(id, Direction::kInput, {.tensor = tensor, .dims = dims, .dtype = dtype});
    }
    for (const auto tensor : outputs) {
      builder_.add_port(id, Direction::kOutput, {.tensor = tensor, .dims = dims, .dtype = dtype});
    }
    graph_.nodes.push_back({.layer = id});
    return id;
  }
  void binding(std::string_view name, Direction direction) {
    builder_.add_binding(name, direction);
    graph_.nodes.push_back(
        {.kind = NodeKind::kBinding, .binding = bindings_++, .direction = direction});
  }
  void edge(std::size_t from, std::size_t to, EdgeKind kind = EdgeKind::kData,
            std::uint32_t from_port = graph::kNoRow) {
    graph_.edges.push_back(
        {.from = NodeId(from), .to = NodeId(to), .kind = kind, .from_port = from_port});
  }
  model::ModelBuilder& model() { return builder_; }
  graph::PlanGraph& graph() { return graph_; }

  std::string bytes() {
    std::ranges::stable_sort(graph_.edges, {}, &graph::Edge::to);
    finished_ = builder_.finish();
    return written_onnx(finished_, graph_);
  }

 private:
  model::ModelBuilder builder_;
  model::PlanModel finished_;
  graph::PlanGraph graph_;
  std::uint32_t bindings_ = 0;
};

TEST(OnnxGraph, HasNodesValuesAndBindings) {
  Builder plan;
  plan.binding("x", Direction::kInput);
  plan.layer("conv", {"x"}, {"t", "unread"});
  plan.layer("relu", {"t"}, {"y"}, DType::kInt8);
  plan.binding("y", Direction::kOutput);
  plan.edge(0, 1);
  plan.edge(1, 2, EdgeKind::kData, 1);
  plan.edge(2, 3, EdgeKind::kData, 4);
  plan.model().model().layers.type.set(0, plan.model().strings().intern("Convolution"));
  const std::string bytes = plan.bytes();
  const onnx::Model model = parsed(bytes);
  expect_well_formed(model);
  const auto nodes = model.nodes_of(model.graphs[0]);
  ASSERT_EQ(nodes.size(), 2U);
  EXPECT_EQ(nodes[0].name, "conv");
  EXPECT_EQ(nodes[0].op_type, "Convolution");
  EXPECT_EQ(nodes[1].op_type, "Layer");
  EXPECT_EQ(texts(model.inputs_of(nodes[0])), Texts{"x"});
  EXPECT_EQ(texts(model.outputs_of(nodes[0])), (Texts{"t", "unread"}));
  EXPECT_EQ(texts(model.inputs_of(nodes[1])), Texts{"t"});
  EXPECT_EQ(texts(model.outputs_of(nodes[1])), Texts{"y"});
  for (const onnx::Value& value : model.values_of(model.graphs[0])) {
    if (value.name != "t") continue;
    EXPECT_EQ(value.type, onnx::DataType::kFloat16);
    ASSERT_EQ(model.dims_of(value).size(), 3U);
    EXPECT_EQ(model.dims_of(value)[1].value, -1);
    EXPECT_EQ(model.dims_of(value)[2].value, 8);
  }
}

TEST(OnnxGraph, KeepsTheTypesOfAttributes) {
  Builder plan;
  const LayerId layer = plan.layer("a", {}, {"t"});
  const auto add = [&](std::string_view key, std::string_view value, ValueType type) {
    plan.model().add_attribute(layer, plan.model().strings().intern(key),
                               plan.model().strings().add(value), type);
  };
  add("Groups", "32", ValueType::kNumber);
  add("Alpha", "0.5", ValueType::kNumber);
  add("Huge", "1e300", ValueType::kNumber);
  add("HasBias", "true", ValueType::kBoolean);
  add("Kernel", "[3,3]", ValueType::kArray);
  add("Params", "[]", ValueType::kArray);
  add("Scales", "[1,0.5]", ValueType::kArray);
  add("Names", R"(["a","b"])", ValueType::kArray);
  add("Mixed", R"([1,"b"])", ValueType::kArray);
  add("Weights", R"({"Type":"Int8"})", ValueType::kObject);
  add("Origin", "QDQ\xff", ValueType::kString);
  add("Groups", "33", ValueType::kNumber);
  const std::string bytes = plan.bytes();
  const onnx::Model model = parsed(bytes);
  const onnx::Node& node = model.nodes_of(model.graphs[0])[0];
  const auto find = [&](std::string_view name) -> const onnx::Attribute& {
    const onnx::Attribute* found = onnx::find_attribute(model, node, name);
    EXPECT_NE(found, nullptr) << name;
    static const onnx::Attribute kNone;
    return found == nullptr ? kNone : *found;
  };
  EXPECT_EQ(onnx::int_of(find("Groups")), 32);
  EXPECT_EQ(onnx::int_of(find("Groups.1")), 33);
  EXPECT_EQ(onnx::float_of(find("Alpha")), 0.5F);
  EXPECT_EQ(onnx::string_of(find("Huge")), "1e300");
  EXPECT_EQ(onnx::int_of(find("HasBias")), 1);
  EXPECT_EQ(onnx::ints_of(find("Kernel"), 9), (std::vector<std::int64_t>{3, 3}));
  EXPECT_EQ(find("Params").type, onnx::AttributeType::kInts);
  EXPECT_EQ(onnx::count_of(find("Params")), 0U);
  EXPECT_EQ(onnx::floats_of(find("Scales"), 9), (std::vector<float>{1, 0.5F}));
  EXPECT_EQ(onnx::strings_of(find("Names"), 9), (std::vector<std::string_view>{"a", "b"}));
  EXPECT_EQ(onnx::string_of(find("Mixed")), R"([1,"b"])");
  EXPECT_EQ(onnx::string_of(find("Weights")), R"({"Type":"Int8"})");
  EXPECT_EQ(onnx::string_of(find("Origin")), "QDQ\uFFFD");
  EXPECT_EQ(onnx::strings_of(find("output_formats"), 9), std::vector<std::string_view>{"FP16 ?"});
}

TEST(OnnxGraph, HasEveryDataType) {
  Builder plan;
  constexpr auto kCount = static_cast<std::size_t>(DType::kNull);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < kCount; ++i) names.push_back("t" + std::to_string(i));
  for (std::size_t i = 0; i < kCount; ++i) {
    plan.layer("l" + names[i], {}, {names[i]}, static_cast<DType>(i));
  }
  const std::string bytes = plan.bytes();
  const onnx::Model model = parsed(bytes);
  std::size_t known = 0;
  for (const onnx::Value& value : model.values_of(model.graphs[0])) {
    known += value.type != onnx::DataType::kUndefined ? 1 : 0;
  }
  EXPECT_EQ(known, kCount);
}

TEST(OnnxGraph, WhatSeveralLayersWriteIsJoined) {
  Builder plan;
  plan.layer("a", {}, {"y"});
  plan.layer("b", {}, {"y"});
  plan.binding("y", Direction::kOutput);
  plan.layer("reader", {"y"}, {});
  plan.edge(0, 2, EdgeKind::kData, 0);
  plan.edge(1, 2, EdgeKind::kData, 1);
  plan.edge(2, 3);
  const std::string bytes = plan.bytes();
  const onnx::Model model = parsed(bytes);
  expect_well_formed(model);
  const auto nodes = model.nodes_of(model.graphs[0]);
  ASSERT_EQ(nodes.size(), 4U);
  EXPECT_EQ(nodes[2].op_type, "Join");
  EXPECT_EQ(texts(model.inputs_of(nodes[2])), (Texts{"y.1", "y.2"}));
  EXPECT_EQ(texts(model.outputs_of(nodes[2])), Texts{"y"});
  EXPECT_EQ(texts(model.inputs_of(nodes[3])), Texts{"y"});
}

TEST(OnnxGraph, LoopsAreCut) {
  Builder plan;
  plan.layer("first", {"state"}, {"next"});
  plan.layer("last", {"next"}, {"state"});
  plan.edge(0, 1, EdgeKind::kData, 1);
  plan.edge(1, 0, EdgeKind::kCarried, 3);
  const std::string bytes = plan.bytes();
  const onnx::Model model = parsed(bytes);
  expect_well_formed(model);
  const onnx::Node& first = model.nodes_of(model.graphs[0])[0];
  EXPECT_EQ(first.name, "first");
  EXPECT_TRUE(model.inputs_of(first).empty());
  const onnx::Attribute* carried = onnx::find_attribute(model, first, "carried_inputs");
  ASSERT_NE(carried, nullptr);
  EXPECT_EQ(onnx::strings_of(*carried, 9), std::vector<std::string_view>{"state"});
}

TEST(OnnxGraph, HostileNamesAreValidAndToldApart) {
  Builder plan;
  const std::string hostile = "a\xff\n\"</script>\u202E";
  plan.layer(hostile, {}, {"t", "t.1", "t", ""});
  plan.layer(hostile, {}, {"t", hostile, hostile});
  plan.layer("", {}, {});
  plan.layer("", {}, {});
  plan.edge(2, 3, EdgeKind::kOrder);
  const std::string bytes = plan.bytes();
  expect_well_formed(parsed(bytes));
}

// Its edges start at rows of `operation_ports`, also where a layer stands for its operations.
TEST(OnnxGraph, SourceViewMayHaveLayers) {
  Builder plan;
  plan.layer("myelin", {}, {"a", "b"});
  plan.model().add_operation({.name = "op", .type = "Relu", .parameters = R"({"alpha":0.5})"});
  plan.graph().nodes.push_back({.kind = NodeKind::kOperation, .operation = model::OperationId(0)});
  plan.graph().view = graph::View::kSource;
  plan.edge(0, 1);
  const std::string bytes = plan.bytes();
  const onnx::Model model = parsed(bytes);
  expect_well_formed(model);
  const onnx::Node& operation = model.nodes_of(model.graphs[0])[1];
  EXPECT_EQ(operation.op_type, "Relu");
  EXPECT_EQ(texts(model.inputs_of(operation)), Texts{"myelin: done"});
  ASSERT_NE(onnx::find_attribute(model, operation, "alpha"), nullptr);
}

TEST(OnnxGraph, EmptyGraphIsAModel) {
  Builder plan;
  const std::string bytes = plan.bytes();
  const onnx::Model model = parsed(bytes);
  EXPECT_TRUE(model.nodes_of(model.graphs[0]).empty());
  EXPECT_EQ(model.graphs[0].name, "engine");
}

// Any graph: cycles, self-loops, several writers, bindings in odd places.
TEST(OnnxGraph, IsWellFormedWhateverTheGraph) {
  std::uint32_t state = 7;
  const auto random = [&](std::uint32_t below) {
    state = state * 1664525 + 1013904223;
    return (state >> 8) % below;
  };
  for (int round = 0; round < 300; ++round) {
    Builder plan;
    const std::uint32_t count = 2 + random(12);
    std::vector<std::uint32_t> port_of(count, graph::kNoRow);
    std::uint32_t ports = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::string name = "t" + std::to_string(random(5));
      switch (random(5)) {
        case 0:
          plan.binding("b" + std::to_string(random(3)), Direction::kInput);
          break;
        case 1:
          plan.binding("b" + std::to_string(random(3)), Direction::kOutput);
          break;
        case 2:
          plan.graph().nodes.push_back({.kind = NodeKind::kMemory});
          break;
        default:
          plan.layer("l" + name, {}, {name});
          port_of[i] = ports++;
      }
    }
    for (std::uint32_t i = 0; i < 2 * count; ++i) {
      const std::uint32_t from = random(count);
      const bool has_port = random(3) > 0;
      plan.edge(from, random(count), static_cast<EdgeKind>(random(7)),
                has_port ? port_of[from] : graph::kNoRow);
    }
    const std::string bytes = plan.bytes();
    expect_well_formed(parsed(bytes));
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace planex::render
