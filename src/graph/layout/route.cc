// From places to coordinates: lanes beside the rows, tracks between them, rows from top to bottom,
// and the points of every link.
#include <algorithm>
#include <cmath>
#include <utility>

#include "graph/layout/part.h"
#include "graph/layout/ports.h"
#include "graph/layout/range_max.h"
#include "graph/layout/tracks.h"

namespace planex::graph::layout {

namespace {

// Lines this close to vertical are made vertical.
constexpr double kSnap = 0.6;
// Above the first track and below the last one of a gap: the latter has room for an arrowhead.
constexpr double kAboveTracks = 6;
constexpr double kBelowTracks = 9;
// Between a label and the boxes above and below it.
constexpr double kAboveLabel = 3;
constexpr double kBelowLabel = 5;
// With more than this many tracks in one gap they are closer together, down to a distance that
// still shows two lines.
constexpr Index kRoomyTracks = 32;
constexpr double kMinTrack = 3;

class Router {
 public:
  explicit Router(Part& part)
      : part_(part),
        graph_(part.graph),
        options_(part.options),
        sides_(find_side_ends(part)),
        port_x_(place_ports(part, sides_)) {}

  Drawing run() {
    snap();
    measure_width();
    place_lanes();
    collect_pieces();
    assign_tracks();
    place_rows();
    write_nodes();
    write_links();
    return std::move(drawing_);
  }

 private:
  // --- x

  // At the side of a box a segment has the x of its other end.
  double upper_x(Index segment) const {
    const Segment& s = part_.segments[segment];
    if (sides_.upper[segment] != kNotAtSide) return part_.items[s.lower].x;
    return s.upper_port != kNone ? port_x_[s.upper_port] : part_.items[s.upper].x;
  }
  double lower_x(Index segment) const {
    const Segment& s = part_.segments[segment];
    if (sides_.lower[segment] != kNotAtSide) return part_.items[s.upper].x;
    return s.lower_port != kNone ? port_x_[s.lower_port] : part_.items[s.lower].x;
  }

  void snap() {
    for (const Index item : part_.rows.values) {
      for (const Index segment : part_.above[item]) {
        const double x = upper_x(segment);
        if (std::abs(x - lower_x(segment)) > kSnap) continue;
        const Index port = part_.segments[segment].lower_port;
        if (port == kNone) {
          part_.items[item].x = x;
        } else if (is_free(item, x)) {
          port_x_[port] = x;
        }
      }
    }
  }

  bool is_free(Index item, double x) const {
    const Node& node = graph_.nodes[item];
    const double anchor = part_.items[item].x;
    return node.kind == NodeKind::kBox && x >= anchor - node.left && x <= anchor + node.right;
  }

  void measure_width() {
    for (const Item& item : part_.items) {
      left_ = std::min(left_, item.x - item.left);
      right_ = std::max(right_, item.x + item.right);
    }
  }

  void place_lanes() {
    place_lanes(/*is_left=*/false);
    place_lanes(/*is_left=*/true);
    for (const Lane& lane : part_.lanes) {
      left_ = std::min(left_, lane.x);
      right_ = std::max(right_, lane.x);
    }
  }

  // As close as the rows beside it allow, short ones before long ones.
  void place_lanes(bool is_left) {
    std::vector<Index> lanes;
    for (Index i = 0; i < part_.lanes.size(); ++i) {
      if (part_.lanes[i].is_left == is_left) lanes.push_back(i);
    }
    if (lanes.empty()) return;
    std::ranges::stable_sort(
        lanes, {}, [&](Index i) { return part_.lanes[i].last_gap - part_.lanes[i].first_gap; });
    // How far from the trunk each row reaches, including its lanes.
    RangeMax<double> reach;
    reach.reset(part_.row_count, 0);
    for (const Item& item : part_.items) {
      reach.raise(item.row, item.row + 1, is_left ? item.left - item.x : item.x + item.right);
    }
    for (const Index i : lanes) {
      Lane& lane = part_.lanes[i];
      const Index first = std::max<Index>(lane.first_gap, 1) - 1;
      const Index last = std::min(lane.last_gap + 1, part_.row_count);
      const double x = reach.most(first, last) + options_.lane_gap;
      reach.raise(first, last, x);
      lane.x = is_left ? -x : x;
    }
  }

  // --- Tracks

