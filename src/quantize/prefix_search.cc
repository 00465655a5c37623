#include "quantize/prefix_search.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace planex::quantize {

PrefixSearch::PrefixSearch(LayerErrors errors, std::vector<double> costs, const Score& start,
                           const SearchLimits& limits)
    : errors_(std::move(errors)),
      powers_(errors_.powers()),
      costs_(std::move(costs)),
      limits_(limits),
      start_(start),
      score_(start) {
  orders_.push_back(order_of(powers_.order(costs_), true));
  orders_.push_back(order_of(errors_.order(costs_), false));
  orders_.push_back(order_of(errors_.order_back(costs_), false));
}

PrefixSearch::Order PrefixSearch::order_of(const std::vector<std::uint32_t>& layers,
                                           bool adds_powers) const {
  Order order{.sets = {}, .known = {}, .adds_powers = adds_powers};
  LayerSet set;
  for (const std::uint32_t layer : layers) {
    LayerSet larger = set;
    larger.insert(std::ranges::upper_bound(larger, layer), layer);
    // A model with all layers in float is not quantized.
    const bool fits = larger.size() <= limits_.most_layers && larger.size() < costs_.size() &&
                      cost_of(larger) <= limits_.most_cost;
    if (!fits) continue;
    set = std::move(larger);
    order.sets.push_back(set);
  }
  return order;
}

double PrefixSearch::cost_of(const LayerSet& layers) const {
  double sum = 0;
  for (const std::uint32_t layer : layers) sum += costs_[layer];
  return sum;
}

// The noise of a set, corrected by how wrong the prediction is for what is measured: the present
// set, or the model with all in INT8.
double PrefixSearch::predicted(const LayerSet& kept, bool adds_powers) const {
  const LayerErrors& errors = adds_powers ? powers_ : errors_;
  const double ratio = noise_ratio(score_) / errors.noise(kept_);
  return errors.noise(kept) * (std::isfinite(ratio) && ratio > 0 ? ratio : 1);
}

bool PrefixSearch::is_known(const LayerSet& set) const {
  return std::ranges::any_of(orders_, [&](const Order& order) {
    return order.known.contains(set.size()) && order.sets[set.size() - 1] == set;
  });
}

void PrefixSearch::ask(std::size_t order, std::size_t size) {
  const Order& of = orders_[order];
  if (size == 0 || size > of.sets.size() || of.known.contains(size)) return;
  asked_.push_back(of.sets[size - 1]);
}

std::size_t PrefixSearch::predicted_size(const Order& order) const {
  const double noise = noise_ratio({.sqnr_db = limits_.goal->least});
  std::size_t size = 1;
  while (size < order.sets.size() && predicted(order.sets[size - 1], order.adds_powers) > noise) {
    ++size;
  }
  return size;
}

void PrefixSearch::ask_first() {
  has_begun_ = true;
  const bool is_predicted = limits_.goal && limits_.goal->kind == Goal::Kind::kSqnr;
  std::vector<std::size_t> sizes = {1, 2, 4};
  for (std::size_t order = 0; order < orders_.size(); ++order) {
    if (is_predicted) {
      const std::size_t size = predicted_size(orders_[order]);
      constexpr std::size_t kPart = 4;
      sizes = {size, size + 1 + size / kPart};
    }
    for (const std::size_t size : sizes) ask(order, std::min(size, orders_[order].sets.size()));
  }
}

// Each order goes on, as long as it can be cheaper than what was taken.
void PrefixSearch::ask_more() {
  const auto reached_of = [&](const Order& order) {
    return std::ranges::find_if(order.known, [&](const auto& one) { return is_there(one.second); });
  };
  const bool is_reached = std::ranges::any_of(
      orders_, [&](const Order& order) { return reached_of(order) != order.known.end(); });
  for (std::size_t place = 0; place < orders_.size(); ++place) {
    const Order& order = orders_[place];
    const auto reached = reached_of(order);
    if (!is_reached) {
      const std::size_t largest = order.known.empty() ? 0 : order.known.rbegin()->first;
      ask(place, std::min(std::max<std::size_t>(largest * 2, 1), order.sets.size()));
      continue;
    }
    // The first size that is not worth asking for.
    std::size_t end = reached == order.known.end() ? order.sets.size() + 1 : reached->first;
    while (is_there(score_) && end > 1 && cost_of(order.sets[end - 2]) >= cost_of(kept_)) --end;
    std::size_t below = 0;
    for (const auto& [size, score] : order.known) {
      if (size < end) below = size;
    }
    if (end - below > 1) ask(place, below + (end - below) / 2);
  }
}

