#include "analyze/compare/tactics.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>
#include <utility>

#include "analyze/explain/tactics.h"

namespace planex::analyze {
namespace {

using model::PlanModel;

// A candidate by its implementation and tactic, as texts that two models share.
using CandidateKey = std::pair<std::string_view, std::string_view>;
using Times = std::map<CandidateKey, double>;

class Build {
 public:
  explicit Build(const PlanModel& model) : model_(model), explained_(explain_tactics(model)) {
    for (const LayerTactics& layer : explained_.layers) {
      if (layer.used) by_name_.try_emplace(model.text(layer.name), &layer);
    }
  }

  const TacticExplanation& explained() const { return explained_; }
  const LayerTactics* find(std::string_view name) const {
    const auto found = by_name_.find(name);
    return found == by_name_.end() ? nullptr : found->second;
  }
  std::string_view text(const model::Text& column, std::size_t row) const {
    return model_.text(column[row]);
  }
  const PlanModel& model() const { return model_; }

  CandidateKey winner(const LayerTactics& layer) const {
    const model::TacticChoicesTable& choices = model_.tactic_choices;
    return {text(choices.runner, *layer.used), text(choices.tactic, *layer.used)};
  }

  Times times(const LayerTactics& layer) const {
    const model::TacticsTable& tactics = model_.tactics;
    Times times;
    for (const std::size_t row : layer.fastest_first) {
      const auto ms = tactics.time_ms.get(row);
      if (ms) times.try_emplace({text(tactics.runner, row), text(tactics.tactic, row)}, *ms);
    }
    return times;
  }

 private:
  const PlanModel& model_;
  TacticExplanation explained_;
  std::unordered_map<std::string_view, const LayerTactics*> by_name_;
};

bool have_same_keys(const Times& a, const Times& b) {
  return std::ranges::equal(a, b, {}, &Times::value_type::first, &Times::value_type::first);
}

// How much longer `other` took than the winner in the build where `times` were measured.
std::optional<double> margin(const Times& times, std::optional<double> winner_ms,
                             const CandidateKey& other) {
  const auto found = times.find(other);
  if (found == times.end() || !winner_ms) return std::nullopt;
  return found->second - *winner_ms;
}

}  // namespace

std::optional<TacticDifferences> tactic_differences(const PlanModel& a, const PlanModel& b) {
  if (!has_tactics(a) || !has_tactics(b)) return std::nullopt;
  const Build of_a(a), of_b(b);
  if (!of_a.explained().has_times || !of_b.explained().has_times) return std::nullopt;
  TacticDifferences result;
  std::vector<double> differences;
  for (const LayerTactics& layer : of_a.explained().layers) {
    const LayerTactics* other = of_b.find(a.text(layer.name));
    if (!layer.used || other == nullptr) continue;
    ++result.compared;
    const model::TacticChoicesTable& in_a = a.tactic_choices;
    const model::TacticChoicesTable& in_b = b.tactic_choices;
    const bool is_same_format =
        of_a.text(in_a.input_formats, *layer.used) == of_b.text(in_b.input_formats, *other->used) &&
        of_a.text(in_a.output_formats, *layer.used) == of_b.text(in_b.output_formats, *other->used);
    const Times a_times = of_a.times(layer), b_times = of_b.times(*other);
    if (is_same_format) {
      ++result.same_formats;
      for (const auto& [key, ms] : a_times) {
        const auto found = b_times.find(key);
        if (found == b_times.end() || ms <= 0 || found->second <= 0) continue;
        differences.push_back(std::abs(ms - found->second) / std::min(ms, found->second));
      }
    }
    const CandidateKey a_winner = of_a.winner(layer), b_winner = of_b.winner(*other);
    if (is_same_format && a_winner == b_winner) continue;
    TacticDifference difference{.layer = a.text(layer.name),
                                .a_runner = a_winner.first,
                                .b_runner = b_winner.first,
                                .a_tactic = a_winner.second,
                                .b_tactic = b_winner.second,
                                .a_name = of_a.text(in_a.tactic_name, *layer.used),
                                .b_name = of_b.text(in_b.tactic_name, *other->used),
                                .a_ms = layer.time_ms,
                                .b_ms = other->time_ms,
                                .are_formats_same = is_same_format};
    if (is_same_format) {
      difference.are_candidates_same = have_same_keys(a_times, b_times);
      difference.a_margin_ms = margin(a_times, layer.time_ms, b_winner);
      difference.b_margin_ms = margin(b_times, other->time_ms, a_winner);
    }
    result.same_candidates += difference.are_candidates_same ? 1 : 0;
    result.layers.push_back(difference);
  }
  result.timed_in_both = static_cast<std::int64_t>(differences.size());
  if (result.timed_in_both < kMinRepeats) return result;
  const auto middle = differences.begin() + static_cast<std::ptrdiff_t>(differences.size() / 2);
  std::ranges::nth_element(differences, middle);
  result.noise_share = *middle;
  for (TacticDifference& layer : result.layers) {
    if (!layer.a_margin_ms || !layer.b_margin_ms || !layer.a_ms || !layer.b_ms) continue;
    layer.is_within_noise = *layer.a_margin_ms <= *result.noise_share * *layer.a_ms &&
                            *layer.b_margin_ms <= *result.noise_share * *layer.b_ms;
    result.within_noise += *layer.is_within_noise ? 1 : 0;
  }
  return result;
}

}  // namespace planex::analyze
