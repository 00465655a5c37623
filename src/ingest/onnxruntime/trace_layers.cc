#include "ingest/onnxruntime/trace_layers.h"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>
#include <unordered_map>

namespace planex::ingest::onnxruntime {
namespace {

// An execution of a graph, with the nodes directly in it.
struct Execution {
  std::size_t event = 0;
  std::vector<std::size_t> nodes;
};

class LayersFinder {
 public:
  explicit LayersFinder(std::span<const Event> events)
      : events_(events),
        parent_(events.size(), kNoEvent),
        run_(events.size(), kNoEvent),
        inside_us_(events.size(), 0),
        kernel_us_(events.size(), 0),
        has_kernels_(events.size(), false) {}

  TraceLayers find() {
    nest();
    find_runs();
    place_the_rest();
    for (std::size_t event = events_.size(); event-- > 0;) {
      // The event that contains another one was written after it, so it is known by now.
      if (parent_[event] != kNoEvent) run_[event] = run_[parent_[event]];
    }
    make_layers();
    order_layers();
    add_samples();
    return std::move(result_);
  }

 private:
  // Events are written when they end. So of a thread's nodes that are not yet assigned, those that
  // began after an execution did are inside it; and a node that began before an execution which
  // ended before it contains that execution in a subgraph.
  void nest() {
    struct Thread {
      std::vector<std::size_t> nodes;
      std::vector<Execution> executions;
    };
    std::unordered_map<std::int64_t, Thread> threads;
    std::size_t last_node = kNoEvent;
    for (std::size_t index = 0; index < events_.size(); ++index) {
      const Event& event = events_[index];
      if (event.kind == EventKind::kPhase) continue;
      if (event.kind == EventKind::kKernel) {
        if (last_node == kNoEvent) continue;
        kernel_us_[last_node] += event.duration_us;
        has_kernels_[last_node] = true;
        continue;
      }
      Thread& thread = threads[event.thread];
      if (event.kind == EventKind::kExecution) {
        Execution execution{.event = index};
        while (!thread.nodes.empty() && begins_in(thread.nodes.back(), event)) {
          execution.nodes.push_back(thread.nodes.back());
          thread.nodes.pop_back();
        }
        thread.executions.push_back(std::move(execution));
        continue;
      }
      const bool is_run = event.kind == EventKind::kRun;
      if (is_run) run_events_.push_back(index);
      while (!thread.executions.empty() && begins_in(thread.executions.back().event, event)) {
        const Execution& execution = thread.executions.back();
        if (is_run) {
          for (const std::size_t node : execution.nodes) run_[node] = run_events_.size() - 1;
        } else {
          for (const std::size_t node : execution.nodes) parent_[node] = index;
          inside_us_[index] += events_[execution.event].duration_us;
        }
        thread.executions.pop_back();
      }
      if (!is_run) {
        thread.nodes.push_back(index);
        last_node = index;
      }
    }
    for (auto& [id, thread] : threads) {
      std::ranges::move(thread.executions, std::back_inserter(left_executions_));
      left_nodes_.insert(left_nodes_.end(), thread.nodes.begin(), thread.nodes.end());
    }
  }

  bool begins_in(std::size_t inner, const Event& outer) const {
    return events_[inner].start_us >= outer.start_us;
  }

  void find_runs() {
    result_.has_run_events = !run_events_.empty();
    if (!run_events_.empty()) {
      for (const std::size_t event : run_events_) add_run(event);
      return;
    }
    // Traces of single runs have no event for the run itself.
    std::ranges::sort(left_executions_, {}, &Execution::event);
    for (const Execution& execution : left_executions_) {
      for (const std::size_t node : execution.nodes) run_[node] = result_.runs.size();
      add_run(execution.event);
    }
  }

  void add_run(std::size_t event) {
    result_.runs.push_back({events_[event].start_us, events_[event].duration_us});
  }

