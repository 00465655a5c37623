#include "quantize/float_regions.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <set>

namespace planex::quantize {
namespace {

// Whole picoseconds, so that sums are exact.
using Capacity = std::int64_t;
constexpr double kPicosecondsPerMs = 1e9;
// More than all times together, and its sums stay in range.
constexpr Capacity kUnlimited = std::numeric_limits<Capacity>::max() / 4;

Capacity capacity_of(double ms) { return std::llround(ms * kPicosecondsPerMs); }

// A graph with a source and a sink. Each edge is followed by its opposite.
class FlowGraph {
 public:
  explicit FlowGraph(std::size_t node_count) : edges_of_(node_count) {}

  std::uint32_t add_node() {
    edges_of_.emplace_back();
    return static_cast<std::uint32_t>(edges_of_.size() - 1);
  }
  void add_edge(std::uint32_t from, std::uint32_t to, Capacity capacity) {
    for (const auto& [end, other, left] : {Edge{from, to, capacity}, Edge{to, from, 0}}) {
      edges_of_[end].push_back(static_cast<std::uint32_t>(edges_.size()));
      edges_.push_back({end, other, left});
    }
  }

  // Fills the graph; returns which nodes the source still reaches.
  std::vector<bool> reached_when_full(std::uint32_t source, std::uint32_t sink) {
    while (true) {
      const std::vector<std::optional<std::uint32_t>> by = search(source);
      if (!by[sink]) {
        std::vector<bool> reached(by.size());
        for (std::size_t node = 0; node < by.size(); ++node) reached[node] = by[node].has_value();
        reached[source] = true;
        return reached;
      }
      Capacity least = kUnlimited;
      for (std::uint32_t at = sink; at != source; at = edges_[*by[at]].from) {
        least = std::min(least, edges_[*by[at]].left);
      }
      for (std::uint32_t at = sink; at != source; at = edges_[*by[at]].from) {
        edges_[*by[at]].left -= least;
        edges_[*by[at] ^ 1U].left += least;
      }
    }
  }

 private:
  struct Edge {
    std::uint32_t from = 0, to = 0;
    Capacity left = 0;
  };

  // By node, the edge by which it was reached first, in the fewest steps.
  std::vector<std::optional<std::uint32_t>> search(std::uint32_t source) const {
    std::vector<std::optional<std::uint32_t>> by(edges_of_.size());
    std::vector<std::uint32_t> queue = {source};
    for (std::size_t at = 0; at < queue.size(); ++at) {
      for (const std::uint32_t edge : edges_of_[queue[at]]) {
        const std::uint32_t to = edges_[edge].to;
        if (edges_[edge].left == 0 || to == source || by[to]) continue;
        by[to] = edge;
        queue.push_back(to);
      }
    }
    return by;
  }

  std::vector<Edge> edges_;
  std::vector<std::vector<std::uint32_t>> edges_of_;
};

// By part, the others that share a tensor with it.
std::vector<std::set<std::uint32_t>> neighbors_of(std::size_t part_count,
                                                  std::span<const SharedTensor> tensors) {
  std::vector<std::set<std::uint32_t>> neighbors(part_count);
  for (const SharedTensor& tensor : tensors) {
    for (const std::uint32_t one : tensor.parts) {
      for (const std::uint32_t two : tensor.parts) {
        if (one != two) neighbors[one].insert(two);
      }
    }
  }
  return neighbors;
}

}  // namespace

PartSet fastest_in_float(std::span<const TimedPart> parts, std::span<const SharedTensor> tensors) {
  const auto count = static_cast<std::uint32_t>(parts.size());
  // What the source reaches is in float, what reaches the sink in INT8.
  const std::uint32_t source = count, sink = count + 1;
  FlowGraph graph(std::size_t{count} + 2);
  for (std::uint32_t part = 0; part < count; ++part) {
    // Only the difference counts: it is lost on the slower side.
    const Capacity gain = capacity_of(parts[part].int8_ms - parts[part].float_ms);
    if (gain > 0) graph.add_edge(source, part, gain);
    if (gain < 0) graph.add_edge(part, sink, -gain);
  }
  for (const SharedTensor& tensor : tensors) {
    const Capacity conversion = capacity_of(tensor.conversion_ms);
    if (conversion <= 0 || tensor.parts.size() < 2) continue;
    // Cut once, however many parts are on either side.
    const std::uint32_t some_float = graph.add_node(), all_float = graph.add_node();
    graph.add_edge(some_float, all_float, conversion);
    for (const std::uint32_t part : tensor.parts) {
      graph.add_edge(part, some_float, kUnlimited);
      graph.add_edge(all_float, part, kUnlimited);
    }
  }
  const std::vector<bool> is_float = graph.reached_when_full(source, sink);
  PartSet chosen;
  for (std::uint32_t part = 0; part < count; ++part) {
    if (is_float[part]) chosen.push_back(part);
  }
  return chosen;
}

PartSet those_that_gained(const PartSet& in_float, std::span<const double> int8_ms,
                          std::span<const double> mixed_ms, std::span<const SharedTensor> tensors) {
  const auto neighbors = neighbors_of(int8_ms.size(), tensors);
  const std::set<std::uint32_t> all(in_float.begin(), in_float.end());
  std::set<std::uint32_t> open = all;
  PartSet stay;
  while (!open.empty()) {
    PartSet region = {*open.begin()};
    open.erase(open.begin());
    std::set<std::uint32_t> around;
    for (std::size_t at = 0; at < region.size(); ++at) {
      for (const std::uint32_t next : neighbors[region[at]]) {
        if (open.erase(next) > 0) region.push_back(next);
        if (!all.contains(next)) around.insert(next);
      }
    }
    double gained_ms = 0;
    for (const std::uint32_t part : region) gained_ms += int8_ms[part] - mixed_ms[part];
    for (const std::uint32_t part : around) gained_ms += int8_ms[part] - mixed_ms[part];
    if (gained_ms > 0) stay.insert(stay.end(), region.begin(), region.end());
  }
  std::ranges::sort(stay);
  return stay;
}

}  // namespace planex::quantize
