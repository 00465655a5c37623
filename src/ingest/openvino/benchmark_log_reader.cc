#include "ingest/openvino/benchmark_log_reader.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

#include "base/text.h"
#include "base/try.h"
#include "ingest/openvino/benchmark_facts.h"
#include "ingest/openvino/benchmark_lines.h"
#include "ingest/openvino/benchmark_runs.h"
#include "ingest/openvino/counter_table.h"
#include "ingest/openvino/numbers.h"
#include "ingest/openvino/text_input.h"
#include "ingest/openvino/version.h"
#include "ingest/shown_run.h"

namespace planex::ingest::openvino {
namespace {

using base::format;
using model::Severity;
using Line = TextInput::Line;

// Messages of every run with counters and without pictures as input.
constexpr std::array<std::string_view, 3> kUsualWarnings = {
    "Turn on performance counters", "No input files were given", "Performance counters for"};

// "  Median:   13.51 ms" -> "Median", "13.51 ms".
std::pair<std::string_view, std::string_view> split_pair(std::string_view text) {
  const std::size_t colon = std::min(text.find(':'), text.size());
  return {base::trimmed(text.substr(0, colon)),
          base::trimmed(text.substr(std::min(colon + 1, text.size())))};
}

// "13.51 ms", or "186.48 us" if it is less than one -> ms.
std::optional<double> figure(std::string_view text) {
  for (const auto& [unit, factor] :
       {std::pair<std::string_view, double>{" ms", 1}, {" us", 0.001}}) {
    if (!text.ends_with(unit)) continue;
    const auto number = parse_number(text.substr(0, text.size() - unit.size()));
    return number ? std::optional(*number * factor) : std::nullopt;
  }
  return std::nullopt;
}

// "Throughput: 1731.29 FPS", "Count: 2933 iterations", which end every log.
struct Results {
  bool has_throughput = false, has_count = false;
};
void find_results(std::string_view line, Results& found) {
  const std::string_view text = untagged(line);
  found.has_throughput =
      found.has_throughput || (text.starts_with("Throughput:") && text.ends_with(" FPS"));
  found.has_count =
      found.has_count || (text.starts_with("Count:") && text.ends_with(" iterations"));
}

class LogReader {
 public:
  LogReader(const Artefact& artefact, model::ModelBuilder& builder)
      : artefact_(artefact),
        builder_(builder),
        input_(artefact, builder),
        table_(artefact, builder) {}

  Result<void> read() {
    const std::vector<BenchmarkRun> runs = find_benchmark_runs(input_.text());
    const std::size_t shown =
        artefact_.run ? static_cast<std::size_t>(*artefact_.run - 1) : default_benchmark_run(runs);
    if (shown >= runs.size()) return fail(no_such_run(runs.size(), artefact_));
    add_benchmark_runs(runs, shown, artefact_, builder_);
    input_.only(runs[shown].begin, runs[shown].end);
    while (const auto line = input_.next()) read_line(*line);
    if (step_.empty() && table_.row_count() == 0 && !has_results_) {
      return fail({.code = ErrorCode::kBadInput,
                   .message = format("not a log of benchmark_app: it contains no line with {}, no "
                                     "result and no table of layers",
                                     base::quoted(kFirstStep)),
                   .file = artefact_.path,
                   .byte_offset = 0});
    }
    finish();
    return {};
  }

 private:
  void keep(std::string_view section, std::string_view key, std::string_view value) {
    builder_.add_metadata(section, key, value, artefact_.path);
    ++record_count_;
  }

  void report(std::string_view code, std::string message, const Line* line,
              Severity severity = Severity::kWarning) {
    builder_.add_diagnostic(
        {.code = code,
         .severity = severity,
         .message = std::move(message),
         .file = artefact_.path,
         .byte_offset = line == nullptr ? std::nullopt : std::optional(line->byte_offset)});
  }

  // The text after "[ INFO ]"; nothing if the line has another tag or none.
  static std::optional<std::string_view> tagged(std::string_view text, std::string_view tag) {
    if (!text.starts_with(tag)) return std::nullopt;
    return text.substr(tag.size());
  }

  void read_line(const Line& line) {
    const std::string_view text = base::trimmed(line.text);
    if (table_.take(untagged(text), line.byte_offset)) return;
    if (text.starts_with("[Step ")) return read_step(text);
    if (const auto said = tagged(text, "[ INFO ]")) return read_info(*said);
    if (const auto said = tagged(text, "[ WARNING ]")) {
      const std::string_view words = base::trimmed(*said);
      const bool is_usual = std::ranges::any_of(
          kUsualWarnings, [&](std::string_view usual) { return words.starts_with(usual); });
      report("benchmark-warning", format("benchmark_app warned: {}", base::quoted(words, 300)),
             &line, is_usual ? Severity::kInfo : Severity::kWarning);
      return;
    }
    if (const auto said = tagged(text, "[ ERROR ]")) {
      report("benchmark-error",
             format("benchmark_app failed, so some figures are missing: {}",
                    base::quoted(base::trimmed(*said), 300)),
             &line, Severity::kError);
      return;
    }
    if (text.empty()) return;
    // Before 2022.2 the results had no tag, and before 2021.4 neither did the lines after a
    // heading.
    const bool is_build = (topic_ == Topic::kVersion || topic_ == Topic::kDevice) &&
                          (text.find("...") != text.npos || device_.empty());
    if (read_result(text) || (is_build && read_build(text))) return;
    if (unread_count_++ == 0) unread_ = text;
  }

