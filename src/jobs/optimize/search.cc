#include "jobs/optimize/search.h"

#include <algorithm>
#include <span>
#include <utility>

#include "analyze/optimize/race.h"
#include "analyze/verdict/repeated_runs.h"
#include "base/files.h"
#include "base/text.h"
#include "base/try.h"

namespace planex::jobs {
namespace {

using analyze::MeasuredRun;
using analyze::OptimizeOutcome;
using analyze::OptimizeStep;
using analyze::RaceFigures;
using analyze::RaceState;
using analyze::StepState;
using base::format;

constexpr double kPercent = 100;

// Runs of one side, the latest last.
struct Side {
  std::vector<MeasuredRun> runs;
  Measured last;
};

analyze::TimedMedian median_of(std::span<const MeasuredRun> runs) {
  analyze::RepeatedRuns pointers;
  for (const MeasuredRun& run : runs) {
    if (run.median_ms && *run.median_ms > 0) pointers.push_back(&run);
  }
  const analyze::RepeatedRuns subjects[] = {pointers};
  const auto median = analyze::repeated_median(pointers, analyze::spread_of(subjects));
  return {median.median_ms, median.low_ms, median.high_ms, pointers.size()};
}

std::string range_words(const RaceFigures& figures) {
  if (!figures.change_ratio) return "nothing could be compared";
  const double change = *figures.change_ratio * kPercent;
  if (!figures.low_ratio || !figures.high_ratio) return format("{:+.1f} %", change);
  return format("{:+.1f} % ({:+.1f} to {:+.1f})", change, *figures.low_ratio * kPercent,
                *figures.high_ratio * kPercent);
}

class Search {
 public:
  Search(const SearchTask& task, Bench& bench, Judge* judge,
         const drive::Cancellation& cancellation, OptimizeOutcome& outcome)
      : task_(task),
        bench_(bench),
        judge_(judge),
        cancellation_(cancellation),
        outcome_(outcome),
        best_(task.earlier_best.value_or(task.start)),
        reference_(task.start.model) {
    for (const OptimizeStep& step : task.decided) {
      if (step.state == StepState::kKept) outcome_.kept.push_back(step.id);
      outcome_.steps.push_back(step);
    }
  }

  Result<Recipe> run() {
    PLANEX_TRY(look());
    for (const Proposal& proposal : task_.proposals) {
      if (is_decided(proposal.id)) continue;
      PLANEX_TRY(go_on());
      PLANEX_TRY(try_proposal(proposal));
      PLANEX_TRY(task_.record(outcome_, best_));
    }
    PLANEX_TRY(compare_ends());
    PLANEX_TRY(task_.record(outcome_, best_));
    return best_;
  }

 private:
  bool is_decided(std::string_view id) const {
    return std::ranges::find(task_.decided, id, &OptimizeStep::id) != task_.decided.end();
  }

  // Whether the engine takes the model at all, how long a run takes, how far the limit is.
  Result<void> look() {
    tell(task_.earlier_best ? "the best so far" : "the model as it is", 0);
    const double start = seconds();
    PLANEX_ASSIGN(const Measured measured, bench_.run(best_, format("run-{}", ++runs_)));
    run_seconds_ = seconds() - start;
    limit_ratio_ = measured.limit_ratio;
    return {};
  }
  bool is_at_limit() const { return limit_ratio_ && *limit_ratio_ >= kAtLimitRatio; }

  Result<void> go_on() const {
    if (!cancellation_.requested()) return {};
    return fail(ErrorCode::kCancelled, "stopped; what was proven so far is kept");
  }
  double seconds() const { return task_.clock(); }
  // How long a proposal may take at least: a heat of one run, and what confirms.
  bool has_time() const {
    const double least = run_seconds_ * static_cast<double>(2 * (1 + analyze::kConfirmingRuns));
    return seconds() + least <= task_.budget.count();
  }

