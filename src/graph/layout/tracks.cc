#include "graph/layout/tracks.h"

#include <algorithm>

namespace planex::graph::layout {

namespace {

// Lines that only lead left come first, from left to right: so none crosses another unnecessarily.
// Then those that lead to both sides, and those that only lead right, from right to left.
int direction(const Piece& piece) {
  if (piece.high <= piece.from) return 0;
  return piece.low < piece.from ? 1 : 2;
}

bool stands_above(const Piece& a, const Piece& b) {
  const int kind = direction(a);
  if (kind != direction(b)) return kind < direction(b);
  if (kind == 2) return a.from != b.from ? a.from > b.from : a.high > b.high;
  return a.from != b.from ? a.from < b.from : a.low < b.low;
}

}  // namespace

void Tracks::reset(std::span<const Piece> pieces, double min_distance) {
  ends_.clear();
  for (const Piece& piece : pieces) {
    ends_.push_back(piece.low);
    ends_.push_back(piece.high + min_distance);
  }
  std::ranges::sort(ends_);
  ends_.erase(std::unique(ends_.begin(), ends_.end()), ends_.end());
  taken_.reset(ends_.size(), 0);
}

std::size_t Tracks::place(double x) const {
  return static_cast<std::size_t>(std::ranges::lower_bound(ends_, x) - ends_.begin());
}

Index Tracks::assign(std::span<Piece> pieces, double min_distance) {
  if (pieces.size() <= 1) return static_cast<Index>(pieces.size());
  reset(pieces, min_distance);
  order_.resize(pieces.size());
  for (Index i = 0; i < order_.size(); ++i) order_[i] = i;
  std::ranges::sort(order_, [&](Index a, Index b) {
    if (stands_above(pieces[a], pieces[b])) return true;
    return !stands_above(pieces[b], pieces[a]) && a < b;
  });
  Index tracks = 0;
  for (const Index i : order_) {
    const std::size_t first = place(pieces[i].low);
    const std::size_t last = place(pieces[i].high + min_distance);
    pieces[i].track = taken_.most(first, last);
    taken_.raise(first, last, pieces[i].track + 1);
    tracks = std::max(tracks, pieces[i].track + 1);
  }
  return tracks;
}

}  // namespace planex::graph::layout
