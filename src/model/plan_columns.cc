#include "model/plan_columns.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <type_traits>

namespace planex::model {
namespace {

struct Use {
  std::string_view table;
  std::string_view column;
  PlanUse use;
};
// All others are facts.
constexpr Use kUses[] = {
    {"layers", "layer_id", PlanUse::kPlace},
    // These follow from times, ports and weights, whatever a file says.
    {"layers", "is_reformat", PlanUse::kDerived},
    {"layers", "share", PlanUse::kDerived},
    {"layers", "corrected_ms", PlanUse::kDerived},
    {"layers", "corrected_share", PlanUse::kDerived},
    {"layers", "io_bytes", PlanUse::kDerived},
    {"layers", "footprint_bytes", PlanUse::kDerived},
    {"layers", "arithmetic_intensity", PlanUse::kDerived},
    {"layers", "simulated_db", PlanUse::kDerived},
    {"layers", "engine_db", PlanUse::kDerived},
    {"ports", "layer_id", PlanUse::kPlace},
    {"ports", "direction", PlanUse::kPlace},
    {"ports", "index", PlanUse::kPlace},
    {"ports", "tensor_id", PlanUse::kPlace},
    {"tensors", "tensor_id", PlanUse::kPlace},
    {"tensors", "producers", PlanUse::kDerived},
    {"tensors", "consumers", PlanUse::kDerived},
    {"tensors", "bytes", PlanUse::kDerived},
    {"tensors", "first_layer_id", PlanUse::kDerived},
    {"tensors", "last_layer_id", PlanUse::kDerived},
    {"sources", "layer_id", PlanUse::kPlace},
    {"attributes", "layer_id", PlanUse::kPlace},
    {"attributes", "key", PlanUse::kPlace},
    {"attributes", "value", PlanUse::kPlace},
    {"attributes", "value_type", PlanUse::kPlace},
    {"regions", "region_id", PlanUse::kPlace},
    {"tactic_choices", "choice_id", PlanUse::kPlace},
    {"calibration", "layer_id", PlanUse::kDerived},
    {"accuracy", "layer_id", PlanUse::kDerived},
    {"front_layers", "layer_id", PlanUse::kDerived},
    {"blocks", "block_id", PlanUse::kPlace},
    {"blocks", "layer_count", PlanUse::kDerived},
    {"operations", "operation_id", PlanUse::kPlace},
    {"operation_ports", "operation_id", PlanUse::kPlace},
    {"operation_ports", "direction", PlanUse::kPlace},
    {"operation_ports", "index", PlanUse::kPlace},
};

constexpr PlanUse use_of(std::string_view table, std::string_view column) {
  for (const Use& entry : kUses) {
    if (entry.table == table && entry.column == column) return entry.use;
  }
  return PlanUse::kFact;
}

template <typename T, typename C>
bool set_as(C& column, std::size_t row, const PlanValue& value) {
  const T* held = std::get_if<T>(&value);
  if (held != nullptr) column.set(row, *held);
  return held != nullptr;
}

bool set_cell(Int& column, std::size_t row, const PlanValue& value) {
  return set_as<std::int64_t>(column, row, value);
}
bool set_cell(Real& column, std::size_t row, const PlanValue& value) {
  return set_as<double>(column, row, value);
}
bool set_cell(Text& column, std::size_t row, const PlanValue& value) {
  return set_as<base::StringId>(column, row, value);
}
bool set_cell(IntList& column, std::size_t row, const PlanValue& value) {
  return set_as<std::span<const std::int64_t>>(column, row, value);
}
template <typename Tag>
bool set_cell(Column<base::Id<Tag>>& column, std::size_t row, const PlanValue& value) {
  const auto* held = std::get_if<std::int64_t>(&value);
  if (held == nullptr || *held < 0 || *held >= base::Id<Tag>::kNullValue) return false;
  column.set(row, base::Id<Tag>(static_cast<std::size_t>(*held)));
  return true;
}
bool set_cell(Column<Layout>& column, std::size_t row, const PlanValue& value) {
  const auto* word = std::get_if<std::string_view>(&value);
  const Layout layout = word == nullptr ? Layout{} : layout_of(*word);
  if (layout.order == Order::kNull) return false;
  column.set(row, layout);
  return true;
}
template <typename E>
  requires std::is_enum_v<E>
bool set_cell(Column<E>& column, std::size_t row, const PlanValue& value) {
  const auto* word = std::get_if<std::string_view>(&value);
  if (word == nullptr) return false;
  for (auto number = 0; number < static_cast<int>(E::kNull); ++number) {
    if (to_string(static_cast<E>(number)) != *word) continue;
    column.set(row, static_cast<E>(number));
    return true;
  }
  return false;
}

#define PLANEX_PLAN_COLUMN(kind, name, unit, description)                            \
  PlanColumn{#name, kKindOf<kind>, use_of(kTable, #name),                            \
             [](PlanModel& model, std::size_t row, const PlanValue& value) -> bool { \
               return set_cell(table_of(model).name, row, value);                    \
             }},
#define PLANEX_PLAN_TABLE(Struct, table, COLUMNS, description)              \
  struct Struct##Plan {                                                     \
    static constexpr std::string_view kTable = #table;                      \
    static Struct& table_of(PlanModel& model) { return model.table; }       \
    static constexpr PlanColumn kColumns[] = {COLUMNS(PLANEX_PLAN_COLUMN)}; \
  };
PLANEX_TABLES(PLANEX_PLAN_TABLE)
#undef PLANEX_PLAN_TABLE
#undef PLANEX_PLAN_COLUMN

#define PLANEX_PLAN_SPAN(Struct, table, COLUMNS, description) \
  std::span<const PlanColumn>(Struct##Plan::kColumns),
constexpr std::span<const PlanColumn> kPlanTables[] = {PLANEX_TABLES(PLANEX_PLAN_SPAN)};
#undef PLANEX_PLAN_SPAN

}  // namespace

std::span<const PlanColumn> plan_columns(std::size_t table) { return kPlanTables[table]; }

bool is_in_plan(std::string_view table) { return table != "files" && table != "findings"; }

}  // namespace planex::model
