// Tables of numbers in planex's own files: {"columns": {"latency_ms": [1.5, …], …}}.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "ingest/json_record.h"
#include "ingest/reader.h"
#include "model/builder.h"
#include "planex/error.h"

namespace planex::ingest::planex_files {

// What is read, and for which file.
struct NumberColumns {
  JsonRecords& json;
  model::ModelBuilder& builder;
  const Artefact& artefact;
  std::string_view expected;    // "a list of ms"
  std::string_view what;        // of rows, in the plural: "iterations"
  std::string_view key_column;  // the one that determines the number of rows

  // Reports a column that has no place in the table.
  Result<void> skip(std::string_view key, simdjson::ondemand::value& value,
                    const JsonPlace& place) const;
  // Replaces `column`; null is NaN. Errors: kBadInput (not a list of numbers), too many.
  Result<void> read(simdjson::ondemand::value& value, const JsonPlace& place,
                    std::vector<double>& column) const;
  // Whether a column of this length has a number for each row. If not, it is unknown which row a
  // number belongs to, so none must be used: reported as a diagnostic.
  bool has_length(std::string_view key, std::size_t length, std::size_t rows) const;
};

}  // namespace planex::ingest::planex_files