  // Lines that start at one item or port are one piece.
  void collect_pieces() {
    const std::size_t items = part_.items.size();
    std::vector<Piece> sources(items + graph_.ports.size());
    const auto source_of = [&](Index segment) {
      const Segment& s = part_.segments[segment];
      return s.upper_port != kNone ? items + s.upper_port : s.upper;
    };
    const auto reach = [](Piece& piece, double x) {
      piece.low = std::min(piece.low, x);
      piece.high = std::max(piece.high, x);
    };
    for (std::size_t i = 0; i < sources.size(); ++i) {
      const double x = i < items ? part_.items[i].x : port_x_[i - items];
      sources[i] = {.from = x, .low = x, .high = x};
    }
    for (Index i = 0; i < part_.segments.size(); ++i) {
      if (sides_.upper[i] == kNotAtSide) reach(sources[source_of(i)], lower_x(i));
    }
    for (const Lane& lane : part_.lanes) reach(sources[items + lane.from_port], lane.x);

    std::vector<Index> piece_of(sources.size(), kNone);
    for (std::size_t i = 0; i < sources.size(); ++i) {
      if (sources[i].high <= sources[i].low) continue;
      const Index item = i < items ? static_cast<Index>(i) : graph_.ports[i - items].node;
      piece_of[i] = add_piece(sources[i], part_.items[item].row + 1);
    }
    segment_piece_.resize(part_.segments.size());
    for (Index i = 0; i < part_.segments.size(); ++i) {
      segment_piece_[i] = sides_.upper[i] == kNotAtSide ? piece_of[source_of(i)] : kNone;
    }
    for (const Lane& lane : part_.lanes) lane_piece_.push_back(piece_of[items + lane.from_port]);
    collect_entries(reach);
  }

  // From each lane to its targets, one piece per gap.
  template <typename Reach>
  void collect_entries(const Reach& reach) {
    entry_piece_.assign(graph_.links.size(), kNone);
    std::vector<Index> entries;
    for (Index i = 0; i < graph_.links.size(); ++i) {
      if (part_.ways[i].lane != kNone) entries.push_back(i);
    }
    const auto key = [&](Index link) {
      return std::pair(part_.ways[link].lane, part_.items[part_.ways[link].entry].row);
    };
    std::ranges::stable_sort(entries, {}, key);
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const double x = part_.lanes[part_.ways[entries[i]].lane].x;
      entry_piece_[entries[i]] =
          i > 0 && key(entries[i]) == key(entries[i - 1])
              ? entry_piece_[entries[i - 1]]
              : add_piece({.from = x, .low = x, .high = x}, key(entries[i]).second);
      reach(pieces_[entry_piece_[entries[i]]], entry_x(entries[i]));
    }
  }

  double entry_x(Index link) const {
    const Index entry = part_.ways[link].entry;
    return part_.is_node(entry) ? port_x_[graph_.links[link].to_port] : part_.items[entry].x;
  }

  Index add_piece(const Piece& piece, Index gap) {
    pieces_.push_back(piece);
    piece_gap_.push_back(gap);
    return static_cast<Index>(pieces_.size() - 1);
  }

  void assign_tracks() {
    const Lists by_gap =
        lists_by(part_.row_count + 1, pieces_.size(), [&](std::size_t i) { return piece_gap_[i]; });
    track_count_.resize(part_.row_count + 1);
    Tracks tracks;
    std::vector<Piece> pieces;
    for (Index gap = 0; gap <= part_.row_count; ++gap) {
      pieces.clear();
      for (const Index i : by_gap[gap]) pieces.push_back(pieces_[i]);
      track_count_[gap] = tracks.assign(pieces, options_.lane_gap);
      std::size_t next = 0;
      for (const Index i : by_gap[gap]) pieces_[i].track = pieces[next++].track;
    }
  }

  double track_distance(Index gap) const {
    const Index tracks = track_count_[gap];
    if (tracks <= kRoomyTracks) return options_.lane_gap;
    return std::max(kMinTrack, options_.lane_gap * kRoomyTracks / tracks);
  }

  // --- y

  enum class RowKind : std::uint8_t { kNodes, kLabels, kBorder };

  RowKind kind_of(Index row) const {
    RowKind kind = RowKind::kLabels;
    for (const Index item : part_.rows[row]) {
      if (!part_.is_node(item)) continue;
      if (!graph_.nodes[item].is_border()) return RowKind::kNodes;
      kind = RowKind::kBorder;
    }
    return kind;
  }

  void place_rows() {
    row_top_.resize(part_.row_count);
    row_height_.assign(part_.row_count, 0);
    gap_top_.resize(part_.row_count + 1);
    for (const Item& item : part_.items) {
      row_height_[item.row] = std::max(row_height_[item.row], item.height);
    }
    double y = 0;
    RowKind above = RowKind::kNodes;
    for (Index row = 0; row < part_.row_count; ++row) {
      const RowKind kind = kind_of(row);
      gap_top_[row] = y;
      y += std::max(row == 0 ? 0 : min_gap(above, kind, row), room_for_tracks(row));
      row_top_[row] = y;
      y += row_height_[row];
      above = kind;
    }
    gap_top_[part_.row_count] = y;
    drawing_.height = y + room_for_tracks(part_.row_count);
  }

  double room_for_tracks(Index gap) const {
    if (track_count_[gap] == 0) return 0;
    return kAboveTracks + (track_count_[gap] - 1) * track_distance(gap) + kBelowTracks;
  }

  double min_gap(RowKind above, RowKind below, Index row) const {
    if (above == RowKind::kBorder || below == RowKind::kBorder) return options_.frame_pad;
    if (below == RowKind::kLabels) return kAboveLabel;
    if (above == RowKind::kLabels) {
      return std::max(kBelowLabel, options_.rank_gap - kAboveLabel - row_height_[row - 1]);
    }
    return options_.rank_gap;
  }

