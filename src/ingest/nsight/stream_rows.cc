#include "ingest/nsight/stream_rows.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <vector>

namespace planex::ingest::nsight {
namespace {

constexpr double kNsInMs = 1e6;
constexpr std::size_t kMaxStreams = 32;

// Stream numbers are unique only within a context.
using StreamKey = std::tuple<std::uint32_t, std::optional<std::int64_t>,
                             std::optional<std::int64_t>, std::int64_t>;

// A start or end on a stream: of running work, or of work that was submitted to it.
struct Moment {
  std::int64_t time = 0;
  std::uint32_t stream = 0;
  std::int8_t running = 0, given = 0;
};

struct Use {
  std::int64_t launches = 0, calls = 0;
  std::set<std::uint32_t> inferences;
  std::int64_t running = 0, given = 0;  // now
  std::int64_t busy = 0, overlapped = 0, waiting = 0;
};

struct PairUse {
  std::int64_t overlapped = 0, waiting = 0;
};

class StreamWriter {
 public:
  StreamWriter(const Trace& trace, model::ModelBuilder& builder)
      : trace_(trace), builder_(builder) {}

  void run() {
    if (!find_window() || !find_streams()) return;
    find_moments();
    walk();
    write();
  }

 private:
  static StreamKey key_of(const Launch& launch, const LaunchKind& kind) {
    return {launch.process, kind.device, kind.context, kind.stream};
  }
  static std::int64_t end_of(const Launch& launch) { return launch.start + launch.duration; }
  bool is_inside(const Launch& launch) const {
    return launch.start < last_ && end_of(launch) > first_;
  }

  bool find_window() {
    for (const Launch& launch : trace_.launches) {
      if (launch.layer.is_null() || launch.inference == kNone) continue;
      first_ = std::min(first_, launch.start);
      last_ = std::max(last_, end_of(launch));
    }
    return first_ < last_;
  }

  // The streams that ran longest, in the order of their keys. False: a launch has no stream.
  bool find_streams() {
    std::map<StreamKey, std::int64_t> times;
    for (const Launch& launch : trace_.launches) {
      if (!is_inside(launch)) continue;
      const LaunchKind& kind = trace_.kinds[launch.kind];
      if (!kind.has_stream) return false;
      times[key_of(launch, kind)] += launch.duration;
    }
    std::vector<std::pair<std::int64_t, StreamKey>> longest;
    for (const auto& [key, time] : times) longest.emplace_back(-time, key);
    std::ranges::sort(longest);
    if (longest.size() > kMaxStreams) longest.resize(kMaxStreams);
    for (const auto& [time, key] : longest) streams_.emplace(key, 0);
    std::uint32_t next = 0;
    for (auto& [key, number] : streams_) number = next++;
    uses_.resize(streams_.size());
    return true;
  }

  void find_moments() {
    for (const Launch& launch : trace_.launches) {
      if (!is_inside(launch)) continue;
      const auto found = streams_.find(key_of(launch, trace_.kinds[launch.kind]));
      if (found == streams_.end()) continue;
      const std::uint32_t stream = found->second;
      Use& use = uses_[stream];
      ++use.launches;
      if (!launch.layer.is_null() && launch.inference != kNone) {
        use.inferences.insert(launch.inference);
      }
      const std::int64_t start = std::max(launch.start, first_);
      moments_.push_back({.time = start, .stream = stream, .running = 1});
      moments_.push_back(
          {.time = std::min(end_of(launch), last_), .stream = stream, .running = -1});
      if (launch.thread == kNone) continue;
      ++use.calls;
      const std::int64_t called = std::max(launch.called, first_);
      if (called >= start) continue;
      moments_.push_back({.time = called, .stream = stream, .given = 1});
      moments_.push_back({.time = start, .stream = stream, .given = -1});
    }
    std::ranges::sort(moments_, {}, [](const Moment& moment) {
      return std::tuple(moment.time, moment.stream, moment.running, moment.given);
    });
  }

  void walk() {
    std::set<std::uint32_t> running, waiting;
    std::int64_t last = first_;
    for (const Moment& moment : moments_) {
      if (const std::int64_t passed = moment.time - last; passed > 0) {
        count(running, waiting, passed);
        last = moment.time;
      }
      Use& use = uses_[moment.stream];
      use.running += moment.running;
      use.given += moment.given;
      const bool runs = use.running > 0;
      runs ? void(running.insert(moment.stream)) : void(running.erase(moment.stream));
      const bool waits = !runs && use.given > 0;
      waits ? void(waiting.insert(moment.stream)) : void(waiting.erase(moment.stream));
    }
  }

  void count(const std::set<std::uint32_t>& running, const std::set<std::uint32_t>& waiting,
             std::int64_t passed) {
    for (const std::uint32_t stream : running) {
      uses_[stream].busy += passed;
      if (running.size() > 1) uses_[stream].overlapped += passed;
      for (const std::uint32_t other : running) {
        if (other != stream) pairs_[{stream, other}].overlapped += passed;
      }
    }
    if (running.empty()) return;
    for (const std::uint32_t stream : waiting) {
      uses_[stream].waiting += passed;
      for (const std::uint32_t other : running) pairs_[{stream, other}].waiting += passed;
    }
  }

  // When most of its work was given to it.
  static bool knows_calls(const Use& use) { return 2 * use.calls > use.launches; }

  void write() {
    const auto ms = [](std::int64_t time) { return static_cast<double>(time) / kNsInMs; };
    model::StreamsTable& streams = builder_.model().streams;
    for (const auto& [key, number] : streams_) {
      const auto& [process, device, context, stream] = key;
      const Use& use = uses_[number];
      const std::size_t row = streams.add_row();
      streams.stream_id.set(row, std::int64_t{number});
      streams.process.set(row, std::int64_t{process});
      if (device) streams.device.set(row, *device);
      if (context) streams.context.set(row, *context);
      streams.stream.set(row, stream);
      streams.inferences.set(row, static_cast<std::int64_t>(use.inferences.size()));
      streams.launches.set(row, use.launches);
      streams.window_ms.set(row, ms(last_ - first_));
      streams.busy_ms.set(row, ms(use.busy));
      streams.overlapped_ms.set(row, ms(use.overlapped));
      if (knows_calls(use)) streams.waiting_ms.set(row, ms(use.waiting));
    }
    model::StreamPairsTable& pairs = builder_.model().stream_pairs;
    for (std::uint32_t stream = 0; stream < uses_.size(); ++stream) {
      for (std::uint32_t other = 0; other < uses_.size(); ++other) {
        if (other == stream) continue;
        const PairUse& use = pairs_[{stream, other}];
        const std::size_t row = pairs.add_row();
        pairs.stream_id.set(row, std::int64_t{stream});
        pairs.other_id.set(row, std::int64_t{other});
        pairs.overlapped_ms.set(row, ms(use.overlapped));
        if (knows_calls(uses_[stream])) pairs.waiting_ms.set(row, ms(use.waiting));
      }
    }
  }

  const Trace& trace_;
  model::ModelBuilder& builder_;
  std::int64_t first_ = kMaxTime, last_ = -kMaxTime;
  std::map<StreamKey, std::uint32_t> streams_;
  std::vector<Use> uses_;
  std::vector<Moment> moments_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, PairUse> pairs_;
};

}  // namespace

void add_stream_rows(const Trace& trace, model::ModelBuilder& builder) {
  StreamWriter(trace, builder).run();
}

}  // namespace planex::ingest::nsight
