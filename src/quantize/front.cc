#include "quantize/front.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>

#include "base/numbers.h"
#include "base/text.h"

namespace planex::quantize {
namespace {

constexpr double kPercent = 100;

LayerSet with(const LayerSet& layers, std::uint32_t added) {
  LayerSet all = layers;
  all.insert(std::ranges::upper_bound(all, added), added);
  return all;
}

std::string_view without_spaces_at_end(std::string_view text) {
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

}  // namespace

std::optional<double> Score::top1_ratio() const {
  if (row_count == 0) return std::nullopt;
  return static_cast<double>(top1_count) / static_cast<double>(row_count);
}

Result<Goal> parse_goal(std::string_view text) {
  constexpr std::string_view kTop1 = "top1=", kDb = "db";
  const std::string lower = base::lower(text);
  std::string_view rest = lower;
  if (rest.starts_with(kTop1)) {
    rest.remove_prefix(kTop1.size());
    const bool is_percent = rest.ends_with('%');
    if (is_percent) rest.remove_suffix(1);
    if (const auto value = base::finite(base::number_in<double>(without_spaces_at_end(rest)))) {
      const double ratio = is_percent ? *value / kPercent : *value;
      if (ratio > 0 && ratio <= 1) return Goal{.kind = Goal::Kind::kTop1, .least = ratio};
    }
  } else if (rest.ends_with(kDb)) {
    rest.remove_suffix(kDb.size());
    if (const auto value = base::finite(base::number_in<double>(without_spaces_at_end(rest)))) {
      return Goal{.kind = Goal::Kind::kSqnr, .least = *value};
    }
  }
  return fail(ErrorCode::kUsage, base::format("--goal {} is not a valid goal", base::quoted(text)),
              "use 20dB (of the float outputs' SQNR), or top1=99% (of rows whose largest class is "
              "the float model's)");
}

std::string to_string(const Goal& goal) {
  if (goal.kind == Goal::Kind::kSqnr) return base::format("{:g} dB", goal.least);
  return base::format("top1={:g}%", goal.least * kPercent);
}

bool is_reached(const Goal& goal, const Score& score) {
  if (goal.kind == Goal::Kind::kSqnr) return score.sqnr_db >= goal.least;
  return score.top1_ratio().value_or(0) >= goal.least;
}

bool is_better(Goal::Kind kind, const Score& one, const Score& two) {
  if (kind == Goal::Kind::kTop1) {
    const double first = one.top1_ratio().value_or(0), second = two.top1_ratio().value_or(0);
    if (first != second) return first > second;
  }
  return one.sqnr_db > two.sqnr_db;
}

double noise_ratio(const Score& score) {
  constexpr double kDecibels = 10;
  return std::pow(kDecibels, -score.sqnr_db / kDecibels);
}

std::string_view to_string(CostAxis axis) {
  switch (axis) {
    case CostAxis::kLayers:
      return "layers";
    case CostAxis::kMacs:
      return "macs";
    case CostAxis::kBytes:
      return "bytes";
    case CostAxis::kMs:
      return "ms";
  }
  return {};
}

std::vector<std::size_t> front_of(std::span<const FrontPoint> points, Goal::Kind kind) {
  std::vector<std::size_t> order(points.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t one, std::size_t two) {
    if (points[one].cost != points[two].cost) return points[one].cost < points[two].cost;
    return is_better(kind, points[one].score, points[two].score);
  });
  std::vector<std::size_t> front;
  for (const std::size_t place : order) {
    if (front.empty() || is_better(kind, points[place].score, points[front.back()].score)) {
      front.push_back(place);
    }
  }
  return front;
}

GreedySearch::GreedySearch(std::span<const double> effects, std::vector<double> costs,
                           const Score& start, GreedyLimits limits)
    : costs_(std::move(costs)), limits_(std::move(limits)), rank_(costs_.size()), score_(start) {
  std::iota(rank_.begin(), rank_.end(), std::uint32_t{0});
  // Noise per cost of removing it; layers that cost nothing go first.
  std::vector<double> keys;
  for (std::size_t layer = 0; layer < costs_.size(); ++layer) {
    constexpr double kMax = 1e30;
    const double noise = std::min(effects[layer], kMax);
    keys.push_back(costs_[layer] == 0 ? noise * kMax : noise / costs_[layer]);
  }
  std::ranges::stable_sort(rank_, std::ranges::greater(),
                           [&](std::uint32_t layer) { return keys[layer]; });
}

double GreedySearch::cost_of(const LayerSet& layers) const {
  double sum = 0;
  for (const std::uint32_t layer : layers) sum += costs_[layer];
  return sum;
}

bool GreedySearch::fits(const LayerSet& layers) const {
  // A model with all layers in float is not quantized.
  return layers.size() <= limits_.most_layers && layers.size() < costs_.size() &&
         cost_of(layers) <= limits_.most_cost;
}

std::vector<LayerSet> GreedySearch::next() {
  asked_.clear();
  if (is_at_goal()) return next_back();
  if (!has_begun_) return next_first();
  asked_in_ = Phase::kOn;
  if (window_ >= kWindows || noise_ratio(score_) == 0) return {};
  std::vector<std::uint32_t> candidates;
  for (const std::uint32_t layer : rank_) {
    if (!std::ranges::binary_search(kept_, layer) && fits(with(kept_, layer))) {
      candidates.push_back(layer);
    }
  }
  const std::size_t first = window_ * kWindow;
  if (first >= candidates.size()) return {};
  const std::size_t count = std::min(kWindow, candidates.size() - first);
  for (std::size_t place = first; place < first + count; ++place) {
    asked_.push_back(with(kept_, candidates[place]));
  }
  // The more windows found nothing, the more layers are put back to float together.
  const std::size_t together = std::min(std::size_t{2} << window_, candidates.size());
  LayerSet group = kept_;
  for (std::size_t place = 0; place < together; ++place) {
    LayerSet larger = with(group, candidates[place]);
    if (fits(larger)) group = std::move(larger);
  }
  if (group.size() > kept_.size() + 1) asked_.push_back(std::move(group));
  return asked_;
}

std::vector<LayerSet> GreedySearch::next_first() {
  // Together with the window's own, as many as are compiled at the same time.
  constexpr std::array<std::size_t, 6> kSizes = {1, 2, 3, 4, 8, 16};
  asked_in_ = Phase::kFirst;
  std::vector<LayerSet> groups;
  LayerSet first;
  for (const std::uint32_t layer : rank_) {
    LayerSet larger = with(first, layer);
    if (fits({layer}) && !first.empty() && asked_.size() + 1 < kWindow) asked_.push_back({layer});
    if (!fits(larger)) continue;
    first = std::move(larger);
    if (std::ranges::find(kSizes, first.size()) != kSizes.end()) groups.push_back(first);
  }
  // What the limits leave is worth a try, whatever its size.
  if (!first.empty() && first.size() < kSizes.back() && groups.back() != first) {
    groups.push_back(std::move(first));
  }
  asked_.insert(asked_.begin(), groups.begin(), groups.end());
  std::ranges::stable_sort(asked_, {}, &LayerSet::size);
  return asked_;
}

std::optional<std::size_t> GreedySearch::report_first(std::span<const Score> scores) {
  has_begun_ = true;
  std::optional<std::size_t> best;
  double least = noise_ratio(score_) * (1 - kMinGain);
  for (std::size_t place = 0; place < std::min(scores.size(), asked_.size()); ++place) {
    const bool is_there = limits_.goal && is_reached(*limits_.goal, scores[place]);
    const double left = noise_ratio(scores[place]);
    if (!is_there && !(left < least)) continue;
    best = place;
    least = left;
    if (is_there) break;
  }
  if (best) {
    kept_ = asked_[*best];
    score_ = scores[*best];
  }
  return best;
}

std::vector<LayerSet> GreedySearch::next_back() {
  asked_in_ = Phase::kBack;
  if (is_back_ || back_count_ >= kMaxBack) return {};
  for (const std::uint32_t left_out : kept_) {
    LayerSet fewer = kept_;
    std::erase(fewer, left_out);
    // If there is none, it is the model that the search began with.
    if (!fewer.empty()) asked_.push_back(std::move(fewer));
  }
  return asked_;
}

std::optional<std::size_t> GreedySearch::report_back(std::span<const Score> scores) {
  std::optional<std::size_t> best;
  for (std::size_t place = 0; place < std::min(scores.size(), asked_.size()); ++place) {
    if (!is_reached(*limits_.goal, scores[place])) continue;
    if (!best || is_better(limits_.goal->kind, scores[place], scores[*best])) best = place;
  }
  if (best) {
    kept_ = asked_[*best];
    score_ = scores[*best];
  }
  is_back_ = !best;
  ++back_count_;
  return best;
}

std::optional<std::size_t> GreedySearch::report(std::span<const Score> scores) {
  if (asked_in_ == Phase::kFirst) return report_first(scores);
  if (asked_in_ == Phase::kBack) return report_back(scores);
  const double noise = noise_ratio(score_), cost = cost_of(kept_);
  std::optional<std::size_t> best;
  double best_gain = 0, best_cost = 0;
  for (std::size_t place = 0; place < std::min(scores.size(), asked_.size()); ++place) {
    const double left = noise_ratio(scores[place]);
    // Infinite noise: any finite noise is better.
    const double gain = std::isinf(noise) ? (std::isinf(left) ? 0 : 1 / (1 + left)) : noise - left;
    if (!(gain > 0) || (!std::isinf(noise) && gain < kMinGain * noise)) continue;
    const double added = cost_of(asked_[place]) - cost;
    // gain / added, also where nothing is added.
    if (!best || gain * best_cost > best_gain * added) {
      best = place;
      best_gain = gain;
      best_cost = added;
    }
  }
  if (!best) {
    ++window_;
    return std::nullopt;
  }
  kept_ = asked_[*best];
  score_ = scores[*best];
  window_ = 0;
  return best;
}

void GreedySearch::set_goal(const Goal& goal) {
  limits_.goal = goal;
  window_ = 0;
  is_back_ = false;
  back_count_ = 0;
}

}  // namespace planex::quantize
