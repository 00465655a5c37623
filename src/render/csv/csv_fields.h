// The fields of a CSV record.
#pragma once

#include <string>
#include <string_view>

#include "model/data_table.h"
#include "model/plan_model.h"

namespace planex::render {

inline constexpr std::string_view kCsvLineEnd = "\r\n";

// With quotes where it needs them, and a ' in front where a spreadsheet would take it for a
// formula.
void append_csv(std::string& csv, std::string_view text);
// Lists are JSON texts.
void append_csv(std::string& csv, const model::Cell& cell);
void append_csv(std::string& csv, const model::Value& value);

}  // namespace planex::render
