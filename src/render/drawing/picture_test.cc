#include "render/drawing/picture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "analyze/complete/complete.h"
#include "model/builder.h"
#include "render/drawing/edges.h"
#include "render/drawing/hover.h"
#include "render/drawing/line_width.h"

namespace planex::render {
namespace {

using model::DType;
using model::Family;
using testing::HasSubstr;

struct TestPort {
  std::string_view tensor;
  DType dtype;
};

struct TestLayer {
  std::string_view name, type;
  Family family;
  std::vector<TestPort> inputs;
  TestPort output;
  double median_ms;
};

// A residual block: copy, convolution, convolution that adds the copy's input.
const std::vector<TestLayer> kBlock = {
    {"conv0",
     "Convolution",
     Family::kConvolution,
     {{"in", DType::kFp16}},
     {"a", DType::kFp16},
     0.1},
    {"copy", "Reformat", Family::kReformat, {{"a", DType::kFp16}}, {"b", DType::kInt8}, 0.02},
    {"conv1",
     "Convolution",
     Family::kConvolution,
     {{"b", DType::kInt8}},
     {"c", DType::kInt8},
     0.05},
    {"conv2 + Add",
     "Convolution",
     Family::kConvolution,
     {{"c", DType::kInt8}, {"a", DType::kFp16}},
     {"out", DType::kFp16},
     0.2}};

// A model with everything that a picture of it needs, at one place.
struct Drawing {
  model::PlanModel model;
  analyze::Summary summary;
  graph::PlanGraph graph;
  graph::GroupTree tree;
  graph::BoxGraph boxes;

  explicit Drawing(const std::vector<TestLayer>& layers) {
    model::ModelBuilder builder;
    const std::int64_t dims[] = {32, 64, 56, 56};
    const model::Layout layout = model::layout_of("NCHW");
    for (const TestLayer& facts : layers) {
      const model::LayerId layer = builder.add_layer(builder.strings().add(facts.name));
      model::LayersTable& table = builder.model().layers;
      table.type.set(layer.index(), builder.strings().intern(facts.type));
      table.family.set(layer.index(), facts.family);
      table.role.set(layer.index(), model::Role::kWork);
      table.median_ms.set(layer.index(), facts.median_ms);
      for (const TestPort& port : facts.inputs) {
        builder.add_port(
            layer, model::Direction::kInput,
            {.tensor = port.tensor, .dims = dims, .dtype = port.dtype, .layout = layout});
      }
      builder.add_port(layer, model::Direction::kOutput,
                       {.tensor = facts.output.tensor,
                        .dims = dims,
                        .dtype = facts.output.dtype,
                        .layout = layout});
    }
    builder.add_binding("in", model::Direction::kNull);
    builder.add_binding("out", model::Direction::kNull);
    model = builder.finish();
    summary = analyze::summarize(model, analyze::complete(model));
    graph = graph::build_plan_graph(model, {});
    tree = graph::build_groups(model, graph);
    boxes = graph::collapse(graph, tree, std::vector<bool>(tree.groups.size(), false));
  }

