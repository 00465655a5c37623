#include "graph/layout/levels.h"

#include <algorithm>
#include <utility>

namespace planex::graph::layout {

namespace {

class LevelBuilder {
 public:
  LevelBuilder(const Input& input, const std::vector<bool>& is_trunk)
      : input_(input), is_trunk_(is_trunk), levels_count_(input.frames.size() + 1) {}

  Levels run() {
    add_levels();
    add_nodes();
    number_targets();
    add_edges();
    order_slots();
    return std::move(levels_);
  }

 private:
  void add_levels() {
    levels_.graphs.resize(levels_count_);
    levels_.borders.resize(levels_count_);
    levels_.parent_of_frame.resize(input_.frames.size());
    depth_.assign(levels_count_, 0);
    for (Index frame = 0; frame < input_.frames.size(); ++frame) {
      const Index parent = input_.frames[frame].parent;
      levels_.parent_of_frame[frame] = parent < frame ? parent + 1 : 0;
      depth_[frame + 1] = depth_[levels_.parent_of_frame[frame]] + 1;
    }
    out_bundle_.assign(levels_count_, kNone);
    out_link_.resize(levels_count_);
    out_port_.resize(levels_count_);
    in_bundle_.assign(levels_count_, kNone);
    in_link_.resize(levels_count_);
    in_port_.resize(levels_count_);
  }

  Index level_of(const InputBox& box) const {
    return box.frame < input_.frames.size() ? box.frame + 1 : 0;
  }

  // The position of a frame in its level is that of its first box in execution order; frames
  // without boxes come last.
  void add_nodes() {
    levels_.level_of_box.resize(input_.boxes.size());
    levels_.node_of_box.resize(input_.boxes.size());
    levels_.node_of_frame.assign(input_.frames.size(), kNone);
    for (Index i = 0; i < input_.boxes.size(); ++i) {
      const InputBox& box = input_.boxes[i];
      const Index level = level_of(box);
      add_frames(level);
      levels_.level_of_box[i] = level;
      levels_.node_of_box[i] = add_node(level, {.kind = NodeKind::kBox,
                                                .ref = i,
                                                .left = box.width / 2,
                                                .right = box.width / 2,
                                                .height = box.height,
                                                .weight = std::max(box.weight, 0.0)});
    }
    for (Index level = 1; level < levels_count_; ++level) add_frames(level);
  }

  void add_frames(Index level) {
    while (level != 0 && levels_.node_of_frame[level - 1] == kNone) {
      const Index frame = level - 1;
      level = levels_.parent_of_frame[frame];
      levels_.node_of_frame[frame] = add_node(level, {.kind = NodeKind::kFrame, .ref = frame});
    }
  }

  Index add_node(Index level, const Node& node) {
    std::vector<Node>& nodes = levels_.graphs[level].nodes;
    nodes.push_back(node);
    return static_cast<Index>(nodes.size() - 1);
  }

  Index add_port(Index level, Index node, Index slot = 0) {
    std::vector<Port>& ports = levels_.graphs[level].ports;
    ports.push_back({.node = node, .slot = slot});
    return static_cast<Index>(ports.size() - 1);
  }

  // Edges with the same slot of the same target share an end.
  void number_targets() {
    const Lists edges = lists_by(input_.boxes.size(), input_.edges.size(), [&](std::size_t i) {
      return is_drawn(i) ? input_.edges[i].to : kNone;
    });
    target_port_.assign(input_.edges.size(), kNone);
    std::vector<Index> sorted;
    for (Index box = 0; box < input_.boxes.size(); ++box) {
      sorted.assign(edges[box].begin(), edges[box].end());
      const auto slot = [&](Index edge) { return input_.edges[edge].to_slot; };
      std::ranges::stable_sort(sorted, {}, slot);
      for (std::size_t i = 0; i < sorted.size(); ++i) {
        const bool shares =
            i > 0 && slot(sorted[i]) != kNone && slot(sorted[i]) == slot(sorted[i - 1]);
        target_port_[sorted[i]] =
            shares ? target_port_[sorted[i - 1]]
                   : add_port(levels_.level_of_box[box], levels_.node_of_box[box], slot(sorted[i]));
      }
    }
  }

