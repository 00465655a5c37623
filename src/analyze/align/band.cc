#include "analyze/align/band.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace planex::analyze::matching {
namespace {

// Rows between two whose sums are kept; those between are summed up again.
constexpr std::size_t kKept = 128;
constexpr double kMinShare = 0.001;

// Divides both by what is the most in them; returns its logarithm.
double scale(std::vector<double>& some, std::vector<double>& others) {
  const double most = std::max(std::ranges::max(some), std::ranges::max(others));
  if (most <= 0) return 0;
  const double factor = 1 / most;
  for (double& value : some) value *= factor;
  for (double& value : others) value *= factor;
  return std::log(most);
}

}  // namespace

void Band::set(std::size_t rows, std::size_t columns, std::span<const Step> way,
               std::size_t width) {
  rows_ = rows;
  columns_ = columns;
  // Where the way is at each row: straight from pair to pair.
  std::vector<std::size_t> middle(rows + 1);
  std::size_t row = 0, column = 0;
  const auto go_to = [&](std::size_t to_row, std::size_t to_column) {
    const std::size_t down = to_row - row, across = to_column - column;
    for (std::size_t step = 1; step <= down; ++step) {
      middle[row + step] = column + across * step / down;
    }
    row = to_row;
    column = to_column;
  };
  for (const auto& [at, other] : way) {
    if (at < row || other < column) continue;
    if (at > row) go_to(at, other);
    column = std::max<std::size_t>(column, other);
  }
  go_to(rows, columns);
  first_.resize(rows + 1);
  last_.resize(rows + 1);
  for (std::size_t at = 0; at <= rows; ++at) {
    const std::size_t from = at == 0 ? 0 : middle[at - 1], to = middle[std::min(at + 1, rows)];
    first_[at] = from > width ? from - width : 0;
    last_[at] = std::min(columns, to + width);
  }
  first_[0] = 0;
  last_[rows] = columns;
}

void Band::spread(Sums& sums, std::size_t row) const {
  sums.all[0] = sums.open[0];
  for (std::size_t at = 1; at < sums.open.size(); ++at) {
    const double alone = weights_->columns_alone[first_[row] + at - 1];
    sums.all[at] = sums.open[at] + sums.all[at - 1] * alone;
  }
}

Band::Sums Band::start() const {
  Sums sums{std::vector<double>(width_of(0)), std::vector<double>(width_of(0))};
  sums.open[0] = 1;
  spread(sums, 0);
  return sums;
}

Band::Sums Band::next(const Sums& sums, std::size_t row, std::vector<double>& together) const {
  together.assign(width_of(row), 0);
  // The last node has no column behind it.
  const std::size_t pairs = last_[row] == columns_ ? together.size() - 1 : together.size();
  weights_->set_odds(row, first_[row], std::span(together).first(pairs));
  for (double& weight : together) weight *= weights_->together;
  const std::size_t width = width_of(row + 1);
  Sums result{std::vector<double>(width), std::vector<double>(width)};
  const std::size_t first = first_[row + 1];
  for (std::size_t column = first_[row]; column <= last_[row]; ++column) {
    const std::size_t at = column - first_[row];
    if (column >= first && column - first < width) {
      result.open[column - first] += sums.open[at] * weights_->rows_alone[row];
    }
    if (column < columns_ && column + 1 >= first && column + 1 - first < width) {
      result.open[column + 1 - first] += sums.all[at] * together[at];
    }
  }
  spread(result, row + 1);
  result.log_scale = sums.log_scale + scale(result.all, result.open);
  return result;
}

Band::Sums Band::before(const Sums& sums, std::size_t row, std::span<const double> together) const {
  const std::size_t width = width_of(row);
  Sums result{std::vector<double>(width), std::vector<double>(width)};
  const std::size_t first = first_[row + 1], behind = sums.open.size();
  for (std::size_t at = width; at-- > 0;) {
    const std::size_t column = first_[row] + at;
    double all = at + 1 < width ? weights_->columns_alone[column] * result.all[at + 1] : 0;
    if (column < columns_ && column + 1 >= first && column + 1 - first < behind) {
      all += together[at] * sums.open[column + 1 - first];
    }
    result.all[at] = all;
    result.open[at] = all;
    if (column >= first && column - first < behind) {
      result.open[at] += weights_->rows_alone[row] * sums.open[column - first];
    }
  }
  scale(result.all, result.open);
  return result;
}

