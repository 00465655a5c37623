// The search on a stand-in engine whose true times are known: noise, drift, crashes.
#include "jobs/optimize/search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <map>

#include "analyze/optimize/race.h"
#include "analyze/optimize/rate_run.h"
#include "analyze/verdict/verdict_test_series.h"
#include "base/text.h"

namespace planex::jobs {
namespace {

using analyze::OptimizeOutcome;
using analyze::StepState;

// Each word of a recipe makes the engine faster or slower by a known factor.
class StandIn final : public Bench {
 public:
  StandIn(std::map<std::string, double> factors, std::uint64_t seed)
      : factors_(std::move(factors)), seed_(seed) {}

  Result<Measured> run(const Recipe& recipe, const std::string&) override {
    ++runs;
    if (runs == stop_at) stopped = true;
    analyze::Machine machine = this->machine;
    for (const std::string& word : recipe.words) {
      if (word == "crash") return fail(ErrorCode::kExternalTool, "the engine crashed");
      machine.level_ms *= factors_.at(word);
    }
    machine.level_ms *= 1 + drift_per_run * runs;
    return Measured{.run = analyze::measured(
                        analyze::run_on(machine, seed_ * 1000 + static_cast<std::uint64_t>(runs))),
                    .latency_ms = machine.level_ms * (recipe.words.empty() ? 1 : latency_factor),
                    .memory_bytes = memory_of(recipe),
                    .limit_ratio = limit_ratio};
  }

  // By word; empty: the engine says nothing of its memory.
  std::map<std::string, double> memory_factors;
  analyze::Machine machine;
  double drift_per_run = 0;
  std::optional<double> limit_ratio;
  // Of an inference, where more run at once.
  double latency_factor = 1;
  int runs = 0;
  int stop_at = 0;
  std::atomic<bool> stopped = false;

 private:
  std::optional<std::int64_t> memory_of(const Recipe& recipe) const {
    if (memory_factors.empty()) return std::nullopt;
    double bytes = 1'000'000;
    for (const std::string& word : recipe.words) bytes *= memory_factors.at(word);
    return static_cast<std::int64_t>(bytes);
  }

  std::map<std::string, double> factors_;
  std::uint64_t seed_;
};

Proposal option(const std::string& word) {
  return {.id = word,
          .kind = "options",
          .what = word,
          .keeps_model = true,
          .make = [word](const Recipe& best, const std::string&) -> Result<Made> {
            Recipe recipe = best;
            recipe.words.push_back(word);
            return Made{.recipe = std::move(recipe)};
          }};
}

// Changes the model; how close its results are is known.
Proposal edit(const std::string& word, bool keeps_results, double sqnr_db) {
  Proposal proposal = option(word);
  proposal.kind = "precision";
  proposal.keeps_results = keeps_results;
  proposal.keeps_model = false;
  proposal.make = [word, sqnr_db](const Recipe& best, const std::string&) -> Result<Made> {
    Recipe recipe = best;
    recipe.words.push_back(word);
    recipe.model = word;
    return Made{.recipe = std::move(recipe), .score = quantize::Score{.sqnr_db = sqnr_db}};
  };
  return proposal;
}

struct Searched {
  OptimizeOutcome outcome;
  Result<Recipe> best = Recipe{};
  int records = 0;
  // As it was recorded last.
  OptimizeOutcome recorded;
  Recipe recorded_best;

