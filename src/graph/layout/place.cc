// The horizontal position of each item. The trunk is always a vertical line; then lines that pass
// several rows are kept straight, and the rest follows its neighbours, row by row.
#include <algorithm>
#include <limits>

#include "graph/layout/fit.h"
#include "graph/layout/part.h"
#include "graph/layout/straighten.h"

namespace planex::graph::layout {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

enum class Side : std::uint8_t { kAbove = 1, kBelow = 2, kBoth = 3 };

class Placer {
 public:
  explicit Placer(Part& part) : part_(part), is_fixed_(part.items.size(), false) {}

  void run() {
    const Chains lines(part_, Chains::Kind::kLines);
    const Chains all(part_, Chains::Kind::kAll);
    for (Index row = 0; row < part_.row_count; ++row) place_row(row, Side::kAbove);
    for (Index row = part_.row_count; row > 0; --row) place_row(row - 1, Side::kBelow);
    lines.straighten(part_);
    keeps_chains_ = true;
    for (Index row = 0; row < part_.row_count; ++row) place_row(row, Side::kBoth);
    lines.straighten(part_);
    for (Index row = part_.row_count; row > 0; --row) place_row(row - 1, Side::kBoth);
    lines.straighten(part_);
    all.straighten(part_);
    all.straighten(part_);
  }

 private:
  double port_offset(Index port) const {
    return port == kNone ? 0 : part_.graph.ports[port].offset;
  }

  // Position of the item if the segment is vertical.
  double wish_above(Index segment) const {
    const Segment& s = part_.segments[segment];
    return part_.items[s.upper].x + port_offset(s.upper_port) - port_offset(s.lower_port);
  }
  double wish_below(Index segment) const {
    const Segment& s = part_.segments[segment];
    return part_.items[s.lower].x + port_offset(s.lower_port) - port_offset(s.upper_port);
  }

  // The median of all wishes, between the middle two if there are two of them.
  Wish wish(Index item, Side side) {
    wishes_.clear();
    const auto above = part_.above[item];
    const auto below = part_.below[item];
    if (side != Side::kBelow) {
      for (const Index segment : above) wishes_.push_back(wish_above(segment));
    }
    if (side != Side::kAbove) {
      for (const Index segment : below) wishes_.push_back(wish_below(segment));
    }
    if (wishes_.empty()) return {.place = part_.items[item].x, .weight = 0.1};
    const std::size_t middle = wishes_.size() / 2;
    std::ranges::nth_element(wishes_, wishes_.begin() + static_cast<std::ptrdiff_t>(middle));
    double place = wishes_[middle];
    if (wishes_.size() % 2 == 0) {
      const auto half = wishes_.begin() + static_cast<std::ptrdiff_t>(middle);
      place = (place + *std::max_element(wishes_.begin(), half)) / 2;
    }
    return {.place = place, .weight = static_cast<double>(wishes_.size())};
  }

  void place_row(Index row, Side side) {
    const auto items = part_.rows[row];
    if (items.size() == 1) {
      Item& item = part_.items[items[0]];
      if (keeps_chains_ && item.is_chain) return;
      item.x = item.is_trunk ? 0 : wish(items[0], side).place;
      return;
    }
    offsets_.resize(items.size());
    offsets_[0] = 0;
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (i > 0) offsets_[i] = offsets_[i - 1] + min_distance(part_, items[i - 1], items[i]);
      const Item& item = part_.items[items[i]];
      is_fixed_[items[i]] = item.is_trunk || (keeps_chains_ && item.is_chain);
      if (item.is_trunk) part_.items[items[i]].x = 0;
    }
    if (!keeps_chains_) fit_class(items, side, /*chains=*/true);
    fit_class(items, side, /*chains=*/false);
  }

  // Places the chains, or everything left, between what is already fixed.
  void fit_class(std::span<const Index> items, Side side, bool chains) {
    double least = -kInfinity;
    double before = 0;
    line_.clear();
    members_.clear();
    for (std::size_t i = 0; i < items.size(); ++i) {
      const Item& item = part_.items[items[i]];
      if (is_fixed_[items[i]]) {
        flush(items, least, item.x - (offsets_[i] - before));
        least = item.x - offsets_[i];
        continue;
      }
      if (chains && !item.is_chain) continue;
      Wish wanted = wish(items[i], side);
      wanted.distance = members_.empty() ? 0 : offsets_[i] - before;
      before = offsets_[i];
      line_.push_back(wanted);
      members_.push_back(i);
    }
    flush(items, least, kInfinity);
  }

  // `least` is the place of the fixed item before, less its offset.
  void flush(std::span<const Index> items, double least, double most) {
    if (members_.empty()) return;
    fitter_.fit(line_, least + offsets_[members_[0]], most);
    for (std::size_t k = 0; k < members_.size(); ++k) {
      const Index item = items[members_[k]];
      part_.items[item].x = line_[k].place;
      is_fixed_[item] = true;
    }
    line_.clear();
    members_.clear();
  }

  Part& part_;
  bool keeps_chains_ = false;
  // Already placed, in the current row.
  std::vector<bool> is_fixed_;
  std::vector<double> offsets_;
  std::vector<double> wishes_;
  std::vector<Wish> line_;
  std::vector<std::size_t> members_;
  Fitter fitter_;
};

}  // namespace

void place_items(Part& part) { Placer(part).run(); }

}  // namespace planex::graph::layout