  Result<void> try_proposal(const Proposal& proposal) {
    OptimizeStep step{.id = proposal.id,
                      .kind = proposal.kind,
                      .what = proposal.what,
                      .basis = outcome_.kept.empty() ? std::string() : outcome_.kept.back()};
    const double start = seconds();
    Recipe recipe;
    if (!has_time()) {
      step.state = StepState::kNotTried;
      step.reason = "the time was used up";
    } else if (!proposal.keeps_results && !task_.goal) {
      step.state = StepState::kNotTried;
      step.reason = "it changes results; --goal says how much is allowed";
    } else if (proposal.keeps_model && is_at_limit()) {
      step.state = StepState::kNotTried;
      step.reason = format("the engine's layers reach {:.0f} % of what the device allows",
                           *limit_ratio_ * kPercent);
    } else {
      auto tried = try_step(proposal, step, recipe);
      if (!tried && tried.error().code == ErrorCode::kCancelled) return fail(tried.error());
      if (!tried) {
        step.state = StepState::kFailed;
        step.reason = tried.error().message;
      }
    }
    step.seconds = seconds() - start;
    if (step.state == StepState::kKept) {
      outcome_.kept.push_back(step.id);
      best_ = recipe;
      limit_ratio_ = raced_limit_ratio_;
      // What is close to a quantized model says nothing: the last float model is the reference.
      if (proposal.keeps_results && !proposal.keeps_model) reference_ = recipe.model;
    }
    outcome_.steps.push_back(std::move(step));
    outcome_.spent_seconds = task_.earlier_seconds + seconds();
    return {};
  }

  Result<void> try_step(const Proposal& proposal, OptimizeStep& step, Recipe& recipe) {
    tell(proposal.id, 0);
    const std::string folder = base::join_path(task_.folder, format("{}", ++count_));
    PLANEX_ASSIGN(Made made, proposal.make(best_, folder));
    step.command = std::move(made.command);
    if (!made.recipe) {
      step.state = StepState::kUnchanged;
      step.reason = std::move(made.reason);
      return {};
    }
    recipe = *made.recipe;
    if (!proposal.keeps_model) {
      PLANEX_ASSIGN(const bool is_close, judge_step(proposal, made.score, recipe, step));
      if (!is_close) return {};
    }
    return race(recipe, step);
  }

  Result<bool> judge_step(const Proposal& proposal, std::optional<quantize::Score> score,
                          const Recipe& recipe, OptimizeStep& step) {
    if (!score) {
      if (judge_ == nullptr) {
        step.state = StepState::kNotTried;
        step.reason = "its results can't be compared here";
        return false;
      }
      PLANEX_ASSIGN(score, judge_->compare(reference_, recipe.model));
    }
    step.sqnr_db = score->sqnr_db;
    step.top1_ratio = score->top1_ratio();
    const quantize::Goal same{.least = kSameDb};
    const bool is_same_only = proposal.keeps_results;
    const quantize::Goal& goal = is_same_only || !task_.goal ? same : *task_.goal;
    if (quantize::is_reached(goal, *score)) return true;
    step.state = StepState::kTooFar;
    step.reason = format("its results miss {}: {:.1f} dB",
                         is_same_only ? "the same" : quantize::to_string(goal), score->sqnr_db);
    return false;
  }

  // One run of each side; who begins alternates, so that a drift meets both alike.
  Result<void> turn(const Recipe& challenger, Side& best, Side& other, std::size_t turn) {
    const auto measure = [&](const Recipe& recipe, Side& side) -> Result<void> {
      PLANEX_TRY(go_on());
      const double start = seconds();
      PLANEX_ASSIGN(side.last, bench_.run(recipe, format("run-{}", ++runs_)));
      run_seconds_ = seconds() - start;
      side.runs.push_back(side.last.run);
      return {};
    };
    const bool best_begins = turn % 2 == 0;
    PLANEX_TRY(best_begins ? measure(best_, best) : measure(challenger, other));
    return best_begins ? measure(challenger, other) : measure(best_, best);
  }