  bool is_drawn(std::size_t edge) const {
    const InputEdge& e = input_.edges[edge];
    return is_valid_edge(input_, e) && e.from != e.to;
  }

  // By source, then slot; edges that lead back are never bundled with others.
  void add_edges() {
    const Lists edges = lists_by(input_.boxes.size(), input_.edges.size(), [&](std::size_t i) {
      return is_drawn(i) ? input_.edges[i].from : kNone;
    });
    path_start_.assign(input_.edges.size(), {0, 0});
    const auto key = [&](Index edge) {
      return std::pair(input_.edges[edge].from_slot, input_.edges[edge].is_back);
    };
    std::vector<Index> sorted;
    for (Index box = 0; box < input_.boxes.size(); ++box) {
      sorted.assign(edges[box].begin(), edges[box].end());
      std::ranges::stable_sort(sorted, {}, key);
      for (std::size_t i = 0; i < sorted.size(); ++i) {
        const bool shares =
            i > 0 && key(sorted[i]).first != kNone && key(sorted[i]) == key(sorted[i - 1]);
        if (!shares) start_bundle(box, key(sorted[i]).first);
        add_edge(sorted[i]);
      }
    }
    levels_.bundle_count = bundle_ + 1;
    list_paths();
  }

  void start_bundle(Index box, Index slot) {
    ++bundle_;
    source_port_ = add_port(levels_.level_of_box[box], levels_.node_of_box[box], slot);
  }

  void add_edge(Index edge) {
    const InputEdge& e = input_.edges[edge];
    Index from = levels_.level_of_box[e.from];
    Index to = levels_.level_of_box[e.to];
    entered_.clear();
    path_start_[edge].first = static_cast<Index>(all_paths_.size());
    Index port = source_port_;
    while (depth_[to] > depth_[from]) enter_later(to);
    while (from != to) {
      if (depth_[from] > depth_[to]) {
        port = leave(from, port, edge);
      } else {
        enter_later(to);
        port = leave(from, port, edge);
      }
    }
    bool is_back = e.is_back;
    for (auto level = entered_.rbegin(); level != entered_.rend(); ++level) {
      port = enter(*level, from, port, edge, std::exchange(is_back, false));
      from = *level;
    }
    add_link(from, {.from_port = port,
                    .to_port = target_port_[edge],
                    .label_width = e.label_width,
                    .label_height = e.label_height,
                    .is_trunk = is_trunk_[edge],
                    .is_back = is_back});
    path_start_[edge].second = static_cast<Index>(all_paths_.size());
  }

  void enter_later(Index& level) {
    entered_.push_back(level);
    level = levels_.parent_of_frame[level - 1];
  }

  // From a port inside a level to its bottom border. Moves on to the level around it, and returns
  // the port there.
  Index leave(Index& level, Index port, Index edge) {
    const Index outside = levels_.parent_of_frame[level - 1];
    if (out_bundle_[level] != bundle_) {
      out_bundle_[level] = bundle_;
      const Index node = add_node(level, {.kind = NodeKind::kOut, .ref = bundle_});
      out_link_[level] = add_link(level, {.from_port = port, .to_port = add_port(level, node)});
      out_port_[level] = add_port(outside, levels_.node_of_frame[level - 1]);
      levels_.borders[level].push_back({.port = out_port_[level], .node = node});
    } else {
      all_paths_.push_back({level, out_link_[level]});
    }
    mark_trunk(level, out_link_[level], edge);
    const Index outer_port = out_port_[level];
    level = outside;
    return outer_port;
  }

  // From a port in the level outside to the top border of a level; returns the port inside.
  Index enter(Index level, Index outside, Index port, Index edge, bool is_back) {
    if (in_bundle_[level] != bundle_) {
      in_bundle_[level] = bundle_;
      const Index node = add_node(level, {.kind = NodeKind::kIn, .ref = bundle_});
      in_port_[level] = add_port(level, node);
      const Index outer_port = add_port(outside, levels_.node_of_frame[level - 1]);
      in_link_[level] =
          add_link(outside, {.from_port = port, .to_port = outer_port, .is_back = is_back});
      levels_.borders[level].push_back({.port = outer_port, .node = node});
    } else {
      all_paths_.push_back({outside, in_link_[level]});
    }
    mark_trunk(outside, in_link_[level], edge);
    return in_port_[level];
  }

