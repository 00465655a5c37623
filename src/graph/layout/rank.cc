// Ranks: longest path from the inputs, then each node as close to its consumers as that shortens
// lines. And the trunk: the heaviest path through the ranks.
#include <algorithm>

#include "graph/layout/part.h"

namespace planex::graph::layout {

namespace {

struct Neighbours {
  Lists out;  // links that start at each node
  Lists in;
};

Neighbours neighbours(const Graph& graph) {
  const std::size_t nodes = graph.nodes.size();
  const std::size_t links = graph.links.size();
  return {
      .out = lists_by(nodes, links, [&](std::size_t i) { return graph.from(graph.links[i]); }),
      .in = lists_by(nodes, links, [&](std::size_t i) { return graph.to(graph.links[i]); }),
  };
}

// Orders nodes so that links lead from earlier to later ones. In a cycle, the node that is executed
// first comes first, and the links that lead to it from later ones are reversed.
void sort_topologically(Part& part, const Neighbours& near) {
  const Graph& graph = part.graph;
  std::vector<Index> missing(graph.nodes.size(), 0);
  part.is_reversed.assign(graph.links.size(), false);
  for (std::size_t i = 0; i < graph.links.size(); ++i) {
    part.is_reversed[i] = graph.links[i].is_back;
    if (!graph.links[i].is_back) ++missing[graph.to(graph.links[i])];
  }
  std::vector<bool> is_done(graph.nodes.size(), false);
  std::vector<Index>& sorted = part.topological;
  sorted.reserve(graph.nodes.size());
  const auto take = [&](Index node) {
    is_done[node] = true;
    sorted.push_back(node);
  };
  for (Index node = 0; node < missing.size(); ++node) {
    if (missing[node] == 0) take(node);
  }
  Index first_left = 0;
  for (std::size_t next = 0; sorted.size() < missing.size() || next < sorted.size();) {
    if (next == sorted.size()) {
      while (is_done[first_left]) ++first_left;
      for (const Index link : near.in[first_left]) {
        if (!is_done[graph.from(graph.links[link])]) part.is_reversed[link] = true;
      }
      take(first_left);
    }
    for (const Index link : near.out[sorted[next++]]) {
      const Index to = graph.to(graph.links[link]);
      if (!part.is_reversed[link] && --missing[to] == 0 && !is_done[to]) take(to);
    }
  }
}

// The links that count for ranks; those that were reversed to break cycles have their new
// direction. Links that lead back by their meaning do not count.
Neighbours ranked_neighbours(const Part& part) {
  const Graph& graph = part.graph;
  const std::size_t nodes = graph.nodes.size();
  const std::size_t links = graph.links.size();
  const auto end = [&](std::size_t i, bool is_start) {
    const Link& link = graph.links[i];
    if (link.is_back) return kNone;
    return is_start != part.is_reversed[i] ? graph.from(link) : graph.to(link);
  };
  return {
      .out = lists_by(nodes, links, [&](std::size_t i) { return end(i, true); }),
      .in = lists_by(nodes, links, [&](std::size_t i) { return end(i, false); }),
  };
}

Index other_end(const Graph& graph, Index link, Index node) {
  const Index from = graph.from(graph.links[link]);
  return from != node ? from : graph.to(graph.links[link]);
}

void push_down(Part& part, const Neighbours& near) {
  const Graph& graph = part.graph;
  const bool has_border =
      std::ranges::any_of(graph.nodes, [](const Node& node) { return node.kind == NodeKind::kIn; });
  part.rank.assign(graph.nodes.size(), 0);
  Index last = 0;
  for (const Index node : part.topological) {
    Index rank = has_border && graph.nodes[node].kind != NodeKind::kIn ? 1 : 0;
    for (const Index link : near.in[node]) {
      rank = std::max(rank, part.rank[other_end(graph, link, node)] + 1);
    }
    part.rank[node] = rank;
    if (graph.nodes[node].kind != NodeKind::kOut) last = std::max(last, rank + 1);
  }
  part.rank_count = last;
  for (Index node = 0; node < part.rank.size(); ++node) {
    if (graph.nodes[node].kind != NodeKind::kOut) continue;
    part.rank[node] = last;
    part.rank_count = last + 1;
  }
}

// Lines that leave a node at one port are bundled, so they count once.
std::size_t lines_out(const Graph& graph, std::span<const Index> links) {
  std::size_t lines = 0;
  Index port = kNone;
  for (const Index link : links) {
    if (graph.links[link].from_port == port) continue;
    port = graph.links[link].from_port;
    ++lines;
  }
  return lines;
}

// A shared line grows by less than one if this end of it moves down.
double lines_in(const Graph& graph, std::span<const Index> links,
                const std::vector<Index>& readers) {
  double lines = 0;
  for (const Index link : links) lines += 1.0 / readers[graph.links[link].from_port];
  return lines;
}

// The rank that the picture has reached when each node is executed.
std::vector<Index> rank_by_execution(const Part& part) {
  std::vector<Index> reached(part.rank.size());
  Index last = 0;
  for (std::size_t i = 0; i < reached.size(); ++i) {
    reached[i] = last;
    if (!part.graph.nodes[i].is_border()) last = std::max(last, part.rank[i]);
  }
  return reached;
}

// Nodes with room move down where that shortens lines. Where it makes no difference, they are as
// far down as they are executed late.
void pull_to_consumers(Part& part, const Neighbours& near) {
  const Graph& graph = part.graph;
  std::vector<Index> readers(graph.ports.size(), 0);
  for (const Link& link : graph.links) ++readers[link.from_port];
  const std::vector<Index> reached = rank_by_execution(part);
  for (auto node = part.topological.rbegin(); node != part.topological.rend(); ++node) {
    const auto out = near.out[*node];
    const auto in = near.in[*node];
    if (graph.nodes[*node].is_border() || out.empty()) continue;
    Index nearest = kNone;
    for (const Index link : out) {
      nearest = std::min(nearest, part.rank[other_end(graph, link, *node)]);
    }
    const std::size_t lines = lines_out(graph, out);
    Index& rank = part.rank[*node];
    if (in.size() < lines) {
      rank = nearest - 1;
    } else if (lines_in(graph, in, readers) <= static_cast<double>(lines)) {
      rank = std::clamp(reached[*node], rank, nearest - 1);
    }
  }
}

// The heaviest path; links on the trunk of the whole picture outweigh everything.
void find_trunk(Part& part, const Neighbours& near) {
  const Graph& graph = part.graph;
  double total = 1;
  for (const Node& node : graph.nodes) total += node.weight;
  // Where nothing has a weight, the longest path.
  const double least = total * 1e-9;
  std::vector<double> heaviest(graph.nodes.size(), 0);
  std::vector<Index> best(graph.nodes.size(), kNone);
  Index end = kNone;
  for (const Index node : part.topological) {
    double most = -1;
    for (const Index link : near.in[node]) {
      if (part.is_reversed[link]) continue;
      const double way =
          heaviest[graph.from(graph.links[link])] + (graph.links[link].is_trunk ? total : 0);
      if (way <= most) continue;
      most = way;
      best[node] = link;
    }
    heaviest[node] = std::max(most, 0.0) + graph.nodes[node].weight + least;
    if (end == kNone || heaviest[node] > heaviest[end]) end = node;
  }
  part.trunk_node.assign(graph.nodes.size(), false);
  part.trunk_link.assign(graph.links.size(), false);
  while (end != kNone) {
    part.trunk_node[end] = true;
    const Index link = best[end];
    if (link == kNone) break;
    part.trunk_link[link] = true;
    end = graph.from(graph.links[link]);
  }
}

}  // namespace

void assign_ranks(Part& part) {
  const Neighbours near = neighbours(part.graph);
  sort_topologically(part, near);
  const Neighbours ranked = ranked_neighbours(part);
  push_down(part, ranked);
  pull_to_consumers(part, ranked);
  find_trunk(part, near);
}

}  // namespace planex::graph::layout
