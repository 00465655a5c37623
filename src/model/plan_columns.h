// Which columns of the schema are in the neutral document planex.plan/1, and how to set one cell by
// its column's name: shared by its writer and its reader, so that neither can miss a column.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <variant>

#include "base/string_pool.h"
#include "model/column_kind.h"
#include "model/plan_model.h"

namespace planex::model {

enum class PlanUse : std::uint8_t {
  kFact,     // in the document
  kPlace,    // implied by the position of the record in the document
  kDerived,  // left out: derived from the rest
};

// A value of the column's kind: kInt and kId int64, kReal double, kText StringId, kIntList span,
// kWord string_view.
using PlanValue = std::variant<std::monostate, std::int64_t, double, base::StringId,
                               std::span<const std::int64_t>, std::string_view>;

struct PlanColumn {
  std::string_view name;
  ColumnKind kind;
  PlanUse use;
  // Sets the cell. False where the value has another kind, or is an unknown word; the cell is then
  // unchanged. An id is not checked against the table it points into.
  bool (*set)(PlanModel& model, std::size_t row, const PlanValue& value);
};

// The columns of schema()[table], in its order. Static storage.
std::span<const PlanColumn> plan_columns(std::size_t table);

// Tables that are not part of the document: `files` is about the files this model was read from,
// `findings` are computed again.
bool is_in_plan(std::string_view table);

}  // namespace planex::model
