#include "jobs/optimize/search.h"

#include <algorithm>
#include <numeric>
#include <span>
#include <utility>

#include "analyze/optimize/halving.h"
#include "analyze/optimize/race.h"
#include "analyze/verdict/repeated_runs.h"
#include "base/files.h"
#include "base/text.h"
#include "base/try.h"
#include "jobs/optimize/tournament.h"

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
// What is less counts as nothing: a model is not rewritten for that.
constexpr double kMinMemoryRatio = 0.005;

bool is_kept(StepState state) {
  return state == StepState::kKept || state == StepState::kPredicted;
}

// Runs of one side, the latest last.
struct Side {
  std::vector<MeasuredRun> runs;
  Measured last;
};

std::optional<double> change_of(std::optional<std::int64_t> before,
                                std::optional<std::int64_t> after) {
  if (!before || !after || *before <= 0) return std::nullopt;
  return static_cast<double>(*after) / static_cast<double>(*before) - 1;
}

analyze::TimedMedian median_of(const Side& side) {
  analyze::RepeatedRuns pointers;
  for (const MeasuredRun& run : side.runs) {
    if (run.median_ms && *run.median_ms > 0) pointers.push_back(&run);
  }
  const analyze::RepeatedRuns subjects[] = {pointers};
  const auto median = analyze::repeated_median(pointers, analyze::spread_of(subjects));
  return {median.median_ms, median.low_ms, median.high_ms, pointers.size(), side.last.memory_bytes};
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
      if (is_kept(step.state)) outcome_.kept.push_back(step.id);
      outcome_.steps.push_back(step);
    }
  }

  Result<Recipe> run() {
    PLANEX_TRY(look());
    const std::vector<Proposal> proposals = in_order();
    for (std::span<const Proposal> rest = proposals; !rest.empty();) {
      const std::span<const Proposal> group = rest.first(group_size(rest));
      rest = rest.subspan(group.size());
      PLANEX_ASSIGN(const std::vector<std::size_t> raced, worth_trying(group));
      for (const std::size_t place : raced) {
        PLANEX_TRY(go_on());
        PLANEX_TRY(try_proposal(group[place]));
        PLANEX_TRY(task_.record(outcome_, best_));
      }
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
    PLANEX_ASSIGN(const Measured measured, measure(best_));
    limit_ratio_ = measured.limit_ratio;
    outcome_.is_measured = measured.run.median_ms.has_value();
    first_bound_ = best_bound_ = measured.bound;
    best_measured_ = measured;
    if (is_for_memory() && !measured.memory_bytes) {
      return fail(ErrorCode::kUnsupported,
                  "the engine does not say how much memory its tensors need",
                  "Optimize for latency.");
    }
    outcome_.predicted_device = measured.bound.device;
    return {};
  }
  bool is_for_memory() const { return task_.aim == analyze::Aim::kMemory; }
  bool is_at_limit() const {
    return !is_for_memory() && limit_ratio_ && *limit_ratio_ >= kAtLimitRatio;
  }

  // What is not decided yet. Types by what they are predicted to gain, in each other's places; the
  // rest as it is.
  std::vector<Proposal> in_order() const {
    std::vector<Proposal> open;
    for (const Proposal& proposal : task_.proposals) {
      if (!is_decided(proposal.id)) open.push_back(proposal);
    }
    std::vector<Proposal> proposals = open;
    std::vector<std::pair<double, std::size_t>> typed;
    std::vector<std::size_t> places;
    for (std::size_t place = 0; place < proposals.size(); ++place) {
      const auto predicted = analyze::predict_type(best_bound_, proposals[place].computes_in);
      if (!predicted.change_ratio) continue;
      typed.emplace_back(*predicted.change_ratio, place);
      places.push_back(place);
    }
    std::ranges::sort(typed);
    for (std::size_t rank = 0; rank < typed.size(); ++rank) {
      proposals[places[rank]] = open[typed[rank].second];
    }
    return proposals;
  }

  Result<void> go_on() const {
    if (!cancellation_.requested()) return {};
    return fail(ErrorCode::kCancelled, "stopped; what was proven so far is kept");
  }
  double seconds() const { return task_.clock(); }
  // How long a proposal may take at least: a heat of one run, and what confirms.
  bool has_time() const {
    const bool is_race = outcome_.is_measured && !is_for_memory();
    const std::size_t run_count = is_race ? 2 * (1 + analyze::kConfirmingRuns) : 1;
    const double least = run_seconds_ * static_cast<double>(run_count);
    return seconds() + least <= task_.budget.count();
  }

  // Of the proposals at the beginning: one, or a whole group.
  static std::size_t group_size(std::span<const Proposal> rest) {
    if (rest.front().group.empty()) return 1;
    const auto end = std::ranges::find_if(
        rest, [&](const Proposal& proposal) { return proposal.group != rest.front().group; });
    return static_cast<std::size_t>(end - rest.begin());
  }

  // Those of many that a tournament leaves; the others become steps here.
  Result<std::vector<std::size_t>> worth_trying(std::span<const Proposal> group) {
    std::vector<std::size_t> all(group.size());
    std::iota(all.begin(), all.end(), 0U);
    const bool is_race = outcome_.is_measured && !is_for_memory() && has_time() && !is_at_limit();
    if (group.size() < analyze::kTournamentFrom || !is_race) return all;
    TournamentTask task{.proposals = group,
                        .best = best_,
                        .folder = base::join_path(task_.folder, format("{}", ++count_)),
                        .seconds = task_.clock};
    task.measure = [this](const Recipe& recipe) { return measure(recipe); };
    task.has_time = [this](std::size_t run_count) {
      const std::size_t race = 2 * (analyze::kHeatRuns + analyze::kConfirmingRuns);
      return seconds() + run_seconds_ * static_cast<double>(run_count + race) <=
             task_.budget.count();
    };
    task.progress = [this](const std::string& what, double done) { tell(what, done); };
    auto result = tournament(task);
    if (!result && result.error().code == ErrorCode::kCancelled) return fail(result.error());
    if (!result) {
      for (const Proposal& proposal : group) {
        outcome_.steps.push_back(step_of(proposal));
        outcome_.steps.back().reason = "the best so far failed: " + result.error().message;
      }
      return std::vector<std::size_t>();
    }
    for (OptimizeStep& step : result->steps) {
      step.basis = outcome_.kept.empty() ? std::string() : outcome_.kept.back();
      outcome_.steps.push_back(std::move(step));
    }
    outcome_.spent_seconds = task_.earlier_seconds + seconds();
    PLANEX_TRY(task_.record(outcome_, best_));
    return std::move(result->finalists);
  }

  Result<Measured> measure(const Recipe& recipe) {
    PLANEX_TRY(go_on());
    const double start = seconds();
    PLANEX_ASSIGN(Measured measured, bench_.run(recipe, format("run-{}", ++runs_)));
    run_seconds_ = seconds() - start;
    return measured;
  }

  Result<void> try_proposal(const Proposal& proposal) {
    OptimizeStep step = step_of(proposal);
    if (!outcome_.kept.empty()) step.basis = outcome_.kept.back();
    if (proposal.computes_in != model::DType::kNull) {
      step.predicted_ratio = analyze::predict_type(best_bound_, proposal.computes_in).change_ratio;
    }
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
      const bool is_stopped = !tried && tried.error().code == ErrorCode::kCancelled;
      if (is_stopped && cancellation_.requested()) return fail(tried.error());
      if (is_stopped) {
        step.state = StepState::kNotTried;
        step.reason = "making it took longer than the time that was left";
      } else if (!tried) {
        step.state = StepState::kFailed;
        step.reason = tried.error().message;
      }
    }
    step.seconds = seconds() - start;
    if (is_kept(step.state)) {
      best_bound_ = tried_bound_;
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
    step.said = std::move(made.said);
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
    if (!has_time()) {
      step.state = StepState::kNotTried;
      step.reason = "the time was used up when it was made";
      return {};
    }
    if (is_for_memory()) return weigh(recipe, step);
    return outcome_.is_measured ? race(recipe, step) : forecast(recipe, step);
  }

  Result<bool> judge_step(const Proposal& proposal, std::optional<quantize::Score> score,
                          const Recipe& recipe, OptimizeStep& step) {
    if (!score) {
      if (judge_ == nullptr) {
        step.state = StepState::kNotTried;
        step.reason = "its results can't be compared here";
        return false;
      }
      // An edit that keeps results is judged by itself, not with the type that the engine has.
      PLANEX_ASSIGN(
          score, judge_->compare(reference_,
                                 proposal.keeps_results ? Recipe{.model = recipe.model} : recipe));
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
    const auto run = [&](const Recipe& recipe, Side& side) -> Result<void> {
      PLANEX_ASSIGN(side.last, measure(recipe));
      side.runs.push_back(side.last.run);
      return {};
    };
    const bool best_begins = turn % 2 == 0;
    PLANEX_TRY(best_begins ? run(best_, best) : run(challenger, other));
    return best_begins ? run(challenger, other) : run(best_, best);
  }

  void set_prediction(OptimizeStep& step, const Measured& built) {
    analyze::Prediction prediction = analyze::predict(best_bound_, built.bound);
    tried_bound_ = built.bound;
    step.layer_count = built.layer_count;
    step.predicted_ratio = prediction.change_ratio;
    step.why_not_predicted = std::move(prediction.reason);
  }

  // Where an engine can be built but not run: what its layers need at least.
  Result<void> forecast(const Recipe& challenger, OptimizeStep& step) {
    PLANEX_ASSIGN(const Measured built, measure(challenger));
    set_prediction(step, built);
    const bool is_gain =
        step.predicted_ratio && *step.predicted_ratio <= -analyze::kMinPredictedRatio;
    step.state = is_gain ? StepState::kPredicted : StepState::kNotPredicted;
    if (!is_gain) {
      step.reason = step.predicted_ratio
                        ? format("{:+.1f} % predicted", *step.predicted_ratio * kPercent)
                        : step.why_not_predicted;
    }
    return {};
  }

  // Memory is the same in each build, so one says it.
  Result<void> weigh(const Recipe& challenger, OptimizeStep& step) {
    Side other;
    PLANEX_ASSIGN(other.last, measure(challenger));
    other.runs = {other.last.run};
    set_prediction(step, other.last);
    step.before = median_of({.runs = {best_measured_.run}, .last = best_measured_});
    step.after = median_of(other);
    step.latency_ms = other.last.latency_ms;
    if (is_too_late(other)) return set_too_late(step);
    step.change_ratio = change_of(best_measured_.memory_bytes, other.last.memory_bytes);
    if (!step.change_ratio) {
      step.state = StepState::kFailed;
      step.reason = "the engine does not say how much memory its tensors need";
      return {};
    }
    const bool is_smaller = *step.change_ratio <= -kMinMemoryRatio;
    step.state = is_smaller ? StepState::kKept : StepState::kNotSmaller;
    if (!is_smaller)
      step.reason = format("no less memory: {:+.1f} %", *step.change_ratio * kPercent);
    if (is_smaller) best_measured_ = other.last;
    return {};
  }

  Result<void> set_too_late(OptimizeStep& step) const {
    step.state = StepState::kTooLate;
    step.reason = format("an inference takes {:.3g} ms of at most {:.3g} ms", *step.latency_ms,
                         *task_.max_latency_ms);
    return {};
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
    if (is_too_late(other)) return set_too_late(step);
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
    step.before = median_of(best);
    step.after = median_of(other);
    raced_limit_ratio_ = other.last.limit_ratio;
    set_prediction(step, other.last);
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
    if (!outcome_.kept.empty()) {
      analyze::Prediction prediction = analyze::predict(first_bound_, best_bound_);
      outcome_.predicted_ratio = prediction.change_ratio;
      outcome_.why_not_predicted = std::move(prediction.reason);
    }
    outcome_.spent_seconds = task_.earlier_seconds + seconds();
    if (!outcome_.is_measured && !is_for_memory()) return {};
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
      if (!outcome_.is_measured) break;
    }
    best_ = best;
    outcome_.first = median_of(first);
    outcome_.best = median_of(last);
    const RaceFigures figures = analyze::judge_confirmation(first.runs, last.runs);
    if (!outcome_.kept.empty() && is_for_memory()) {
      outcome_.change_ratio = change_of(outcome_.first.memory_bytes, outcome_.best.memory_bytes);
    } else if (!outcome_.kept.empty()) {
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
  // Of the model as it is, of the best so far, and of what is tried on it.
  analyze::EngineBound first_bound_, best_bound_, tried_bound_;
  // The best so far, for memory.
  Measured best_measured_;
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
