#include "ingest/openvino/counters.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/text.h"
#include "base/try.h"
#include "ingest/json_record.h"
#include "ingest/openvino/numbers.h"
#include "ingest/openvino/text_input.h"

namespace planex::ingest::openvino {
namespace {

namespace ondemand = simdjson::ondemand;
using base::format;
using model::Severity;

constexpr std::string_view kCountersFile = "a counters file";

// "EXECUTED", in Python "Status.EXECUTED".
CounterStatus parse_status(std::string_view word) {
  if (const std::size_t dot = word.rfind('.'); dot != word.npos) word.remove_prefix(dot + 1);
  if (word == "EXECUTED") return CounterStatus::kExecuted;
  if (word == "OPTIMIZED_OUT") return CounterStatus::kOptimizedOut;
  return CounterStatus::kNotRun;
}

// Checks common to both forms.
class RowChecker {
 public:
  RowChecker(const Artefact& artefact, model::ModelBuilder& builder, CounterList& counters)
      : artefact_(artefact), builder_(builder), counters_(counters) {}

  struct Place {
    std::string json_pointer;
    std::optional<std::uint64_t> byte_offset;
  };

  void report(std::string_view code, std::string message, const Place& place = {},
              Severity severity = Severity::kWarning) {
    builder_.add_diagnostic({.code = code,
                             .severity = severity,
                             .message = std::move(message),
                             .file = artefact_.path,
                             .json_pointer = place.json_pointer,
                             .byte_offset = place.byte_offset});
  }

  // A time in ms; nothing if the text is not one.
  std::optional<double> time(std::string_view text, std::string_view layer, const Place& place) {
    const auto number = parse_number(text);
    if (number && *number >= 0) return number;
    report("bad-time",
           format("the time of {} is {}, expected ms; it was left out", base::quoted(layer),
                  base::quoted(text, 40)),
           place);
    return std::nullopt;
  }

  // Reports a total that differs from the sum: rows are missing, or come from another run.
  void check_total(std::optional<double> total_ms, const Place& place) {
    if (!total_ms) return;
    const double sum = counters_.request_ms();
    // Each row is rounded by at most a microsecond.
    const double rounding = 0.001 * (static_cast<double>(counters_.request_rows()) + 1);
    if (std::abs(sum - *total_ms) <= rounding) return;
    report("wrong-total",
           format("the rows add up to {:.3f} ms, but the file says {:.3f} ms: rows may be missing",
                  sum, *total_ms),
           place);
  }

 private:
  const Artefact& artefact_;
  model::ModelBuilder& builder_;
  CounterList& counters_;
};

// --- CSV ---

// Fields of one line. In files with commas, Python's writer quotes the fields that need it.
std::vector<std::string> split(std::string_view line, char separator) {
  std::vector<std::string> fields(1);
  bool is_quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (separator == ',' && c == '"') {
      const bool is_doubled = is_quoted && i + 1 < line.size() && line[i + 1] == '"';
      if (is_doubled) {
        fields.back() += line[++i];
      } else {
        is_quoted = !is_quoted;
      }
    } else if (c == separator && !is_quoted) {
      fields.emplace_back();
    } else {
      fields.back() += c;
    }
  }
  return fields;
}

class CsvParser {
 public:
  CsvParser(const Artefact& artefact, model::ModelBuilder& builder, CounterList& counters)
      : artefact_(artefact),
        input_(artefact, builder),
        counters_(counters),
        check_(artefact, builder, counters) {}

  Result<void> parse() {
    while (const auto line = input_.next()) {
      if (line->text.starts_with("layerName")) {
        end_request();
        PLANEX_TRY(read_header(*line));
      } else if (!base::trimmed(line->text).empty()) {
        if (!in_request_) {
          return fail(error(format("not {}: a row comes before the header", kCountersFile), *line));
        }
        read_row(*line);
      }
    }
    end_request();
    if (counters_.request_count() == 0) {
      return fail(error(format("not {}: no header begins with layerName", kCountersFile), {}));
    }
    return {};
  }

 private:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  Error error(std::string message, const TextInput::Line& line) const {
    return {.code = ErrorCode::kBadInput,
            .message = std::move(message),
            .file = artefact_.path,
            .byte_offset = line.byte_offset};
  }

