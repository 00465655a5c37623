#include "ingest/nsight/attribution.h"

#include <algorithm>
#include <span>
#include <tuple>

namespace planex::ingest::nsight {
namespace {

// The outermost range of an execution context that a thread is in.
class CurrentExecution {
 public:
  // Ranges are sorted by thread and start. Whether this one begins an execution.
  bool enter(const Range& range) {
    if (range.thread == thread_ && range.start < end_) return false;
    thread_ = range.thread;
    end_ = range.end;
    inference_ = range.inference;
    return true;
  }
  bool holds(std::uint32_t thread, std::int64_t time) const {
    return thread == thread_ && time <= end_;
  }
  void set_inference(std::uint32_t inference) { inference_ = inference; }
  std::uint32_t inference() const { return inference_; }

 private:
  std::uint32_t thread_ = kNone;
  std::int64_t end_ = 0;
  std::uint32_t inference_ = kNone;
};

class Resolver {
 public:
  Resolver(Trace& trace, const LayerNames& names) : trace_(trace), names_(names) {
    uses_.resize(names.size());
  }

  Attribution run() {
    const auto range_key = [](const Range& range) {
      // If ranges begin together: the outer one, which ends later, first.
      return std::tuple(range.thread, range.start, -range.end, range.meaning != kExecution,
                        range.meaning);
    };
    if (!std::ranges::is_sorted(trace_.ranges, {}, range_key)) {
      std::ranges::sort(trace_.ranges, {}, range_key);
    }
    for (Range& range : trace_.ranges) enter(range);
    judge_executions();
    find_nodes();
    find_launches();
    return result_;
  }

 private:
  struct Inference {
    bool is_execution = false, is_other = false;
    std::uint32_t named = 0, not_named = 0;
  };
  // Ranges of a name in one inference.
  struct Uses {
    std::uint32_t inference = kNone;
    std::uint32_t count = 0;
  };

  std::uint32_t new_inference(bool is_execution) {
    inferences_.push_back({.is_execution = is_execution});
    return static_cast<std::uint32_t>(inferences_.size() - 1);
  }

  void enter(Range& range) {
    if (range.thread != thread_) {
      thread_ = range.thread;
      unbounded_ = kNone;
      named_until_ = -kMaxTime;
    }
    if (range.meaning == kExecution) {
      range.inference = kNone;
      if (!execution_.enter(range)) return;
      range.inference = new_inference(true);
      execution_.set_inference(range.inference);
      return;
    }
    const bool is_inside = execution_.holds(range.thread, range.start);
    if (range.meaning == kOther) {
      // A Myelin block marks its kernels, which a file without details does not list.
      const bool is_in_layer = range.start < named_until_;
      if (is_inside && !is_in_layer) ++inferences_[execution_.inference()].not_named;
      return;
    }
    const std::span<const model::LayerId> layers = names_.layers(range.meaning);
    Uses& uses = uses_[range.meaning];
    if (is_inside) {
      range.inference = execution_.inference();
    } else {
      const bool is_again = uses.inference == unbounded_ && uses.count >= layers.size();
      if (unbounded_ == kNone || is_again) unbounded_ = new_inference(false);
      range.inference = unbounded_;
    }
    if (uses.inference != range.inference) {
      note_uneven(range.meaning, uses);
      uses = {.inference = range.inference};
    }
    // A layer in a loop is named once per iteration.
    range.layer = layers[uses.count % layers.size()];
    ++uses.count;
    named_until_ = std::max(named_until_, range.end);
    ++inferences_[range.inference].named;
  }

  // If the ranges of a name are a multiple of its layers, that says nothing about which is which;
  // but if they are not, some pairs must be wrong.
  void note_uneven(Meaning name, const Uses& uses) {
    const std::size_t layers = names_.layers(name).size();
    if (layers < 2 || uses.inference == kNone || uses.count % layers == 0) return;
    if (result_.ambiguous == kOther || name < result_.ambiguous) result_.ambiguous = name;
  }

  // Another engine may share one or two layer names.
  void judge_executions() {
    for (Meaning name = 0; name < uses_.size(); ++name) note_uneven(name, uses_[name]);
    for (Inference& inference : inferences_) {
      if (!inference.is_execution) continue;
      inference.is_other = inference.named < inference.not_named || inference.named == 0;
      if (inference.is_other) {
        if (inference.named + inference.not_named > 0) ++result_.other_executions;
      } else {
        ++result_.executions;
        result_.other_ranges += inference.not_named;
      }
    }
    for (Range& range : trace_.ranges) {
      if (range.inference == kNone || !inferences_[range.inference].is_other) continue;
      range.layer = {};
      range.inference = kNone;
    }
  }

