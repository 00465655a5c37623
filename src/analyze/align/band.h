// All alignments of two sequences near a first guess, weighed.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "analyze/align/sequences.h"

namespace planex::analyze::matching {

// The cells near a path through a table of `rows` by `columns`, and for each pair the share of all
// alignments (by weight) that contain it (forward and backward sums over a pair hidden Markov
// model: Durbin, Eddy, Krogh and Mitchison 1998, chapter 4).
class Band {
 public:
  // `way`: pairs ascending in both numbers; the band is `width` columns wide on both sides of it.
  void set(std::size_t rows, std::size_t columns, std::span<const Step> way, std::size_t width);

  struct Weights {
    // Weight of each item without a partner, in both sequences.
    std::span<const double> rows_alone, columns_alone;
    double together = 1;
    // Weight of two pairs of neighbours that swapped places, in addition to the weight of each
    // pair. Only where neither pair would fit in order: items that look the same have not swapped
    // places.
    double swapped = 0;
    // Weight of one item of a row with each of some columns from `first` on: sets `together`.
    std::function<void(std::size_t row, std::size_t first, std::span<double>)> set_odds;
  };
  // A path that follows the largest sums of the band around it, row by row, from the start: it
  // needs no guess, and follows a slow drift however far it goes. Sets the band around it. Cost:
  // O(cells).
  std::vector<Step> follow(std::size_t rows, std::size_t columns, const Weights& weights,
                           std::size_t width);
  // The logarithm of the weight of all alignments in the band. Cost: O(cells).
  double log_weight(const Weights& weights);
  // Calls take(row, column, share) for all pairs with a share above a thousandth. Cost: O(cells).
  void weigh(const Weights& weights,
             const std::function<void(std::size_t, std::size_t, double)>& take);

 private:
  // Sums at the nodes of one row of the table: `all`, and `open` for those that don't end in a
  // layer of the second sequence without a partner. Layers of the first sequence without a partner
  // come first, so that no alignment is counted twice.
  struct Sums {
    std::vector<double> all, open;
    double log_scale = 0;  // they are divided by its exponential
  };

  struct Row {
    Sums sums;
    std::vector<double> together;  // weights of its pairs, from the first column of the band on
  };

  std::size_t width_of(std::size_t row) const { return last_[row] - first_[row] + 1; }
  Sums start() const;
  void set_together(Row& here, std::size_t row) const;
  // The value of `together` for a column; 0 outside of the band.
  double together_at(std::span<const double> together, std::size_t row, std::size_t column) const;
  // For the pairs of two rows, whose `together` are given, with a column and the next one.
  double swapped_at(std::span<const double> together, std::span<const double> next_together,
                    std::size_t row, std::size_t column) const;
  // The sums of the next row; `before`: the row before, if any.
  Sums next(const Row* before, const Row& here, std::size_t row) const;
  void spread(Sums& sums, std::size_t row) const;
  // Sums of what follows the nodes of a row: of the next row and the row after it, with the weights
  // of the next row's pairs.
  struct Behind {
    Sums next, after;
    std::vector<double> next_together;
    bool has_after = false;
  };
  Sums sums_before(const Behind& behind, std::size_t row, std::span<const double> together) const;
  // Calls take(column, weight) for each pair of the row; returns the total weight.
  template <typename Take>
  double weigh_row(const Row* before, const Row& here, const Behind& behind, std::size_t row,
                   Take take) const;

  std::size_t rows_ = 0, columns_ = 0;
  std::vector<std::size_t> first_, last_;  // nodes of each row, by column
  const Weights* weights_ = nullptr;
};

}  // namespace planex::analyze::matching
