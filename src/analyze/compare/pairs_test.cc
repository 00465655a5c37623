#include "analyze/compare/pairs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "analyze/compare/compare.h"
#include "analyze/compare/rows.h"
#include "analyze/compare/select.h"
#include "model/builder.h"
#include "support/test_data.h"

namespace planex::analyze {
namespace {

using model::Direction;
using model::DType;
using model::Family;
using model::LayerId;
using model::PlanModel;
using testing::ElementsAre;
using testing::IsEmpty;

struct PairedLayer {
  std::string_view name;
  Family family = Family::kConvolution;
  std::optional<double> median_ms;
  DType input = DType::kInt8, output = DType::kInt8;
  std::string_view tactic = "k";
  model::Role role = model::Role::kWork;
};

PlanModel paired_engine(const std::vector<PairedLayer>& layers) {
  model::ModelBuilder builder;
  builder.model().engine.producer.set(0, builder.strings().intern("tensorrt"));
  for (const PairedLayer& facts : layers) {
    const LayerId layer = builder.add_layer(builder.strings().add(facts.name));
    model::LayersTable& table = builder.model().layers;
    const std::size_t row = layer.index();
    table.family.set(row, facts.family);
    table.type.set(row, builder.strings().intern(to_string(facts.family)));
    table.role.set(row, facts.role);
    table.median_ms.set(row, facts.median_ms);
    table.precision.set(row, facts.input);
    table.output_precision.set(row, facts.output);
    table.tactic.set(row, builder.strings().intern(facts.tactic));
    builder.add_port(layer, Direction::kInput, {.tensor = "x", .dtype = facts.input});
    builder.add_port(layer, Direction::kOutput, {.tensor = facts.name, .dtype = facts.output});
  }
  return builder.finish();
}

std::vector<LayerId> ids(std::initializer_list<std::size_t> indices) {
  std::vector<LayerId> layers;
  for (const std::size_t index : indices) layers.emplace_back(index);
  return layers;
}

Match match(std::initializer_list<std::size_t> a, std::initializer_list<std::size_t> b) {
  return {ids(a), ids(b), MatchBy::kName, 1};
}

Alignment mirrored(Alignment alignment) {
  for (Match& match : alignment.matches) std::swap(match.a, match.b);
  return alignment;
}

PairList compare_medians(const PlanModel& a, const PlanModel& b, const Alignment& alignment) {
  return compare_layers({&a, TimeBasis::kMedian}, {&b, TimeBasis::kMedian}, alignment);
}

// A convolution and its pooling become one layer, one reformat disappears and one stays, and a
// convolution loses its float output.
class Fusion : public testing::Test {
 protected:
  const PlanModel a_ = paired_engine(
      {{"in", Family::kReformat, 0.060},
       {"conv1", Family::kConvolution, 0.200, DType::kInt8, DType::kFp32},
       {"pool", Family::kPool, 0.100, DType::kFp32, DType::kFp32},
       {"back", Family::kReformat, 0.030, DType::kFp32, DType::kInt8},
       {"conv2", Family::kConvolution, 0.040, DType::kInt8, DType::kFp16},
       {"free", Family::kOther, 0.001, DType::kInt8, DType::kInt8, "k", model::Role::kNoOp}});
  const PlanModel b_ = paired_engine({{"in", Family::kReformat, 0.090},
                                      {"conv1+pool", Family::kConvolution, 0.070},
                                      {"conv2", Family::kConvolution, 0.038},
                                      {"tail", Family::kPointwise, 0.005}});
  const Alignment alignment_{
      {match({0}, {0}), match({1, 2}, {1}), match({3}, {}), match({4}, {2}), match({}, {3})}};
};

TEST_F(Fusion, SaysWhatChanged) {
  const PairList list = compare_medians(a_, b_, alignment_);
  ASSERT_EQ(list.pairs.size(), 5u);
  EXPECT_THAT(list.pairs[0].changes, testing::Not(testing::Contains(ChangeKind::kTactic)));
  EXPECT_TRUE(list.pairs[1].has(ChangeKind::kFused));
  EXPECT_TRUE(list.pairs[1].has(ChangeKind::kOutputPrecision)) << "of the pooling, not the conv";
  EXPECT_FALSE(list.pairs[1].has(ChangeKind::kInputPrecision));
  EXPECT_THAT(list.pairs[2].changes, ElementsAre(ChangeKind::kRemoved));
  EXPECT_THAT(list.pairs[4].changes, ElementsAre(ChangeKind::kAdded));
  EXPECT_EQ(list.pairs[1].delta, -230'000'000'000);
  EXPECT_DOUBLE_EQ(*list.pairs[1].ratio, 70.0 / 300.0);
  EXPECT_EQ(list.pairs[2].delta, -30'000'000'000);
  EXPECT_FALSE(list.pairs[2].ratio);
  EXPECT_THAT(list.movers, ElementsAre(1, 0, 2, 4, 3));
  EXPECT_EQ(list.counts.matched, 3);
  EXPECT_EQ(list.counts.only_a, 1);
  EXPECT_EQ(list.counts.only_b, 1);
}

TEST_F(Fusion, SaysWhereTheTimeWent) {
  const PairList list = compare_medians(a_, b_, alignment_);
  // 0.431 ms, one of them of a record that does no work; 0.203 ms.
  EXPECT_EQ(list.delta, -228'000'000'000);
  std::vector<std::string> causes;
  for (const CauseRow& row : list.causes) {
    causes.push_back(std::string(to_string(row.cause)) + " " + std::to_string(row.a_layers) + ">" +
                     std::to_string(row.b_layers) + " " +
                     std::to_string((row.b_time - row.a_time) / 1'000'000'000));
  }
  EXPECT_THAT(causes,
              ElementsAre("reformats-removed 1>0 -30", "reformats-kept 1>1 30", "added 0>1 5",
                          "fused 2>1 -230", "precision 1>1 -2", "no-work 1>0 -1"));
}

TEST_F(Fusion, IsChosenByWords) {
  const PairList list = compare_medians(a_, b_, alignment_);
  const auto chosen = [&](std::string_view only) {
    return select_pairs(list, a_, b_, only).value_or(std::vector<std::size_t>{99});
  };
  EXPECT_THAT(chosen(""), ElementsAre(0, 1, 2, 3, 4));
  EXPECT_THAT(chosen("mismatch-precision"), ElementsAre(1, 3));
  EXPECT_THAT(chosen("mismatch-tactic"), IsEmpty());
  EXPECT_THAT(chosen("type=Pool"), ElementsAre(1));
  EXPECT_THAT(chosen("added"), ElementsAre(4));
  const auto wrong = select_pairs(list, a_, b_, "mismatch-tactics");
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().hint, "Did you mean mismatch-tactic?");
}

TEST(Pairs, DoNotAddUpWhereATimeIsMissing) {
  const PlanModel a = paired_engine({{"x", Family::kOther, 0.1}, {"y", Family::kOther, {}}});
  const PlanModel b = paired_engine({{"xy", Family::kOther, 0.3}});
  const PairList list = compare_medians(a, b, {{match({0, 1}, {0})}});
  EXPECT_FALSE(list.pairs[0].delta);
  EXPECT_FALSE(list.pairs[0].ratio);
  EXPECT_EQ(list.pairs[0].a_time, 100'000'000'000);
  EXPECT_EQ(list.delta, 200'000'000'000) << "of what is known, as the totals";
}

TEST(Pairs, CountReformatsInsideOfThem) {
  const PlanModel a =
      paired_engine({{"r", Family::kReformat, 0.02}, {"c", Family::kConvolution, 0.1}});
  const PlanModel b = paired_engine({{"c", Family::kConvolution, 0.11}});
  const PairList list = compare_medians(a, b, {{match({0, 1}, {0})}});
  EXPECT_THAT(list.pairs[0].changes, testing::Contains(ChangeKind::kReformatsRemoved));
  EXPECT_FALSE(list.pairs[0].has(ChangeKind::kFused)) << "one convolution in both";
  ASSERT_EQ(list.causes.size(), 2u);
  EXPECT_EQ(list.causes[0].cause, Cause::kReformatsRemoved);
  EXPECT_EQ(list.causes[0].b_time - list.causes[0].a_time, -20'000'000'000);
  EXPECT_EQ(list.causes[1].cause, Cause::kSame);
}

// Layers of several engines in rows, as "0,1|2|-".
std::vector<std::string> texts(const std::vector<EngineRow>& rows) {
  std::vector<std::string> result;
  for (const EngineRow& row : rows) {
    std::string text;
    for (const auto& layers : row.layers) {
      if (&layers != &row.layers.front()) text += "|";
      for (const LayerId layer : layers) {
        if (layer != layers.front()) text += ",";
        text += std::to_string(layer.index());
      }
    }
    result.push_back(text);
  }
  return result;
}

TEST(Rows, JoinWhatAnyEngineFuses) {
  const auto list_of = [](std::vector<Match> matches) {
    PairList list;
    for (const Match& match : matches) {
      LayerPair& pair = list.pairs.emplace_back();
      pair.a = match.a;
      pair.b = match.b;
      if (!match.a.empty()) pair.a_time = static_cast<Femtoseconds>(match.a.size());
      if (!match.b.empty()) pair.b_time = 10 * static_cast<Femtoseconds>(match.b.size());
    }
    return list;
  };
  const PairList first = list_of(
      {match({0}, {0}), match({1, 2}, {1}), match({}, {2}), match({3}, {3}), match({4}, {})});
  const PairList second = list_of(
      {match({}, {0}), match({0}, {1}), match({1}, {2}), match({2, 3}, {3}), match({4}, {4, 5})});
  const PairList* const lists[] = {&first, &second};
  const std::vector<EngineRow> rows = merge_rows(lists);
  EXPECT_THAT(texts(rows), ElementsAre("||0", "0|0|1", "1,2,3|1,3|2,3", "|2|", "4||4,5"));
  EXPECT_EQ(rows[2].times[0], 3);
  EXPECT_EQ(rows[2].times[1], 20);
  EXPECT_EQ(rows[4].times[1], std::nullopt);
}

// Properties of any two engines.
void expect_closed(const PairList& list) {
  Femtoseconds a = 0, b = 0;
  for (const CauseRow& row : list.causes) {
    a += row.a_time;
    b += row.b_time;
  }
  EXPECT_EQ(a, list.a_total.value_or(0));
  EXPECT_EQ(b, list.b_total.value_or(0));
}

using Key = std::tuple<std::vector<LayerId>, std::vector<LayerId>, std::optional<Femtoseconds>,
                       std::vector<std::string>>;

std::set<Key> keys(const PairList& list, bool mirror) {
  std::set<Key> result;
  for (const LayerPair& pair : list.pairs) {
    std::vector<std::string> changes;
    for (const ChangeKind kind : pair.changes) {
      std::string text(to_string(kind));
      if (mirror) {
        for (const auto& [x, y] : {std::pair{"added", "removed"},
                                   {"fused", "split"},
                                   {"reformats-removed", "reformats-added"}}) {
          if (text == x) {
            text = y;
          } else if (text == y) {
            text = x;
          }
        }
      }
      changes.push_back(std::move(text));
    }
    std::ranges::sort(changes);
    const auto delta =
        pair.delta ? std::optional(mirror ? -*pair.delta : *pair.delta) : std::nullopt;
    result.emplace(mirror ? pair.b : pair.a, mirror ? pair.a : pair.b, delta, changes);
  }
  return result;
}

class RealEngines : public testing::Test {
 protected:
  void SetUp() override {
    PLANEX_NEED_TEST_DATA(data);
    for (const char* name :
         {"resnet18-a100-fp32", "resnet18-a100-fp16", "resnet18-a100-qat",
          "resnet18-a100-qat-residual", "resnet18-a100-qat-residual-qgap", "mobilenet-titanrtx-qat",
          "mobilenet-titanrtx-qat-residual", "resnet50-rtx3090-fp32", "resnet50-rtx3090-qat",
          "alexnet-torch-tensorrt-10"}) {
      models_.push_back(test::must(test::load_engine(data, name)));
      names_.push_back(name);
    }
    for (const PlanModel& model : models_) summaries_.push_back(summarize(model));
  }
  Side side(std::size_t i) const { return {&models_[i], summaries_[i].time.basis}; }

  std::vector<PlanModel> models_;
  std::vector<std::string> names_;
  std::vector<Summary> summaries_;
};

TEST_F(RealEngines, CloseAndAreAntisymmetric) {
  for (std::size_t i = 0; i < models_.size(); ++i) {
    for (std::size_t j = 0; j < models_.size(); ++j) {
      SCOPED_TRACE(names_[i] + " and " + names_[j]);
      const Alignment alignment = align(models_[i], models_[j]);
      const PairList list = compare_layers(side(i), side(j), alignment);
      expect_closed(list);
      const PairList back = compare_layers(side(j), side(i), mirrored(alignment));
      EXPECT_EQ(keys(list, false), keys(back, true));
      const std::vector<const PairList*> lists = {&list};
      std::size_t a_layers = 0, b_layers = 0;
      for (const EngineRow& row : merge_rows(lists)) {
        a_layers += row.layers[0].size();
        b_layers += row.layers[1].size();
      }
      EXPECT_EQ(a_layers, static_cast<std::size_t>(summaries_[i].layer_count));
      EXPECT_EQ(b_layers, static_cast<std::size_t>(summaries_[j].layer_count));
    }
  }
}

TEST_F(RealEngines, HaveNothingDifferentFromThemselves) {
  for (std::size_t i = 0; i < models_.size(); ++i) {
    SCOPED_TRACE(names_[i]);
    const PairList list = compare_layers(side(i), side(i), align(models_[i], models_[i]));
    for (const LayerPair& pair : list.pairs) {
      EXPECT_THAT(pair.changes, IsEmpty());
      EXPECT_EQ(pair.delta.value_or(0), 0);
    }
    EXPECT_THAT(list.movers, IsEmpty());
    EXPECT_EQ(list.counts.changed + list.counts.only_a + list.counts.only_b, 0);
    for (const CauseRow& row : list.causes) {
      EXPECT_EQ(row.a_time, row.b_time);
      EXPECT_TRUE(row.cause == Cause::kSame || row.cause == Cause::kReformatsKept ||
                  row.cause == Cause::kNoWork);
    }
  }
}

TEST_F(RealEngines, TellTheStoryOfTheResidualBranch) {
  const std::vector<EngineToCompare> engines = {{"qat", &models_[2], &summaries_[2], {}},
                                                {"residual", &models_[3], &summaries_[3], {}}};
  const Comparison comparison = compare(engines);
  ASSERT_EQ(comparison.differences.size(), 1u);
  const PairList& list = comparison.differences[0].layers;
  EXPECT_NEAR(milliseconds(*list.delta), -0.365, 0.0005);
  // Convolution, ReLU and pooling of the stem in one layer: 0.2017 + 0.0952 ms become 0.0727.
  const LayerPair& first = list.pairs[list.movers.front()];
  EXPECT_EQ(first.a, ids({1, 2}));
  EXPECT_EQ(first.b, ids({1}));
  EXPECT_EQ(first.cause, Cause::kFused);
  EXPECT_NEAR(milliseconds(*first.delta), -0.2242, 0.0001);
  double reformats = 0;
  std::int64_t before = 0, after = 0;
  for (const CauseRow& row : list.causes) {
    if (row.cause > Cause::kReformatsKept) continue;
    before += row.a_layers;
    after += row.b_layers;
    reformats += milliseconds(row.b_time - row.a_time);
  }
  EXPECT_EQ(before, 12);
  EXPECT_EQ(after, 3);
  EXPECT_NEAR(reformats, -0.163, 0.0005);
}

}  // namespace
}  // namespace planex::analyze
