#include "graph/layout/draw.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "graph/layout/part.h"

namespace planex::graph::layout {

namespace {

// Ratio of width to height of the packed parts.
constexpr double kAspect = 1.6;

Drawing draw_part(const Graph& graph, const Options& options) {
  Part part{.graph = graph, .options = options};
  assign_ranks(part);
  build_rows(part);
  order_rows(part);
  place_items(part);
  return route_links(part);
}

// A node that nothing leads to or from.
Drawing draw_node(const Node& node) {
  Drawing drawing;
  drawing.height = std::max(node.height, node.loops_height);
  drawing.nodes = {{node.left, (drawing.height - node.height) / 2}};
  drawing.rank = {0};
  drawing.first_point = {0};
  drawing.trunk = node.left;
  drawing.width = node.left + node.right + node.loops;
  return drawing;
}

// The connected part that each node is in, numbered by their first nodes.
std::vector<Index> find_parts(const Graph& graph, Index& count) {
  std::vector<Index> parent(graph.nodes.size());
  for (Index i = 0; i < parent.size(); ++i) parent[i] = i;
  const auto root = [&](Index node) {
    while (parent[node] != node) node = parent[node] = parent[parent[node]];
    return node;
  };
  for (const Link& link : graph.links) {
    const Index a = root(graph.from(link));
    const Index b = root(graph.to(link));
    parent[std::max(a, b)] = std::min(a, b);
  }
  std::vector<Index> part(graph.nodes.size());
  count = 0;
  // A root is the smallest of its nodes, so it has its number before the others ask for it.
  for (Index i = 0; i < parent.size(); ++i) part[i] = root(i) == i ? count++ : part[root(i)];
  return part;
}

struct Line {
  Graph graph;
  std::vector<Index> nodes;  // of the whole
  std::vector<Index> links;
  Drawing drawing;
  bool has_in = false;
  bool has_out = false;
  Point at;
};

class Splitter {
 public:
  explicit Splitter(const Graph& graph) {
    Index count = 0;
    const std::vector<Index> part = find_parts(graph, count);
    pieces_.resize(count);
    std::vector<Index> inner(graph.nodes.size());
    for (Index i = 0; i < graph.nodes.size(); ++i) {
      Line& piece = pieces_[part[i]];
      inner[i] = static_cast<Index>(piece.nodes.size());
      piece.nodes.push_back(i);
      piece.graph.nodes.push_back(graph.nodes[i]);
      piece.has_in = piece.has_in || graph.nodes[i].kind == NodeKind::kIn;
      piece.has_out = piece.has_out || graph.nodes[i].kind == NodeKind::kOut;
    }
    std::vector<Index> inner_port(graph.ports.size());
    for (Index i = 0; i < graph.ports.size(); ++i) {
      Line& piece = pieces_[part[graph.ports[i].node]];
      inner_port[i] = static_cast<Index>(piece.graph.ports.size());
      piece.graph.ports.push_back(graph.ports[i]);
      piece.graph.ports.back().node = inner[graph.ports[i].node];
    }
    for (Index i = 0; i < graph.links.size(); ++i) {
      Line& piece = pieces_[part[graph.from(graph.links[i])]];
      piece.links.push_back(i);
      piece.graph.links.push_back(graph.links[i]);
      piece.graph.links.back().from_port = inner_port[graph.links[i].from_port];
      piece.graph.links.back().to_port = inner_port[graph.links[i].to_port];
    }
  }

  std::vector<Line> take() { return std::move(pieces_); }

 private:
  std::vector<Line> pieces_;
};

// Places for parts: first those at the border, side by side; then the others, in rows.
class Packer {
 public:
  Packer(std::vector<Line>& pieces, const Options& options, double pad)
      : pieces_(pieces), gap_(options.box_gap), row_gap_(options.rank_gap), pad_(pad) {}

  void run() {
    double x = pad_;
    for (Line& piece : pieces_) {
      if (!piece.has_in && !piece.has_out) continue;
      piece.at = {x, piece.has_in ? 0 : pad_};
      x += piece.drawing.width + gap_;
      width = std::max(width, x - gap_ + pad_);
      height = std::max(height, piece.at.y + piece.drawing.height + (piece.has_out ? 0 : pad_));
    }
    const double most = max_width();
    const double left = x;
    double y = pad_;
    double row = 0;
    for (Line& piece : pieces_) {
      if (piece.has_in || piece.has_out) continue;
      if (x > left && x + piece.drawing.width > left + most) {
        x = left;
        y += row + row_gap_;
        row = 0;
      }
      piece.at = {x, y};
      x += piece.drawing.width + gap_;
      row = std::max(row, piece.drawing.height);
      width = std::max(width, x - gap_ + pad_);
      height = std::max(height, y + row + pad_);
    }
  }

