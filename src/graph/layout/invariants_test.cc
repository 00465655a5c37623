#include "graph/layout/invariants_test.h"

#include <algorithm>
#include <bit>
#include <map>
#include <set>
#include <sstream>
#include <tuple>

namespace planex::graph::layout {

namespace {

constexpr double kSlack = 1e-4;

struct Box {
  Rect rect;
  std::string name;
  // Frames contain boxes and frames: only frames that are not nested must not overlap.
  std::uint32_t frame = kNone;  // kNone: not a frame
  std::uint32_t parent = kNone;
};

class Checker {
 public:
  Checker(const Input& input, const Layout& layout) : input_(input), layout_(layout) {}

  std::string run() {
    if (!has_right_sizes()) return broken_.str();
    collect();
    check_overlaps();
    check_frames();
    check_routes();
    check_ports();
    check_segments();
    return broken_.str();
  }

 private:
  template <typename... Words>
  void complain(const Words&... words) {
    if (++complaints_ > 5) return;
    (broken_ << ... << words) << '\n';
  }

  bool has_right_sizes() {
    if (layout_.boxes.size() != input_.boxes.size() ||
        layout_.frames.size() != input_.frames.size() ||
        layout_.rank.size() != input_.boxes.size() ||
        layout_.labels.size() != input_.edges.size() ||
        layout_.in_lane.size() != input_.edges.size() ||
        layout_.first_point.size() != input_.edges.size() + 1 ||
        layout_.first_point.back() != layout_.points.size()) {
      complain("wrong sizes");
      return false;
    }
    return true;
  }

  bool is_drawn(std::size_t edge) const {
    return input_.edges[edge].from < input_.boxes.size() &&
           input_.edges[edge].to < input_.boxes.size();
  }
  bool is_forward(std::size_t edge) const {
    const InputEdge& e = input_.edges[edge];
    return !e.is_back && layout_.rank[e.from] < layout_.rank[e.to];
  }
  std::uint32_t parent_of_frame(std::uint32_t frame) const {
    const std::uint32_t parent = input_.frames[frame].parent;
    return parent < frame ? parent : kNone;
  }
  std::uint32_t frame_of_box(std::size_t box) const {
    const std::uint32_t frame = input_.boxes[box].frame;
    return frame < input_.frames.size() ? frame : kNone;
  }

  void collect() {
    for (std::uint32_t i = 0; i < layout_.boxes.size(); ++i) {
      boxes_.push_back({layout_.boxes[i], "box " + std::to_string(i), kNone, frame_of_box(i)});
    }
    for (std::uint32_t i = 0; i < layout_.frames.size(); ++i) {
      boxes_.push_back({layout_.frames[i], "frame " + std::to_string(i), i, parent_of_frame(i)});
    }
    for (std::uint32_t i = 0; i < input_.edges.size(); ++i) {
      const InputEdge& edge = input_.edges[i];
      if (!is_drawn(i) || edge.label_width <= 0 || edge.label_height <= 0) continue;
      const Rect rect{layout_.labels[i].x, layout_.labels[i].y, edge.label_width,
                      edge.label_height};
      boxes_.push_back({rect, "label " + std::to_string(i), kNone, kNone});
    }
    for (const Box& box : boxes_) {
      const Rect& r = box.rect;
      if (!(r.x >= -kSlack && r.y >= -kSlack && r.right() <= layout_.width + kSlack &&
            r.bottom() <= layout_.height + kSlack)) {
        complain(box.name, " is outside: ", r.x, " ", r.y, " ", r.right(), " ", r.bottom());
      }
    }
  }

  bool is_around(std::uint32_t frame, const Box& box) const {
    if (box.name[0] == 'l') return true;  // a label may be in any frame; its borders are lines
    for (std::uint32_t f = box.parent; f != kNone; f = parent_of_frame(f)) {
      if (f == frame) return true;
    }
    return false;
  }

  // Sweeps from top to bottom, with everything at that height sorted by x. Frames that contain
  // others are only compared with what is beside them.
  void check_overlaps() {
    std::vector<std::tuple<double, int, std::size_t>> events;
    for (std::size_t i = 0; i < boxes_.size(); ++i) {
      if (boxes_[i].frame != kNone) continue;
      events.emplace_back(boxes_[i].rect.y + kSlack, 1, i);
      events.emplace_back(boxes_[i].rect.bottom() - kSlack, 0, i);
    }
    std::ranges::sort(events);
    std::map<std::pair<double, std::size_t>, std::size_t> now;
    std::vector<bool> is_in(boxes_.size(), false);
    for (const auto& [y, is_start, i] : events) {
      const std::pair key(boxes_[i].rect.x, i);
      if (boxes_[i].rect.height <= 2 * kSlack) continue;
      if (is_start == 0) {
        if (is_in[i]) now.erase(key);
        continue;
      }
      const auto [at, is_new] = now.emplace(key, i);
      is_in[i] = true;
      if (at != now.begin()) check_pair(boxes_[std::prev(at)->second], boxes_[i]);
      if (std::next(at) != now.end()) check_pair(boxes_[i], boxes_[std::next(at)->second]);
    }
  }