  // What a thread is in at a given time.
  struct Place {
    model::LayerId layer;
    std::uint32_t inference = kNone;
  };

  // Answers for times in order of thread and time.
  class Walk {
   public:
    explicit Walk(std::span<const Range> ranges) : ranges_(ranges) {}

    Place at(std::uint32_t thread, std::int64_t time) {
      if (thread != thread_) {
        thread_ = thread;
        open_.clear();
      }
      for (; next_ < ranges_.size(); ++next_) {
        const Range& range = ranges_[next_];
        if (range.thread > thread || (range.thread == thread && range.start > time)) break;
        if (range.thread < thread || range.inference == kNone) continue;
        if (range.meaning == kExecution) {
          execution_.enter(range);
        } else if (!range.layer.is_null()) {
          open_.push_back(&range);
        }
      }
      // Ranges that cross others may have ended below one that continues; they wait until it ends.
      while (!open_.empty() && open_.back()->end < time) open_.pop_back();
      if (!open_.empty()) return {open_.back()->layer, open_.back()->inference};
      if (execution_.holds(thread, time)) return {{}, execution_.inference()};
      return {};
    }

   private:
    std::span<const Range> ranges_;
    std::size_t next_ = 0;
    std::uint32_t thread_ = kNone;
    std::vector<const Range*> open_;
    CurrentExecution execution_;
  };

  void find_nodes() {
    std::vector<std::uint32_t> order(trace_.nodes.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
    std::ranges::sort(order, {}, [&](std::uint32_t i) {
      return std::tuple(trace_.nodes[i].thread, trace_.nodes[i].captured, i);
    });
    Walk walk(trace_.ranges);
    for (const std::uint32_t i : order) {
      Node& node = trace_.nodes[i];
      if (node.thread != kNone) node.layer = walk.at(node.thread, node.captured).layer;
    }
  }

  void find_launches() {
    const auto key = [](const Launch& launch) {
      return std::tuple(launch.thread, launch.called, launch.start, launch.kind);
    };
    if (!std::ranges::is_sorted(trace_.launches, {}, key)) {
      std::ranges::sort(trace_.launches, {}, key);
    }
    Walk walk(trace_.ranges);
    // The call that launched a graph, and its inference.
    std::uint32_t graph_thread = kNone, graph_inference = kNone;
    std::int64_t graph_called = 0;
    for (Launch& launch : trace_.launches) {
      if (launch.thread != kNone) {
        const Place place = walk.at(launch.thread, launch.called);
        launch.layer = place.layer;
        launch.inference = place.inference;
        if (launch.node != kNone && launch.layer.is_null()) {
          launch.layer = trace_.nodes[launch.node].layer;
          if (!launch.layer.is_null() && launch.inference == kNone) {
            if (graph_inference == kNone || graph_thread != launch.thread ||
                graph_called != launch.called) {
              graph_thread = launch.thread;
              graph_called = launch.called;
              graph_inference = new_inference(false);
            }
            launch.inference = graph_inference;
          }
        }
      }
      count(launch);
    }
    result_.inferences = count_inferences();
  }

  void count(const Launch& launch) {
    if (!trace_.kinds[launch.kind].is_kernel) return;
    if (!launch.layer.is_null()) {
      ++result_.kernels_of_layers;
      return;
    }
    if (launch.node != kNone) ++result_.graph_kernels_without_layer;
    ++(launch.inference != kNone ? result_.kernels_between : result_.kernels_elsewhere);
  }

  std::size_t count_inferences() const {
    std::vector<bool> seen(inferences_.size(), false);
    for (const Launch& launch : trace_.launches) {
      if (!launch.layer.is_null()) seen[launch.inference] = true;
    }
    return static_cast<std::size_t>(std::ranges::count(seen, true));
  }

  Trace& trace_;
  const LayerNames& names_;
  Attribution result_;
  std::vector<Inference> inferences_;
  std::vector<Uses> uses_;
  CurrentExecution execution_;
  std::uint32_t thread_ = kNone;
  std::int64_t named_until_ = -kMaxTime;
  std::uint32_t unbounded_ = kNone;  // the inference of a thread that is in no execution
};

}  // namespace

Attribution attribute(Trace& trace, const LayerNames& names) {
  return Resolver(trace, names).run();
}

}  // namespace planex::ingest::nsight