// Within limits: the closest. Single layers, too, as the best of one or two need not be the
// predicted ones.
void PrefixSearch::ask_around_best() {
  if (std::exchange(is_around_best_, true)) return;
  const std::size_t size = kept_.size();
  constexpr std::size_t kPart = 4, kSingles = 3;
  for (const std::size_t other :
       {size - size / kPart, size - 1, size + 1, size + 1 + size / kPart}) {
    for (std::size_t order = 0; size > 0 && order < orders_.size(); ++order) ask(order, other);
  }
  const std::vector<LayerSet>& sets = orders_.front().sets;
  for (std::size_t place = 1; place < std::min(kSingles, sets.size()); ++place) {
    LayerSet single;
    std::ranges::set_difference(sets[place], sets[place - 1], std::back_inserter(single));
    asked_.push_back(std::move(single));
  }
}

std::vector<LayerSet> PrefixSearch::next() {
  asked_.clear();
  is_asked_back_ = false;
  const bool is_done = is_there(start_) || noise_ratio(start_) == 0 || orders_[0].sets.empty();
  if (!is_done && !has_begun_) {
    ask_first();
  } else if (!is_done) {
    ask_more();
    if (asked_.empty() && !limits_.goal) ask_around_best();
    if (asked_.empty() && is_there(score_)) ask_back();
  }
  // Orders begin alike: each set once.
  std::vector<LayerSet> once;
  for (LayerSet& set : asked_) {
    if (std::ranges::find(once, set) == once.end()) once.push_back(std::move(set));
  }
  asked_ = std::move(once);
  return asked_;
}

void PrefixSearch::ask_back() {
  if (is_back_ || back_count_ >= kMaxBack || kept_.size() < 2) return;
  is_asked_back_ = true;
  // Predictions may be wrong by this much.
  constexpr double kSlack = 1.25;
  const double most = limits_.goal->kind == Goal::Kind::kSqnr
                          ? noise_ratio({.sqnr_db = limits_.goal->least}) * kSlack
                          : std::numeric_limits<double>::infinity();
  // The closest by each way of predicting.
  for (const bool adds_powers : {true, false}) {
    std::vector<std::pair<double, LayerSet>> candidates;
    for (const std::uint32_t left_out : kept_) {
      LayerSet fewer = kept_;
      std::erase(fewer, left_out);
      const double noise = predicted(fewer, adds_powers);
      if (noise <= most && !is_known(fewer)) candidates.emplace_back(noise, std::move(fewer));
    }
    std::ranges::stable_sort(candidates, {}, &std::pair<double, LayerSet>::first);
    for (std::size_t place = 0; place < std::min(candidates.size(), kBackWidth / 2); ++place) {
      asked_.push_back(std::move(candidates[place].second));
    }
  }
}

std::optional<std::size_t> PrefixSearch::report_back(std::span<const Score> scores) {
  std::optional<std::size_t> best;
  for (std::size_t place = 0; place < scores.size(); ++place) {
    if (!is_there(scores[place])) continue;
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

std::optional<std::size_t> PrefixSearch::report(std::span<const Score> scores) {
  scores = scores.first(std::min(scores.size(), asked_.size()));
  if (is_asked_back_) return report_back(scores);
  std::optional<std::size_t> best;
  for (std::size_t place = 0; place < scores.size(); ++place) {
    const Score& score = scores[place];
    const LayerSet& set = asked_[place];
    for (Order& order : orders_) {
      const std::size_t size = set.size();
      if (size <= order.sets.size() && order.sets[size - 1] == set) order.known[size] = score;
    }
    // At the goal the cheaper one counts, else the closer one.
    const bool is_taken =
        is_there(score)
            ? !is_there(score_) || cost_of(set) < cost_of(kept_)
            : !is_there(score_) && noise_ratio(score) < noise_ratio(score_) * (1 - kMinGain);
    if (!is_taken) continue;
    best = place;
    kept_ = set;
    score_ = score;
  }
  return best;
}

void PrefixSearch::set_goal(const Goal& goal) {
  limits_.goal = goal;
  is_back_ = false;
  back_count_ = 0;
}

}  // namespace planex::quantize
