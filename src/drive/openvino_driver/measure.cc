#include "drive/openvino_driver/measure.h"

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <deque>
#include <exception>
#include <map>
#include <mutex>
#include <sstream>
#include <utility>

#include "base/random.h"

namespace planex::drive {
namespace {

using Clock = std::chrono::steady_clock;

// Enough timed inferences for quartiles, even if each takes microseconds.
constexpr int kMaxIterations = 2000;
// Fewer say too little about their median, however long they take.
constexpr int kMinIterations = 30;
constexpr int kWarmupMs = 200;
constexpr int kMaxWarmup = 50;
constexpr int kMinWarmup = 2;
constexpr int kReportMs = 100;

constexpr int kRounds = 10;
constexpr int kMinRounds = 3;
constexpr int kRoundIterations = 20;
constexpr int kRoundWarmup = 5;

double ms_between(Clock::time_point from, Clock::time_point to) {
  return std::chrono::duration<double, std::milli>(to - from).count();
}

template <typename T>
void fill_reals(ov::Tensor& tensor, base::Random& random) {
  T* data = tensor.data<T>();
  for (std::size_t i = 0; i < tensor.get_size(); ++i) data[i] = static_cast<T>(random.real());
}

template <typename T>
void fill_bits(ov::Tensor& tensor, base::Random& random) {
  T* data = tensor.data<T>();
  for (std::size_t i = 0; i < tensor.get_size(); ++i) data[i] = static_cast<T>(random.bit());
}

using Fill = void (*)(ov::Tensor& tensor, base::Random& random);

// Nothing for types that planex can't fill.
Fill fill_of(const ov::element::Type& type) {
  switch (static_cast<ov::element::Type_t>(type)) {
    case ov::element::Type_t::f32:
      return fill_reals<float>;
    case ov::element::Type_t::f64:
      return fill_reals<double>;
    case ov::element::Type_t::f16:
      return fill_reals<ov::float16>;
    case ov::element::Type_t::bf16:
      return fill_reals<ov::bfloat16>;
    case ov::element::Type_t::i64:
      return fill_bits<std::int64_t>;
    case ov::element::Type_t::i32:
      return fill_bits<std::int32_t>;
    case ov::element::Type_t::i16:
      return fill_bits<std::int16_t>;
    case ov::element::Type_t::i8:
      return fill_bits<std::int8_t>;
    case ov::element::Type_t::u64:
      return fill_bits<std::uint64_t>;
    case ov::element::Type_t::u32:
      return fill_bits<std::uint32_t>;
    case ov::element::Type_t::u16:
      return fill_bits<std::uint16_t>;
    case ov::element::Type_t::u8:
      return fill_bits<std::uint8_t>;
    case ov::element::Type_t::boolean:
      return fill_bits<char>;
    default:
      return nullptr;
  }
}

ov::InferRequest make_request(ov::CompiledModel& compiled, std::uint64_t seed) {
  ov::InferRequest request = compiled.create_infer_request();
  base::Random random(seed);
  for (const auto& input : compiled.inputs()) {
    ov::Tensor tensor = request.get_tensor(input);
    if (const Fill fill = fill_of(tensor.get_element_type())) fill(tensor, random);
  }
  return request;
}

// In this thread: start_async() would hand the inference to another thread and wait, which adds the
// system's time to wake a thread, twice.
Iteration run_once(ov::InferRequest& request, Clock::time_point origin) {
  const auto start = Clock::now();
  request.infer();
  const auto end = Clock::now();
  return {ms_between(origin, start), ms_between(start, end)};
}

// Finished requests, in the order in which they finished.
class DoneQueue {
 public:
  void push(std::size_t request) {
    {
      const std::scoped_lock lock(mutex_);
      done_.push_back(request);
    }
    filled_.notify_one();
  }
  std::size_t pop() {
    std::unique_lock lock(mutex_);
    filled_.wait(lock, [this] { return !done_.empty(); });
    const std::size_t request = done_.front();
    done_.pop_front();
    return request;
  }

 private:
  std::mutex mutex_;
  std::condition_variable filled_;
  std::deque<std::size_t> done_;
};

// Requests that infer in parallel. The destructor waits for them, whatever was thrown.
class ParallelRequests {
 public:
  explicit ParallelRequests(std::size_t count) : requests_(count) {}
  ParallelRequests(const ParallelRequests&) = delete;
  ParallelRequests& operator=(const ParallelRequests&) = delete;
  ~ParallelRequests() {
    for (ov::InferRequest& request : requests_) {
      try {
        if (request) request.wait();
      } catch (const std::exception&) {
        // The exception was already reported to the code that waited for the request.
      }
    }
  }