  Result<void> read_header(const TextInput::Line& line) {
    separator_ = line.text.find(';') == line.text.npos ? ',' : ';';
    const std::vector<std::string> names = split(line.text, separator_);
    const auto column = [&](std::string_view name) {
      const auto found = std::ranges::find_if(
          names, [&](const std::string& field) { return base::trimmed(field).starts_with(name); });
      return found == names.end() ? kNone : static_cast<std::size_t>(found - names.begin());
    };
    field_count_ = names.size();
    status_ = column("execStatus");
    type_ = column("layerType");
    kernel_ = column("execType");
    real_ = column("realTime");
    cpu_ = column("cpuTime");
    if (real_ == kNone) {
      return fail(error(format("not {}: the header has no column realTime", kCountersFile), line));
    }
    for (const std::size_t time : {real_, cpu_}) {
      if (time != kNone && names[time].find("(ms)") == std::string::npos) {
        return fail(error(
            format("times are in {}, expected a column with (ms)", base::quoted(names[time], 40)),
            line));
      }
    }
    counters_.begin_request();
    in_request_ = true;
    return {};
  }

  void read_row(const TextInput::Line& line) {
    const RowChecker::Place place{{}, line.byte_offset};
    // The sorted kind has the total as text, and a header with a quoted line break.
    if (line.text.starts_with("Total time:") || line.text.starts_with("Total CPU time:")) {
      has_total_ = true;
      return;
    }
    if (line.text == "\"") return;
    std::vector<std::string> fields = split(line.text, separator_);
    if (fields.size() < field_count_) {
      check_.report(
          "bad-row",
          format("the row {} has {}, but the header has {}; it was left out",
                 base::quoted(line.text, 60), base::counted(fields.size(), "field"), field_count_),
          place);
      return;
    }
    // Separators in names are not escaped, but no other field contains any.
    const auto others = fields.begin() + static_cast<std::ptrdiff_t>(fields.size() - field_count_);
    for (auto part = fields.begin(); part != others; ++part) {
      fields[0] += separator_;
      fields[0] += part[1];
    }
    fields.erase(fields.begin() + 1, others + 1);
    const auto field = [&](std::size_t column) {
      return column == kNone ? std::string_view() : base::trimmed(fields[column]);
    };
    if (fields[0] == "Total" && field(status_).empty() && field(type_).empty()) {
      has_total_ = true;
      check_.check_total(check_.time(field(real_), "all layers", place), place);
      return;
    }
    counters_.add(
        {.name = fields[0],
         .status = field(status_),
         .type = field(type_),
         .kernel = field(kernel_),
         .real_ms = check_.time(field(real_), fields[0], place),
         .cpu_ms = cpu_ == kNone ? std::nullopt : check_.time(field(cpu_), fields[0], place)});
  }

  void end_request() {
    if (in_request_ && !has_total_) {
      check_.report("no-total",
                    "no total follows the last rows: the file may be truncated, and layers may "
                    "lack a time");
    }
    in_request_ = has_total_ = false;
  }

  const Artefact& artefact_;
  TextInput input_;
  CounterList& counters_;
  RowChecker check_;

  bool in_request_ = false, has_total_ = false;
  char separator_ = ';';
  std::size_t field_count_ = 0;
  std::size_t status_ = kNone, type_ = kNone, kernel_ = kNone, real_ = kNone, cpu_ = kNone;
};

// --- JSON ---

class JsonParser {
 public:
  JsonParser(const Artefact& artefact, model::ModelBuilder& builder, CounterList& counters)
      : artefact_(artefact),
        builder_(builder),
        counters_(counters),
        json_(artefact, {.name = "", .version = 1, .what = kCountersFile}),
        check_(artefact, builder, counters) {}

  Result<void> parse() {
    JsonInput& input = json_.input();
    PLANEX_TRY(input.open());
    const JsonPlace root;
    ondemand::value value;
    if (const auto code = input.document().get_value().get(value)) {
      return fail(input.broken("", code, "an object"));
    }
    PLANEX_TRY(json_.each_field(
        value, root, "an object",
        [this](std::string_view key, ondemand::value& item, const JsonPlace& at) -> Result<void> {
          if (key == "detailed_performance" || key == "avg_performance") {
            return read_requests(item, at);
          }
          PLANEX_ASSIGN(const JsonText text, json_.written(item, at));
          builder_.add_metadata("counters", key, text.view, artefact_.path);
          return {};
        }));
    if (counters_.request_count() == 0) {
      return fail({.code = ErrorCode::kBadInput,
                   .message = format("not {}: it has no \"nodes\"", kCountersFile),
                   .file = artefact_.path,
                   .json_pointer = "/detailed_performance"});
    }
    input.report_trailing(builder_);
    return {};
  }