  // "[Step 10/11] Measuring performance (Start inference asynchronously, 4 inference requests …)"
  void read_step(std::string_view text) {
    const std::size_t close = std::min(text.find(']'), text.size());
    step_ = "step ";
    step_ += text.substr(6, std::min(text.find('/'), close) - std::min<std::size_t>(6, close));
    topic_ = Topic::kNone;
    const std::string_view title = base::trimmed(text.substr(std::min(close + 1, text.size())));
    keep(kLogSection, step_, title);
    const std::size_t requests = title.find(" inference requests");
    if (requests == title.npos) return;
    const std::size_t before = title.substr(0, requests).find_last_of(" (");
    if (before == title.npos) return;
    facts_.requests = parse_integer(title.substr(before + 1, requests - before - 1));
  }

  // The topic of the lines that follow.
  enum class Topic : std::uint8_t {
    kNone,
    kVersion,
    kDevice,
    kInputs,
    kOutputs,
    kProperties,
    kLatency,
    kOtherLatency
  };

  void read_info(std::string_view said) {
    const std::string_view text = base::trimmed(said);
    if (text.empty()) return;
    if (read_heading(text)) return;
    if (topic_ == Topic::kVersion || topic_ == Topic::kDevice) {
      if (read_build(text)) return;
    }
    if (topic_ == Topic::kInputs || topic_ == Topic::kOutputs) {
      // "input (node: input) : u8 / [N,C,H,W] / [8,3,224,224]"
      if (const std::size_t colon = text.find(" : ");
          colon != text.npos && said.starts_with("  ")) {
        keep(io_section(), base::trimmed(text.substr(0, colon)),
             base::trimmed(text.substr(colon + 3)));
        return;
      }
    }
    if (topic_ == Topic::kProperties && said.starts_with("  ")) return read_property(text);
    if (read_result(text) || read_duration(text)) return;
    keep(kLogSection, step_.empty() ? std::string_view("before step 1") : step_, text);
  }

  bool read_heading(std::string_view text) {
    if (text == "OpenVINO:" || text == "InferenceEngine:" || text.starts_with("OpenVINO Runtime")) {
      topic_ = Topic::kVersion;
      return !read_build(text);
    }
    if (text == "Device info:" || text == "Device info") {
      topic_ = Topic::kDevice;
    } else if (text == "Model inputs:" || text == "Network inputs:") {
      topic_ = Topic::kInputs;
    } else if (text == "Model outputs:" || text == "Network outputs:") {
      topic_ = Topic::kOutputs;
    } else if (text == "Model:" || text == "DEVICE:") {
      topic_ = Topic::kProperties;
    } else if (text == "Latency:") {
      topic_ = Topic::kLatency;
    } else if (text.starts_with("Latency for each data shape group")) {
      topic_ = Topic::kOtherLatency;
    } else {
      return false;
    }
    return true;
  }

  // "Build ................................. 2026.4.1-22982-e213a147257-releases/2026/4", or the
  // device's name.
  bool read_build(std::string_view text) {
    const std::size_t dots = text.find("...");
    if (dots == text.npos) {
      if (topic_ != Topic::kDevice) return false;
      if (device_.empty()) device_ = text;
      keep("device info", "device", text);
      return true;
    }
    const std::size_t start = std::min(text.find_first_not_of(". ", dots), text.size());
    const std::string_view version = text.substr(start);
    keep(topic_ == Topic::kDevice ? "device info" : "openvino", base::trimmed(text.substr(0, dots)),
         version);
    const bool is_version = topic_ == Topic::kVersion && !text.starts_with("Description");
    if (is_version) set_producer_version(release_of(version), builder_);
    return true;
  }

  // Up to 2021 the version of the API came before that of the release: "2.1.2020.4.0-359-21e0".
  static std::string_view release_of(std::string_view version) {
    constexpr std::string_view kApi = "2.1.";
    if (version.starts_with(kApi) && version.substr(kApi.size()).starts_with("20")) {
      version.remove_prefix(kApi.size());
    }
    return version == "2.1" ? std::string_view() : version;
  }

  // The file's own inputs come first, then those that the program made from them.
  std::string_view io_section() const {
    const bool is_original = step_ == "step 4" || step_ == "step 5";
    if (topic_ == Topic::kInputs) return is_original ? "original model inputs" : "model inputs";
    return is_original ? "original model outputs" : "model outputs";
  }

