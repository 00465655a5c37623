#include "render/tables/sweep_table.h"

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text.h"
#include "render/fields/sweep.h"
#include "render/tables/record_table.h"

namespace planex::render {
namespace {

using analyze::Sweep;
using model::DataTable;
using model::Value;

// Already given by the columns of the axes.
constexpr std::string_view kValues = "values";
constexpr std::array<std::string_view, 10> kFew = {
    "latency_ms",  "latency_low_ms", "latency_high_ms", "items_per_s",  "item_ms",
    "layer_count", "reformat_count", "reformats_ms",    "memory_bytes", "state"};

bool is_empty(const DataTable& table, std::size_t column) {
  return std::ranges::all_of(table.rows, [&](const auto& row) { return row[column].index() == 0; });
}

}  // namespace

DataTable sweep_table(const Sweep& sweep, SweepColumns columns) {
  const DataTable all = table_of(sweep.cells, sweep_cell_fields());
  std::vector<std::size_t> kept;
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < all.columns.size(); ++i) {
    const std::string& name = all.columns[i].name;
    const bool is_few = std::ranges::find(kFew, name) != kFew.end();
    // On a screen, figures that are unknown for all cells only take space, as does a state that all
    // share.
    const bool is_said =
        name == "state" ? sweep.done_count < std::ssize(sweep.cells) : !is_empty(all, i);
    if (name == kValues || (columns == SweepColumns::kFew && !(is_few && is_said))) continue;
    kept.push_back(i);
    names.insert(name);
  }
  DataTable table;
  for (const analyze::SweepAxis& axis : sweep.axes) {
    // An option of an engine may have the name of a figure.
    table.columns.push_back(
        {.name = names.contains(axis.name) ? base::format("vary_{}", axis.name) : axis.name});
  }
  for (const std::size_t column : kept) table.columns.push_back(all.columns[column]);
  for (std::size_t i = 0; i < sweep.cells.size(); ++i) {
    std::vector<Value> row;
    for (const std::string& value : sweep.cells[i].values) row.emplace_back(value);
    for (const std::size_t column : kept) row.push_back(all.rows[i][column]);
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace planex::render
