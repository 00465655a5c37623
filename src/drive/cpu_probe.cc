#include "drive/cpu_probe.h"

#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <string_view>
#include <system_error>
#include <thread>

#include "base/files.h"
#include "base/text.h"
#include "drive/cpu_kernels.h"
#include "drive/json_field.h"
#include "drive/machine_values.h"

namespace planex::drive {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Processor time of the calling thread.
double thread_seconds() {
  std::timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

// Runs work(i) for i < count, each on its own thread; on this thread if no more can be created.
void run_on_all(std::size_t count, const std::function<void(std::size_t)>& work) {
  std::vector<std::jthread> threads;
  for (std::size_t i = 1; i < count; ++i) {
    try {
      threads.emplace_back([&work, i] { work(i); });
    } catch (const std::system_error&) {
      work(i);
    }
  }
  work(0);
}

// Operations per second of processor time, summed over all threads: the best of a few rounds.
double peak_of(const PeakKernel& kernel, std::size_t threads) {
  constexpr int kTurns = 3;
  constexpr double kTurnSeconds = 0.02;
  constexpr std::size_t kRounds = 4096;
  double best = 0;
  for (int turn = 0; turn < kTurns; ++turn) {
    std::vector<double> rates(threads);
    run_on_all(threads, [&](std::size_t thread) {
      kernel.run(kRounds);  // wide units wake up first
      const double start = thread_seconds();
      double rounds = 0, elapsed = 0;
      while (elapsed < kTurnSeconds) {
        kernel.run(kRounds);
        rounds += static_cast<double>(kRounds);
        elapsed = thread_seconds() - start;
      }
      rates[thread] = rounds * kernel.operations_per_round / elapsed;
    });
    best = std::max(best, std::accumulate(rates.begin(), rates.end(), 0.0));
  }
  return best;
}

// Processor time used by this program, and by all programs of the machine together.
struct TimesNow {
  double own_ms = 0;
  std::optional<ProcessorTimes> all;
};

TimesNow times_now() {
  constexpr double kMsPerSecond = 1000, kMsPerMicrosecond = 1e-3;
  TimesNow now;
  ::rusage use{};
  ::getrusage(RUSAGE_SELF, &use);
  for (const ::timeval& part : {use.ru_utime, use.ru_stime}) {
    now.own_ms += static_cast<double>(part.tv_sec) * kMsPerSecond +
                  static_cast<double>(part.tv_usec) * kMsPerMicrosecond;
  }
  now.all = parse_processor_times(system_file("/proc/stat"));
  return now;
}

// A probe uses at most an eighth of all memory.
std::int64_t memory_bytes() {
  const auto pages = static_cast<std::int64_t>(::sysconf(_SC_PHYS_PAGES));
  const auto page = static_cast<std::int64_t>(::sysconf(_SC_PAGESIZE));
  return pages > 0 && page > 0 ? pages * page : kMaxArrayBytes;
}

void measure_bandwidth(std::size_t threads, CpuFigures& figures) {
  constexpr std::int64_t kMinBytes = std::int64_t{96} << 20, kCachesWide = 4;
  constexpr double kTimeLimit = 0.35;
  constexpr int kMaxPasses = 12;
  const std::int64_t wanted = std::clamp(figures.cache ? figures.cache->all_bytes * kCachesWide : 0,
                                         kMinBytes, kMaxArrayBytes);
  const std::int64_t all = std::min(wanted, std::max<std::int64_t>(memory_bytes() / 8, 1 << 20));
  const std::size_t each = static_cast<std::size_t>(all) / (3 * sizeof(double) * threads);
  figures.array_bytes = static_cast<std::int64_t>(each * 3 * sizeof(double) * threads);
  struct Arrays {
    std::vector<double> a, b, c;
  };
  // Each thread touches its own part first, so that its memory is near it.
  std::vector<Arrays> parts(threads);
  run_on_all(threads, [&](std::size_t i) {
    parts[i].a.assign(each, 0);
    parts[i].b.assign(each, 1);
    parts[i].c.assign(each, 2);
  });
  const Clock::time_point start = Clock::now();
  const auto pass = [&](std::string_view loop, const std::function<void(Arrays&)>& work) {
    std::vector<double> rates(threads);
    run_on_all(threads, [&](std::size_t i) {
      const double begin = thread_seconds();
      work(parts[i]);
      rates[i] = static_cast<double>(each * 3 * sizeof(double)) / (thread_seconds() - begin);
    });
    const double rate = std::accumulate(rates.begin(), rates.end(), 0.0);
    if (rate <= figures.bytes_per_s) return;
    figures.bytes_per_s = rate;
    figures.bandwidth_loop = loop;
  };
  std::vector<double> sums(threads);
  for (int i = 0; i < kMaxPasses && (i < 2 || seconds_since(start) < kTimeLimit); ++i) {
    pass("triad", [](Arrays& part) { triad(part.a, part.b, part.c); });
    pass("read", [&](Arrays& part) {
      sums[static_cast<std::size_t>(&part - parts.data())] =
          sum_of(part.a) + sum_of(part.b) + sum_of(part.c);
    });
  }
}

// Three significant digits: the measurement is no more precise.
double rounded(double value) {
  if (value <= 0) return 0;
  const double step = std::pow(10, std::floor(std::log10(value)) - 2);
  return std::round(value / step) * step;
}

void write_rate(JsonFileWriter& json, const char* key, double value) {
  json.Key(key);
  // As text with few digits: 45.6, not 45.600000000000001.
  const std::string text = base::format("{:.6g}", rounded(value));
  json.RawValue(text.data(), text.size(), rapidjson::kNumberType);
}

void write_peaks(JsonFileWriter& json, const char* key, const CpuFigures& figures, bool is_matrix) {
  std::map<std::string, double> by_type;
  for (const CpuPeak& peak : figures.peaks) {
    if (peak.is_matrix != is_matrix) continue;
    double& best = by_type[peak.type];
    best = std::max(best, peak.operations_per_s);
  }
  json.Key(key);
  json.StartObject();
  for (const auto& [type, rate] : by_type) write_rate(json, type.c_str(), rate / 1e12);
  json.EndObject();
}

std::string source_text(const CpuFigures& figures) {
  std::string loops;
  for (const CpuPeak& peak : figures.peaks) {
    loops += base::format(", {} {}", peak.type, peak.instructions);
  }
  return base::format("measured here by planex on {}: {} over {} MB{}",
                      base::counted(static_cast<std::size_t>(figures.threads), "processor"),
                      figures.bandwidth_loop, figures.array_bytes / 1'000'000, loops);
}

}  // namespace

CpuFigures measure_cpu() {
  CpuFigures figures;
  figures.host = this_host();
  figures.cache = last_level_cache();
  const Clock::time_point start = Clock::now();
  const TimesNow before = times_now();
  const std::size_t threads = std::max(1U, std::thread::hardware_concurrency());
  figures.threads = static_cast<std::int64_t>(threads);
  for (const PeakKernel& kernel : peak_kernels()) {
    figures.peaks.push_back({std::string(kernel.type), std::string(kernel.instructions),
                             kernel.is_matrix, peak_of(kernel, threads)});
  }
  measure_bandwidth(threads, figures);
  const TimesNow after = times_now();
  const double wall_ms = seconds_since(start) * 1000;
  if (before.all && after.all && wall_ms > 0) {
    const double all_ms =
        after.all->busy_ms - before.all->busy_ms + after.all->stolen_ms - before.all->stolen_ms;
    figures.other_processors = std::max(0.0, all_ms - (after.own_ms - before.own_ms)) / wall_ms;
  }
  return figures;
}

bool was_disturbed(const CpuFigures& figures) {
  // The system counts in hundredths of a second: smaller values are rounding.
  constexpr double kMinShare = 0.1;
  return figures.other_processors.value_or(0) > kMinShare * static_cast<double>(figures.threads);
}

std::string device_table_json(const CpuFigures& figures) {
  rapidjson::StringBuffer buffer;
  JsonFileWriter json(buffer);
  json.SetIndent(' ', 1);
  const Host& host = figures.host;
  const std::string cpu = host.cpu_model.empty() ? "CPU" : host.cpu_model;
  json.StartObject();
  write_field(json, "schema", "planex.devices/1");
  json.Key("devices");
  json.StartArray();
  json.StartObject();
  write_field(json, "name", cpu);
  write_field(json, "host", host.name);
  json.Key("cpu_count");
  json.Int64(host.cpu_count);
  write_rate(json, "memory_gb_per_s", figures.bytes_per_s / 1e9);
  write_peaks(json, "matrix_tflops", figures, true);
  write_peaks(json, "vector_tflops", figures, false);
  write_field(json, "source", source_text(figures));
  std::string note = "small layers may run from caches, which are faster than memory";
  if (figures.cache && figures.cache->all_bytes > figures.array_bytes) {
    note += base::format(
        "; the measured arrays fit into the last-level cache of {} MB: the bandwidth may be that "
        "of the cache",
        figures.cache->all_bytes / 1'000'000);
  }
  if (was_disturbed(figures)) {
    note += base::format(
        "; other programs used {:.1f} of {} during the measurement: the processor can exceed these "
        "rates",
        *figures.other_processors,
        base::counted(static_cast<std::size_t>(figures.threads), "processor"));
  }
  write_field(json, "note", note);
  json.EndObject();
  json.EndArray();
  json.EndObject();
  return std::string(buffer.GetString(), buffer.GetSize()) + "\n";
}

std::string cpu_table_file(const Host& host) {
  std::string key;
  for (const char c : base::format("{}-{}-{}", host.name, host.cpu_model, host.cpu_count)) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (plain || (!key.empty() && key.back() != '-')) key += plain ? c : '-';
  }
  constexpr std::size_t kLongestKey = 150;
  return cache_file(base::format("cpu-{}.devices.json", key.substr(0, kLongestKey)));
}

void keep_cpu_table(const CpuFigures& figures, const std::string& json) {
  const std::string file = cpu_table_file(figures.host);
  if (file.empty() || was_disturbed(figures)) return;
  std::error_code failed;
  std::filesystem::create_directories(std::string(base::folder_of(file)), failed);
  if (!failed) static_cast<void>(base::write_file_atomically(file, json));
}

}  // namespace planex::drive