  void read_property(std::string_view text) {
    const auto [key, value] = split_pair(text);
    keep("runtime configuration", key, value);
    if (key == "PERF_COUNT" || key == "PERF_COUNT_PROPERTY") {
      facts_.counters_on = value == "YES" || value == "True" || value == "true";
    } else if (key == "EXECUTION_DEVICES") {
      take_execution_devices(value);
    }
  }

  // "['CPU']", in C++ "CPU": what AUTO chose.
  void take_execution_devices(std::string_view list) {
    std::string names;
    for (const char c : list) {
      if (c != '[' && c != ']' && c != '\'' && c != '"') names += c;
    }
    if (!names.empty()) device_ = names;
  }

  // "Compile model took 161.12 ms"
  bool read_duration(std::string_view text) {
    const std::size_t took = text.find(" took ");
    if (took == text.npos || !text.ends_with(" ms")) return false;
    const std::string_view key = text.substr(0, took);
    const std::string_view value = text.substr(took + 6);
    keep("benchmark durations", key, value);
    if (key == "First inference") facts_.first_ms = figure(value);
    return true;
  }

  bool read_result(std::string_view text) {
    const auto [key, value] = split_pair(text);
    if (value.empty()) return false;
    const bool is_latency = topic_ == Topic::kLatency;
    if (key == "Count") {
      facts_.iterations = parse_integer(value.substr(0, value.find(' ')));
    } else if (key == "Duration") {
      facts_.duration_ms = figure(value);
    } else if (key == "Execution Devices") {
      take_execution_devices(value);
    } else if (key == "Latency") {
      facts_.median_ms = figure(value);  // before 2022.1
    } else if (is_latency && key == "Median") {
      facts_.median_ms = figure(value);
    } else if (is_latency && key == "Average") {
      facts_.mean_ms = figure(value);
    } else if (is_latency && key == "Min") {
      facts_.min_ms = figure(value);
    } else if (is_latency && key == "Max") {
      facts_.max_ms = figure(value);
    } else if (is_latency && key.ends_with(" percentile")) {
      facts_.percentile = parse_integer(key.substr(0, key.find(' ')));
      facts_.percentile_ms = figure(value);
    } else if (key == "Full device name") {
      if (device_.empty() || device_ == "CPU") device_ = value;
    } else if (key != "Throughput") {
      return false;
    }
    has_results_ = true;
    keep("benchmark results", key, value);
    return true;
  }

  void finish() {
    builder_.model().files.record_count.set(
        artefact_.file_row, static_cast<std::int64_t>(record_count_ + table_.row_count()));
    table_.finish();
    model::EngineTable& engine = builder_.model().engine;
    if (engine.producer.is_null(0)) engine.producer.set(0, builder_.strings().intern("openvino"));
    if (table_.row_count() > 0 && !facts_.counters_on) facts_.counters_on = true;
    if (engine.device.is_null(0) && !device_.empty()) {
      engine.device.set(0, builder_.strings().intern(device_));
    }
    if (unread_count_ > 0) {
      report(
          "unread-lines",
          format("{} not from benchmark_app and not read, such as {}",
                 base::counted(unread_count_, "line is", "lines are"), base::quoted(unread_, 60)),
          nullptr, Severity::kInfo);
    }
    add_benchmark_facts(facts_, kLogSection, artefact_, builder_);
  }

  const Artefact& artefact_;
  model::ModelBuilder& builder_;
  TextInput input_;
  CounterTable table_;
  BenchmarkFacts facts_;
  bool has_results_ = false;
  std::string step_;  // "step 7"
  Topic topic_ = Topic::kNone;
  std::string device_;
  std::size_t record_count_ = 0, unread_count_ = 0;
  std::string_view unread_;  // the first
};

}  // namespace

Confidence sniff_benchmark_log(std::string_view head) {
  const std::size_t step = head.find(kFirstStep);
  const bool has_first_step =
      step != head.npos && head.find("] Parsing and validating input arguments", step) != head.npos;
  if (has_first_step) return Confidence::kSure;
  // A pasted excerpt can begin anywhere.
  Results results;
  while (!head.empty()) {
    find_results(base::take_part(head, '\n'), results);
    if (results.has_throughput && results.has_count) return Confidence::kSure;
  }
  return results.has_throughput ? Confidence::kMaybe : Confidence::kNo;
}

Confidence sniff_counters_log(std::string_view head) {
  while (!head.empty()) {
    if (parse_counter_row(untagged(base::take_part(head, '\n')))) return Confidence::kSure;
  }
  return Confidence::kNo;
}

Result<void> read_benchmark_log(const Artefact& artefact, model::ModelBuilder& builder) {
  return LogReader(artefact, builder).read();
}

}  // namespace planex::ingest::openvino
