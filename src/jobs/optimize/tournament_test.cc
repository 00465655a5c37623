// Tournaments on a stand-in engine whose true times are known: noise, drift, crashes, the budget.
#include "jobs/optimize/tournament.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <map>

#include "analyze/optimize/halving.h"
#include "analyze/verdict/verdict_test_series.h"
#include "base/text.h"
#include "jobs/optimize/search.h"

namespace planex::jobs {
namespace {

using analyze::OptimizeOutcome;
using analyze::OptimizeStep;
using analyze::StepState;

// Knobs change its time by known factors, and its clock falls while it is measured.
class KnobBench final : public Bench {
 public:
  explicit KnobBench(std::uint64_t seed) : seed_(seed) {
    machine = {.count = 120, .noise_ratio = 0.01, .run_spread_ratio = 0.01};
  }

  Result<Measured> run(const Recipe& recipe, const std::string&) override {
    ++runs;
    if (runs == stop_at) stopped = true;
    analyze::Machine now = machine;
    for (const std::string& word : recipe.words) {
      if (word == "crash") return fail(ErrorCode::kExternalTool, "the engine crashed");
      const auto found = factors.find(word);
      if (found != factors.end()) now.level_ms *= found->second;
    }
    now.level_ms *= 1 + drift_per_run * runs;
    return Measured{.run = analyze::measured(
                        analyze::run_on(now, seed_ * 100'000 + static_cast<std::uint64_t>(runs)))};
  }

  analyze::Machine machine;
  std::map<std::string, double> factors;
  double drift_per_run = 0.0005;
  int runs = 0, stop_at = 0;
  std::atomic<bool> stopped = false;

 private:
  std::uint64_t seed_;
};

std::vector<Proposal> knobs(std::size_t count, const std::string& crashing = {}) {
  std::vector<Proposal> proposals;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string id = base::format("knob{}", i);
    const std::string word = id == crashing ? "crash" : id;
    proposals.push_back({.id = id,
                         .kind = "options",
                         .what = id,
                         .group = "route",
                         .keeps_model = true,
                         .make = [word](const Recipe& best, const std::string&) -> Result<Made> {
                           Recipe recipe = best;
                           recipe.words.push_back(word);
                           return Made{.recipe = std::move(recipe)};
                         }});
  }
  return proposals;
}

struct Played {
  OptimizeOutcome outcome;
  Result<Recipe> best = Recipe{};

  bool is_kept(const std::string& id) const {
    return std::ranges::find(outcome.kept, id) != outcome.kept.end();
  }
  std::size_t count(StepState state) const {
    return static_cast<std::size_t>(std::ranges::count(outcome.steps, state, &OptimizeStep::state));
  }
};

Played played(KnobBench& bench, std::vector<Proposal> proposals, double budget_s = 1e9) {
  Played result;
  SearchTask task{.start = {.model = "model.onnx"},
                  .proposals = std::move(proposals),
                  .budget = std::chrono::duration<double>(budget_s)};
  task.clock = [&] { return static_cast<double>(bench.runs); };
  task.record = [](const OptimizeOutcome&, const Recipe&) -> Result<void> { return {}; };
  result.best = search(task, bench, nullptr, drive::Cancellation(bench.stopped), result.outcome);
  return result;
}

constexpr int kSearches = 40;

TEST(Tournament, FindsTheTwoKnobsOfTwelveThatMatter) {
  int eight = 0, four = 0, others = 0, all_runs = 0;
  for (std::uint64_t seed = 1; seed <= kSearches; ++seed) {
    KnobBench bench(seed);
    bench.factors = {{"knob3", 0.92}, {"knob8", 0.96}};
    const Played result = played(bench, knobs(12));
    eight += result.is_kept("knob3") ? 1 : 0;
    four += result.is_kept("knob8") ? 1 : 0;
    others += std::ranges::any_of(
        result.outcome.kept, [](const std::string& id) { return id != "knob3" && id != "knob8"; });
    all_runs += bench.runs;
    EXPECT_EQ(result.outcome.steps.size(), 12U);
  }
  RecordProperty("found 8 %", eight);
  RecordProperty("found 4 %", four);
  RecordProperty("runs", all_runs / kSearches);
  EXPECT_GE(eight, kSearches - 1);
  EXPECT_GE(four, kSearches * 8 / 10);
  EXPECT_LE(others, kSearches / 20);
}

TEST(Tournament, KnobsThatChangeNothingAreNoGain) {
  int claimed = 0;
  for (std::uint64_t seed = 1; seed <= kSearches; ++seed) {
    KnobBench bench(seed);
    bench.drift_per_run = seed % 2 == 0 ? 0.001 : -0.001;
    claimed += played(bench, knobs(12)).outcome.kept.empty() ? 0 : 1;
  }
  EXPECT_LE(claimed, kSearches / 20);
}

TEST(Tournament, OfTwoHundredFewAreRunOften) {
  KnobBench bench(7);
  bench.drift_per_run = 0.00005;
  bench.factors = {{"knob17", 0.9}, {"knob140", 0.92}};
  const Played result = played(bench, knobs(200));
  EXPECT_EQ(result.outcome.steps.size(), 200U);
  EXPECT_TRUE(result.is_kept("knob17"));
  EXPECT_TRUE(result.is_kept("knob140"));
  // Raced one by one, they would take 200 heats of three turns.
  EXPECT_LT(bench.runs, 200 * 6 * 3 / 4);
  // The worse half went after one run.
  const auto once = std::ranges::count_if(result.outcome.steps, [](const OptimizeStep& step) {
    return step.state == StepState::kDropped && step.after.run_count == 1;
  });
  EXPECT_GE(once, 95);
}

TEST(Tournament, ACrowdOfGoodKnobsIsNotCutToTheLastFew) {
  KnobBench bench(3);
  bench.machine.run_spread_ratio = 0.003;
  for (int i = 0; i < 6; ++i) bench.factors[base::format("knob{}", i)] = 0.93;
  const Played result = played(bench, knobs(16));
  EXPECT_GE(result.outcome.kept.size(), 6U);
}

TEST(Tournament, AKnobThatCrashesIsAStepThatFailed) {
  KnobBench bench(1);
  bench.factors = {{"knob3", 0.9}};
  const Played result = played(bench, knobs(12, "knob5"));
  ASSERT_TRUE(result.best);
  EXPECT_TRUE(result.is_kept("knob3"));
  EXPECT_EQ(result.count(StepState::kFailed), 1U);
  const auto failed =
      std::ranges::find(result.outcome.steps, StepState::kFailed, &OptimizeStep::state);
  EXPECT_EQ(failed->id, "knob5");
  EXPECT_EQ(failed->reason, "the engine crashed");
}

TEST(Tournament, AStopEndsIt) {
  KnobBench bench(1);
  bench.stop_at = 9;
  const Played result = played(bench, knobs(12));
  ASSERT_FALSE(result.best);
  EXPECT_EQ(result.best.error().code, ErrorCode::kCancelled);
  EXPECT_EQ(bench.runs, 9);
}

TEST(Tournament, WithLittleTimeTheFirstAreTriedAndARaceIsStillPossible) {
  KnobBench bench(1);
  bench.factors = {{"knob3", 0.9}};
  const Played result = played(bench, knobs(100), 60);
  EXPECT_TRUE(result.is_kept("knob3"));
  EXPECT_GT(result.count(StepState::kNotTried), 50U);
  EXPECT_LE(bench.runs, 60 + 8);
}

TEST(Tournament, FewAreRacedOneByOne) {
  KnobBench bench(1);
  const Played result = played(bench, knobs(analyze::kTournamentFrom - 1));
  EXPECT_EQ(result.count(StepState::kDropped), 0U);
}

// An engine that is built and can't run here.
class BuildBench final : public Bench {
 public:
  Result<Measured> run(const Recipe& recipe, const std::string&) override {
    ++builds;
    Measured measured;
    measured.bound = {.bound_ms = 10, .device = "L4"};
    for (const std::string& word : recipe.words) {
      if (word == "crash") return fail(ErrorCode::kExternalTool, "the engine crashed");
      if (word == "knob1") *measured.bound.bound_ms *= 0.8;
      if (word == "knob2") *measured.bound.bound_ms *= 1.1;
    }
    return measured;
  }
  int builds = 0;
};

TEST(Forecast, WithoutADeviceGainsArePredictedAndNeverProven) {
  BuildBench bench;
  OptimizeOutcome outcome;
  SearchTask task{.start = {.model = "model.onnx"}, .proposals = knobs(5, "knob4")};
  const std::atomic<bool> stopped = false;
  task.clock = [] { return 0.0; };
  task.record = [](const OptimizeOutcome&, const Recipe&) -> Result<void> { return {}; };
  const auto best = search(task, bench, nullptr, drive::Cancellation(stopped), outcome);
  ASSERT_TRUE(best);
  EXPECT_EQ(best->words, std::vector<std::string>{"knob1"});
  EXPECT_EQ(outcome.kept, std::vector<std::string>{"knob1"});
  EXPECT_FALSE(outcome.is_measured);
  EXPECT_NEAR(*outcome.predicted_ratio, -0.2, 1e-12);
  EXPECT_FALSE(outcome.change_ratio);
  EXPECT_FALSE(outcome.first.median_ms || outcome.best.median_ms);
  EXPECT_EQ(bench.builds, 6) << "the start, and each step once";
  std::vector<StepState> states;
  for (const OptimizeStep& step : outcome.steps) {
    states.push_back(step.state);
    EXPECT_FALSE(step.change_ratio);
  }
  EXPECT_EQ(states, (std::vector<StepState>{StepState::kNotPredicted, StepState::kPredicted,
                                            StepState::kNotPredicted, StepState::kNotPredicted,
                                            StepState::kFailed}));
  EXPECT_EQ(outcome.steps[0].why_not_predicted,
            "its layers read, write and compute as much as before");
  EXPECT_NEAR(*outcome.steps[2].predicted_ratio, 0.1, 1e-12);
}

TEST(Forecast, TypesAreTriedByWhatTheyArePredictedToGain) {
  class TypeBench final : public Bench {
   public:
    Result<Measured> run(const Recipe& recipe, const std::string&) override {
      Measured measured;
      measured.bound = {.bound_ms = recipe.words.empty() ? 10 : 5, .device = "L4"};
      measured.bound.as_type_ms = {{model::DType::kFp16, 6}, {model::DType::kInt8, 3}};
      return measured;
    }
  };
  TypeBench bench;
  std::vector<Proposal> proposals = knobs(4);
  proposals[1].computes_in = model::DType::kFp16;
  proposals[3].computes_in = model::DType::kInt8;
  // Too far from the goal: nothing is built, and the prediction stands.
  proposals[3].keeps_model = false;
  proposals[3].make = [](const Recipe& best, const std::string&) -> Result<Made> {
    return Made{.recipe = best, .score = quantize::Score{.sqnr_db = 5}};
  };
  OptimizeOutcome outcome;
  SearchTask task{.start = {.model = "model.onnx"}, .proposals = std::move(proposals)};
  const std::atomic<bool> stopped = false;
  task.clock = [] { return 0.0; };
  task.record = [](const OptimizeOutcome&, const Recipe&) -> Result<void> { return {}; };
  ASSERT_TRUE(search(task, bench, nullptr, drive::Cancellation(stopped), outcome));
  ASSERT_EQ(outcome.steps.size(), 4U);
  EXPECT_EQ(outcome.steps[1].id, "knob3");
  EXPECT_EQ(outcome.steps[1].state, StepState::kTooFar);
  EXPECT_NEAR(*outcome.steps[1].predicted_ratio, -0.4, 1e-12) << "of the best so far, knob0";
  EXPECT_EQ(outcome.steps[3].id, "knob1");
}

}  // namespace
}  // namespace planex::jobs
