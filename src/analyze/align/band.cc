#include "analyze/align/band.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace planex::analyze::matching {
namespace {

// Distance of the rows whose sums are kept; the rows between are summed again.
constexpr std::size_t kKept = 128;
constexpr double kMinShare = 0.001;

// Divides both by their maximum; returns its logarithm.
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
  // Column of the path in each row: straight from pair to pair.
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

void Band::set_together(Row& here, std::size_t row) const {
  here.together.assign(width_of(row), 0);
  // The last node has no column after it.
  const std::size_t pairs = last_[row] == columns_ ? here.together.size() - 1 : width_of(row);
  weights_->set_odds(row, first_[row], std::span(here.together).first(pairs));
  for (double& weight : here.together) weight *= weights_->together;
}

double Band::together_at(std::span<const double> together, std::size_t row,
                         std::size_t column) const {
  return column < first_[row] || column > last_[row] ? 0 : together[column - first_[row]];
}

double Band::swapped_at(std::span<const double> together, std::span<const double> next_together,
                        std::size_t row, std::size_t column) const {
  const double weight =
      together_at(together, row, column + 1) * together_at(next_together, row + 1, column);
  if (weight == 0) return 0;
  const bool may_stay =
      together_at(together, row, column) > 0 || together_at(next_together, row + 1, column + 1) > 0;
  return may_stay ? 0 : weights_->swapped * weight;
}

Band::Sums Band::next(const Row* before, const Row& here, std::size_t row) const {
  const Sums& sums = here.sums;
  const std::size_t width = width_of(row + 1), first = first_[row + 1];
  Sums result{std::vector<double>(width), std::vector<double>(width)};
  for (std::size_t column = first_[row]; column <= last_[row]; ++column) {
    const std::size_t at = column - first_[row];
    if (column >= first && column - first < width) {
      result.open[column - first] += sums.open[at] * weights_->rows_alone[row];
    }
    if (column < columns_ && column + 1 >= first && column + 1 - first < width) {
      result.open[column + 1 - first] += sums.all[at] * here.together[at];
    }
  }
  if (before != nullptr && weights_->swapped > 0) {
    const double factor = std::exp(before->sums.log_scale - sums.log_scale);
    for (std::size_t column = first_[row - 1]; column <= last_[row - 1]; ++column) {
      if (column + 2 < first || column + 2 - first >= width) continue;
      const double weight = swapped_at(before->together, here.together, row - 1, column);
      if (weight == 0) continue;
      result.open[column + 2 - first] +=
          factor * before->sums.all[column - first_[row - 1]] * weight;
    }
  }
  spread(result, row + 1);
  result.log_scale = sums.log_scale + scale(result.all, result.open);
  return result;
}

Band::Sums Band::sums_before(const Behind& behind, std::size_t row,
                             std::span<const double> together) const {
  const std::size_t width = width_of(row), first = first_[row + 1];
  const std::vector<double>& open = behind.next.open;
  Sums result{std::vector<double>(width), std::vector<double>(width)};
  const double factor =
      behind.has_after ? std::exp(behind.after.log_scale - behind.next.log_scale) : 0;
  for (std::size_t at = width; at-- > 0;) {
    const std::size_t column = first_[row] + at;
    double all = at + 1 < width ? weights_->columns_alone[column] * result.all[at + 1] : 0;
    if (column < columns_ && column + 1 >= first && column + 1 - first < open.size()) {
      all += together[at] * open[column + 1 - first];
    }
    if (behind.has_after && column + 2 >= first_[row + 2] && column + 2 <= last_[row + 2]) {
      const double weight = swapped_at(together, behind.next_together, row, column);
      all += factor * weight * behind.after.open[column + 2 - first_[row + 2]];
    }
    result.all[at] = all;
    result.open[at] = all;
    if (column >= first && column - first < open.size()) {
      result.open[at] += weights_->rows_alone[row] * open[column - first];
    }
  }
  result.log_scale = behind.next.log_scale + scale(result.all, result.open);
  return result;
}

template <typename Take>
double Band::weigh_row(const Row* before, const Row& here, const Behind& behind, std::size_t row,
                       Take take) const {
  const std::size_t first = first_[row + 1];
  const std::vector<double>& open = behind.next.open;
  double all = 0;
  for (std::size_t column = first_[row]; column <= last_[row]; ++column) {
    const std::size_t at = column - first_[row];
    if (column >= first && column - first < open.size()) {
      all += here.sums.open[at] * weights_->rows_alone[row] * open[column - first];
    }
    if (column < columns_ && column + 1 >= first && column + 1 - first < open.size()) {
      const double weight = here.sums.all[at] * here.together[at] * open[column + 1 - first];
      all += weight;
      take(column, weight);
    }
  }
  if (weights_->swapped == 0) return all;
  // This row swapped places with the next one, or with the one before.
  if (behind.has_after) {
    const double factor = std::exp(behind.after.log_scale - behind.next.log_scale);
    for (std::size_t column = first_[row]; column <= last_[row]; ++column) {
      if (column + 2 < first_[row + 2] || column + 2 > last_[row + 2]) continue;
      const double swapped = swapped_at(here.together, behind.next_together, row, column);
      if (swapped == 0) continue;
      const double weight = factor * here.sums.all[column - first_[row]] * swapped *
                            behind.after.open[column + 2 - first_[row + 2]];
      all += weight;
      take(column + 1, weight);
    }
  }
  if (before != nullptr) {
    const double factor = std::exp(before->sums.log_scale - here.sums.log_scale);
    for (std::size_t column = first_[row - 1]; column <= last_[row - 1]; ++column) {
      if (column + 2 < first || column + 2 - first >= open.size()) continue;
      const double swapped = swapped_at(before->together, here.together, row - 1, column);
      if (swapped == 0) continue;
      const double weight =
          factor * before->sums.all[column - first_[row - 1]] * swapped * open[column + 2 - first];
      all += weight;
      take(column, weight);
    }
  }
  return all;
}

std::vector<Step> Band::follow(std::size_t rows, std::size_t columns, const Weights& weights,
                               std::size_t width) {
  rows_ = rows;
  columns_ = columns;
  weights_ = &weights;
  first_.assign(rows + 1, 0);
  last_.assign(rows + 1, std::min(columns, width));
  std::vector<Step> way;
  Row before, here{.sums = start(), .together = {}};
  for (std::size_t row = 0; row < rows; ++row) {
    const std::vector<double>& all = here.sums.all;
    const auto at = static_cast<std::size_t>(std::ranges::max_element(all) - all.begin());
    const std::size_t column = first_[row] + at;
    way.emplace_back(static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(column));
    first_[row + 1] = std::max(first_[row], column > width ? column - width : 0);
    last_[row + 1] =
        row + 1 == rows ? columns : std::max(last_[row], std::min(columns, column + 1 + width));
    set_together(here, row);
    Sums following = next(row > 0 ? &before : nullptr, here, row);
    before = std::exchange(here, {.sums = std::move(following), .together = {}});
  }
  weights_ = nullptr;
  return way;
}

double Band::log_weight(const Weights& weights) {
  weights_ = &weights;
  Row before, here{.sums = start(), .together = {}};
  for (std::size_t row = 0; row < rows_; ++row) {
    set_together(here, row);
    Sums following = next(row > 0 ? &before : nullptr, here, row);
    before = std::exchange(here, {.sums = std::move(following), .together = {}});
  }
  weights_ = nullptr;
  const double last = here.sums.all.back();
  return last > 0 ? here.sums.log_scale + std::log(last) : -std::numeric_limits<double>::infinity();
}

void Band::weigh(const Weights& weights,
                 const std::function<void(std::size_t, std::size_t, double)>& take) {
  weights_ = &weights;
  // Keeps the sums of every n-th row, and those of the row before it.
  std::vector<std::pair<Sums, Sums>> kept;
  Row before, here{.sums = start(), .together = {}};
  for (std::size_t row = 0; row < rows_; ++row) {
    if (row % kKept == 0) kept.emplace_back(before.sums, here.sums);
    set_together(here, row);
    Sums following = next(row > 0 ? &before : nullptr, here, row);
    before = std::exchange(here, {.sums = std::move(following), .together = {}});
  }
  // After the last row, only items of the second sequence without a partner are left.
  Behind behind;
  behind.next = {std::vector<double>(width_of(rows_)), std::vector<double>(width_of(rows_))};
  double last = 1;
  for (std::size_t at = behind.next.all.size(); at-- > 0;) {
    behind.next.all[at] = behind.next.open[at] = last;
    if (at > 0) last *= weights.columns_alone[first_[rows_] + at - 1];
  }
  // Rows from `first` on, whose sums are available again; the first of them is the row before
  // these.
  std::vector<Row> block;
  std::vector<double> shares;
  for (std::size_t row = rows_; row-- > 0;) {
    const std::size_t first = row / kKept * kKept;
    if (block.empty()) {
      const auto& [sums_before_first, sums_of_first] = kept[row / kKept];
      block.push_back({.sums = sums_before_first, .together = {}});
      if (first > 0) set_together(block.back(), first - 1);
      block.push_back({.sums = sums_of_first, .together = {}});
      for (std::size_t at = first; at <= row; ++at) {
        set_together(block.back(), at);
        if (at == row) break;
        Sums following = next(at > 0 ? &block[block.size() - 2] : nullptr, block.back(), at);
        block.push_back({.sums = std::move(following), .together = {}});
      }
    }
    Row current = std::move(block.back());
    block.pop_back();
    // One place more than the band: a swapped pair may be next to it.
    shares.assign(width_of(row) + 1, 0);
    const double all = weigh_row(row > 0 ? &block.back() : nullptr, current, behind, row,
                                 [&](std::size_t column, double weight) {
                                   if (column >= first_[row])
                                     shares[column - first_[row]] += weight;
                                 });
    for (std::size_t at = 0; at < shares.size(); ++at) {
      if (all > 0 && shares[at] > kMinShare * all) take(row, first_[row] + at, shares[at] / all);
    }
    Sums sums = sums_before(behind, row, current.together);
    behind.after = std::exchange(behind.next, std::move(sums));
    behind.next_together = std::move(current.together);
    behind.has_after = true;
    if (row == first) block.clear();
  }
  weights_ = nullptr;
}

}  // namespace planex::analyze::matching
