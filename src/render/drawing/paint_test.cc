#include "render/drawing/paint.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <limits>

#include "model/builder.h"

namespace planex::render {
namespace {

using model::DType;
using model::Family;

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

struct PaintedLayer {
  std::string_view type;
  Family family = Family::kOther;
  double median_ms = kUnknown;
  DType precision = DType::kNull;
  std::int64_t stream = -1;
};

model::PlanModel make_model(const std::vector<PaintedLayer>& facts) {
  model::ModelBuilder builder;
  for (const PaintedLayer& fact : facts) {
    const model::LayerId layer = builder.add_layer(builder.strings().add(fact.type));
    model::LayersTable& table = builder.model().layers;
    table.type.set(layer.index(), builder.strings().intern(fact.type));
    table.family.set(layer.index(), fact.family);
    table.median_ms.set(layer.index(), fact.median_ms);
    table.precision.set(layer.index(), fact.precision);
    if (fact.stream >= 0) table.stream.set(layer.index(), fact.stream);
  }
  return builder.finish();
}

graph::PlanGraph make_graph(const model::PlanModel& model) {
  graph::PlanGraph graph;
  for (std::size_t i = 0; i < model.layers.row_count(); ++i) {
    graph.nodes.push_back({.layer = model::LayerId(i)});
  }
  return graph;
}

const Palette kLight(Theme::kLight, PaletteName::kPlanex);

std::vector<std::string> labels(const std::vector<LegendEntry>& legend) {
  std::vector<std::string> result;
  for (const LegendEntry& entry : legend) result.push_back(entry.label);
  return result;
}

TEST(HeatScale, HasAsManyValuesInEachStep) {
  std::vector<double> values;
  for (int i = 1; i <= 60; ++i) values.push_back(i);
  values.push_back(1e6);  // one slow layer
  values.insert(values.end(), 20, 0.0);
  const auto scale = heat_scale(values);
  ASSERT_TRUE(scale);
  EXPECT_EQ(scale->least, 0);
  EXPECT_EQ(scale->greatest, 1e6);
  std::array<int, kHeatSteps> counts{};
  for (const double value : values) {
    if (value > 0) ++counts[scale->step(value)];
  }
  EXPECT_EQ(counts, (std::array<int, kHeatSteps>{10, 10, 10, 10, 10, 11}));
  EXPECT_EQ(scale->step(0), 0U);
}

TEST(HeatScale, KeepsFewValuesApart) {
  const auto one = heat_scale({3});
  EXPECT_EQ(one->step(3), kHeatSteps - 1);
  EXPECT_EQ(one->step(0), 0U);
  const auto two = heat_scale({1, 2});
  EXPECT_LT(two->step(1), two->step(2));
  EXPECT_EQ(two->step(2), kHeatSteps - 1);
  std::vector<double> mostly_small(95, 0.01);
  mostly_small.insert(mostly_small.end(), 5, 1.0);
  const auto small = heat_scale(mostly_small);
  EXPECT_LE(small->step(0.01), 1U);
  EXPECT_EQ(small->step(1), kHeatSteps - 1);
}

TEST(HeatScale, TakesNoValuesAndZeroes) {
  EXPECT_FALSE(heat_scale({}));
  EXPECT_FALSE(heat_scale({kUnknown, std::numeric_limits<double>::infinity()}));
  const auto zero = heat_scale({0, 0});
  ASSERT_TRUE(zero);
  EXPECT_EQ(zero->step(0), 0U);
}

TEST(HeatScale, StepsRiseWithTheValue) {
  std::uint32_t state = 1;
  for (int round = 0; round < 200; ++round) {
    std::vector<double> values;
    for (int i = 0; i <= round % 40; ++i) {
      state = state * 1664525 + 1013904223;
      values.push_back(state >> 28);
    }
    const auto scale = heat_scale(values);
    EXPECT_TRUE(std::ranges::is_sorted(scale->bounds));
    std::ranges::sort(values);
    if (values.back() > 0) {
      EXPECT_EQ(scale->step(values.back()), kHeatSteps - 1);
    }
    if (values.front() < values.back()) {
      EXPECT_LT(scale->step(values.front()), scale->step(values.back()));
    }
  }
}

TEST(Paint, TypesComeByTheirTimeAndShareAnEntryByColour) {
  const model::PlanModel model = make_model({{"Shuffle", Family::kShuffle},
                                             {"Convolution", Family::kConvolution, 2},
                                             {"Slice", Family::kShuffle, 0.5},
                                             {"Reformat", Family::kReformat, 3},
                                             {"Deconvolution", Family::kConvolution, 4}});
  const graph::PlanGraph graph = make_graph(model);
  const Paint paint(model, graph, ColourMode::kType, kLight);
  const std::vector<LegendEntry> legend = paint.legend();
  EXPECT_EQ(labels(legend),
            (std::vector<std::string>{"Deconvolution, Convolution", "Reformat", "Slice, Shuffle"}));
  EXPECT_TRUE(legend[1].is_hatched);
  EXPECT_FALSE(legend[0].is_hatched);
  EXPECT_EQ(paint.fill(graph.nodes[1]), kLight.layer(Family::kConvolution, "Convolution"));
  EXPECT_EQ(paint.fill(graph.nodes[1]), legend[0].fill);
  EXPECT_EQ(paint.heat(1.0), "");

  const Palette trex(Theme::kLight, PaletteName::kTrex);
  EXPECT_EQ(
      labels(Paint(model, graph, ColourMode::kType, trex).legend()),
      (std::vector<std::string>{"Deconvolution", "Reformat", "Convolution", "Slice", "Shuffle"}));
}

TEST(Paint, NamesFewTypesOfOneColourAndShowsHostileOnes) {
  const model::PlanModel model = make_model({{"a\n"}, {"b"}, {"c"}, {"d"}, {"e"}});
  const graph::PlanGraph graph = make_graph(model);
  const Paint paint(model, graph, ColourMode::kType, kLight);
  EXPECT_EQ(labels(paint.legend()), std::vector<std::string>{"a⟨U+000A⟩, b, c and 2 more"});
}

TEST(Paint, PrecisionsComeByTheirNumberAndUnknownLast) {
  const model::PlanModel model = make_model({{"A", Family::kOther, 1, DType::kInt8},
                                             {"B"},
                                             {"C", Family::kOther, 1, DType::kFp16},
                                             {"D", Family::kOther, 1, DType::kInt32},
                                             {"E", Family::kOther, 1, DType::kInt64}});
  const graph::PlanGraph graph = make_graph(model);
  const Paint paint(model, graph, ColourMode::kPrecision, kLight);
  EXPECT_EQ(labels(paint.legend()),
            (std::vector<std::string>{"FP16", "INT64, INT32", "INT8", "precision not known"}));
  EXPECT_EQ(paint.legend().back().fill, "");
  EXPECT_EQ(paint.fill(graph.nodes[1]), "");
}

TEST(Paint, HeatSaysItsRanges) {
  std::vector<PaintedLayer> layers;
  for (int i = 1; i <= 12; ++i) layers.push_back({"A", Family::kOther, i / 1000.0});
  const model::PlanModel model = make_model(layers);
  const graph::PlanGraph graph = make_graph(model);
  const Paint paint(model, graph, ColourMode::kHeat, kLight);
  const std::vector<LegendEntry> legend = paint.legend();
  ASSERT_EQ(legend.size(), kHeatSteps);
  EXPECT_EQ(legend.front().label, "1.0 – 3.0 µs");
  EXPECT_EQ(legend.back().label, "11.0 – 12.0 µs");
  EXPECT_EQ(paint.fill(graph.nodes[11]), kLight.heat(kHeatSteps - 1));
  EXPECT_EQ(paint.heat(0.5), kLight.heat(kHeatSteps - 1));
  EXPECT_EQ(paint.heat(std::nullopt), "");
}

TEST(Paint, HeatOfOneTimeIsOneEntry) {
  const model::PlanModel model = make_model({{"A", Family::kOther, 0.5}, {"B"}});
  const graph::PlanGraph graph = make_graph(model);
  const Paint paint(model, graph, ColourMode::kHeat, kLight);
  EXPECT_EQ(labels(paint.legend()), (std::vector<std::string>{"500 µs", "time not known"}));
  // Only nodes of the graph count.
  graph::PlanGraph part;
  part.nodes.push_back(graph.nodes[1]);
  EXPECT_EQ(labels(Paint(model, part, ColourMode::kHeat, kLight).legend()),
            std::vector<std::string>{"time not known"});
}

TEST(Paint, HeatWithoutAnyTimeIsCold) {
  const model::PlanModel model = make_model({{"A", Family::kOther, 0}, {"B", Family::kOther, 0}});
  const graph::PlanGraph graph = make_graph(model);
  const Paint paint(model, graph, ColourMode::kHeat, kLight);
  EXPECT_EQ(labels(paint.legend()), std::vector<std::string>{"0.0 µs"});
  EXPECT_EQ(paint.legend().front().fill, kLight.heat(0));
}

TEST(Paint, StreamsHaveColoursOfTheirOwn) {
  const model::PlanModel model = make_model({{"A", Family::kOther, 1, DType::kNull, 2},
                                             {"B", Family::kOther, 1, DType::kNull, 0},
                                             {"C", Family::kOther, 1, DType::kNull, 8}});
  const graph::PlanGraph graph = make_graph(model);
  const Paint paint(model, graph, ColourMode::kStream, kLight);
  EXPECT_EQ(labels(paint.legend()), (std::vector<std::string>{"stream 0, 8", "stream 2"}));
}

TEST(Paint, BindingsAndMemoryAreNeutralButInPrecision) {
  model::ModelBuilder builder;
  const model::LayerId layer = builder.add_layer(builder.strings().add("A"));
  builder.add_port(layer, model::Direction::kInput, {.tensor = "x", .dtype = DType::kFp16});
  builder.add_binding("x", model::Direction::kInput);
  model::PlanModel model = builder.finish();
  model.tensors.first_layer_id.set(0, layer);
  graph::PlanGraph graph;
  graph.nodes.push_back({.kind = graph::NodeKind::kBinding, .tensor = {}, .binding = 0});
  graph.nodes.push_back({.kind = graph::NodeKind::kMemory, .tensor = model::TensorId(0)});
  const Paint type(model, graph, ColourMode::kType, kLight);
  EXPECT_EQ(type.fill(graph.nodes[0]), kLight.ui(UiColour::kSurface2));
  EXPECT_TRUE(type.legend().empty());
  const Paint precision(model, graph, ColourMode::kPrecision, kLight);
  EXPECT_EQ(precision.fill(graph.nodes[1]), kLight.precision(DType::kFp16));
}

TEST(Paint, OperationsHaveTheColourOfTheirLayer) {
  model::ModelBuilder builder;
  const model::LayerId layer = builder.add_layer(builder.strings().add("conv + relu"));
  builder.model().layers.family.set(layer.index(), Family::kConvolution);
  builder.add_source(layer, "relu", "Relu", model::Evidence::kName);
  builder.add_source(layer, "twice", "Add", model::Evidence::kName);
  builder.add_operation({.name = "relu", .type = "Relu"});
  builder.add_operation({.name = "gone", .type = "Identity"});
  builder.add_operation({.name = "twice", .type = "Add"});
  builder.add_operation({.name = "twice", .type = "Add"});
  const model::PlanModel model = builder.finish();
  graph::PlanGraph graph;
  for (std::size_t i = 0; i < 4; ++i) {
    graph.nodes.push_back(
        {.kind = graph::NodeKind::kOperation, .operation = model::OperationId(i)});
  }
  const Paint paint(model, graph, ColourMode::kType, kLight);
  EXPECT_EQ(paint.fill(graph.nodes[0]), kLight.layer(Family::kConvolution, ""));
  for (std::size_t i = 1; i < 4; ++i) EXPECT_EQ(paint.fill(graph.nodes[i]), "") << i;
}

}  // namespace
}  // namespace planex::render
