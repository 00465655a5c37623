#include "analyze/explain/precision.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "analyze/explain/explain_test_engine.h"
#include "support/test_data.h"

namespace planex::analyze {
namespace {

using model::DType;
using model::Family;

const PrecisionCell* find_cell(const PrecisionExplanation& explanation, DType from, DType to) {
  for (const PrecisionCell& cell : explanation.cells) {
    if (cell.from == from && cell.to == to) return &cell;
  }
  return nullptr;
}

void expect_near(std::optional<double> a, double b) { EXPECT_NEAR(a.value_or(0), b, 1e-9); }

void expect_cells_closed(const PrecisionExplanation& explanation) {
  std::size_t count = 0, changing = 0, in_islands = 0;
  double time = 0, island_time = 0;
  for (const PrecisionCell& cell : explanation.cells) {
    EXPECT_EQ(cell.all.count, cell.conversions.count + cell.matrix.count + cell.others.count);
    expect_near(cell.all.time_ms, cell.conversions.time_ms.value_or(0) +
                                      cell.matrix.time_ms.value_or(0) +
                                      cell.others.time_ms.value_or(0));
    count += cell.all.count;
    time += cell.all.time_ms.value_or(0);
    if (cell.from != cell.to && cell.from != DType::kNull && cell.to != DType::kNull) {
      changing += cell.all.count;
    }
  }
  EXPECT_EQ(count, explanation.all.count);
  EXPECT_EQ(changing, explanation.changing.count);
  expect_near(explanation.all.time_ms, time);
  if (explanation.base == IslandBase::kNone) return;
  for (const PrecisionIsland& island : explanation.islands) {
    EXPECT_EQ(island.layers.size(), island.all.count);
    in_islands += island.all.count;
    island_time += island.all.time_ms.value_or(0);
    EXPECT_LE(island.narrow_bytes.value_or(0), island.wide_bytes.value_or(0));
  }
  EXPECT_EQ(in_islands, explanation.in_islands.count);
  EXPECT_EQ(explanation.all.count, in_islands + explanation.outside.count);
  expect_near(explanation.in_islands.time_ms, island_time);
  expect_near(explanation.all.time_ms, island_time + explanation.outside.time_ms.value_or(0));
}

// Two blocks with a skip path in float, as the first Q/DQ engine of ResNet-18 has them.
EngineOfTest residual_engine() {
  return make_engine(
      "tensorrt",
      {{"in", "Reformat", Family::kReformat, {{"x"}}, {{"xq", DType::kInt8}}, 1},
       {"c1",
        "Convolution",
        Family::kConvolution,
        {{"xq", DType::kInt8}},
        {{"a", DType::kFp16}},
        4},
       {"q1", "Reformat", Family::kReformat, {{"a", DType::kFp16}}, {{"aq", DType::kInt8}}, 1},
       {"c2",
        "Convolution",
        Family::kConvolution,
        {{"aq", DType::kInt8}},
        {{"b", DType::kInt8}},
        4},
       {"c3",
        "Convolution",
        Family::kConvolution,
        {{"b", DType::kInt8}, {"a", DType::kFp16}},
        {{"c", DType::kFp16}},
        4},
       {"q2", "Reformat", Family::kReformat, {{"c", DType::kFp16}}, {{"cq", DType::kInt8}}, 1},
       {"c4", "Convolution", Family::kConvolution, {{"cq", DType::kInt8}}, {{"y"}}, 4}},
      {"x", "y"});
}

TEST(ExplainPrecision, TransitionsAddUpToTheEngine) {
  const EngineOfTest engine = residual_engine();
  const auto explanation = explain_precision(engine.model, engine.time);
  expect_cells_closed(explanation);
  EXPECT_EQ(explanation.all.count, 7U);
  EXPECT_EQ(explanation.all.time_ms, 19.0);
  EXPECT_EQ(explanation.changing.count, 6U);
  const PrecisionCell* half = find_cell(explanation, DType::kInt8, DType::kFp16);
  ASSERT_NE(half, nullptr);
  EXPECT_EQ(half->matrix.count, 2U);
  EXPECT_EQ(half->all.time_ms, 8.0);
  // c1 reads 2048 bytes and writes 4096; c3 reads 4096 more.
  EXPECT_EQ(half->all.io_bytes, 16384);
  const PrecisionCell* quantized = find_cell(explanation, DType::kFp16, DType::kInt8);
  ASSERT_NE(quantized, nullptr);
  EXPECT_EQ(quantized->conversions.count, 2U);
  EXPECT_EQ(quantized->matrix.count, 0U);
}

TEST(ExplainPrecision, AnIslandIsWhatOneFloatTensorForces) {
  const EngineOfTest engine = residual_engine();
  const auto explanation = explain_precision(engine.model, engine.time);
  EXPECT_EQ(explanation.base, IslandBase::kQuantized);
  ASSERT_EQ(explanation.islands.size(), 3U);
  const PrecisionIsland& island = explanation.islands[0];
  EXPECT_EQ(island.ends, IslandEnds::kBetween);
  EXPECT_EQ(engine.model.text(engine.model.tensors.name[island.root.index()]), "a");
  EXPECT_EQ(island.root_type, DType::kFp16);
  EXPECT_EQ(island.root_writer, model::LayerId(1));
  EXPECT_EQ(island.tensor_count, 2U);
  const auto role = [&](std::size_t i) { return island.layers.at(i).role; };
  ASSERT_EQ(island.layers.size(), 4U);
  EXPECT_EQ(role(0), IslandRole::kWritesWide);
  EXPECT_EQ(role(1), IslandRole::kConverts);
  EXPECT_EQ(role(2), IslandRole::kWritesWide);  // c3: reads the skip path, and so writes float
  EXPECT_EQ(role(3), IslandRole::kConverts);
  EXPECT_EQ(island.all.time_ms, 10.0);
  EXPECT_EQ(island.conversions.time_ms, 2.0);
  // Five uses of a tensor of 2048 elements.
  EXPECT_EQ(island.wide_bytes, 5 * 4096);
  EXPECT_EQ(island.narrow_bytes, 5 * 2048);
  EXPECT_EQ(explanation.islands[1].ends, IslandEnds::kHead);  // 4 ms: c4
  EXPECT_EQ(explanation.islands[2].ends, IslandEnds::kStem);
  EXPECT_EQ(explanation.outside.count, 1U);  // c2
}

TEST(ExplainPrecision, Fp32BetweenHalvesIsAnIslandToo) {
  const EngineOfTest engine =
      make_engine("tensorrt",
                  {{"a", "gemm", Family::kGemm, {{"x", DType::kFp16}}, {{"y", DType::kFp16}}, 4},
                   {"to", "Reformat", Family::kReformat, {{"y", DType::kFp16}}, {{"y32"}}, 1},
                   {"norm", "Norm", Family::kNorm, {{"y32"}}, {{"z32"}}, 2},
                   {"from", "Reformat", Family::kReformat, {{"z32"}}, {{"z", DType::kFp16}}, 1},
                   {"b", "gemm", Family::kGemm, {{"z", DType::kFp16}}, {{"w", DType::kFp16}}, 4}},
                  {"x", "w"});
  const auto explanation = explain_precision(engine.model, engine.time);
  expect_cells_closed(explanation);
  EXPECT_EQ(explanation.base, IslandBase::kHalf);
  ASSERT_EQ(explanation.islands.size(), 1U);
  EXPECT_EQ(explanation.islands[0].ends, IslandEnds::kBetween);
  EXPECT_EQ(explanation.islands[0].all.time_ms, 4.0);
  EXPECT_EQ(explanation.islands[0].wide_bytes, 4 * 8192);
  EXPECT_EQ(explanation.islands[0].narrow_bytes, 4 * 4096);
}

TEST(ExplainPrecision, OnePrecisionHasNoIslands) {
  const EngineOfTest engine =
      make_engine("tensorrt", {{"a", "gemm", Family::kGemm, {{"x"}}, {{"y"}}}}, {"x", "y"});
  const auto explanation = explain_precision(engine.model, engine.time);
  EXPECT_EQ(explanation.base, IslandBase::kNone);
  EXPECT_TRUE(explanation.islands.empty());
  EXPECT_FALSE(explanation.all.time_ms);
  EXPECT_EQ(explanation.changing.count, 0U);
  EXPECT_TRUE(explain_precision(model::PlanModel(), {}).cells.empty());
}

// --- real engines -------------------------------------------------------------------------------

double time_of_family(const model::PlanModel& model, Family family) {
  double sum = 0;
  for (std::size_t row = 0; row < model.layers.row_count(); ++row) {
    if (model.layers.family[row] == family) sum += model.time_ms(model::LayerId(row)).value_or(0);
  }
  return sum;
}

TEST(ExplainPrecisionOfRealEngines, TheWalkthroughOfResNet18) {
  PLANEX_NEED_TEST_DATA(data);
  struct Step {
    const char* engine;
    std::size_t fp16_layers, float_convolutions, between;
    double pool_ms;
  };
  for (const Step& step : {Step{"resnet18-a100-qat", 11, 13, 4, 0.1065},
                           Step{"resnet18-a100-qat-residual", 0, 2, 1, 0.0092},
                           Step{"resnet18-a100-qat-residual-qgap", 0, 1, 0, 0.0154}}) {
    SCOPED_TRACE(step.engine);
    const model::PlanModel model = test::must(test::load_engine(data, step.engine));
    const auto explanation = explain_precision(model, reconcile(model));
    expect_cells_closed(explanation);
    std::size_t fp16 = 0, float_matrix = 0;
    for (const PrecisionCell& cell : explanation.cells) {
      if (cell.from == DType::kFp16) fp16 += cell.all.count;
      if (cell.from == DType::kInt8 && model::is_float(cell.to)) float_matrix += cell.matrix.count;
    }
    EXPECT_EQ(fp16, step.fp16_layers);
    EXPECT_EQ(float_matrix, step.float_convolutions);
    EXPECT_NEAR(time_of_family(model, Family::kPool), step.pool_ms, 0.00005);
    EXPECT_EQ(std::ranges::count(explanation.islands, IslandEnds::kBetween, &PrecisionIsland::ends),
              static_cast<std::ptrdiff_t>(step.between));
  }
}

// Pooling: FP32 maximum pooling (128 MB) and FP16 average pooling; then the first one runs inside
// the convolution before it and the second in FP32; then the latter in INT8, with a quarter of the
// bytes, which gains nothing where a layer is as short as the time to start it.
TEST(ExplainPrecisionOfRealEngines, WhyPoolingTakesWhatItTakes) {
  PLANEX_NEED_TEST_DATA(data);
  const auto pools = [&](const char* engine) {
    const model::PlanModel model = test::must(test::load_engine(data, engine));
    std::vector<std::pair<DType, std::int64_t>> result;
    for (std::size_t row = 0; row < model.layers.row_count(); ++row) {
      if (model.layers.family[row] != Family::kPool) continue;
      result.emplace_back(model.layers.precision[row], model.layers.io_bytes.get(row).value_or(0));
    }
    return result;
  };
  using Pools = std::vector<std::pair<DType, std::int64_t>>;
  EXPECT_EQ(pools("resnet18-a100-qat"),
            (Pools{{DType::kFp32, 128450560}, {DType::kFp16, 1638400}}));
  EXPECT_EQ(pools("resnet18-a100-qat-residual"), (Pools{{DType::kFp32, 3276800}}));
  EXPECT_EQ(pools("resnet18-a100-qat-residual-qgap"), (Pools{{DType::kInt8, 819200}}));
}

TEST(ExplainPrecisionOfRealEngines, EveryEngineCloses) {
  PLANEX_NEED_TEST_DATA(data);
  std::vector<std::string> engines(test::kReadableEngines.begin(), test::kReadableEngines.end());
  for (const char* more :
       {"openvino2026.4-resnet18-qdq-naive-b8", "openvino2026.4-resnet18-bf16-b8",
        "rtx1.7-resnet18-qdq-naive", "rtx1.7-loop"}) {
    engines.emplace_back(more);
  }
  for (const std::string& engine : engines) {
    SCOPED_TRACE(engine);
    const model::PlanModel model = test::must(test::load_engine(data, engine));
    expect_cells_closed(explain_precision(model, reconcile(model)));
  }
}

}  // namespace
}  // namespace planex::analyze
