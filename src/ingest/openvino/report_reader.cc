#include "ingest/openvino/report_reader.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "base/find.h"
#include "base/text.h"
#include "base/try.h"
#include "ingest/json_record.h"
#include "ingest/openvino/benchmark_facts.h"
#include "ingest/openvino/numbers.h"
#include "ingest/openvino/text_input.h"

namespace planex::ingest::openvino {
namespace {

namespace ondemand = simdjson::ondemand;
using base::format;
using model::Severity;

constexpr std::string_view kBenchmarkReport = "a benchmark report";
constexpr std::string_view kOptions = "command line parameters";
constexpr std::string_view kConfiguration = "configuration setup";
constexpr std::string_view kResults = "execution results";
constexpr std::string_view kGroups = "group latencies";

struct SectionName {
  std::string_view heading;  // CSV
  std::string_view key;      // JSON
  std::string_view section;  // metadata
};
constexpr std::array<SectionName, 4> kSections = {
    {{"Command line parameters", "cmd_options", kOptions},
     {"Configuration setup", "configuration_setup", kConfiguration},
     {"Execution results", "execution_results", kResults},
     {"Group Latencies", "", kGroups}}};

// The C++ program ends every line with a separator.
std::string_view without_separator(std::string_view line) {
  if (line.ends_with(';')) line.remove_suffix(1);
  return line;
}

const SectionName* heading(std::string_view line) {
  return base::find(kSections, without_separator(line), &SectionName::heading);
}

// One figure's name in the Python program, the C++ program and the latter's JSON.
struct FigureNames {
  std::array<std::string_view, 3> names;
  std::optional<double> BenchmarkFacts::* figure;
};
constexpr std::array<FigureNames, 6> kFigures = {
    {{{"latency (ms)", "median latency (ms)", "latency_median"}, &BenchmarkFacts::median_ms},
     {{"avg latency", "average latency (ms)", "latency_avg"}, &BenchmarkFacts::mean_ms},
     {{"min latency", "min latency (ms)", "latency_min"}, &BenchmarkFacts::min_ms},
     {{"max latency", "max latency (ms)", "latency_max"}, &BenchmarkFacts::max_ms},
     {{"first inference time (ms)", "", "first_inference_time"}, &BenchmarkFacts::first_ms},
     {{"total execution time (ms)", "", "execution_time"}, &BenchmarkFacts::duration_ms}}};

// "latency (95 percentile) (ms)" -> 95.
std::optional<std::int64_t> percentile_of(std::string_view key) {
  constexpr std::string_view kBefore = "latency (", kBehind = " percentile) (ms)";
  if (!key.starts_with(kBefore) || !key.ends_with(kBehind)) return std::nullopt;
  key.remove_prefix(kBefore.size());
  key.remove_suffix(std::min(kBehind.size(), key.size()));
  return parse_integer(key);
}

class ReportReader {
 public:
  ReportReader(const Artefact& artefact, model::ModelBuilder& builder)
      : artefact_(artefact), builder_(builder) {}

  Result<void> read() {
    if (first_line(artefact_.bytes->view()).starts_with('{')) {
      PLANEX_TRY(read_json());
    } else {
      PLANEX_TRY(read_csv());
    }
    builder_.model().files.record_count.set(artefact_.file_row,
                                            static_cast<std::int64_t>(row_count_));
    finish();
    return {};
  }

 private:
  struct Place {
    std::string json_pointer;
    std::optional<std::uint64_t> byte_offset;
  };

  void report(std::string_view code, std::string message, const Place& place,
              Severity severity = Severity::kWarning) {
    builder_.add_diagnostic({.code = code,
                             .severity = severity,
                             .message = std::move(message),
                             .file = artefact_.path,
                             .json_pointer = place.json_pointer,
                             .byte_offset = place.byte_offset});
  }

  // --- The two forms ---

  Result<void> read_csv() {
    TextInput input(artefact_, builder_);
    std::optional<SectionName> section;
    bool ends_with_separator = false;
    while (const auto line = input.next()) {
      std::string_view text = base::trimmed(line->text);
      if (text.empty()) continue;
      if (const SectionName* found = heading(text)) {
        section = *found;
        ends_with_separator = text.ends_with(';');
        continue;
      }
      if (!section) {
        return fail(
            {.code = ErrorCode::kBadInput,
             .message = format("not {}: it begins with {}, expected \"{}\"", kBenchmarkReport,
                               base::quoted(text, 40), kSections[0].heading),
             .file = artefact_.path,
             .byte_offset = line->byte_offset});
      }
      if (ends_with_separator) text = without_separator(text);
      const std::size_t separator = std::min(text.find(';'), text.size());
      take(section->section, text.substr(0, separator),
           text.substr(std::min(separator + 1, text.size())), {{}, line->byte_offset});
    }
    return {};
  }

  Result<void> read_json() {
    JsonRecords json(artefact_, {.name = "", .version = 1, .what = kBenchmarkReport});
    JsonInput& input = json.input();
    PLANEX_TRY(input.open());
    ondemand::value value;
    if (const auto code = input.document().get_value().get(value)) {
      return fail(input.broken("", code, "an object of sections"));
    }
    PLANEX_TRY(
        json.each_field(value, JsonPlace(), "an object of sections",
                        [&](std::string_view key, ondemand::value& item, const JsonPlace& at) {
                          return read_json_section(json, key, item, at);
                        }));
    input.report_trailing(builder_);
    return {};
  }