  void check_pair(const Box& left, const Box& right) {
    if (left.rect.right() > right.rect.x + kSlack) {
      complain(left.name, " overlaps ", right.name);
    }
  }

  static bool overlap(const Rect& a, const Rect& b) {
    return a.x < b.right() - kSlack && b.x < a.right() - kSlack && a.y < b.bottom() - kSlack &&
           b.y < a.bottom() - kSlack;
  }
  static bool is_within(const Rect& inner, const Rect& outer) {
    return inner.x >= outer.x - kSlack && inner.y >= outer.y - kSlack &&
           inner.right() <= outer.right() + kSlack && inner.bottom() <= outer.bottom() + kSlack;
  }

  void check_frames() {
    for (const Box& box : boxes_) {
      if (box.parent != kNone && !is_within(box.rect, layout_.frames[box.parent])) {
        complain(box.name, " is not within frame ", box.parent);
      }
    }
    if (input_.frames.size() * boxes_.size() > 20'000'000) return;
    for (const Box& frame : boxes_) {
      if (frame.frame == kNone) continue;
      for (const Box& box : boxes_) {
        if (&box == &frame || is_around(frame.frame, box)) continue;
        if (box.frame != kNone && is_around(box.frame, frame)) continue;
        if (overlap(frame.rect, box.rect)) complain(frame.name, " overlaps ", box.name);
      }
    }
  }

  static bool is_on_border(Point p, const Rect& r) {
    const bool x_fits = p.x >= r.x - kSlack && p.x <= r.right() + kSlack;
    const bool y_fits = p.y >= r.y - kSlack && p.y <= r.bottom() + kSlack;
    const bool on_x = std::abs(p.x - r.x) < kSlack || std::abs(p.x - r.right()) < kSlack;
    const bool on_y = std::abs(p.y - r.y) < kSlack || std::abs(p.y - r.bottom()) < kSlack;
    return x_fits && y_fits && (on_x || on_y);
  }

  void check_routes() {
    for (std::size_t i = 0; i < input_.edges.size(); ++i) {
      const auto route = layout_.route(i);
      const InputEdge& edge = input_.edges[i];
      if (!is_drawn(i)) {
        if (!route.empty()) complain("edge ", i, " to nowhere is drawn");
        continue;
      }
      if (route.size() < 2) {
        complain("edge ", i, " has no route");
        continue;
      }
      if (!is_on_border(route.front(), layout_.boxes[edge.from])) {
        complain("edge ", i, " starts off its box");
      }
      if (!is_on_border(route.back(), layout_.boxes[edge.to])) {
        complain("edge ", i, " ends off its box");
      }
      for (std::size_t k = 1; k < route.size(); ++k) {
        if (route[k].x != route[k - 1].x && route[k].y != route[k - 1].y) {
          complain("edge ", i, " is slanted at ", route[k].x - route[k - 1].x, " ",
                   route[k].y - route[k - 1].y);
        }
        if (is_forward(i) && route[k].y < route[k - 1].y - kSlack) {
          complain("edge ", i, " leads up");
        }
      }
      const bool leads_on = !edge.is_back && edge.from < edge.to;
      if (leads_on && input_.frames.empty() && goes_by_index() && !is_forward(i)) {
        complain("edge ", i, " should lead forward");
      }
    }
  }

  // Whether all edges lead from earlier to later boxes: then none may be reversed.
  bool goes_by_index() {
    if (by_index_ < 0) {
      by_index_ = std::ranges::all_of(
          input_.edges, [](const InputEdge& e) { return e.is_back || e.from <= e.to; });
    }
    return by_index_ == 1;
  }

