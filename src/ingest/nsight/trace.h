// The parts of a trace that can tie a kernel to a layer: ranges that threads were in, and kernels
// with the call that launched them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/string_pool.h"
#include "ingest/nsight/layer_names.h"
#include "model/plan_model.h"

namespace planex::ingest::nsight {

inline constexpr std::uint32_t kNone = 0xFFFFFFFF;

// Times are in ns from the file's own origin. Times of corrupt files are left out, so that a
// difference of two never overflows.
inline constexpr std::int64_t kMaxTime = std::int64_t{1} << 60;
constexpr bool is_time(std::int64_t time) { return time > -kMaxTime && time < kMaxTime; }

// An NVTX range on one thread.
struct Range {
  std::int64_t start = 0, end = 0;
  std::uint32_t thread = kNone;
  Meaning meaning = kOther;
  // Set by resolve(): what the range is in.
  model::LayerId layer;
  std::uint32_t inference = kNone;
};

// One piece of work on the GPU: a kernel, a copy or a fill.
struct Launch {
  std::int64_t start = 0, duration = 0;
  // When and on which thread the launching call was made; kNone: there is no such call.
  std::int64_t called = 0;
  std::uint32_t thread = kNone;
  // The key of the call: CUPTI numbers the calls of a process in 32 bits.
  std::uint32_t process = 0, correlation = 0;
  std::uint32_t kind = kNone;  // of Trace::kinds
  std::uint32_t node = kNone;  // of Trace::nodes, if it ran from a CUDA graph
  model::LayerId layer;
  std::uint32_t inference = kNone;
};

// Properties shared by launches of the same kernel with the same shape.
struct LaunchKind {
  std::int64_t name = 0, short_name = 0;  // of StringIds; for copies the kind of copy
  std::int64_t stream = 0;
  std::optional<std::int64_t> context, device;
  std::int64_t grid[3] = {}, block[3] = {};
  std::optional<std::int64_t> registers, shared_bytes;
  bool is_kernel = true, has_shape = false, has_stream = false;
  base::StringId text, short_text;  // once the names were looked up

  bool operator==(const LaunchKind&) const = default;
};

// A node of a CUDA graph: where it was captured.
struct Node {
  std::int64_t captured = 0;
  std::uint32_t thread = kNone;  // kNone: the file does not say
  model::LayerId layer;
  std::uint32_t inference = kNone;
};

// Anything unexpected, for the diagnostics.
struct TraceCounts {
  std::size_t domain_ranges = 0;  // of TensorRT, layer or not
  std::size_t layer_ranges = 0;
  std::size_t odd_ranges = 0, odd_launches = 0;
  std::size_t launches_without_call = 0;
  std::size_t graph_launches = 0;       // of kernels in CUDA graphs
  std::size_t graph_traces = 0;         // graphs that were traced as units
  std::optional<std::int64_t> example;  // a range text in StringIds that names no layer
  std::string example_text;             // or the text itself
  std::string ambiguous_name;
  bool has_domain = false, has_ranges = false, has_calls = false, has_kernels = false;
};

struct Trace {
  std::vector<Range> ranges;
  std::vector<Launch> launches;
  std::vector<LaunchKind> kinds;
  std::vector<Node> nodes;
  TraceCounts counts;
};

// Dense numbers for ids in the file.
class Numbering {
 public:
  std::uint32_t of(std::int64_t id) {
    if (id == last_id_ && last_ != kNone) return last_;
    last_id_ = id;
    last_ = numbers_.try_emplace(id, static_cast<std::uint32_t>(numbers_.size())).first->second;
    return last_;
  }

 private:
  std::unordered_map<std::int64_t, std::uint32_t> numbers_;
  std::int64_t last_id_ = 0;
  std::uint32_t last_ = kNone;
};

// Nsight Systems writes threads as 0xVVPPPPPPTTTTTT (machine, process, thread), and processes in
// the same way with thread 0.
constexpr std::int64_t process_of_thread(std::int64_t thread) {
  return thread & ~std::int64_t{0xFFFFFF};
}

}  // namespace planex::ingest::nsight
