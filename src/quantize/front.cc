#include "quantize/front.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/numbers.h"
#include "base/text.h"

namespace planex::quantize {
namespace {

constexpr double kPercent = 100;

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
  constexpr std::string_view kTop1 = "top1=", kDb = "db", kOutputs = "outputs=";
  const std::string lower = base::lower(text);
  std::string_view rest = lower;
  const bool is_of_outputs = rest.starts_with(kOutputs) && rest.ends_with(kDb);
  if (is_of_outputs) rest.remove_prefix(kOutputs.size());
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
      return Goal{.kind = Goal::Kind::kSqnr, .least = *value, .is_of_outputs = is_of_outputs};
    }
  }
  return fail(
      ErrorCode::kUsage, base::format("--goal {} is not a valid goal", base::quoted(text)),
      "use 20dB (SQNR, before a Softmax or Sigmoid at the end), outputs=20dB (after it), or "
      "top1=99% (of rows whose largest class is the float model's)");
}

std::string to_string(const Goal& goal) {
  if (goal.kind == Goal::Kind::kTop1) return goal_word(goal);
  return base::format("{:g} dB{}", goal.least, goal.is_of_outputs ? " of the outputs" : "");
}

std::string goal_word(const Goal& goal) {
  if (goal.kind == Goal::Kind::kTop1) return base::format("top1={:g}%", goal.least * kPercent);
  return base::format("{}{}dB", goal.is_of_outputs ? "outputs=" : "", goal.least);
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

}  // namespace planex::quantize