  Picture picture(const PictureOptions& options = {}, std::vector<bool> marked = {}) const {
    return make_picture({.model = &model,
                         .summary = &summary,
                         .graph = &graph,
                         .tree = &tree,
                         .boxes = &boxes,
                         .is_marked = std::move(marked)},
                        options);
  }
};

std::string text_of(const std::vector<Line>& lines) {
  std::string text;
  for (const Line& line : lines) {
    for (const Run& run : line) text += (run.square != 0 ? "■ " : "") + run.text;
    text += '\n';
  }
  return text;
}

const PictureBox& box_of(const Picture& picture, std::string_view name) {
  for (const PictureBox& box : picture.boxes) {
    if (box.name == name) return box;
  }
  ADD_FAILURE() << name;
  return picture.boxes.front();
}

TEST(Picture, SaysWhatMatters) {
  const Drawing drawing(kBlock);
  const Picture picture = drawing.picture();
  ASSERT_EQ(picture.boxes.size(), 6U);
  EXPECT_EQ(box_of(picture, "copy").shape, BoxShape::kReformat);
  EXPECT_EQ(text_of(box_of(picture, "copy").lines), "FP16 → INT8 copy\n");
  EXPECT_EQ(text_of(box_of(picture, "conv1").lines), "conv1\nConvolution · INT8\n");
  EXPECT_EQ(text_of(box_of(picture, "conv2 + Add").lines),
            "conv2 + Add\nConvolution · ■ INT8 → ■ FP16\n");
  EXPECT_EQ(box_of(picture, "conv1").time, "50.0 µs");
  EXPECT_EQ(box_of(picture, "conv2 + Add").bar, 1);
  EXPECT_DOUBLE_EQ(box_of(picture, "conv1").bar, 0.25);
  EXPECT_EQ(box_of(picture, "in").shape, BoxShape::kBinding);
}

TEST(Picture, NamesTheResidual) {
  const Drawing drawing(kBlock);
  std::string words;
  for (const PictureEdge& edge : drawing.picture().edges) words += text_of(edge.words);
  EXPECT_THAT(words, HasSubstr("residual FP16\n32×64×56×56\nNCHW · 12.8 MB\n"));
  EXPECT_THAT(words, HasSubstr("32×64×56×56 INT8 NCHW · 6.42 MB\n"));
  std::string none;
  for (const PictureEdge& edge : drawing.picture({.edges = EdgeWords::kNone}).edges) {
    none += text_of(edge.words);
  }
  EXPECT_EQ(none, "");
}

TEST(Picture, UnitIsMillisecondsOnceALayerTakesOne) {
  std::vector<TestLayer> slow = kBlock;
  slow[0].median_ms = 1.5;
  const Drawing drawing(slow);
  EXPECT_EQ(box_of(drawing.picture(), "conv1").time, "0.050 ms");
}

TEST(Picture, TitleAndRulerAddUp) {
  const Drawing drawing(kBlock);
  const Picture picture = drawing.picture();
  EXPECT_THAT(text_of(picture.title), HasSubstr("4 layers · Σ layers 0.370 ms (median)"));
  ASSERT_EQ(picture.ruler.size(), 4U);
  EXPECT_EQ(picture.ruler.front().time, "0.100");
  EXPECT_EQ(picture.ruler.back().time, "0.370");
  EXPECT_EQ(picture.ruler.back().number, "3");
}

TEST(Picture, FoldedGroupShowsItsSlowestLayerAndWhatTimeGoesTo) {
  std::vector<TestLayer> layers = kBlock;
  const char* const names[] = {"/block/conv0", "/block/copy", "/block/conv1", "/block/conv2/Add"};
  for (std::size_t i = 0; i < layers.size(); ++i) layers[i].name = names[i];
  layers.push_back({"/head/fc",
                    "Convolution",
                    Family::kConvolution,
                    {{"out", DType::kFp16}},
                    {"y", DType::kFp16},
                    0.03});
  Drawing drawing(layers);
  ASSERT_FALSE(drawing.tree.groups.empty());
  drawing.boxes = graph::collapse(drawing.graph, drawing.tree,
                                  std::vector<bool>(drawing.tree.groups.size(), true));
  const Picture picture = drawing.picture();
  const PictureBox& group =
      box_of(picture, drawing.tree.groups[drawing.tree.roots[0].index()].path);
  EXPECT_EQ(group.shape, BoxShape::kGroup);
  EXPECT_THAT(text_of(group.lines), HasSubstr("4 layers · 92.5 % of Σ"));
  EXPECT_THAT(text_of(group.lines), HasSubstr("slowest: "));
  ASSERT_EQ(group.parts.size(), 2U);
  EXPECT_NEAR(group.parts[0].ratio, 0.35 / 0.37, 1e-9);
  EXPECT_TRUE(group.parts[1].is_hatched);
}

TEST(Picture, LegendExplainsWhatIsThereAndNoMore) {
  const Drawing drawing(kBlock);
  std::string words;
  for (const LegendBlock& block : drawing.picture().legend) {
    words += block.title + "\n";
    for (const LegendRow& row : block.rows) words += row.label + "\n";
  }
  for (const char* word : {"Convolution", "Reformat", "FP16", "INT8", "≤ 4.00 MB"}) {
    EXPECT_THAT(words, HasSubstr(word));
  }
  EXPECT_THAT(words, testing::Not(HasSubstr("FP32")));
  EXPECT_THAT(words, testing::Not(HasSubstr("stream")));
}

TEST(Picture, OtherNames) {
  const Drawing drawing(kBlock);
  EXPECT_EQ(text_of(box_of(drawing.picture({.names = NameChoice::kNone}), "conv1").lines),
            "Convolution\nINT8\n");
  EXPECT_TRUE(
      box_of(drawing.picture({}, {false, true, false, false, false, false}), "conv0").is_marked);
}

TEST(Picture, LongNamesAreCutAndStayWholeInHoverText) {
  std::vector<TestLayer> layers = kBlock;
  const std::string name = std::string(500, 'n') + "-end";
  layers[0].name = name;
  const Drawing drawing(layers);
  const Picture picture = drawing.picture();
  const PictureBox& box = box_of(picture, name);
  EXPECT_TRUE(box.is_shortened);
  EXPECT_LT(box.lines[0][0].text.size(), 100U);
  EXPECT_THAT(box.lines[0][0].text, HasSubstr("-end"));
  const Hover hover(picture);
  EXPECT_THAT(hover.box(1), testing::StartsWith(name + "\n#0 Convolution\n"));
  EXPECT_THAT(hover.box(1), HasSubstr("in 0: in 32×64×56×56 FP16 NCHW · 12.8 MB"));
}

TEST(LineWidth, IsThatOfTheFaceThatIsDrawn) {
  const std::string text = "stands out: layer1.0";
  const double bold = text_width(text, Face::kBold, 10.5);
  const double regular = text_width(text, Face::kRegular, 10.5);
  ASSERT_GT(bold, regular);
  EXPECT_DOUBLE_EQ(line_width({{.text = text, .ink = TextInk::kWarning}}, 10.5), bold);
  EXPECT_DOUBLE_EQ(line_width({{.text = text, .ink = TextInk::kBold}}, 10.5), bold);
  EXPECT_DOUBLE_EQ(line_width({{.text = text, .ink = TextInk::kSoft}}, 10.5), regular);
  EXPECT_DOUBLE_EQ(line_width({{.text = text}, {.text = text, .square = 1}}, 10.5),
                   2 * regular + text_width("■ ", Face::kRegular, 10.5));
}

TEST(Stroke, GrowsByDoublings) {
  EXPECT_DOUBLE_EQ(stroke_of(std::nullopt), 1.4);
  EXPECT_DOUBLE_EQ(stroke_of(4'000'000), 1.4);
  EXPECT_DOUBLE_EQ(stroke_of(8'000'000), 2.15);
  EXPECT_DOUBLE_EQ(stroke_of(128'000'000), 5.15);
  EXPECT_DOUBLE_EQ(stroke_of(INT64_MAX), 9);
}

}  // namespace
}  // namespace planex::render