 private:
  Result<void> read_requests(ondemand::value& value, const JsonPlace& place) {
    if (value.raw_json_token().starts_with('{')) return read_request(value, place);
    return json_.each_item(
        value, place, "a list of requests",
        [this](ondemand::value& item, const JsonPlace& at) { return read_request(item, at); });
  }

  Result<void> read_request(ondemand::value& value, const JsonPlace& place) {
    std::optional<double> total;
    PLANEX_TRY(json_.each_field(
        value, place, "an object of nodes",
        [&](std::string_view key, ondemand::value& item, const JsonPlace& at) -> Result<void> {
          if (key == "nodes") {
            counters_.begin_request();
            return json_.each_item(item, at, "a list of nodes",
                                   [this](ondemand::value& node, const JsonPlace& where) {
                                     return read_node(node, where);
                                   });
          }
          if (key != "total_real_time") return skip(item, at);
          PLANEX_ASSIGN(total, time(item, "all layers", at));
          return {};
        }));
    check_.check_total(total, {place.pointer(), {}});
    return {};
  }

  Result<void> read_node(ondemand::value& value, const JsonPlace& place) {
    JsonText name, status, type, kernel;
    std::optional<double> real, cpu;
    bool has_name = false;
    PLANEX_TRY(json_.each_field(
        value, place, "a node",
        [&](std::string_view key, ondemand::value& item, const JsonPlace& at) -> Result<void> {
          JsonText* text = key == "name"        ? &name
                           : key == "status"    ? &status
                           : key == "node_type" ? &type
                           : key == "exec_type" ? &kernel
                                                : nullptr;
          has_name = has_name || key == "name";
          if (text != nullptr) {
            PLANEX_ASSIGN(*text, json_.text(item, at));
          } else if (key == "real_time") {
            PLANEX_ASSIGN(real, time(item, name.view, at));
          } else if (key == "cpu_time") {
            PLANEX_ASSIGN(cpu, time(item, name.view, at));
          } else {
            return skip(item, at);
          }
          return {};
        }));
    if (!has_name) {
      check_.report("profile-row-without-name", "the row has no name; its times belong to no layer",
                    {place.pointer(), {}});
      return {};
    }
    counters_.add({.name = name.view,
                   .status = status.view,
                   .type = type.view,
                   .kernel = kernel.view,
                   .real_ms = real,
                   .cpu_ms = cpu});
    return {};
  }

  // The content of other columns: the share of the sum, the sum of CPU times.
  Result<void> skip(ondemand::value& value, const JsonPlace& place) {
    PLANEX_TRY(json_.raw(value, place));
    return {};
  }

  // A number, or in Python's files a text that contains one.
  Result<std::optional<double>> time(ondemand::value& value, std::string_view layer,
                                     const JsonPlace& place) {
    if (!JsonRecords::is_text(value)) return json_.number(value, place);
    PLANEX_ASSIGN(const JsonText text, json_.text(value, place));
    return check_.time(text.view, layer, {place.pointer(), {}});
  }

  const Artefact& artefact_;
  model::ModelBuilder& builder_;
  CounterList& counters_;
  JsonRecords json_;
  RowChecker check_;
};

}  // namespace

void CounterList::begin_request() {
  ++request_count_;
  request_ms_ = 0;
  request_rows_ = 0;
  seen_in_request_.clear();
}

void CounterList::add(const CounterRow& row) {
  ++row_count_;
  ++request_rows_;
  const base::StringId name = strings_.intern(row.name);
  const std::size_t occurrence = seen_in_request_[name]++;
  const auto [known, is_new] = row_of_.try_emplace({name, occurrence}, counters_.size());
  if (is_new) {
    counters_.push_back(
        {.name = name, .type = strings_.intern(row.type), .kernel = strings_.intern(row.kernel)});
  }
  Counter& counter = counters_[known->second];
  CounterStatus status = parse_status(row.status);
  // In a file without the column: a layer that took time ran.
  if (row.status.empty() && row.real_ms.value_or(0) > 0) status = CounterStatus::kExecuted;
  counter.status = std::max(counter.status, status);
  request_ms_ += row.real_ms.value_or(0);
  if (status != CounterStatus::kExecuted) return;
  if (row.real_ms) counter.real_ms.push_back(*row.real_ms);
  if (row.cpu_ms) counter.cpu_ms.push_back(*row.cpu_ms);
}

Result<void> parse_counters(const Artefact& artefact, model::ModelBuilder& builder,
                            CounterList& counters) {
  if (first_line(artefact.bytes->view()).starts_with('{')) {
    return JsonParser(artefact, builder, counters).parse();
  }
  return CsvParser(artefact, builder, counters).parse();
}

}  // namespace planex::ingest::openvino