std::vector<Step> Band::follow(std::size_t rows, std::size_t columns, const Weights& weights,
                               std::size_t width) {
  rows_ = rows;
  columns_ = columns;
  weights_ = &weights;
  first_.assign(rows + 1, 0);
  last_.assign(rows + 1, std::min(columns, width));
  std::vector<Step> way;
  std::vector<double> together;
  Sums sums = start();
  for (std::size_t row = 0; row < rows; ++row) {
    const auto at = static_cast<std::size_t>(std::ranges::max_element(sums.all) - sums.all.begin());
    const std::size_t column = first_[row] + at;
    way.emplace_back(static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(column));
    first_[row + 1] = std::max(first_[row], column > width ? column - width : 0);
    last_[row + 1] =
        row + 1 == rows ? columns : std::max(last_[row], std::min(columns, column + 1 + width));
    sums = next(sums, row, together);
  }
  weights_ = nullptr;
  return way;
}

double Band::log_weight(const Weights& weights) {
  weights_ = &weights;
  std::vector<double> together;
  Sums sums = start();
  for (std::size_t row = 0; row < rows_; ++row) sums = next(sums, row, together);
  weights_ = nullptr;
  const double last = sums.all.back();
  return last > 0 ? sums.log_scale + std::log(last) : -std::numeric_limits<double>::infinity();
}

void Band::weigh(const Weights& weights,
                 const std::function<void(std::size_t, std::size_t, double)>& take) {
  weights_ = &weights;
  std::vector<Sums> kept;
  std::vector<double> together;
  Sums sums = start();
  for (std::size_t row = 0; row < rows_; ++row) {
    if (row % kKept == 0) kept.push_back(sums);
    sums = next(sums, row, together);
  }
  // Behind the last row, only what is without a partner in the second sequence is left.
  Sums behind{std::vector<double>(width_of(rows_)), std::vector<double>(width_of(rows_))};
  double last = 1;
  for (std::size_t at = behind.all.size(); at-- > 0;) {
    behind.all[at] = behind.open[at] = last;
    if (at > 0) last *= weights.columns_alone[first_[rows_] + at - 1];
  }
  std::vector<Sums> block;
  std::vector<std::vector<double>> together_of;
  std::vector<double> shares;
  for (std::size_t row = rows_; row-- > 0;) {
    if (block.empty()) {
      const std::size_t first = row / kKept * kKept;
      block.push_back(kept[row / kKept]);
      for (std::size_t at = first; at <= row; ++at) {
        Sums following = next(block.back(), at, together_of.emplace_back());
        if (at < row) block.push_back(std::move(following));
      }
    }
    const Sums& here = block.back();
    const std::size_t width = here.all.size(), first = first_[row + 1];
    shares.assign(width, 0);
    double all = 0;
    for (std::size_t at = 0; at < width; ++at) {
      const std::size_t column = first_[row] + at;
      if (column >= first && column - first < behind.open.size()) {
        all += here.open[at] * weights.rows_alone[row] * behind.open[column - first];
      }
      if (column < columns_ && column + 1 >= first && column + 1 - first < behind.open.size()) {
        shares[at] = here.all[at] * together_of.back()[at] * behind.open[column + 1 - first];
        all += shares[at];
      }
    }
    for (std::size_t at = 0; at < width; ++at) {
      if (all > 0 && shares[at] > kMinShare * all) take(row, first_[row] + at, shares[at] / all);
    }
    behind = before(behind, row, together_of.back());
    block.pop_back();
    together_of.pop_back();
  }
  weights_ = nullptr;
}

}  // namespace planex::analyze::matching