  StepState state(std::string_view id) const {
    return std::ranges::find(outcome.steps, id, &analyze::OptimizeStep::id)->state;
  }
};

Searched searched(StandIn& bench, std::vector<Proposal> proposals,
                  std::optional<quantize::Goal> goal = {}, double budget_s = 1e9,
                  const Searched* earlier = nullptr, analyze::Aim aim = analyze::Aim::kLatency) {
  Searched result;
  double now = 0;
  SearchTask task{.start = {.model = "model.onnx"},
                  .proposals = std::move(proposals),
                  .goal = goal,
                  .budget = std::chrono::duration<double>(budget_s),
                  .aim = aim};
  // A run takes a second.
  task.clock = [&] { return now + bench.runs; };
  task.record = [&](const OptimizeOutcome& outcome, const Recipe& best) -> Result<void> {
    ++result.records;
    result.recorded = outcome;
    result.recorded_best = best;
    return {};
  };
  if (earlier != nullptr) {
    task.decided = earlier->recorded.steps;
    if (!earlier->recorded.kept.empty()) task.earlier_best = earlier->recorded_best;
  }
  result.best = search(task, bench, nullptr, drive::Cancellation(bench.stopped), result.outcome);
  return result;
}

std::vector<Proposal> twelve_options() {
  std::vector<Proposal> proposals;
  for (int i = 0; i < 12; ++i) proposals.push_back(option(base::format("knob{}", i)));
  return proposals;
}

std::map<std::string, double> twelve_factors(double first = 1, double second = 1) {
  std::map<std::string, double> factors;
  for (int i = 0; i < 12; ++i) factors[base::format("knob{}", i)] = 1;
  factors["knob3"] = first;
  factors["knob8"] = second;
  return factors;
}

TEST(Search, OptionsThatChangeNothingAreNoGain) {
  int claimed = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    StandIn bench(twelve_factors(), seed);
    bench.machine = {.count = 120, .noise_ratio = 0.02, .run_spread_ratio = 0.01};
    if (!searched(bench, twelve_options()).outcome.kept.empty()) ++claimed;
  }
  EXPECT_LE(claimed, 2);
}

TEST(Search, NorIsADriftOfTheMachine) {
  int claimed = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    StandIn bench(twelve_factors(), seed);
    bench.machine = {.count = 120, .noise_ratio = 0.01, .run_spread_ratio = 0.003};
    // A clock that falls by a fifth while everything is measured.
    bench.drift_per_run = seed % 2 == 0 ? 0.002 : -0.002;
    if (!searched(bench, twelve_options()).outcome.kept.empty()) ++claimed;
  }
  EXPECT_LE(claimed, 1);
}

TEST(Search, FindsTheTwoOptionsThatMatter) {
  int three = 0, ten = 0;
  constexpr int kSearches = 20;
  for (std::uint64_t seed = 1; seed <= kSearches; ++seed) {
    StandIn bench(twelve_factors(0.97, 0.9), seed);
    bench.machine = {.count = 120, .noise_ratio = 0.01, .run_spread_ratio = 0.004};
    const Searched result = searched(bench, twelve_options());
    three += result.state("knob3") == StepState::kKept ? 1 : 0;
    ten += result.state("knob8") == StepState::kKept ? 1 : 0;
    // What is claimed for all of it is what is true.
    ASSERT_TRUE(result.outcome.change_ratio);
    const double truth = (result.state("knob3") == StepState::kKept ? 0.97 : 1) *
                         (result.state("knob8") == StepState::kKept ? 0.9 : 1);
    EXPECT_NEAR(1 + *result.outcome.change_ratio, truth, 0.02);
  }
  EXPECT_GE(three, kSearches / 2);
  EXPECT_GE(ten, kSearches - 1);
}

TEST(Search, ResultsThatAreTooFarAreNotMeasured) {
  StandIn bench({{"int8", 0.3}}, 1);
  const Searched far = searched(bench, {edit("int8", false, 12)}, *quantize::parse_goal("20dB"));
  EXPECT_EQ(far.state("int8"), StepState::kTooFar);
  EXPECT_EQ(far.outcome.steps.front().sqnr_db, 12);
  EXPECT_EQ(bench.runs, 5) << "the model as it is, alone";
  StandIn again({{"int8", 0.3}}, 1);
  const Searched near = searched(again, {edit("int8", false, 25)}, *quantize::parse_goal("20dB"));
  EXPECT_EQ(near.state("int8"), StepState::kKept);
  EXPECT_NEAR(*near.outcome.change_ratio, -0.7, 0.02);
  EXPECT_EQ(near.best->model, "int8");
}

TEST(Search, WithoutAGoalResultsStayTheSame) {
  StandIn bench({{"int8", 0.3}, {"clean", 0.8}, {"wrong", 0.8}}, 1);
  const Searched result =
      searched(bench, {edit("int8", false, 60), edit("wrong", true, 40), edit("clean", true, 120)});
  EXPECT_EQ(result.state("int8"), StepState::kNotTried);
  EXPECT_EQ(result.state("wrong"), StepState::kTooFar);
  EXPECT_EQ(result.state("clean"), StepState::kKept);
}

TEST(Search, AnEngineThatCrashesOnACandidateIsAStepThatFailed) {
  StandIn bench({{"good", 0.8}}, 1);
  const Searched result = searched(bench, {option("crash"), option("good")});
  ASSERT_TRUE(result.best);
  EXPECT_EQ(result.state("crash"), StepState::kFailed);
  EXPECT_EQ(result.outcome.steps.front().reason, "the engine crashed");
  EXPECT_EQ(result.state("good"), StepState::kKept);
}

TEST(Search, AModelThatTheEngineRefusesIsSaidAtOnce) {
  StandIn bench({}, 1);
  OptimizeOutcome outcome;
  SearchTask task{.start = {.model = "model.onnx", .words = {"crash"}},
                  .proposals = twelve_options()};
  task.clock = [] { return 0.0; };
  const auto best = search(task, bench, nullptr, drive::Cancellation(bench.stopped), outcome);
  ASSERT_FALSE(best);
  EXPECT_EQ(best.error().message, "the engine crashed");
  EXPECT_EQ(bench.runs, 1);
}

