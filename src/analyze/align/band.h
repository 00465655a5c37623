// All alignments of two sequences near a first guess, weighed.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "analyze/align/sequences.h"

namespace planex::analyze::matching {

// The cells of a table of `rows` by `columns` that are near a way through it, and for each pair the
// share that the alignments with it have of all (forward and backward sums over a pair hidden
// Markov model: Durbin, Eddy, Krogh and Mitchison 1998, chapter 4).
class Band {
 public:
  // `way`: pairs that ascend in both numbers; `width` columns on both sides of it.
  void set(std::size_t rows, std::size_t columns, std::span<const Step> way, std::size_t width);

  struct Weights {
    // Of each item without a partner, in both sequences.
    std::span<const double> rows_alone, columns_alone;
    double together = 1;
    // Of two pairs of neighbours that changed places, beside what each pair weighs. Only where
    // neither would do in order: those that look alike have not changed places.
    double swapped = 0;
    // Of one item of a row with each of some columns from `first` on, beside `together`: sets them.
    std::function<void(std::size_t row, std::size_t first, std::span<double>)> set_odds;
  };
  // A way that goes where the sums of a band around it are largest, row by row, from the start on:
  // it needs no guess, and follows what moves slowly however far it gets. Sets the band around it.
  // Cost: O(cells).
  std::vector<Step> follow(std::size_t rows, std::size_t columns, const Weights& weights,
                           std::size_t width);
  // The logarithm of the weight of all alignments in the band. Cost: O(cells).
  double log_weight(const Weights& weights);
  // Calls take(row, column, share) for all pairs with a share above a thousandth. Cost: O(cells).
  void weigh(const Weights& weights,
             const std::function<void(std::size_t, std::size_t, double)>& take);

 private:
  // Sums at the nodes of one row of the table: `all`, and `open` of those that don't end in a layer
  // of the second sequence without a partner. What is without a partner in the first sequence
  // comes first, so that no alignment is counted twice.
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
  // What `together` says of a column; 0 outside of the band.
  double together_at(std::span<const double> together, std::size_t row, std::size_t column) const;
  // Of the pairs of two rows, whose `together` are given, with a column and the next one.
  double swapped_at(std::span<const double> together, std::span<const double> next_together,
                    std::size_t row, std::size_t column) const;
  // The sums of the next row; `before`: the row before, if there is one.
  Sums next(const Row* before, const Row& here, std::size_t row) const;
  void spread(Sums& sums, std::size_t row) const;
  // Sums of what is behind the nodes of a row: of the next row and of the one behind that, with
  // what the next row's pairs weigh.
  struct Behind {
    Sums next, after;
    std::vector<double> next_together;
    bool has_after = false;
  };
  Sums sums_before(const Behind& behind, std::size_t row, std::span<const double> together) const;
  // Calls take(column, weight) for what is in a pair of the row; returns the weight of all.
  template <typename Take>
  double weigh_row(const Row* before, const Row& here, const Behind& behind, std::size_t row,
                   Take take) const;

  std::size_t rows_ = 0, columns_ = 0;
  std::vector<std::size_t> first_, last_;  // nodes of each row, by column
  const Weights* weights_ = nullptr;
};

}  // namespace planex::analyze::matching