  void make(ov::CompiledModel& compiled, std::uint64_t seed) {
    for (std::size_t i = 0; i < requests_.size(); ++i) {
      requests_[i] = make_request(compiled, seed + i);
      requests_[i].set_callback([this, i](const std::exception_ptr&) { done_.push(i); });
    }
  }

  // Keeps all requests busy while `more(started)`; returns how many were started. Throws what an
  // inference throws.
  template <typename More>
  std::int64_t run_while(const More& more) {
    std::int64_t started = 0;
    for (ov::InferRequest& request : requests_) {
      request.start_async();
      ++started;
    }
    for (std::int64_t ended = 0; ended < started; ++ended) {
      ov::InferRequest& request = requests_[done_.pop()];
      // It may be just returning from the callback; until then it can't be started again.
      request.wait();
      if (!more(started)) continue;
      request.start_async();
      ++started;
    }
    return started;
  }

 private:
  DoneQueue done_;
  std::vector<ov::InferRequest> requests_;
};

// CPU time of this process since it started, without wall time.
RunCosts costs_so_far() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  const auto ms = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_usec) / 1e3;
  };
  return {.cpu_ms = ms(usage.ru_utime) + ms(usage.ru_stime),
          .involuntary_switches = usage.ru_nivcsw};
}

struct RoundPlan {
  int rounds;
  int warmup;
  int iterations;
};

RoundPlan plan_rounds(double latency_ms, const Options& options) {
  const double latency = std::max(latency_ms, 1e-3);
  RoundPlan plan{};
  // A round needs at least two inferences: one that warms up, one that counts.
  plan.rounds = options.rounds.value_or(std::clamp(
      static_cast<int>(std::min(options.profile_ms / (2 * latency), 1e6)), kMinRounds, kRounds));
  const double per_round = options.profile_ms / (plan.rounds * latency);
  plan.warmup = options.round_warmup.value_or(
      std::clamp(static_cast<int>(std::min(per_round / 4, 1e6)), 1, kRoundWarmup));
  plan.iterations = options.round_iterations.value_or(
      std::clamp(static_cast<int>(std::min(per_round - plan.warmup, 1e6)), 1, kRoundIterations));
  return plan;
}

// A blob in memory, without a copy.
class Blob {
 public:
  explicit Blob(ov::CompiledModel& compiled) {
    std::ostringstream stream;
    compiled.export_model(stream);
    bytes_ = std::move(stream).str();
  }
  ov::Tensor tensor() {
    return ov::Tensor(ov::element::u8, ov::Shape{bytes_.size()}, bytes_.data());
  }

 private:
  std::string bytes_;
};

// The layers of all rounds by name and, where a name repeats, occurrence.
class LayerTable {
 public:
  explicit LayerTable(std::vector<LayerTimes>& layers) : layers_(layers) {}

  void start_round() { seen_.clear(); }

  LayerTimes& at(const ov::ProfilingInfo& info) {
    const auto key = std::pair(info.node_name, seen_[info.node_name]++);
    const auto [found, is_new] = positions_.emplace(key, layers_.size());
    if (is_new) layers_.push_back({info.node_name, info.node_type, {}});
    return layers_[found->second];
  }

 private:
  std::vector<LayerTimes>& layers_;
  std::map<std::pair<std::string, int>, std::size_t> positions_;
  std::map<std::string, int> seen_;
};

}  // namespace

bool can_fill(const ov::element::Type& type) { return fill_of(type) != nullptr; }

