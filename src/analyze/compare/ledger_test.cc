#include "analyze/compare/ledger.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "analyze/complete/complete.h"
#include "model/builder.h"
#include "support/test_data.h"

namespace planex::analyze {
namespace {

using model::Direction;
using model::DType;
using model::Evidence;
using model::Family;
using model::PlanModel;
using testing::ElementsAre;
using Dims = std::vector<std::int64_t>;

struct LedgerLayer {
  std::string_view name, type;
  std::optional<double> median_ms;
  std::vector<std::string_view> sources;
  std::optional<std::int64_t> macs = {};
  Dims output = {1, 64, 8, 8};
  std::string_view origin = {};
  model::Role role = model::Role::kWork;
};

void add(model::ModelBuilder& builder, const LedgerLayer& facts) {
  const auto layer = builder.add_layer(builder.strings().add(facts.name));
  model::LayersTable& layers = builder.model().layers;
  const std::size_t row = layer.index();
  layers.type.set(row, builder.strings().intern(facts.type));
  layers.family.set(row, facts.type == "Reformat" ? Family::kReformat : Family::kOther);
  layers.role.set(row, facts.role);
  layers.median_ms.set(row, facts.median_ms);
  layers.macs.set(row, facts.macs);
  if (!facts.origin.empty()) layers.origin.set(row, builder.strings().intern(facts.origin));
  builder.add_port(
      layer, Direction::kOutput,
      {.tensor = std::string(facts.name) + ".y", .dims = facts.output, .dtype = DType::kFp16});
  for (const std::string_view source : facts.sources) {
    builder.add_source(layer, source, "", Evidence::kName);
  }
}

PlanModel engine_of_ledger(const std::vector<LedgerLayer>& layers) {
  model::ModelBuilder builder;
  for (const LedgerLayer& layer : layers) add(builder, layer);
  return builder.finish();
}

// Times by operation, and remainders as "(type)".
std::map<std::string, std::int64_t> times_of(const EngineLedger& ledger) {
  std::map<std::string, std::int64_t> times;
  for (const LedgerShare& share : ledger.shares) {
    times[std::string(ledger.operations[share.operation].name)] += share.time.value_or(0);
  }
  for (const LedgerRemainder& remainder : ledger.remainders) {
    times["(" + std::string(remainder.type) + ")"] += remainder.time.value_or(0);
  }
  return times;
}

void expect_ledger_closed(const EngineLedger& ledger) {
  std::int64_t sum = 0;
  for (const LedgerShare& share : ledger.shares) sum += share.time.value_or(0);
  for (const LedgerRemainder& remainder : ledger.remainders) sum += remainder.time.value_or(0);
  EXPECT_EQ(sum, ledger.total.value_or(0));
}

TEST(Ledger, SpreadsByFlops) {
  // 8 000 000 MACs are 16 000 000 FLOPs; the ReLU has 64·8·8 = 4 096 elements.
  const PlanModel model =
      engine_of_ledger({{"w + Conv_1 + Relu_2",
                         "Convolution",
                         0.016004096,
                         {"layer1.weight", "QuantizeLinear_0", "Conv_1", "Relu_2"},
                         8'000'000}});
  const EngineLedger ledger = ledger_of(model, TimeBasis::kMedian);
  ASSERT_EQ(ledger.shares.size(), 2u) << "weights and what quantizes them get nothing";
  EXPECT_EQ(ledger.shares[0].rule, ShareRule::kFlops);
  // 16 004 096 000 fs, 1 000 for each FLOP.
  EXPECT_EQ(times_of(ledger), (std::map<std::string, std::int64_t>{{"Conv_1", 16'000'000'000},
                                                                   {"Relu_2", 4'096'000}}));
  EXPECT_EQ(ledger.operations[0].parameter, "layer1.weight");
  EXPECT_EQ(ledger.operations[0].type, "Conv");
}

TEST(Ledger, SpreadsByBytesThenEvenly) {
  model::ModelBuilder builder;
  add(builder, {"a", "kgen", 0.004, {"soft", "gather"}});
  add(builder, {"b", "kgen", 0.005, {"left", "right"}});
  const auto operation = [&](std::string_view name, std::string_view type, const Dims& dims) {
    const auto id = builder.add_operation({.name = name, .type = type});
    builder.add_operation_port(id, Direction::kInput,
                               {.tensor = "x", .dims = dims, .dtype = DType::kFp32});
    builder.add_operation_port(id, Direction::kOutput,
                               {.tensor = "y", .dims = dims, .dtype = DType::kFp32});
  };
  operation("soft", "Softmax", {30});
  operation("gather", "TopK", {10});
  const PlanModel model = builder.finish();
  const EngineLedger ledger = ledger_of(model, TimeBasis::kMedian);
  EXPECT_EQ(times_of(ledger), (std::map<std::string, std::int64_t>{{"soft", 3'000'000'000},
                                                                   {"gather", 1'000'000'000},
                                                                   {"left", 2'500'000'000},
                                                                   {"right", 2'500'000'000}}));
  EXPECT_EQ(ledger.shares[0].rule, ShareRule::kBytes);
  EXPECT_EQ(ledger.shares[2].rule, ShareRule::kEven);
}

TEST(Ledger, GivesReformatsToWhomTheEngineSays) {
  const PlanModel model = engine_of_ledger(
      {{"QuantizeLinear_2", "Reformat", 0.001, {}, {}, {4}, "QDQ"},
       {"Reformatting CopyNode for Input Tensor 0 to Conv_3", "Reformat", 0.002, {}},
       {"Conv_3", "Convolution", 0.003, {"Conv_3"}},
       {"Reformatting CopyNode for Network Output y", "Reformat", 0.004, {}},
       {"shape", "NoOp", 0.005, {}, {}, {4}, {}, model::Role::kNoOp},
       {"idle", "NoOp", 0.0, {}, {}, {4}, {}, model::Role::kNoOp}});
  const EngineLedger ledger = ledger_of(model, TimeBasis::kMedian);
  EXPECT_EQ(times_of(ledger),
            (std::map<std::string, std::int64_t>{{"QuantizeLinear_2", 1'000'000'000},
                                                 {"Conv_3", 5'000'000'000},
                                                 {"(Reformat)", 4'000'000'000},
                                                 {"()", 5'000'000'000}}));
  expect_ledger_closed(ledger);
  const EngineLedger engines[] = {ledger};
  const Ledger rows = compare_ledgers(engines);
  ASSERT_EQ(rows.rows.size(), 4u);
  EXPECT_EQ(rows.rows[1].cells[0]->reformat_time, 2'000'000'000);
  EXPECT_EQ(rows.rows[2].kind, LedgerKind::kRemainder);
  EXPECT_EQ(rows.rows[3].kind, LedgerKind::kNoWork);
}

TEST(Ledger, IsWithoutTimesWhereThereAreNone) {
  const PlanModel model = engine_of_ledger({{"a", "kgen", {}, {"x"}}, {"b", "Reformat", {}, {}}});
  const EngineLedger ledger = ledger_of(model, TimeBasis::kNone);
  EXPECT_FALSE(ledger.total);
  ASSERT_EQ(ledger.shares.size(), 1u);
  EXPECT_FALSE(ledger.shares[0].time);
  ASSERT_EQ(ledger.remainders.size(), 1u);
  EXPECT_FALSE(ledger.remainders[0].time);
}

// "name of a > name of b" for rows that both have, else the name alone.
std::vector<std::string> rows_of(const PlanModel& a, const PlanModel& b,
                                 const Alignment* alignment = nullptr) {
  const EngineLedger engines[] = {ledger_of(a, TimeBasis::kMedian),
                                  ledger_of(b, TimeBasis::kMedian)};
  const Alignment* const to_first[] = {alignment};
  std::vector<std::string> rows;
  for (const LedgerRow& row : compare_ledgers(engines, to_first).rows) {
    rows.push_back((row.cells[0] ? std::string(row.cells[0]->name) : "") + " > " +
                   (row.cells[1] ? std::string(row.cells[1]->name) : ""));
  }
  return rows;
}

TEST(Ledger, MatchesNamesAsTheyAre) {
  const PlanModel a = engine_of_ledger({{"1", "kgen", 1.0, {"/l1/Conv", "/l1/Relu"}}});
  const PlanModel b =
      engine_of_ledger({{"1", "kgen", 1.0, {"/l1/Relu"}}, {"2", "kgen", 1.0, {"/l2/Conv"}}});
  EXPECT_THAT(rows_of(a, b), ElementsAre("/l1/Conv > ", "/l1/Relu > /l1/Relu", " > /l2/Conv"));
}

TEST(Ledger, DoesNotTakeNumbersAtTheirWordInAnotherExport) {
  // b has one more node in front, so Conv_2 is another convolution.
  const PlanModel a = engine_of_ledger({{"1", "c", 1.0, {"l1.weight", "Conv_1"}},
                                        {"2", "c", 1.0, {"l2.weight", "Conv_2"}},
                                        {"3", "q", 1.0, {"Quantize_7"}}});
  const PlanModel b = engine_of_ledger({{"1", "c", 1.0, {"l1.weight", "Conv_2"}},
                                        {"2", "c", 1.0, {"l2.weight", "Conv_3"}},
                                        {"3", "q", 1.0, {"Quantize_4"}},
                                        {"4", "q", 1.0, {"Quantize_9"}}});
  EXPECT_THAT(rows_of(a, b), ElementsAre("Conv_1 > Conv_2", "Conv_2 > Conv_3", "Quantize_7 > ",
                                         " > Quantize_4", " > Quantize_9"));
  Alignment alignment;
  alignment.matches.push_back({{model::LayerId(2u)}, {model::LayerId(3u)}, MatchBy::kShape, 0.5});
  EXPECT_THAT(rows_of(a, b, &alignment), ElementsAre("Conv_1 > Conv_2", "Conv_2 > Conv_3",
                                                     "Quantize_7 > Quantize_9", " > Quantize_4"));
}

TEST(Ledger, MatchesBehindWeightsWhereCountsDiffer) {
  const PlanModel a = engine_of_ledger(
      {{"1", "c", 1.0, {"l1.weight", "Conv_1"}}, {"2", "c", 1.0, {"l2.weight", "Conv_2"}}});
  const PlanModel b = engine_of_ledger({{"1", "c", 1.0, {"l0.weight", "Conv_2"}},
                                        {"2", "c", 1.0, {"l1.weight", "Conv_5"}},
                                        {"3", "c", 1.0, {"l2.weight", "Conv_6"}}});
  EXPECT_THAT(rows_of(a, b), ElementsAre("Conv_1 > Conv_5", "Conv_2 > Conv_6", " > Conv_2"));
}

TEST(Ledger, MatchesOtherExportersByTheAlignment) {
  const PlanModel a =
      engine_of_ledger({{"1", "c", 1.0, {"Conv_1", "Relu_2"}}, {"2", "p", 1.0, {"x/MaxPool"}}});
  const PlanModel b =
      engine_of_ledger({{"1", "c", 1.0, {"/c/Relu", "/c/Conv"}}, {"2", "p", 1.0, {"y/MaxPool"}}});
  const Alignment alignment{{{{model::LayerId(0u)}, {model::LayerId(0u)}, MatchBy::kShape, 1}}};
  EXPECT_THAT(rows_of(a, b, &alignment),
              ElementsAre("Conv_1 > /c/Conv", "Relu_2 > /c/Relu", "x/MaxPool > ", " > y/MaxPool"));
}

TEST(Ledger, ClosesOnRandomModels) {
  std::mt19937_64 random(20260118);
  for (int round = 0; round < 200; ++round) {
    model::ModelBuilder builder;
    std::vector<std::string> names;
    for (int i = 0; i < 30; ++i) names.push_back("op" + std::to_string(i));
    const std::size_t count = random() % 40 + 1;
    for (std::size_t i = 0; i < count; ++i) {
      LedgerLayer layer{.name = names[random() % names.size()], .type = "kgen"};
      if (random() % 8 != 0) layer.median_ms = static_cast<double>(random() % 1'000'000) * 1e-6 / 7;
      if (random() % 9 == 0) layer.role = model::Role::kNoOp;
      for (std::size_t n = random() % 5; n > 0; --n) {
        layer.sources.push_back(names[random() % names.size()]);
      }
      add(builder, layer);
    }
    const PlanModel model = builder.finish();
    const EngineLedger ledger = ledger_of(model, TimeBasis::kMedian);
    expect_ledger_closed(ledger);
    ASSERT_EQ(ledger.total, exact_times(model, TimeBasis::kMedian).total);
  }
}

std::int64_t sum_of_rows(const Ledger& ledger, std::size_t engine) {
  std::int64_t sum = 0;
  for (const LedgerRow& row : ledger.rows) {
    if (row.cells[engine]) sum += row.cells[engine]->time.value_or(0);
  }
  return sum;
}

TEST(Ledger, ClosesOnRealEngines) {
  PLANEX_NEED_TEST_DATA(data);
  for (const char* name : test::kReadableEngines) {
    SCOPED_TRACE(name);
    PlanModel model = test::must(test::load_engine(data, name));
    const Reconciliation time = reconcile(model);
    const EngineLedger ledger = ledger_of(model, time.basis);
    expect_ledger_closed(ledger);
    if (time.basis == TimeBasis::kNone) continue;
    const double sum =
        *(time.basis == TimeBasis::kMedian ? time.layers_median_ms : time.layers_mean_ms);
    ASSERT_TRUE(ledger.total);
    EXPECT_NEAR(milliseconds(*ledger.total), sum, 1e-9 * sum);
    const EngineLedger engines[] = {ledger, ledger};
    const Ledger both = compare_ledgers(engines);
    EXPECT_EQ(sum_of_rows(both, 0), *ledger.total);
    for (const LedgerRow& row : both.rows) {
      ASSERT_TRUE(row.cells[0] && row.cells[1]) << row.name << ": an engine has what itself has";
      EXPECT_EQ(row.cells[0]->time, row.cells[1]->time) << row.name;
    }
  }
}

TEST(Ledger, FollowsConvolutionsOverExportsOfResNet) {
  PLANEX_NEED_TEST_DATA(data);
  const PlanModel a = test::must(test::load_engine(data, "resnet18-a100-qat"));
  const PlanModel b = test::must(test::load_engine(data, "resnet18-a100-qat-residual"));
  const EngineLedger engines[] = {ledger_of(a, TimeBasis::kMedian),
                                  ledger_of(b, TimeBasis::kMedian)};
  const Ledger ledger = compare_ledgers(engines);
  EXPECT_EQ(sum_of_rows(ledger, 0), *ledger.totals[0]);
  EXPECT_EQ(sum_of_rows(ledger, 1), *ledger.totals[1]);
  std::size_t convolutions = 0;
  for (const LedgerRow& row : ledger.rows) {
    if (row.type != "Conv") continue;
    ++convolutions;
    EXPECT_TRUE(row.cells[0] && row.cells[1]) << row.name;
    if (row.parameter == "layer2.0.conv1.weight") {
      EXPECT_EQ(row.cells[0]->name, "Conv_72");
      EXPECT_EQ(row.cells[1]->name, "Conv_84") << "which is layer2.0.conv2 in the other";
    }
  }
  EXPECT_EQ(convolutions, 20u);
}

}  // namespace
}  // namespace planex::analyze