TEST(Search, AStopKeepsWhatIsProven) {
  StandIn bench({{"good", 0.8}, {"later", 0.8}}, 1);
  bench.stop_at = 15;
  const Searched result = searched(bench, {option("good"), option("later")});
  ASSERT_FALSE(result.best);
  EXPECT_EQ(result.best.error().code, ErrorCode::kCancelled);
  EXPECT_EQ(result.outcome.kept, std::vector<std::string>{"good"});
  EXPECT_EQ(result.records, 1);
}

// Stopped wherever it is, it goes on from what was recorded, and ends as if it had not been
// stopped.
TEST(Search, GoesOnFromEveryStop) {
  const auto proposals = [] {
    return std::vector<Proposal>{option("same"), edit("good", true, 120), option("crash"),
                                 option("later"), option("slower")};
  };
  const std::map<std::string, double> factors = {
      {"same", 1}, {"good", 0.8}, {"later", 0.7}, {"slower", 1.3}};
  StandIn whole(factors, 3);
  const Searched expected = searched(whole, proposals());
  ASSERT_EQ(expected.outcome.kept, (std::vector<std::string>{"good", "later"}));
  for (int stop = 1; stop < whole.runs; stop += 4) {
    StandIn first(factors, 3);
    first.stop_at = stop;
    const Searched stopped = searched(first, proposals());
    ASSERT_FALSE(stopped.best) << stop;
    StandIn second(factors, 4);
    const Searched resumed = searched(second, proposals(), {}, 1e9, &stopped);
    ASSERT_TRUE(resumed.best) << stop;
    EXPECT_EQ(resumed.outcome.kept, expected.outcome.kept) << stop;
    EXPECT_EQ(resumed.best->model, "good") << stop;
    EXPECT_EQ(resumed.best->words, (std::vector<std::string>{"good", "later"})) << stop;
    EXPECT_EQ(resumed.outcome.steps.size(), proposals().size()) << stop;
    EXPECT_NEAR(*resumed.outcome.change_ratio, 0.56 - 1, 0.03) << stop;
  }
}

TEST(Search, OptionsAreNotTriedAtTheDevicesLimit) {
  StandIn bench({{"good", 0.8}, {"clean", 0.8}}, 1);
  bench.limit_ratio = 0.98;
  const Searched result = searched(bench, {option("good"), edit("clean", true, 120)});
  EXPECT_EQ(result.state("good"), StepState::kNotTried);
  EXPECT_NE(result.outcome.steps.front().reason.find("98 %"), std::string::npos);
  EXPECT_EQ(result.state("clean"), StepState::kKept) << "another model has another limit";
  bench.limit_ratio = 0.9;
  EXPECT_EQ(searched(bench, {option("good")}).state("good"), StepState::kKept);
}

TEST(Search, AnInferenceMayNotTakeLongerThanAllowed) {
  StandIn bench({{"streams", 0.6}}, 1);
  bench.latency_factor = 2;
  OptimizeOutcome outcome;
  SearchTask task{.start = {.model = "model.onnx"}, .proposals = {option("streams")}};
  task.clock = [] { return 0.0; };
  task.record = [](const OptimizeOutcome&, const Recipe&) -> Result<void> { return {}; };
  task.max_latency_ms = bench.machine.level_ms;
  ASSERT_TRUE(search(task, bench, nullptr, drive::Cancellation(bench.stopped), outcome));
  EXPECT_EQ(outcome.steps.front().state, StepState::kTooLate);
  EXPECT_EQ(outcome.steps.front().latency_ms, bench.machine.level_ms * 0.6 * 2);
  EXPECT_TRUE(outcome.kept.empty());
  bench.latency_factor = 1.5;
  outcome = {};
  ASSERT_TRUE(search(task, bench, nullptr, drive::Cancellation(bench.stopped), outcome));
  EXPECT_EQ(outcome.kept, std::vector<std::string>{"streams"});
}

