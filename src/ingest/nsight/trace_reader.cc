#include "ingest/nsight/trace_reader.h"

#include <algorithm>
#include <array>
#include <functional>
#include <set>
#include <tuple>
#include <utility>

#include "base/text.h"
#include "base/try.h"
#include "base/utf8.h"
#include "ingest/nsight/graph_nodes.h"
#include "model/builder.h"

namespace planex::ingest::nsight {
namespace {

using Row = SqliteFile::Row;

// ENUM_NSYS_EVENT_TYPE. The second of each pair is used in files with NVTX's text format.
constexpr std::int64_t kPushPop = 59, kPushPopText = 70, kStartEnd = 60, kStartEndText = 71;
constexpr std::int64_t kDomainCreated = 75;
// TensorRT registers its ranges under this name; Myelin's own ranges are in a separate domain.
constexpr std::string_view kDomain = "TensorRT";

// Takes the place of a number of StringIds.
constexpr std::int64_t kNoText = std::numeric_limits<std::int64_t>::min();
// Takes the place of a kind of copy.
constexpr std::int64_t kFill = -1;

// Any odd multiplier mixes well enough; this is the golden ratio's.
constexpr std::size_t kMix = 0x9E3779B97F4A7C15ULL;

struct HashOfKind {
  std::size_t operator()(const LaunchKind& kind) const {
    std::size_t hash = kind.is_kernel ? 1 : 2;
    const auto add = [&](std::int64_t value) {
      hash = (hash ^ static_cast<std::size_t>(value)) * kMix;
      hash ^= hash >> 29;
    };
    for (const std::int64_t value : {kind.name, kind.short_name, kind.stream}) add(value);
    for (const std::int64_t value : kind.grid) add(value);
    for (const std::int64_t value : kind.block) add(value);
    add(kind.context.value_or(-1));
    add(kind.device.value_or(-1));
    add(kind.registers.value_or(-1));
    add(kind.shared_bytes.value_or(-1));
    return hash;
  }
};

class TraceReader {
 public:
  TraceReader(SqliteFile& file, const LayerNames& names, const std::string& path)
      : file_(file), names_(names), path_(path) {}

  Result<Trace> read() {
    PLANEX_TRY(read_meanings());
    PLANEX_TRY(read_domains());
    PLANEX_TRY(read_ranges());
    PLANEX_TRY(read_kernels());
    PLANEX_TRY(read_copies());
    PLANEX_TRY(read_fills());
    if (is_too_large_) return fail(model::too_many(too_many_, kMaxLaunches, path_));
    PLANEX_TRY(read_calls());
    PLANEX_ASSIGN(trace_.nodes, nodes_.read(file_, {processes_, threads_, has_processes_}));
    PLANEX_TRY(file_.scan("CUPTI_ACTIVITY_KIND_GRAPH_TRACE", std::array{kStart},
                          [this](const Row&) { ++trace_.counts.graph_traces; }));
    return std::move(trace_);
  }

 private:
  static constexpr std::string_view kStart = "start";

  // The meaning of texts that ranges refer to by number. Most of StringIds are other things.
  Result<void> read_meanings() {
    return file_.scan("StringIds", std::array<std::string_view, 2>{"id", "value"},
                      [this](const Row& row) {
                        const auto id = row.number(0);
                        const auto text = row.text(1);
                        if (!id || !text) return;
                        const Meaning meaning = names_.meaning_of(*text);
                        if (meaning != kOther) meanings_.emplace(*id, meaning);
                        if (text->starts_with(kDomain)) domain_names_.insert(*id);
                      });
  }

  Result<void> read_domains() {
    constexpr std::array<std::string_view, 4> kColumns = {"globalTid", "domainId", "text",
                                                          "textId"};
    return file_.scan(
        "NVTX_EVENTS", kColumns,
        [this](const Row& row) {
          const auto text = row.text(2);
          const auto id = row.number(3);
          const bool is_ours = text && !text->empty() ? text->starts_with(kDomain)
                                                      : id && domain_names_.contains(*id);
          if (!is_ours) return;
          domains_.emplace(process_of_thread(row.number(0).value_or(0)), row.number(1).value_or(0));
          trace_.counts.has_domain = true;
        },
        SqliteFile::Filter{"eventType", kDomainCreated});
  }