  double width = 0;
  double height = 0;

 private:
  // Rows of the parts that are not at the border.
  double max_width() const {
    double area = 0;
    double widest = 0;
    for (const Line& piece : pieces_) {
      if (piece.has_in || piece.has_out) continue;
      area += (piece.drawing.width + gap_) * (piece.drawing.height + row_gap_);
      widest = std::max(widest, piece.drawing.width);
    }
    return std::max(widest, std::sqrt(area * kAspect));
  }

  std::vector<Line>& pieces_;
  double gap_;
  double row_gap_;
  double pad_;
};

// Puts the drawings of all parts into one.
class Joiner {
 public:
  Joiner(const Graph& graph, const std::vector<Line>& pieces) : pieces_(pieces) {
    drawing_.nodes.resize(graph.nodes.size());
    drawing_.rank.resize(graph.nodes.size());
    drawing_.labels.resize(graph.links.size());
    drawing_.in_lane.resize(graph.links.size());
    piece_of_link_.resize(graph.links.size());
    link_in_piece_.resize(graph.links.size());
  }

  Drawing run() {
    std::size_t points = 0;
    for (const Line& piece : pieces_) {
      add(piece);
      points += piece.drawing.points.size();
    }
    drawing_.points.reserve(points);
    for (Index link = 0; link < piece_of_link_.size(); ++link) {
      drawing_.first_point.push_back(static_cast<Index>(drawing_.points.size()));
      const Line& piece = *piece_of_link_[link];
      for (const Point point : piece.drawing.route(link_in_piece_[link])) {
        drawing_.points.push_back({point.x + piece.at.x, point.y + piece.at.y});
      }
    }
    drawing_.first_point.push_back(static_cast<Index>(drawing_.points.size()));
    return std::move(drawing_);
  }

 private:
  void add(const Line& piece) {
    const Drawing& part = piece.drawing;
    for (std::size_t i = 0; i < piece.nodes.size(); ++i) {
      drawing_.nodes[piece.nodes[i]] = {part.nodes[i].x + piece.at.x, part.nodes[i].y + piece.at.y};
      drawing_.rank[piece.nodes[i]] = part.rank[i];
    }
    for (Index i = 0; i < piece.links.size(); ++i) {
      const Index link = piece.links[i];
      drawing_.labels[link] = {part.labels[i].x + piece.at.x, part.labels[i].y + piece.at.y};
      drawing_.in_lane[link] = part.in_lane[i];
      piece_of_link_[link] = &piece;
      link_in_piece_[link] = i;
    }
  }

  const std::vector<Line>& pieces_;
  std::vector<const Line*> piece_of_link_;
  std::vector<Index> link_in_piece_;
  Drawing drawing_;
};

// The heaviest line of the part.
double trunk_of(const std::vector<Line>& pieces) {
  double most = -1;
  double trunk = 0;
  for (const Line& piece : pieces) {
    double weight = 0;
    for (const Node& node : piece.graph.nodes) weight += node.weight;
    if (weight <= most) continue;
    most = weight;
    trunk = piece.at.x + piece.drawing.trunk;
  }
  return trunk;
}

// Links that leave the level end where its border is.
void reach_border(const Graph& graph, Drawing& drawing) {
  for (std::size_t i = 0; i < graph.links.size(); ++i) {
    if (graph.nodes[graph.to(graph.links[i])].kind != NodeKind::kOut) continue;
    drawing.points[drawing.first_point[i + 1] - 1].y = drawing.height;
  }
}

}  // namespace

Drawing draw(const Graph& graph, const Options& options, double pad, double min_height) {
  std::vector<Line> pieces = Splitter(graph).take();
  for (Line& piece : pieces) {
    piece.drawing = piece.nodes.size() == 1 && piece.links.empty()
                        ? draw_node(piece.graph.nodes[0])
                        : draw_part(piece.graph, options);
  }
  Packer packer(pieces, options, pad);
  packer.run();
  Drawing drawing = Joiner(graph, pieces).run();
  drawing.width = packer.width;
  drawing.height = std::max(packer.height, min_height);
  drawing.trunk = trunk_of(pieces);
  reach_border(graph, drawing);
  return drawing;
}

}  // namespace planex::graph::layout