  Result<void> read_json_section(JsonRecords& json, std::string_view key, ondemand::value& value,
                                 const JsonPlace& place) {
    const SectionName* found = base::find(kSections, key, &SectionName::key);
    const std::string_view section = found == nullptr ? key : found->section;
    return json.each_field(
        value, place, "an object of figures",
        [&](std::string_view name, ondemand::value& item, const JsonPlace& at) -> Result<void> {
          if (JsonRecords::is_null(item)) return {};
          PLANEX_ASSIGN(const JsonText text, json.written(item, at));
          take(section, name, text.view, {at.pointer(), {}});
          return {};
        });
  }

  // --- The meaning of a row ---

  void take(std::string_view section, std::string_view key, std::string_view value,
            const Place& place) {
    builder_.add_metadata(section, key, value, artefact_.path);
    ++row_count_;
    if (section == kResults) take_result(base::lower(key), value, place);
    if (section == kConfiguration) take_configuration(base::lower(key), value);
    if (section == kOptions) take_option(key, value);
  }

  void take_result(const std::string& key, std::string_view value, const Place& place) {
    if (key == "error") {
      report(
          "benchmark-failed",
          format("benchmark_app failed, so some figures are missing: {}", base::quoted(value, 300)),
          place, Severity::kError);
      return;
    }
    if (key == "total number of iterations" || key == "iterations_num") {
      if (!facts_.iterations) facts_.iterations = figure<std::int64_t>(key, value, place);
      return;
    }
    if (key == "percentile boundary" || key == "percentile_boundary") {
      boundary_ = parse_integer(value);
      return;
    }
    if (const auto percentile = percentile_of(key)) {
      facts_.percentile = percentile;
      facts_.percentile_ms = figure<double>(key, value, place);
      return;
    }
    for (const FigureNames& names : kFigures) {
      if (std::ranges::find(names.names, key) == names.names.end()) continue;
      // Groups of input shapes repeat the names after the totals.
      std::optional<double>& target = facts_.*names.figure;
      if (!target) target = figure<double>(key, value, place);
      return;
    }
  }

  template <typename Number>
  std::optional<Number> figure(std::string_view key, std::string_view value, const Place& place) {
    std::optional<Number> number;
    if constexpr (std::is_same_v<Number, double>) {
      number = parse_number(value);
    } else {
      number = parse_integer(value);
    }
    if (number && *number >= 0) return number;
    report("bad-figure",
           format("{} is {}, expected a number; treated as unknown", key, base::quoted(value, 40)),
           place);
    return std::nullopt;
  }

  void take_configuration(const std::string& key, std::string_view value) {
    if (key == "number of parallel infer requests" || key == "nireq") {
      facts_.requests = parse_integer(value);
    } else if ((key == "target device" || key == "target_device") && !value.empty()) {
      device_ = value;
    }
  }

  // Python writes them with a dash, and flags with an empty value.
  void take_option(std::string_view key, std::string_view value) {
    while (key.starts_with('-')) key.remove_prefix(1);
    if (key == "report_type") {
      facts_.counters_on = facts_.counters_on.value_or(false) || value.ends_with("_counters");
      if (value == "no_counters") facts_.counters_on = has_counter_flag_;
    } else if (key == "pc" || key == "pcsort" || key == "perf_counts") {
      has_counter_flag_ = value != "0" && base::lower(value) != "false";
      facts_.counters_on = facts_.counters_on.value_or(false) || has_counter_flag_;
    }
  }

  void finish() {
    if (boundary_ && *boundary_ != 50 && facts_.median_ms && !facts_.percentile) {
      // The C++ program's JSON calls every percentile "median".
      facts_.percentile = boundary_;
      facts_.percentile_ms = facts_.median_ms;
      facts_.median_ms.reset();
    }
    model::EngineTable& engine = builder_.model().engine;
    if (engine.device.is_null(0) && !device_.empty()) {
      engine.device.set(0, builder_.strings().intern(device_));
    }
    if (row_count_ == 0) report("empty-report", "the report has no figures", {});
    add_benchmark_facts(facts_, kReportSection, artefact_, builder_);
  }

  const Artefact& artefact_;
  model::ModelBuilder& builder_;
  BenchmarkFacts facts_;
  std::optional<std::int64_t> boundary_;
  bool has_counter_flag_ = false;
  std::string device_;
  std::size_t row_count_ = 0;
};

}  // namespace

Confidence sniff_report(std::string_view head) {
  const std::string_view line = first_line(head);
  if (heading(line) != nullptr) return Confidence::kSure;
  if (!line.starts_with('{')) return Confidence::kNo;
  const auto has = [&](std::string_view key) { return head.find(key) != head.npos; };
  const bool is_ours = has("\"configuration_setup\"") || has("\"cmd_options\"");
  return is_ours && has("\"execution_results\"") ? Confidence::kSure : Confidence::kNo;
}

Result<void> read_report(const Artefact& artefact, model::ModelBuilder& builder) {
  return ReportReader(artefact, builder).read();
}

}  // namespace planex::ingest::openvino