  Result<void> read_ranges() {
    constexpr std::array<std::string_view, 7> kColumns = {
        "start", "end", "eventType", "globalTid", "domainId", "text", "textId"};
    trace_.counts.has_ranges = file_.has("NVTX_EVENTS");
    return file_.scan("NVTX_EVENTS", kColumns, [this](const Row& row) { add_range(row); });
  }

  void add_range(const Row& row) {
    TraceCounts& counts = trace_.counts;
    const std::int64_t type = row.number(2).value_or(kPushPop);
    if (type != kPushPop && type != kPushPopText && type != kStartEnd && type != kStartEndText) {
      return;
    }
    const std::int64_t thread = row.number(3).value_or(0);
    if (counts.has_domain &&
        !domains_.contains({process_of_thread(thread), row.number(4).value_or(0)})) {
      return;
    }
    const Meaning meaning = meaning_of(row);
    // If the domain is unknown, ranges of other libraries must be ignored.
    if (!counts.has_domain && meaning == kOther) return;
    ++counts.domain_ranges;
    const auto start = row.number(0), end = row.number(1);
    if (!start || !end || !is_time(*start) || !is_time(*end) || *end < *start) {
      ++counts.odd_ranges;
      return;
    }
    if (meaning == kOther) {
      remember_example(row);
    } else if (meaning != kExecution) {
      ++counts.layer_ranges;
    }
    if (trace_.ranges.size() >= kMaxRanges) {
      too_many_ = "ranges";
      is_too_large_ = true;
      return;
    }
    trace_.ranges.push_back(
        {.start = *start, .end = *end, .thread = threads_.of(thread), .meaning = meaning});
  }

  Meaning meaning_of(const Row& row) const {
    const auto text = row.text(5);
    if (text && !text->empty()) return names_.meaning_of(*text);
    const auto id = row.number(6);
    if (!id) return kOther;
    const auto found = meanings_.find(*id);
    return found == meanings_.end() ? kOther : found->second;
  }

  void remember_example(const Row& row) {
    TraceCounts& counts = trace_.counts;
    if (counts.example || !counts.example_text.empty()) return;
    constexpr std::size_t kMaxBytes = 1000;
    const auto text = row.text(5);
    if (text && !text->empty()) {
      counts.example_text = text->substr(0, kMaxBytes);
    } else {
      counts.example = row.number(6);
    }
  }

  Result<void> read_kernels() {
    constexpr std::array<std::string_view, 20> kColumns = {"start",
                                                           "end",
                                                           "correlationId",
                                                           "globalPid",
                                                           "graphNodeId",
                                                           "streamId",
                                                           "contextId",
                                                           "deviceId",
                                                           "gridX",
                                                           "gridY",
                                                           "gridZ",
                                                           "blockX",
                                                           "blockY",
                                                           "blockZ",
                                                           "demangledName",
                                                           "shortName",
                                                           "registersPerThread",
                                                           "staticSharedMemory",
                                                           "dynamicSharedMemory",
                                                           "mangledName"};
    return file_.scan("CUPTI_ACTIVITY_KIND_KERNEL", kColumns, [this](const Row& row) {
      LaunchKind kind;
      constexpr std::size_t kShape = 8, kName = 14;
      kind.has_shape = true;
      for (std::size_t i = 0; i < 3; ++i) {
        const auto grid = row.number(kShape + i), block = row.number(kShape + 3 + i);
        kind.has_shape = kind.has_shape && grid && block && *grid > 0 && *block > 0;
        kind.grid[i] = grid.value_or(0);
        kind.block[i] = block.value_or(0);
      }
      kind.short_name = row.number(kName + 1).value_or(kNoText);
      kind.name = row.number(kName).value_or(row.number(kName + 5).value_or(kind.short_name));
      kind.registers = at_least_0(row.number(kName + 2));
      const auto fixed = at_least_0(row.number(kName + 3));
      const auto asked = at_least_0(row.number(kName + 4));
      if (fixed && asked && *fixed < kMaxTime && *asked < kMaxTime) {
        kind.shared_bytes = *fixed + *asked;
      }
      trace_.counts.has_kernels = true;
      add_launch(row, kind);
    });
  }