  // Ends of different slots on one side of one box are apart.
  void check_ports() {
    std::map<std::tuple<std::uint32_t, int, double>, std::vector<std::pair<double, std::uint64_t>>>
        ends;
    const auto add = [&](std::uint32_t box, Point p, std::uint64_t slot) {
      const Rect& r = layout_.boxes[box];
      const bool is_level = std::abs(p.y - r.y) < kSlack || std::abs(p.y - r.bottom()) < kSlack;
      const int side =
          !is_level ? (p.x < r.x + r.width / 2 ? 2 : 3) : (p.y < r.y + r.height / 2 ? 0 : 1);
      ends[{box, side, 0}].emplace_back(is_level ? p.x : p.y, slot);
    };
    for (std::uint32_t i = 0; i < input_.edges.size(); ++i) {
      const InputEdge& e = input_.edges[i];
      if (!is_drawn(i) || e.from == e.to || layout_.route(i).size() < 2) continue;
      // Edges that lead back have ends of their own in the same slot.
      const std::uint64_t back = e.is_back ? 1ULL << 50U : 0;
      const std::uint64_t out =
          2 * (back + (e.from_slot == kNone ? (1ULL << 40U) + i : e.from_slot));
      const std::uint64_t in = 2 * (e.to_slot == kNone ? (1ULL << 40U) + i : e.to_slot) + 1;
      add(e.from, layout_.route(i).front(), out);
      add(e.to, layout_.route(i).back(), in);
    }
    for (auto& [key, list] : ends) {
      std::ranges::sort(list);
      std::set<std::uint64_t> slots;
      for (const auto& [at, slot] : list) slots.insert(slot);
      const Rect& r = layout_.boxes[std::get<0>(key)];
      const double length = std::get<1>(key) < 2 ? r.width : r.height;
      const double fair = length / 2 / std::max<double>(1, static_cast<double>(slots.size()));
      const double least = std::min(input_.options.port_gap, fair);
      for (std::size_t i = 1; i < list.size(); ++i) {
        if (list[i].second == list[i - 1].second) continue;
        if (list[i].first - list[i - 1].first < least - 1.3) {
          complain("box ", std::get<0>(key), " side ", std::get<1>(key), ": ends only ",
                   list[i].first - list[i - 1].first, " apart");
        }
      }
    }
  }

  // No piece of a route crosses a box or a label of another edge.
  void check_segments() {
    // Boxes by bands of y, so that few are compared.
    const double band = std::max(layout_.height / 4096, 50.0);
    const auto band_of = [&](double y) {
      return static_cast<std::size_t>(std::max(0.0, y) / band);
    };
    std::vector<std::map<std::pair<double, std::size_t>, const Box*>> bands(
        band_of(layout_.height) + 2);
    double widest = 0;
    for (std::size_t i = 0; i < boxes_.size(); ++i) {
      if (boxes_[i].frame != kNone) continue;
      widest = std::max(widest, boxes_[i].rect.width);
      for (auto b = band_of(boxes_[i].rect.y); b <= band_of(boxes_[i].rect.bottom()); ++b) {
        bands[b].emplace(std::pair(boxes_[i].rect.x, i), &boxes_[i]);
      }
    }
    std::size_t work = 0;
    for (std::size_t i = 0; i < input_.edges.size(); ++i) {
      const auto route = layout_.route(i);
      for (std::size_t k = 1; k < route.size(); ++k) {
        const Rect piece{std::min(route[k].x, route[k - 1].x), std::min(route[k].y, route[k - 1].y),
                         std::abs(route[k].x - route[k - 1].x),
                         std::abs(route[k].y - route[k - 1].y)};
        for (auto b = band_of(piece.y); b <= band_of(piece.bottom()); ++b) {
          if (++work > 30'000'000) return;
          auto at = bands[b].lower_bound({piece.x - widest, 0});
          for (; at != bands[b].end() && at->first.first < piece.right(); ++at) {
            if (++work > 30'000'000) return;
            check_crossing(i, piece, *at->second);
          }
        }
      }
    }
  }

  void check_crossing(std::size_t edge, const Rect& piece, const Box& box) {
    const Rect& r = box.rect;
    const bool inside = piece.x < r.right() - kSlack && piece.right() > r.x + kSlack &&
                        piece.y < r.bottom() - kSlack && piece.bottom() > r.y + kSlack;
    if (inside) complain("edge ", edge, " runs through ", box.name);
  }

  const Input& input_;
  const Layout& layout_;
  std::vector<Box> boxes_;
  std::ostringstream broken_;
  std::size_t complaints_ = 0;
  int by_index_ = -1;
};

struct Hash {
  std::uint64_t value = 14695981039346656037ULL;
  void add(std::uint64_t number) { value = (value ^ number) * 1099511628211ULL; }
  void add(double number) { add(std::bit_cast<std::uint64_t>(number)); }
};

}  // namespace

std::string broken_rules(const Input& input, const Layout& layout) {
  return Checker(input, layout).run();
}

std::uint64_t hash_of(const Layout& layout) {
  Hash hash;
  for (const auto* rects : {&layout.boxes, &layout.frames}) {
    for (const Rect& rect : *rects) {
      for (const double value : {rect.x, rect.y, rect.width, rect.height}) hash.add(value);
    }
  }
  for (const auto* points : {&layout.points, &layout.labels}) {
    for (const Point& point : *points) {
      hash.add(point.x);
      hash.add(point.y);
    }
  }
  for (const std::uint32_t first : layout.first_point) hash.add(std::uint64_t{first});
  for (const std::uint32_t rank : layout.rank) hash.add(std::uint64_t{rank});
  for (const bool in_lane : layout.in_lane) hash.add(std::uint64_t{in_lane});
  return hash.value;
}

}  // namespace planex::graph::layout
