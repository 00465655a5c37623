#include "drive/sweep_grid.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

namespace planex::drive {
namespace {

std::vector<GridAxis> axes_of(const std::vector<std::string>& texts) {
  std::vector<GridAxis> axes;
  for (const std::string& text : texts) axes.push_back(parse_axis(text).value());
  return axes;
}

TEST(SweepGrid, Axes) {
  const auto axis = parse_axis("batch=1,2,4");
  ASSERT_TRUE(axis);
  EXPECT_EQ(axis->name, "batch");
  EXPECT_EQ(axis->values, (std::vector<std::string>{"1", "2", "4"}));
  EXPECT_EQ(parse_axis("--fp16=on,off")->name, "fp16");
  for (const char* bad : {"", "batch", "=1", "batch=", "batch=1,,2", "shape=1x3", "--=1"}) {
    const auto parsed = parse_axis(bad);
    ASSERT_FALSE(parsed) << bad;
    EXPECT_EQ(parsed.error().code, ErrorCode::kUsage);
  }
}

TEST(SweepGrid, TheLastAxisCountsFastest) {
  const ProcessRequest base{.model = "m.onnx"};
  const auto cells = grid_cells(base, axes_of({"threads=1,2", "precision=f32,bf16"}));
  ASSERT_TRUE(cells);
  ASSERT_EQ(cells->size(), 4U);
  EXPECT_EQ((*cells)[1].id, "threads-1_precision-bf16");
  EXPECT_EQ((*cells)[1].request.threads, "1");
  EXPECT_EQ((*cells)[1].request.precision, "bf16");
  EXPECT_EQ((*cells)[2].values, (std::vector<std::string>{"2", "f32"}));
  const auto single = grid_cells(base, {});
  ASSERT_TRUE(single);
  EXPECT_EQ(single->front().id, "cell");
}

TEST(SweepGrid, OptionsAreWrittenAsTheEngineTakesThem) {
  const auto flags = [](const std::string& engine, const std::string& axis) {
    ProcessRequest base{.model = "m.onnx", .engine = engine};
    const auto cells = grid_cells(base, axes_of({axis}));
    EXPECT_TRUE(cells) << axis;
    return cells ? cells->back().request.flags : std::vector<std::string>{};
  };
  using Flags = std::vector<std::string>;
  EXPECT_EQ(flags("openvino", "isa=AVX2"), Flags{"--isa=AVX2"});
  EXPECT_EQ(flags("openvino", "streams=4"), Flags{"--streams=4"});
  EXPECT_EQ(flags("trtexec", "streams=4"), Flags{"--infStreams=4"});
  EXPECT_EQ(flags("openvino", "EXECUTION_MODE_HINT=ACCURACY"),
            Flags{"--config=EXECUTION_MODE_HINT=ACCURACY"});
  EXPECT_EQ(flags("openvino", "seed=2"), Flags{"--seed=2"});
  EXPECT_EQ(flags("trtexec", "builderOptimizationLevel=5"), Flags{"--builderOptimizationLevel=5"});
  EXPECT_EQ(flags("trtexec", "fp16=off,on"), Flags{"--fp16"});
  EXPECT_EQ(flags("trtexec", "fp16=on,off"), Flags{});
  EXPECT_EQ(flags("tensorrt-rtx", "compute_capability=sm75"), Flags{"--target=sm75"});
  const auto none = grid_cells({.model = "m.onnx"}, axes_of({"compute_capability=sm75"}));
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::kUsage);
}

// The engine is set first, wherever its axis is.
TEST(SweepGrid, OptionsFollowTheEngineOfTheirCell) {
  const auto cells =
      grid_cells({.model = "m.onnx"}, axes_of({"streams=2", "engine=openvino,trtexec"}));
  ASSERT_TRUE(cells);
  EXPECT_EQ((*cells)[0].request.flags, std::vector<std::string>{"--streams=2"});
  EXPECT_EQ((*cells)[1].request.flags, std::vector<std::string>{"--infStreams=2"});
}

TEST(SweepGrid, ShapesOfSeveralInputsTogether) {
  ProcessRequest base{.model = "m.onnx"};
  base.shapes = {"ids=1x8", "other=3"};
  const auto cells = grid_cells(base, axes_of({"shape:ids+mask=1x128,1x256"}));
  ASSERT_TRUE(cells);
  EXPECT_EQ((*cells)[1].request.shapes,
            (std::vector<std::string>{"other=3", "ids=1x256", "mask=1x256"}));
}

TEST(SweepGrid, NamesOfFoldersAreSafeAndDistinct) {
  const std::string longest(300, 'v');
  const auto cells =
      grid_cells({.model = "m.onnx"},
                 axes_of({"option=a/b,a b,../x," + longest + "," + longest + "w", "threads=1,2"}));
  ASSERT_TRUE(cells);
  std::set<std::string> ids;
  for (const GridCell& cell : *cells) {
    EXPECT_TRUE(ids.insert(cell.id).second) << cell.id;
    EXPECT_LE(cell.id.size(), 110U);
    EXPECT_EQ(cell.id.find('/'), std::string::npos);
    EXPECT_NE(cell.id.front(), '.');
  }
  EXPECT_EQ(ids.size(), 10U);
}

TEST(SweepGrid, WhatIsThereTwiceOrTooMuch) {
  const auto fails = [](const std::vector<std::string>& texts) {
    const auto cells = grid_cells({.model = "m.onnx"}, axes_of(texts));
    return !cells && cells.error().code == ErrorCode::kUsage;
  };
  EXPECT_TRUE(fails({"threads=1,2", "threads=4"}));
  EXPECT_TRUE(fails({"threads=1,1"}));
  std::string many = "option=0";
  for (int i = 1; i < 200; ++i) many += "," + std::to_string(i);
  EXPECT_TRUE(fails({many, "a" + many}));
}

TEST(SweepGrid, TheBatchNeedsTheModel) {
  const auto cells = grid_cells({.model = "no/such.onnx"}, axes_of({"batch=1,2"}));
  ASSERT_FALSE(cells);
  EXPECT_EQ(cells.error().code, ErrorCode::kNotFound);
  EXPECT_NE(cells.error().hint.find("shape:INPUT"), std::string::npos);
}

}  // namespace
}  // namespace planex::drive
