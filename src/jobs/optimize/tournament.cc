#include "jobs/optimize/tournament.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "analyze/optimize/halving.h"
#include "base/files.h"
#include "base/text.h"
#include "base/try.h"

namespace planex::jobs {
namespace {

using analyze::OptimizeStep;
using analyze::StepState;
using base::counted;
using base::format;

constexpr double kAsPercent = 100;

class Tournament {
 public:
  explicit Tournament(const TournamentTask& task)
      : task_(task), logs_(task.proposals.size()), recipes_(task.proposals.size()) {
    for (const Proposal& proposal : task.proposals) steps_.push_back(step_of(proposal));
  }

  Result<TournamentResult> run() {
    std::vector<std::size_t> in = entrants();
    for (round_ = 0; !in.empty() && (round_ == 0 || in.size() > analyze::kFinalists); ++round_) {
      for (std::size_t i = 0; i < analyze::round_runs(round_) && !is_out_of_time_; ++i) {
        PLANEX_TRY(run_all(in));
      }
      std::vector<std::size_t> stay = analyze::better_half(logs_, in);
      drop_others(in, stay);
      // Nobody went: all are faster beyond the noise.
      const bool is_decided = stay.size() == in.size();
      in = std::move(stay);
      if (is_decided || is_out_of_time_) break;
    }
    TournamentResult result{.finalists = analyze::worth_a_race(logs_, in), .run_count = runs_};
    drop_others(in, result.finalists);
    for (std::size_t place = 0; place < steps_.size(); ++place) {
      if (std::ranges::find(result.finalists, place) != result.finalists.end()) continue;
      result.steps.push_back(std::move(steps_[place]));
    }
    return result;
  }

 private:
  std::vector<std::size_t> entrants() {
    std::vector<std::size_t> in;
    for (std::size_t place = 0; place < task_.proposals.size(); ++place) {
      const std::string folder = base::join_path(task_.folder, format("{}", place));
      auto made = task_.proposals[place].make(task_.best, folder);
      OptimizeStep& step = steps_[place];
      if (!made) {
        step.state = StepState::kFailed;
        step.reason = made.error().message;
        continue;
      }
      step.command = std::move(made->command);
      if (!made->recipe) {
        step.state = StepState::kUnchanged;
        step.reason = std::move(made->reason);
        continue;
      }
      recipes_[place] = *std::move(made->recipe);
      in.push_back(place);
    }
    return in;
  }

  // Each of them once: a run of the best, two of theirs, a run of the best, and so on. Every other
  // time in the opposite order, so that no one always runs on the warmer machine.
  Result<void> run_all(std::vector<std::size_t>& in) {
    std::vector<std::size_t> order = in;
    if (is_backwards_) std::ranges::reverse(order);
    is_backwards_ = !is_backwards_;
    PLANEX_ASSIGN(std::optional<double> before_ms, run_best());
    for (std::size_t start = 0; start < order.size(); start += analyze::kBlockCandidates) {
      const std::size_t count = std::min(analyze::kBlockCandidates, order.size() - start);
      if (!task_.has_time(count + 1)) {
        is_out_of_time_ = true;
        break;
      }
      std::vector<std::optional<double>> seen;
      for (std::size_t i = 0; i < count; ++i) {
        const std::size_t place = order[start + i];
        task_.progress(task_.proposals[place].id,
                       static_cast<double>(start + i) / static_cast<double>(order.size()));
        PLANEX_ASSIGN(const std::optional<double> median_ms, run_one(place));
        seen.push_back(median_ms);
      }
      PLANEX_ASSIGN(const std::optional<double> after_ms, run_best());
      for (std::size_t i = 0; i < count; ++i) {
        const double share = static_cast<double>(i + 1) / static_cast<double>(count + 1);
        const auto log = analyze::paired_log(before_ms, after_ms, share, seen[i]);
        if (log) logs_[order[start + i]].push_back(*log);
      }
      before_ms = after_ms;
    }
    std::erase_if(in, [&](std::size_t place) { return steps_[place].state == StepState::kFailed; });
    return {};
  }

  // Its failure may be an accident, but not twice.
  Result<std::optional<double>> run_best() {
    auto measured = task_.measure(task_.best);
    if (!measured && measured.error().code != ErrorCode::kCancelled) {
      measured = task_.measure(task_.best);
    }
    ++runs_;
    if (!measured) return fail(measured.error());
    return measured->run.median_ms;
  }

  Result<std::optional<double>> run_one(std::size_t place) {
    OptimizeStep& step = steps_[place];
    const double start = task_.seconds();
    const auto measured = task_.measure(recipes_[place]);
    ++runs_;
    step.seconds += task_.seconds() - start;
    if (measured) {
      step.layer_count = measured->layer_count;
      return measured->run.median_ms;
    }
    if (measured.error().code == ErrorCode::kCancelled) return fail(measured.error());
    step.state = StepState::kFailed;
    step.reason = measured.error().message;
    return std::optional<double>();
  }

  void drop_others(const std::vector<std::size_t>& in, const std::vector<std::size_t>& stay) {
    for (const std::size_t place : in) {
      OptimizeStep& step = steps_[place];
      if (step.state == StepState::kFailed || std::ranges::find(stay, place) != stay.end()) {
        continue;
      }
      const std::size_t run_count = logs_[place].size();
      step.change_ratio = analyze::mean_change_ratio(logs_[place]);
      step.after.run_count = run_count;
      if (!step.change_ratio) {
        step.state = is_out_of_time_ ? StepState::kNotTried : StepState::kFailed;
        step.reason =
            is_out_of_time_ ? "the time was used up" : "the engine gave no times to compare";
        continue;
      }
      step.state = StepState::kDropped;
      step.reason = format("{:+.1f} % in {} beside the best", *step.change_ratio * kAsPercent,
                           counted(run_count, "run"));
    }
  }

  const TournamentTask& task_;
  std::vector<analyze::PairedLogs> logs_;
  std::vector<Recipe> recipes_;
  std::vector<OptimizeStep> steps_;
  std::size_t round_ = 0, runs_ = 0;
  bool is_backwards_ = false, is_out_of_time_ = false;
};

}  // namespace

Result<TournamentResult> tournament(const TournamentTask& task) { return Tournament(task).run(); }

}  // namespace planex::jobs
