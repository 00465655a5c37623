#include "ingest/tensorrt/times_reader.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "base/text.h"
#include "base/try.h"
#include "ingest/json_input.h"
#include "ingest/tensorrt/uniform_rows.h"

namespace planex::ingest::tensorrt {
namespace {

namespace ondemand = simdjson::ondemand;
using base::format;
using Table = model::IterationsTable;

struct TimeField {
  std::string_view key;
  model::Real Table::* column;
};
// The second name of a field is the one used in 7.x and 8.0.
constexpr std::array<TimeField, 19> kFields = {{
    {"startEnqMs", &Table::start_enqueue_ms},
    {"endEnqMs", &Table::end_enqueue_ms},
    {"startH2dMs", &Table::start_h2d_ms},
    {"startInMs", &Table::start_h2d_ms},
    {"endH2dMs", &Table::end_h2d_ms},
    {"endInMs", &Table::end_h2d_ms},
    {"startComputeMs", &Table::start_compute_ms},
    {"endComputeMs", &Table::end_compute_ms},
    {"startD2hMs", &Table::start_d2h_ms},
    {"startOutMs", &Table::start_d2h_ms},
    {"endD2hMs", &Table::end_d2h_ms},
    {"endOutMs", &Table::end_d2h_ms},
    {"h2dMs", &Table::h2d_ms},
    {"inMs", &Table::h2d_ms},
    {"computeMs", &Table::compute_ms},
    {"d2hMs", &Table::d2h_ms},
    {"outMs", &Table::d2h_ms},
    {"latencyMs", &Table::latency_ms},
    {"endToEndMs", &Table::latency_ms},
}};

// What can be derived from the times of a row.
void finish_row(Table& table, std::size_t row) {
  const auto start = table.start_enqueue_ms.get(row);
  table.start_ms.set(row, start ? start : table.start_compute_ms.get(row));
  table.end_ms.set(
      row, table.end_d2h_ms.get(row) ? table.end_d2h_ms.get(row) : table.end_compute_ms.get(row));
  if (start && table.end_enqueue_ms.get(row)) {
    table.enqueue_ms.set(row, table.end_enqueue_ms[row] - *start);
  }
}

// Adds the rows of a file whose rows all have the same form, like trtexec's. Returns false, and
// adds none, if they don't, or there are too many.
bool read_uniform_rows(std::string_view text, std::size_t max_rows, Table& table) {
  auto rows = UniformRows::open(text);
  if (!rows || table.row_count() > 0) return false;
  // The column of each key; none if it is not read.
  std::vector<model::Real Table::*> columns;
  bool has_latency = false;
  for (const std::string_view key : rows->keys()) {
    const auto field = std::ranges::find(kFields, key, &TimeField::key);
    const bool is_read = field != kFields.end() && !(key == "endToEndMs" && has_latency);
    columns.push_back(is_read ? field->column : nullptr);
    has_latency = has_latency || key == "latencyMs";
  }
  Table read;
  read.reserve(std::min(rows->expected_count(), max_rows));
  std::vector<double> numbers;
  while (rows->next(numbers)) {
    if (read.row_count() == max_rows) return false;
    const std::size_t row = read.add_row();
    read.index.set(row, static_cast<std::int64_t>(row));
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (columns[i] != nullptr) (read.*columns[i]).set(row, numbers[i]);
    }
    finish_row(read, row);
  }
  if (!rows->at_end()) return false;
  table = std::move(read);
  return true;
}

}  // namespace

Confidence sniff_times(std::string_view head) {
  const std::string_view text = base::trimmed(head);
  if (text.empty() || text.front() != '[') return Confidence::kNo;
  const std::string_view first = text.substr(0, 1024);
  return first.find("\"latencyMs\"") != first.npos || first.find("\"computeMs\"") != first.npos
             ? Confidence::kSure
             : Confidence::kNo;
}

namespace {

// Rows of any form.
Result<void> read_json_rows(const Artefact& artefact, model::ModelBuilder& builder) {
  JsonInput input(artefact, "a times file");
  PLANEX_TRY(input.open(builder));
  ondemand::array rows;
  if (const auto code = input.document().get_array().get(rows)) {
    Error error = input.broken("", code, "a list of inferences with \"computeMs\"");
    error.hint = "create a times file with `trtexec --exportTimes=FILE`";
    return fail(std::move(error));
  }
  Table& table = builder.model().iterations;
  // Fields always come in the same order; the search starts where the last one was found.
  std::size_t next_field = 0;
  for (auto entry : rows) {
    if (table.row_count() >= builder.limits().iterations) {
      return fail(model::too_many("iterations", builder.limits().iterations, artefact.path));
    }
    const std::size_t row = table.add_row();
    table.index.set(row, static_cast<std::int64_t>(row));
    ondemand::object object;
    if (const auto code = entry.get_object().get(object)) {
      return fail(input.broken(format("/{}", row), code, "an inference"));
    }
    bool has_latency = false;
    for (auto item : object) {
      ondemand::field field;
      if (const auto code = std::move(item).get(field)) {
        return fail(input.broken(format("/{}", row), code, "a key"));
      }
      const std::string_view key = JsonInput::key_of(field);
      std::size_t tried = 0;
      while (tried < kFields.size() && kFields[next_field].key != key) {
        next_field = (next_field + 1) % kFields.size();
        ++tried;
      }
      if (tried == kFields.size()) continue;
      // 8.0 to 8.2 have both; the latency proper excludes the wait for earlier inferences.
      if (key == "endToEndMs" && has_latency) continue;
      has_latency = has_latency || key == "latencyMs";
      std::optional<double> number;
      ondemand::value value = field.value();
      if (const auto code = input.number_of(value, number)) {
        return fail(input.broken(format("/{}/{}", row, pointer_token(key)), code, "a number"));
      }
      (table.*kFields[next_field].column).set(row, number);
    }
    finish_row(table, row);
  }
  input.report_trailing(builder);
  input.report_not_a_number(builder);
  return {};
}

}  // namespace

Result<void> read_times(const Artefact& artefact, model::ModelBuilder& builder) {
  Table& table = builder.model().iterations;
  if (!read_uniform_rows(artefact.bytes->view(), builder.limits().iterations, table)) {
    PLANEX_TRY(read_json_rows(artefact, builder));
  }
  builder.model().files.record_count.set(artefact.file_row,
                                         static_cast<std::int64_t>(table.row_count()));
  return {};
}

}  // namespace planex::ingest::tensorrt