  static std::optional<std::int64_t> at_least_0(std::optional<std::int64_t> value) {
    return value && *value >= 0 ? value : std::nullopt;
  }

  Result<void> read_copies() {
    constexpr std::array<std::string_view, 9> kColumns = {
        "start",    "end",       "correlationId", "globalPid", "graphNodeId",
        "streamId", "contextId", "deviceId",      "copyKind"};
    return file_.scan("CUPTI_ACTIVITY_KIND_MEMCPY", kColumns, [this](const Row& row) {
      LaunchKind kind{.name = row.number(8).value_or(0)};
      kind.is_kernel = false;
      add_launch(row, kind);
    });
  }

  Result<void> read_fills() {
    constexpr std::array<std::string_view, 8> kColumns = {
        "start",       "end",      "correlationId", "globalPid",
        "graphNodeId", "streamId", "contextId",     "deviceId"};
    return file_.scan("CUPTI_ACTIVITY_KIND_MEMSET", kColumns, [this](const Row& row) {
      LaunchKind kind{.name = kFill};
      kind.is_kernel = false;
      add_launch(row, kind);
    });
  }

  // The first eight columns are common to all kinds of work.
  void add_launch(const Row& row, LaunchKind& kind) {
    const auto start = row.number(0), end = row.number(1);
    // A kernel that did not end before the recording has no time.
    if (!start || !end || !is_time(*start) || !is_time(*end) || *end < *start || *end == 0) {
      ++trace_.counts.odd_launches;
      return;
    }
    if (trace_.launches.size() >= kMaxLaunches) {
      too_many_ = "kernels and copies";
      is_too_large_ = true;
      return;
    }
    const auto stream = row.number(5);
    kind.has_stream = stream.has_value();
    kind.stream = stream.value_or(0);
    kind.context = at_least_0(row.number(6));
    kind.device = at_least_0(row.number(7));
    const auto next = static_cast<std::uint32_t>(trace_.kinds.size());
    const auto [found, is_new] = kinds_.try_emplace(kind, next);
    if (is_new) trace_.kinds.push_back(kind);
    Launch launch{.start = *start, .duration = *end - *start, .kind = found->second};
    const auto correlation = row.number(2);
    const auto process = row.number(3);
    has_processes_ = has_processes_ || process.has_value();
    if (correlation && *correlation > 0 && *correlation < std::int64_t{kNone}) {
      launch.correlation = static_cast<std::uint32_t>(*correlation);
    }
    launch.process = processes_.of(process.value_or(0));
    const auto node = row.number(4);
    if (node && *node != 0) {
      launch.node = nodes_.number_of({launch.process, *node});
      ++trace_.counts.graph_launches;
    }
    trace_.launches.push_back(launch);
  }

  // Each call is looked up among the launches, of which there are fewer.
  Result<void> read_calls() {
    using Key = std::pair<std::uint32_t, std::uint32_t>;
    std::vector<Launch>& launches = trace_.launches;
    const auto key_of = [](const Launch& launch) {
      return Key{launch.process, launch.correlation};
    };
    // Stable, so that the same file gives the same order.
    if (!std::ranges::is_sorted(launches, {}, key_of)) {
      std::ranges::stable_sort(launches, {}, key_of);
    }
    trace_.counts.has_calls = file_.has("CUPTI_ACTIVITY_KIND_RUNTIME");
    std::size_t next = 0;
    constexpr std::array<std::string_view, 3> kColumns = {"start", "correlationId", "globalTid"};
    PLANEX_TRY(file_.scan("CUPTI_ACTIVITY_KIND_RUNTIME", kColumns, [&](const Row& row) {
      const auto start = row.number(0), correlation = row.number(1);
      if (!start || !is_time(*start) || !correlation || *correlation <= 0 ||
          *correlation >= std::int64_t{kNone}) {
        return;
      }
      const std::int64_t thread = row.number(2).value_or(0);
      const Key key = {processes_.of(has_processes_ ? process_of_thread(thread) : 0),
                       static_cast<std::uint32_t>(*correlation)};
      // Calls mostly come in the order of their numbers.
      if (next >= launches.size() || key_of(launches[next]) != key) {
        const auto found = std::ranges::lower_bound(launches, key, {}, key_of);
        next = static_cast<std::size_t>(found - launches.begin());
      }
      for (; next < launches.size() && key_of(launches[next]) == key; ++next) {
        // All launches with this number belong to the first call; a file can repeat it any number
        // of times.
        if (launches[next].thread != kNone) break;
        launches[next].thread = threads_.of(thread);
        launches[next].called = *start;
      }
    }));
    for (const Launch& launch : launches) {
      if (launch.thread == kNone) ++trace_.counts.launches_without_call;
    }
    return {};
  }