  Index add_link(Index level, const Link& link) {
    std::vector<Link>& links = levels_.graphs[level].links;
    links.push_back(link);
    const auto index = static_cast<Index>(links.size() - 1);
    all_paths_.push_back({level, index});
    return index;
  }

  void mark_trunk(Index level, Index link, Index edge) {
    if (is_trunk_[edge]) levels_.graphs[level].links[link].is_trunk = true;
  }

  // Paths were found by source; and links of one port must be consecutive.
  void list_paths() {
    std::vector<std::vector<Index>> new_place(levels_count_);
    for (Index level = 0; level < levels_count_; ++level) {
      Graph& graph = levels_.graphs[level];
      const Lists by_port = lists_by(graph.ports.size(), graph.links.size(),
                                     [&](std::size_t i) { return graph.links[i].from_port; });
      new_place[level].resize(graph.links.size());
      std::vector<Link> links;
      links.reserve(graph.links.size());
      for (const Index link : by_port.values) {
        new_place[level][link] = static_cast<Index>(links.size());
        links.push_back(graph.links[link]);
      }
      graph.links = std::move(links);
    }
    levels_.path.reserve(all_paths_.size());
    for (const auto& [first, end] : path_start_) {
      levels_.first_path.push_back(static_cast<Index>(levels_.path.size()));
      for (Index i = first; i < end; ++i) {
        levels_.path.push_back(
            {all_paths_[i].level, new_place[all_paths_[i].level][all_paths_[i].link]});
      }
    }
    levels_.first_path.push_back(static_cast<Index>(levels_.path.size()));
  }

  // Where ends can be reordered, slots don't matter.
  void order_slots() {
    if (input_.options.ports == PortOrder::kGiven) return;
    for (Graph& graph : levels_.graphs) {
      for (Port& port : graph.ports) port.slot = 0;
    }
  }

  const Input& input_;
  const std::vector<bool>& is_trunk_;
  std::size_t levels_count_;
  Levels levels_;
  std::vector<Index> depth_;  // of each level
  std::vector<Index> target_port_;

  // The current bundle, and the last one that left or entered each level, and where.
  Index bundle_ = 0;
  Index source_port_ = 0;
  std::vector<Index> out_bundle_, out_link_, out_port_;
  std::vector<Index> in_bundle_, in_link_, in_port_;
  std::vector<Index> entered_;
  std::vector<LinkRef> all_paths_;
  std::vector<std::pair<Index, Index>> path_start_;
};

}  // namespace

bool is_valid_edge(const Input& input, const InputEdge& edge) {
  return edge.from < input.boxes.size() && edge.to < input.boxes.size();
}

Levels build_levels(const Input& input, const std::vector<bool>& is_trunk) {
  return LevelBuilder(input, is_trunk).run();
}

std::vector<bool> find_trunk_edges(const Input& input) {
  const std::size_t boxes = input.boxes.size();
  const Lists in = lists_by(boxes, input.edges.size(), [&](std::size_t i) {
    const InputEdge& edge = input.edges[i];
    return is_valid_edge(input, edge) && !edge.is_back && edge.from < edge.to ? edge.to : kNone;
  });
  double total = 1;
  for (const InputBox& box : input.boxes) total += std::max(box.weight, 0.0);
  // Where nothing has a weight, the longest path.
  const double least = total * 1e-9;
  std::vector<double> heaviest(boxes, 0);
  std::vector<Index> best(boxes, kNone);
  Index end = kNone;
  for (Index box = 0; box < boxes; ++box) {
    double most = -1;
    for (const Index edge : in[box]) {
      if (heaviest[input.edges[edge].from] <= most) continue;
      most = heaviest[input.edges[edge].from];
      best[box] = edge;
    }
    heaviest[box] = std::max(most, 0.0) + std::max(input.boxes[box].weight, 0.0) + least;
    if (end == kNone || heaviest[box] > heaviest[end]) end = box;
  }
  std::vector<bool> is_trunk(input.edges.size(), false);
  while (end != kNone && best[end] != kNone) {
    is_trunk[best[end]] = true;
    end = input.edges[best[end]].from;
  }
  return is_trunk;
}

}  // namespace planex::graph::layout
