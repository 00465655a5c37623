// Which columns of the schema the neutral document planex.plan/1 has, and how one cell is set by
// its column's name: what its writer and its reader share, so that neither can forget a column.
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
  kPlace,    // told by where the record stands in the document
  kDerived,  // left out: it follows from the rest
};

// A value of the kind that the column has: kInt and kId int64, kReal double, kText StringId,
// kIntList span, kWord string_view.
using PlanValue = std::variant<std::monostate, std::int64_t, double, base::StringId,
                               std::span<const std::int64_t>, std::string_view>;

struct PlanColumn {
  std::string_view name;
  ColumnKind kind;
  PlanUse use;
  // Sets the cell. False where the value is of another kind, or a word that is not known; the cell
  // is then as it was. An id is not checked against the table it points into.
  bool (*set)(PlanModel& model, std::size_t row, const PlanValue& value);
};

// The columns of schema()[table], in its order. Static storage.
std::span<const PlanColumn> plan_columns(std::size_t table);

// Tables that are no part of the document: `files` is about the files this model was read from,
// `findings` are worked out anew.
bool is_in_plan(std::string_view table);

}  // namespace planex::model