double median_of(std::vector<double> values) {
  if (values.empty()) return 0;
  std::ranges::sort(values);
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

Times measure_latency(ov::CompiledModel& compiled, const Options& options, const Report& report) {
  ov::InferRequest request = make_request(compiled, options.seed);
  Times times;
  report("warmup", 0);
  const auto origin = Clock::now();
  times.origin_monotonic_ns =
      std::chrono::duration_cast<std::chrono::nanoseconds>(origin.time_since_epoch()).count();
  const auto elapsed = [&](Clock::time_point since) { return ms_between(since, Clock::now()); };
  const auto more_warmup = [&](int done) {
    if (options.warmup) return done < *options.warmup;
    return done < kMinWarmup || (done < kMaxWarmup && elapsed(origin) < kWarmupMs);
  };
  for (int done = 0; more_warmup(done); ++done) times.warmup.push_back(run_once(request, origin));

  report("time", 0);
  const RunCosts before = costs_so_far();
  const auto start = Clock::now();
  const double duration = options.duration_ms;
  auto reported = start;
  for (int done = 0;; ++done) {
    const double ms = elapsed(start);
    if (options.iterations) {
      if (done >= *options.iterations) break;
    } else if (done >= kMaxIterations || (done >= kMinIterations && ms >= duration)) {
      break;
    }
    if (elapsed(reported) > kReportMs) {
      reported = Clock::now();
      const double of_iterations =
          static_cast<double>(done) / options.iterations.value_or(kMinIterations);
      report("time", std::min({1.0, of_iterations, options.iterations ? 1.0 : ms / duration}));
    }
    times.timed.push_back(run_once(request, origin));
  }
  const RunCosts after = costs_so_far();
  times.costs = {.wall_ms = elapsed(start),
                 .cpu_ms = after.cpu_ms - before.cpu_ms,
                 .involuntary_switches = after.involuntary_switches - before.involuntary_switches};
  return times;
}

Throughput measure_throughput(ov::CompiledModel& compiled, int requests, const Options& options,
                              const Report& report) {
  report("throughput", 0);
  ParallelRequests parallel(static_cast<std::size_t>(requests));
  parallel.make(compiled, options.seed);
  const auto elapsed = [](Clock::time_point since) { return ms_between(since, Clock::now()); };
  const auto warm_start = Clock::now();
  parallel.run_while([&](std::int64_t started) {
    return started < std::int64_t{kMinWarmup} * requests || elapsed(warm_start) < kWarmupMs;
  });
  const auto start = Clock::now();
  auto reported = start;
  Throughput result{.requests = requests};
  result.count = parallel.run_while([&](std::int64_t started) {
    const double ms = elapsed(start);
    if (elapsed(reported) > kReportMs) {
      reported = Clock::now();
      report("throughput", std::min(1.0, ms / options.duration_ms));
    }
    if (options.iterations) return started < std::int64_t{*options.iterations} * requests;
    return started < std::int64_t{kMinIterations} * requests || ms < options.duration_ms;
  });
  result.wall_ms = elapsed(start);
  return result;
}

Profile measure_layers(ov::Core& core, ov::CompiledModel& compiled, const ov::AnyMap& config,
                       double latency_ms, const Options& options, const Report& report) {
  report("profile", 0);
  const RoundPlan plan = plan_rounds(latency_ms, options);
  Profile profile;
  profile.rounds = plan.rounds;
  profile.warmup = plan.warmup;
  profile.iterations = plan.iterations;
  Blob blob(compiled);
  ov::AnyMap profiled = config;
  profiled[ov::enable_profiling.name()] = true;
  // Each stream has its own counters, and only one runs here.
  if (options.streams > 1) {
    profiled[ov::num_streams.name()] = ov::streams::Num(1);
    profiled[ov::inference_num_threads.name()] = options.threads;
  }
  LayerTable layers(profile.layers);
  LayerTable fused(profile.fused);

  const auto origin = Clock::now();
  for (int round = 0; round < plan.rounds; ++round) {
    const auto import_start = Clock::now();
    ov::CompiledModel imported = core.import_model(blob.tensor(), "CPU", profiled);
    profile.import_ms.push_back(ms_between(import_start, Clock::now()));
    ov::InferRequest request = make_request(imported, options.seed);
    for (int i = 0; i < plan.warmup; ++i) run_once(request, origin);
    const auto before =
        plan.warmup > 0 ? request.get_profiling_info() : std::vector<ov::ProfilingInfo>{};
    for (int i = 0; i < plan.iterations; ++i) {
      profile.latencies_ms.push_back(run_once(request, origin).latency_ms);
    }
    const auto after = request.get_profiling_info();
    layers.start_round();
    fused.start_round();
    for (std::size_t i = 0; i < after.size(); ++i) {
      const ov::ProfilingInfo& info = after[i];
      if (info.exec_type == "undef") {
        fused.at(info);
        continue;
      }
      const auto mean_us = [](const ov::ProfilingInfo& counter) {
        return static_cast<double>(counter.real_time.count());
      };
      const double last = plan.warmup + plan.iterations;
      double total_us = mean_us(info) * last;
      if (i < before.size()) total_us -= mean_us(before[i]) * plan.warmup;
      // Means are whole microseconds, so a layer that takes almost nothing can come out negative.
      layers.at(info).samples_ms.push_back(std::max(0.0, total_us / plan.iterations / 1000));
    }
    report("profile", (round + 1.0) / plan.rounds);
  }
  return profile;
}

}  // namespace planex::drive