  double track_y(Index piece) const {
    const Index gap = piece_gap_[piece];
    return gap_top_[gap] + kAboveTracks + pieces_[piece].track * track_distance(gap);
  }

  // In the middle of the row; beside something much higher at the top, near its source.
  double item_top(Index item) const {
    const Item& it = part_.items[item];
    const double row = row_height_[it.row];
    return row_top_[it.row] + (row > 4 * it.height ? 0 : (row - it.height) / 2);
  }

  double node_top(Index node) const {
    return item_top(node) + (part_.items[node].height - graph_.nodes[node].height) / 2;
  }

  // --- Result

  void write_nodes() {
    drawing_.trunk = -left_;
    drawing_.width = right_ - left_;
    drawing_.rank = part_.rank;
    drawing_.nodes.reserve(part_.node_count());
    for (Index i = 0; i < part_.node_count(); ++i) {
      drawing_.nodes.push_back({part_.items[i].x - left_, node_top(i)});
    }
  }

  void write_links() {
    drawing_.first_point.reserve(graph_.links.size() + 1);
    drawing_.labels.resize(graph_.links.size());
    drawing_.in_lane.resize(graph_.links.size());
    for (Index link = 0; link < graph_.links.size(); ++link) {
      drawing_.first_point.push_back(static_cast<Index>(drawing_.points.size()));
      write_link(link);
      const Way& way = part_.ways[link];
      drawing_.in_lane[link] = way.lane != kNone;
      if (way.label_item == kNone) continue;
      drawing_.labels[link] = {part_.items[way.label_item].x + kLabelGap - left_,
                               item_top(way.label_item)};
    }
    drawing_.first_point.push_back(static_cast<Index>(drawing_.points.size()));
  }

  void write_link(Index i) {
    const Link& link = graph_.links[i];
    const Way& way = part_.ways[i];
    if (way.lane != kNone) {
      start_below(link);
      turn_to(part_.lanes[way.lane].x, lane_piece_[way.lane]);
      turn_to(entry_x(i), entry_piece_[i]);
      if (way.entry == graph_.to(link)) {
        end_above(link);
      } else {
        end(link, way.last_segment);
      }
      return;
    }
    way_.clear();
    for (Index segment = way.last_segment; segment != kNone;) {
      way_.push_back(segment);
      const Index upper = part_.segments[segment].upper;
      segment = part_.is_node(upper) ? kNone : part_.segment_above[upper];
    }
    start(link, way_.back());
    for (std::size_t k = way_.size(); --k > 0;) turn_to(lower_x(way_[k]), segment_piece_[way_[k]]);
    end(link, way.last_segment);
  }

  void start_below(const Link& link) {
    const Index from = graph_.from(link);
    add_point(port_x_[link.from_port], node_top(from) + graph_.nodes[from].height);
  }
  void end_above(const Link& link) { add_point(port_x_[link.to_port], node_top(graph_.to(link))); }

  void start(const Link& link, Index segment) {
    const double y = sides_.upper[segment];
    if (y == kNotAtSide) return start_below(link);
    start_or_end_at_side(graph_.from(link), y, upper_x(segment), /*is_start=*/true);
  }
  void end(const Link& link, Index segment) {
    turn_to(lower_x(segment), segment_piece_[segment]);
    const double y = sides_.lower[segment];
    if (y == kNotAtSide) return end_above(link);
    start_or_end_at_side(graph_.to(link), y, lower_x(segment), /*is_start=*/false);
  }

  void start_or_end_at_side(Index node, double below_top, double x, bool is_start) {
    const double anchor = part_.items[node].x;
    const Node& box = graph_.nodes[node];
    const double border = x > anchor ? anchor + box.right : anchor - box.left;
    const double y = node_top(node) + below_top;
    add_point(is_start ? border : x, y);
    add_point(is_start ? x : border, y);
  }

  // Continues at x, on the track of the piece.
  void turn_to(double x, Index piece) {
    if (piece == kNone || now_x_ == x) return;
    add_point(now_x_, track_y(piece));
    add_point(x, track_y(piece));
  }

  void add_point(double x, double y) {
    now_x_ = x;
    drawing_.points.push_back({x - left_, y});
  }

  Part& part_;
  const Graph& graph_;
  const Options& options_;
  SideEnds sides_;
  std::vector<double> port_x_;
  double left_ = 0;
  double right_ = 0;

  std::vector<Piece> pieces_;
  std::vector<Index> piece_gap_;
  std::vector<Index> segment_piece_;
  std::vector<Index> lane_piece_;   // where it starts
  std::vector<Index> entry_piece_;  // of each link, where its lane ends
  std::vector<Index> track_count_;
  std::vector<double> row_top_;
  std::vector<double> row_height_;
  std::vector<double> gap_top_;  // gap i is above row i
  std::vector<Index> way_;
  double now_x_ = 0;

  Drawing drawing_;
};

}  // namespace

Drawing route_links(Part& part) { return Router(part).run(); }

}  // namespace planex::graph::layout