  // Nodes on threads of their own, if a graph is executed in parallel: matched by time.
  void place_the_rest() {
    if (result_.has_run_events) {
      for (const Execution& execution : left_executions_) {
        left_nodes_.insert(left_nodes_.end(), execution.nodes.begin(), execution.nodes.end());
      }
    }
    if (left_nodes_.empty()) return;
    std::vector<std::size_t> order(result_.runs.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    const auto start = [&](std::size_t run) { return result_.runs[run].start_us; };
    std::ranges::sort(order, {}, start);
    for (const std::size_t node : left_nodes_) {
      const double time = events_[node].start_us;
      const auto after = std::ranges::upper_bound(order, time, {}, start);
      if (after == order.begin()) continue;
      const Run& run = result_.runs[*(after - 1)];
      if (time <= run.start_us + run.duration_us) run_[node] = *(after - 1);
    }
  }

  using Key = std::tuple<base::StringId, base::StringId, base::StringId, std::int64_t, std::size_t>;

  void make_layers() {
    std::map<Key, std::size_t> layer_of_key;
    result_.layer_of_event.assign(events_.size(), kNoEvent);
    // From the end, so that the containing event already has its layer.
    for (std::size_t index = events_.size(); index-- > 0;) {
      const Event& event = events_[index];
      if (event.kind != EventKind::kNode) continue;
      if (run_[index] == kNoEvent) {
        ++result_.outside_count;
        continue;
      }
      const std::size_t parent =
          parent_[index] == kNoEvent ? kNoEvent : result_.layer_of_event[parent_[index]];
      const auto [found, is_new] = layer_of_key.try_emplace(
          {event.name, event.op_type, event.provider, event.node_index, parent},
          result_.layers.size());
      if (is_new) result_.layers.push_back({.last_event = index, .parent = parent});
      TraceLayer& layer = result_.layers[found->second];
      layer.first_event = index;
      layer.has_subgraph = layer.has_subgraph || inside_us_[index] > 0;
      layer.has_kernels = layer.has_kernels || has_kernels_[index];
      ++layer.event_count;
      result_.layer_of_event[index] = found->second;
      if (parent != kNoEvent) result_.layers[parent].has_subgraph = true;
    }
  }

  // Each run is walked in the order of execution. A layer that only a later run has (the other
  // branch of a conditional) comes after the layer that it follows there.
  void order_layers() {
    std::vector<std::vector<std::size_t>> inside(events_.size());
    std::vector<std::vector<std::size_t>> of_run(result_.runs.size());
    for (std::size_t index = 0; index < events_.size(); ++index) {
      if (result_.layer_of_event[index] == kNoEvent) continue;
      auto& siblings = parent_[index] == kNoEvent ? of_run[run_[index]] : inside[parent_[index]];
      siblings.push_back(index);
    }
    const std::size_t head = result_.layers.size();
    std::vector<std::size_t> next(head + 1, kNoEvent);
    std::vector<bool> placed(head, false);
    std::vector<std::size_t> stack;
    for (const auto& events : of_run) {
      std::size_t last = head;
      stack.assign(events.rbegin(), events.rend());
      while (!stack.empty()) {
        const std::size_t event = stack.back();
        stack.pop_back();
        const std::size_t layer = result_.layer_of_event[event];
        if (!placed[layer]) {
          placed[layer] = true;
          next[layer] = next[last];
          next[last] = layer;
        }
        last = layer;
        stack.insert(stack.end(), inside[event].rbegin(), inside[event].rend());
      }
    }
    std::vector<std::size_t> new_index(head, kNoEvent);
    std::vector<TraceLayer> ordered;
    for (std::size_t layer = next[head]; layer != kNoEvent; layer = next[layer]) {
      new_index[layer] = ordered.size();
      ordered.push_back(std::move(result_.layers[layer]));
    }
    for (TraceLayer& layer : ordered) {
      if (layer.parent != kNoEvent) layer.parent = new_index[layer.parent];
    }
    for (std::size_t& layer : result_.layer_of_event) {
      if (layer != kNoEvent) layer = new_index[layer];
    }
    result_.layers = std::move(ordered);
  }

  void add_samples() {
    std::vector<std::size_t> nodes;
    for (std::size_t index = 0; index < events_.size(); ++index) {
      if (result_.layer_of_event[index] != kNoEvent) nodes.push_back(index);
    }
    std::ranges::stable_sort(nodes, {}, [&](std::size_t event) { return run_[event]; });
    for (const std::size_t event : nodes) {
      TraceLayer& layer = result_.layers[result_.layer_of_event[event]];
      if (layer.samples.empty() || layer.samples.back().run != run_[event]) {
        layer.samples.push_back({.run = run_[event]});
      }
      const double whole = layer.has_kernels ? kernel_us_[event] : events_[event].duration_us;
      const double self = layer.has_kernels ? whole : std::max(0.0, whole - inside_us_[event]);
      layer.samples.back().whole_us += whole;
      layer.samples.back().self_us += self;
    }
  }

  std::span<const Event> events_;
  // By event.
  std::vector<std::size_t> parent_;
  std::vector<std::size_t> run_;
  std::vector<double> inside_us_;  // executions that it contains
  std::vector<double> kernel_us_;
  std::vector<bool> has_kernels_;
  std::vector<std::size_t> run_events_;
  // Events that belong to no node and no run.
  std::vector<Execution> left_executions_;
  std::vector<std::size_t> left_nodes_;
  TraceLayers result_;
};

}  // namespace

TraceLayers find_layers(std::span<const Event> events) { return LayersFinder(events).find(); }

}  // namespace planex::ingest::onnxruntime