  Result<void> race(const Recipe& challenger, OptimizeStep& step) {
    Side best, other;
    RaceFigures figures;
    for (std::size_t i = 0; figures.state == RaceState::kRunning; ++i) {
      PLANEX_TRY(turn(challenger, best, other, i));
      if (is_too_late(other)) break;
      figures = analyze::judge_heat(best.runs, other.runs);
      tell(step.id,
           static_cast<double>(i + 1) / (analyze::kLongHeatRuns + analyze::kConfirmingRuns));
    }
    const bool is_promising = figures.state == RaceState::kPromising;
    if (is_promising) {
      const RaceFigures heat = figures;
      best = other = {};
      for (std::size_t i = 0; i < analyze::kConfirmingRuns; ++i) {
        PLANEX_TRY(turn(challenger, best, other, i));
        tell(step.id, static_cast<double>(analyze::kLongHeatRuns + i) /
                          (analyze::kLongHeatRuns + analyze::kConfirmingRuns));
      }
      figures = analyze::judge_confirmation(best.runs, other.runs);
      if (figures.state != RaceState::kProven) {
        step.reason =
            format("{} at first, but {} in fresh runs", range_words(heat), range_words(figures));
      }
    }
    step.latency_ms = other.last.latency_ms;
    if (is_too_late(other)) {
      step.state = StepState::kTooLate;
      step.reason = format("an inference takes {:.3g} ms of at most {:.3g} ms", *step.latency_ms,
                           *task_.max_latency_ms);
      return {};
    }
    if (!figures.change_ratio) {
      step.state = StepState::kFailed;
      step.reason = "the engine gave no times to compare";
      return {};
    }
    step.state = figures.state == RaceState::kProven ? StepState::kKept
                 : is_promising                      ? StepState::kNotConfirmed
                                                     : StepState::kNotFaster;
    step.change_ratio = figures.change_ratio;
    step.low_ratio = figures.low_ratio;
    step.high_ratio = figures.high_ratio;
    step.before = median_of(best.runs);
    step.after = median_of(other.runs);
    step.layer_count = other.last.layer_count;
    raced_limit_ratio_ = other.last.limit_ratio;
    if (step.reason.empty() && step.state != StepState::kKept) {
      step.reason =
          format("{}: {}", figures.state == RaceState::kSlower ? "slower" : "within the noise",
                 range_words(figures));
    }
    return {};
  }

  bool is_too_late(const Side& side) const {
    const std::optional<double>& latency_ms = side.last.latency_ms;
    return task_.max_latency_ms && latency_ms && *latency_ms > *task_.max_latency_ms;
  }

  // The model as it is and the best, in turns: steps one by one don't add up to their sum.
  Result<void> compare_ends() {
    tell("the first and the best", 0);
    Side first, last;
    const Recipe best = std::exchange(best_, task_.start);
    for (std::size_t i = 0; i < analyze::kConfirmingRuns; ++i) {
      auto done = turn(best, first, last, i);
      if (!done) {
        best_ = best;
        return fail(done.error());
      }
      if (outcome_.kept.empty() && i + 1 >= 2) break;
    }
    best_ = best;
    outcome_.first = median_of(first.runs);
    outcome_.best = median_of(last.runs);
    const RaceFigures figures = analyze::judge_confirmation(first.runs, last.runs);
    if (!outcome_.kept.empty()) {
      outcome_.change_ratio = figures.change_ratio;
      outcome_.low_ratio = figures.low_ratio;
      outcome_.high_ratio = figures.high_ratio;
    }
    outcome_.spent_seconds = task_.earlier_seconds + seconds();
    return {};
  }

  void tell(const std::string& what, double done) const {
    if (task_.progress) task_.progress(what, std::min(done, 1.0));
  }

  const SearchTask& task_;
  Bench& bench_;
  Judge* judge_;
  const drive::Cancellation& cancellation_;
  OptimizeOutcome& outcome_;
  Recipe best_;
  std::string reference_;
  double run_seconds_ = 0;
  // Of the best, and of the last that was raced.
  std::optional<double> limit_ratio_, raced_limit_ratio_;
  std::size_t count_ = 0, runs_ = 0;
};

}  // namespace

Result<Recipe> search(const SearchTask& task, Bench& bench, Judge* judge,
                      const drive::Cancellation& cancellation, OptimizeOutcome& outcome) {
  return Search(task, bench, judge, cancellation, outcome).run();
}

}  // namespace planex::jobs
