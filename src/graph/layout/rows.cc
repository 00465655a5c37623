// Rows: one per rank, and one between two ranks where a label is placed there. Links become
// segments from row to row. Links that would need too many of them run in a lane beside the rows.
#include <algorithm>
#include <functional>
#include <queue>
#include <tuple>
#include <utility>

#include "graph/layout/part.h"

namespace planex::graph::layout {

namespace {

// A link that passes more ranks than this runs in a lane: longer lines are hard to follow, and
// everything that they pass has to make room for them.
constexpr Index kMaxRanks = 32;
// So that a graph with many long links stays linear: items of links, for each node and link.
constexpr std::size_t kMaxItems = 2;

class Builder {
 public:
  explicit Builder(Part& part)
      : part_(part),
        graph_(part.graph),
        budget_(64 + kMaxItems * (graph_.nodes.size() + graph_.links.size())) {}

  void run() {
    choose_lanes();
    number_rows();
    add_nodes();
    part_.ways.assign(graph_.links.size(), {});
    for (std::size_t first = 0; first < graph_.links.size();) {
      const std::size_t end = end_of_bundle(first);
      add_bundle(first, end);
      first = end;
    }
    choose_sides();
    list_segments();
  }

 private:
  std::size_t end_of_bundle(std::size_t first) const {
    std::size_t end = first + 1;
    while (end < graph_.links.size() &&
           graph_.links[end].from_port == graph_.links[first].from_port) {
      ++end;
    }
    return end;
  }

  Index from_rank(std::size_t link) const { return part_.rank[graph_.from(graph_.links[link])]; }
  Index to_rank(std::size_t link) const { return part_.rank[graph_.to(graph_.links[link])]; }

  void choose_lanes() {
    in_lane_.assign(graph_.links.size(), false);
    labels_halfway_.assign(graph_.links.size(), false);
    for (std::size_t first = 0; first < graph_.links.size();) {
      const std::size_t end = end_of_bundle(first);
      choose_lanes(first, end);
      first = end;
    }
  }

  void choose_lanes(std::size_t first, std::size_t end) {
    const Index from = from_rank(first);
    Index longest = 0;
    std::size_t several = 0;
    for (std::size_t i = first; i < end; ++i) {
      if (part_.is_reversed[i]) {
        in_lane_[i] = true;
        continue;
      }
      const Index ranks = to_rank(i) - from;
      if (ranks > kMaxRanks && !part_.trunk_link[i]) in_lane_[i] = true;
      if (in_lane_[i]) continue;
      longest = std::max(longest, ranks);
      if (ranks > 1) ++several;
    }
    if (longest <= 1) return;
    // Two rows for each rank, as far as is known here.
    const std::size_t cost = 2 * (longest - 1);
    const bool fits = cost <= budget_;
    if (fits) budget_ -= cost;
    for (std::size_t i = first; i < end; ++i) {
      if (in_lane_[i] || to_rank(i) - from <= 1) continue;
      if (!fits && !part_.trunk_link[i]) {
        in_lane_[i] = true;
      } else if (several == 1) {
        labels_halfway_[i] = true;
      }
    }
  }

  // Row of a rank; the row above it is between the ranks, if has_row_above_.
  void number_rows() {
    has_row_above_.assign(part_.rank_count + 1, false);
    for (std::size_t i = 0; i < graph_.links.size(); ++i) {
      if (!graph_.links[i].has_label() || labels_halfway_[i]) continue;
      has_row_above_[to_rank(i)] = true;
    }
    row_of_rank_.resize(part_.rank_count);
    Index row = 0;
    for (Index rank = 0; rank < part_.rank_count; ++rank) {
      if (has_row_above_[rank]) ++row;
      row_of_rank_[rank] = row++;
    }
    part_.row_count = row;
  }

  void add_nodes() {
    part_.items.reserve(graph_.nodes.size() + graph_.links.size());
    for (Index i = 0; i < graph_.nodes.size(); ++i) {
      const Node& node = graph_.nodes[i];
      part_.items.push_back({.row = row_of_rank_[part_.rank[i]],
                             .left = node.left,
                             .right = node.right + node.loops,
                             .height = std::max(node.height, node.loops_height),
                             .is_trunk = part_.trunk_node[i]});
    }
    part_.segment_above.assign(graph_.nodes.size(), kNone);
  }

  Index add_item(Index row) {
    part_.items.push_back({.row = row});
    part_.segment_above.push_back(kNone);
    return static_cast<Index>(part_.items.size() - 1);
  }

  Index add_segment(Index upper, Index lower, Index upper_port, Index lower_port) {
    const auto segment = static_cast<Index>(part_.segments.size());
    part_.segments.push_back({.upper = upper,
                              .lower = lower,
                              .upper_port = part_.is_node(upper) ? upper_port : kNone,
                              .lower_port = lower_port});
    if (!part_.is_node(lower)) part_.segment_above[lower] = segment;
    return segment;
  }

  void give_label(Index item, std::size_t link) {
    part_.items[item].right = kLabelGap + graph_.links[link].label_width;
    part_.items[item].height = graph_.links[link].label_height;
    part_.ways[link].label_item = item;
  }

  // All links that start at one port. They share the items down to where they separate.
  void add_bundle(std::size_t first, std::size_t end) {
    chain_.clear();
    chain_.push_back(graph_.from(graph_.links[first]));
    Index forward_lane = kNone;
    Index back_lane = kNone;
    for (std::size_t i = first; i < end; ++i) {
      if (in_lane_[i]) {
        enter_from_lane(i, part_.is_reversed[i] ? back_lane : forward_lane);
      } else {
        pass_rows(i);
      }
    }
  }