// A throughput has no samples: how it differs is seen between runs alone.
TEST(Search, ThroughputsAreJudgedByTheirRuns) {
  const auto runs = [](std::vector<double> rates) {
    std::vector<analyze::MeasuredRun> result;
    analyze::Machine machine;
    for (const double rate : rates) {
      result.push_back(analyze::rate_run(analyze::measured(analyze::run_on(machine, 7)), rate));
    }
    return result;
  };
  const auto slow = runs({1000, 1010, 990, 1000}), fast = runs({1200, 1190, 1210, 1200});
  const analyze::RaceFigures faster = analyze::judge_confirmation(slow, fast);
  EXPECT_EQ(faster.state, analyze::RaceState::kProven);
  EXPECT_NEAR(*faster.change_ratio, 1000.0 / 1200 - 1, 0.005);
  EXPECT_LT(*faster.low_ratio, *faster.change_ratio);
  EXPECT_EQ(analyze::judge_confirmation(fast, slow).state, analyze::RaceState::kNoGain);
  const auto wide = runs({900, 1300, 1000, 1400});
  EXPECT_EQ(analyze::judge_confirmation(slow, wide).state, analyze::RaceState::kNoGain);
}

// Slower ones are kept, if they need less: a build of each says it.
TEST(Search, ForMemoryTheBytesDecide) {
  StandIn bench({{"small", 1.3}, {"same", 0.5}, {"large", 0.5}, {"far", 0.5}}, 11);
  bench.memory_factors = {{"small", 0.25}, {"same", 0.996}, {"large", 2}, {"far", 0.1}};
  bench.limit_ratio = 0.99;
  const std::vector<Proposal> proposals = {edit("small", true, 90), edit("far", false, 10),
                                           option("same"), option("large")};
  const Searched found =
      searched(bench, proposals, quantize::Goal{.least = 20}, 1e9, nullptr, analyze::Aim::kMemory);
  ASSERT_TRUE(found.best) << found.best.error().message;
  EXPECT_EQ(found.outcome.kept, std::vector<std::string>{"small"});
  EXPECT_EQ(found.state("far"), StepState::kTooFar);
  EXPECT_EQ(found.state("same"), StepState::kNotSmaller);
  EXPECT_EQ(found.state("large"), StepState::kNotSmaller);
  EXPECT_EQ(found.outcome.first.memory_bytes, 1'000'000);
  EXPECT_EQ(found.outcome.best.memory_bytes, 250'000);
  EXPECT_DOUBLE_EQ(found.outcome.change_ratio.value(), -0.75);
  // Times are those of the ends, in turns.
  EXPECT_GT(found.outcome.best.median_ms.value(), found.outcome.first.median_ms.value());
  EXPECT_EQ(bench.runs, 1 + 3 + 2 * static_cast<int>(analyze::kConfirmingRuns));
}

TEST(Search, MemoryThatTheEngineDoesNotSayIsSaidAtOnce) {
  StandIn bench({{"small", 1}}, 12);
  const Searched found =
      searched(bench, {option("small")}, {}, 1e9, nullptr, analyze::Aim::kMemory);
  ASSERT_FALSE(found.best);
  EXPECT_EQ(found.best.error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(bench.runs, 1);
}

TEST(Search, WhatTheBudgetDoesNotAllowIsNotTried) {
  StandIn bench(twelve_factors(), 1);
  const Searched result = searched(bench, twelve_options(), {}, 30);
  ASSERT_TRUE(result.best);
  EXPECT_EQ(result.outcome.steps.size(), 12U);
  EXPECT_EQ(result.outcome.steps.back().state, StepState::kNotTried);
  EXPECT_LE(result.outcome.spent_seconds, 30 + 8);
}

// Making a model may be stopped at the deadline, as Ctrl-C would; the search itself goes on.
TEST(Search, WhatWasNotMadeInTimeIsNotTried) {
  StandIn bench({{"good", 0.8}}, 1);
  Proposal late = option("late");
  late.make = [](const Recipe&, const std::string&) -> Result<Made> {
    return fail(ErrorCode::kCancelled, "stopped");
  };
  const Searched result = searched(bench, {late, option("good")});
  ASSERT_TRUE(result.best);
  EXPECT_EQ(result.state("late"), StepState::kNotTried);
  EXPECT_FALSE(result.outcome.steps.front().reason.empty());
  EXPECT_EQ(result.state("good"), StepState::kKept);
}

TEST(Search, WhatIsMadeTooLateIsNotRaced) {
  StandIn bench({{"slow", 0.5}}, 1);
  Proposal slow = option("slow");
  slow.make = [&bench, make = slow.make](const Recipe& best, const std::string& folder) {
    bench.runs += 25;  // seconds
    return make(best, folder);
  };
  const Searched result = searched(bench, {slow}, {}, 30);
  ASSERT_TRUE(result.best);
  EXPECT_EQ(result.state("slow"), StepState::kNotTried);
  EXPECT_LE(result.outcome.spent_seconds, 26 + 8);
  StandIn again({{"slow", 0.5}}, 1);
  EXPECT_EQ(searched(again, {option("slow")}, {}, 30).state("slow"), StepState::kKept);
}

}  // namespace
}  // namespace planex::jobs