  SqliteFile& file_;
  const LayerNames& names_;
  const std::string& path_;
  Trace trace_;
  std::unordered_map<std::int64_t, Meaning> meanings_;
  std::set<std::int64_t> domain_names_;
  std::set<std::pair<std::int64_t, std::int64_t>> domains_;  // process, domain
  std::unordered_map<LaunchKind, std::uint32_t, HashOfKind> kinds_;
  Numbering threads_, processes_;
  GraphNodes nodes_;
  bool has_processes_ = false, is_too_large_ = false;
  std::string_view too_many_;
};

}  // namespace

namespace {

// What Nsight Systems itself calls copies in its lists of kernels (ENUM_CUDA_MEMCPY_OPER).
std::string_view name_of_copy(std::int64_t kind) {
  static constexpr auto kNames = std::to_array<std::string_view>(
      {"[CUDA memcpy]", "[CUDA memcpy Host-to-Device]", "[CUDA memcpy Device-to-Host]",
       "[CUDA memcpy Host-to-Array]", "[CUDA memcpy Array-to-Host]", "[CUDA memcpy Array-to-Array]",
       "[CUDA memcpy Array-to-Device]", "[CUDA memcpy Device-to-Array]",
       "[CUDA memcpy Device-to-Device]", "[CUDA memcpy Host-to-Host]",
       "[CUDA memcpy Peer-to-Peer]"});
  if (kind == kFill) return "[CUDA memset]";
  const bool is_known = kind >= 0 && kind < static_cast<std::int64_t>(kNames.size());
  return kNames[is_known ? static_cast<std::size_t>(kind) : 0];
}

// The longest kernel names, with all template arguments, have about 10 kB.
std::string kept_text(std::string_view text) {
  constexpr std::size_t kMaxBytes = 64 * 1024;
  if (text.size() > kMaxBytes) {
    std::size_t length = kMaxBytes;
    while (length > 0 && base::is_inside_character(text, length)) --length;
    return base::valid_utf8(text.substr(0, length)) + "…";
  }
  return base::is_valid_utf8(text) ? std::string(text) : base::valid_utf8(text);
}

}  // namespace

Result<void> read_names(SqliteFile& file, Trace& trace, base::StringPool& strings) {
  std::unordered_map<std::int64_t, base::StringId> texts;
  for (const LaunchKind& kind : trace.kinds) {
    if (!kind.is_kernel) continue;
    texts.try_emplace(kind.name);
    texts.try_emplace(kind.short_name);
  }
  const std::optional<std::int64_t> example = trace.counts.example;
  PLANEX_TRY(
      file.scan("StringIds", std::array<std::string_view, 2>{"id", "value"}, [&](const Row& row) {
        const auto id = row.number(0);
        const auto text = row.text(1);
        if (!id || !text) return;
        if (id == example) trace.counts.example_text = kept_text(*text);
        const auto found = texts.find(*id);
        if (found == texts.end() || !found->second.is_null()) return;
        found->second = strings.intern(kept_text(*text));
      }));
  for (LaunchKind& kind : trace.kinds) {
    if (kind.is_kernel) {
      kind.text = texts[kind.name];
      kind.short_text = texts[kind.short_name];
    } else {
      kind.text = strings.intern(name_of_copy(kind.name));
    }
  }
  return {};
}

Result<Trace> read_trace(SqliteFile& file, const LayerNames& names, const std::string& path) {
  return TraceReader(file, names, path).read();
}

}  // namespace planex::ingest::nsight