  // The item of the bundle in a row, created with all above it if needed.
  Index chain_item(Index row, std::size_t link) {
    const Index first_row = part_.items[chain_[0]].row;
    const bool is_skip = to_rank(link) - from_rank(link) > 1;
    while (first_row + chain_.size() <= row) {
      const Index item = add_item(first_row + static_cast<Index>(chain_.size()));
      add_segment(chain_.back(), item, graph_.links[link].from_port, kNone);
      part_.items[item].is_skip = is_skip;
      if (chain_.size() > 1) {
        part_.items[item].is_chain = true;
        if (!part_.is_node(chain_.back())) part_.items[chain_.back()].is_chain = true;
      }
      chain_.push_back(item);
    }
    return chain_[row - first_row];
  }

  void pass_rows(std::size_t i) {
    const Link& link = graph_.links[i];
    const Index target = graph_.to(link);
    const Index target_row = part_.items[target].row;
    const bool has_own_item = link.has_label() && !labels_halfway_[i];
    Index last = chain_item(target_row - (has_own_item ? 2 : 1), i);
    if (has_own_item) {
      const Index item = add_item(target_row - 1);
      add_segment(last, item, link.from_port, kNone);
      part_.items[item].is_skip = to_rank(i) - from_rank(i) > 1;
      give_label(item, i);
      last = item;
    } else if (link.has_label()) {
      const Index rank = from_rank(i) + (to_rank(i) - from_rank(i)) / 2;
      give_label(chain_item(row_of_rank_[rank], i), i);
    }
    part_.ways[i].last_segment = add_segment(last, target, link.from_port, link.to_port);
    if (part_.trunk_link[i]) mark_trunk(last);
  }

  void mark_trunk(Index item) {
    while (!part_.is_node(item)) {
      part_.items[item].is_trunk = true;
      item = part_.segments[part_.segment_above[item]].upper;
    }
  }

  void enter_from_lane(std::size_t i, Index& lane) {
    const Link& link = graph_.links[i];
    const Index target = graph_.to(link);
    const Index gap = part_.items[graph_.from(link)].row + 1;
    if (lane == kNone) {
      lane = static_cast<Index>(part_.lanes.size());
      part_.lanes.push_back({.from_port = link.from_port,
                             .is_back = part_.is_reversed[i],
                             .first_gap = gap,
                             .last_gap = gap});
    }
    Way& way = part_.ways[i];
    way.lane = lane;
    way.entry = target;
    if (link.has_label()) {
      way.entry = add_item(part_.items[target].row - 1);
      give_label(way.entry, i);
      way.last_segment = add_segment(way.entry, target, kNone, link.to_port);
    }
    Lane& used = part_.lanes[lane];
    used.first_gap = std::min(used.first_gap, part_.items[way.entry].row);
    used.last_gap = std::max(used.last_gap, part_.items[way.entry].row);
  }

  // Parallel lanes are at different sides, so that few lines to them cross the other lane. A single
  // lane that leads back is at the left.
  void choose_sides() {
    std::vector<Index> lanes(part_.lanes.size());
    for (Index i = 0; i < lanes.size(); ++i) lanes[i] = i;
    std::ranges::stable_sort(lanes, {}, [&](Index i) { return part_.lanes[i].first_gap; });
    // The last gaps of the current ones in the sweep.
    std::priority_queue<Index, std::vector<Index>, std::greater<>> left;
    std::priority_queue<Index, std::vector<Index>, std::greater<>> right;
    for (const Index i : lanes) {
      Lane& lane = part_.lanes[i];
      for (auto* side : {&left, &right}) {
        while (!side->empty() && side->top() < lane.first_gap) side->pop();
      }
      lane.is_left = left.size() != right.size() ? left.size() < right.size() : lane.is_back;
      (lane.is_left ? left : right).push(lane.last_gap);
    }
  }

  // Segments at each item; ends at a node in the order of its ports, if that is given; else the
  // trunk first, so that everything beside it starts at its right.
  void list_segments() {
    const std::size_t items = part_.items.size();
    const std::size_t count = part_.segments.size();
    part_.below = lists_by(items, count, [&](std::size_t i) { return part_.segments[i].upper; });
    part_.above = lists_by(items, count, [&](std::size_t i) { return part_.segments[i].lower; });
    const auto slot = [&](Index port) { return port == kNone ? 0 : graph_.ports[port].slot; };
    for (Index node = 0; node < graph_.nodes.size(); ++node) {
      std::ranges::stable_sort(part_.below.mutable_list(node), {}, [&](Index segment) {
        const Segment& s = part_.segments[segment];
        return std::tuple(slot(s.upper_port), !part_.items[s.lower].is_trunk, s.upper_port);
      });
      std::ranges::stable_sort(part_.above.mutable_list(node), {}, [&](Index segment) {
        const Segment& s = part_.segments[segment];
        return std::tuple(slot(s.lower_port), !part_.items[s.upper].is_trunk, s.lower_port);
      });
    }
  }

  Part& part_;
  const Graph& graph_;
  std::size_t budget_;
  std::vector<bool> in_lane_;
  // The label of a link is in the middle of its path, not above its target.
  std::vector<bool> labels_halfway_;
  std::vector<bool> has_row_above_;
  std::vector<Index> row_of_rank_;
  // The items of the current bundle, by row from its start.
  std::vector<Index> chain_;
};

}  // namespace

void build_rows(Part& part) { Builder(part).run(); }

}  // namespace planex::graph::layout
