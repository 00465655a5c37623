// Tables of one engine or several, for formats that write them whole.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "model/plan_model.h"
#include "planex/error.h"
#include "render/words/document_sink.h"

namespace planex::render {

struct LabelledModel {
  std::string_view label;
  const model::PlanModel* model = nullptr;
};

// As SQL names them: a table of the schema, or the layers that do work.
struct TableChoice {
  std::size_t table = 0;  // index into schema()
  bool work_only = false;
};
std::optional<TableChoice> find_table_choice(std::string_view name);
std::vector<std::string_view> table_choices();

// Rows and values as `SELECT * FROM table` returns them, and the same bytes as its CSV: with
// several engines their labels are a first column, `engine`. One line per row, CSV after a head.
// Errors: those of `sink`. Cost: O(size of the table) time, O(longest row) memory.
Result<void> write_csv(std::span<const LabelledModel> models, TableChoice choice,
                       const DocumentSink& sink);
// One object per line; lists are arrays, unknown values are null.
Result<void> write_json_lines(std::span<const LabelledModel> models, TableChoice choice,
                              const DocumentSink& sink);

}  // namespace planex::render
