#include "render/tables/compare_tables.h"

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "base/numbers.h"
#include "base/text.h"
#include "render/tables/record_table.h"
#include "render/words/column_format.h"
#include "render/words/numbers.h"
#include "render/words/sentences.h"

namespace planex::render {
namespace {

using analyze::Comparison;
using base::format;
using model::DataTable;
using model::PlanModel;
using model::text_or_null;
using model::Value;

Value ms(const std::optional<analyze::Femtoseconds>& time) {
  return model::value_of(analyze::milliseconds(time));
}

// "input.1 32×3×224×224 FP32, ...".
std::string bindings_text(const PlanModel& model, model::Direction direction) {
  std::string text;
  const model::BindingsTable& bindings = model.bindings;
  for (std::size_t row = 0; row < bindings.row_count(); ++row) {
    if (bindings.direction[row] != direction) continue;
    if (!text.empty()) text += ", ";
    text += model.text(bindings.name[row]);
    if (!bindings.dims.is_null(row)) text += " " + dims_text(bindings.dims[row]);
    if (bindings.dtype[row] != model::DType::kNull) {
      text += format(" {}", to_string(bindings.dtype[row]));
    }
  }
  return text;
}

// 30 in the log equals 30.0 in the metadata.
bool same_number(std::string_view a, std::string_view b) {
  const auto of_a = base::number_in<double>(a);
  return of_a && of_a == base::number_in<double>(b);
}

// Rows in the order in which they are first named.
class Cards {
 public:
  explicit Cards(std::size_t engines) : engines_(engines) {}

  void set(std::string_view section, std::string_view key, std::size_t engine, std::string value) {
    if (value.empty()) return;
    const auto [found, is_new] =
        index_.emplace(std::pair(std::string(section), std::string(key)), rows_.size());
    if (is_new) {
      std::vector<Value> row(engines_ + 2);
      row[0] = std::string(section);
      row[1] = std::string(key);
      rows_.push_back(std::move(row));
    }
    Value& cell = rows_[found->second][engine + 2];
    // A key that a file repeats has all its values.
    if (auto* before = std::get_if<std::string>(&cell)) {
      if (*before != value && !same_number(*before, value)) before->append("; ").append(value);
    } else {
      cell = std::move(value);
    }
  }

  std::vector<std::vector<Value>> take() { return std::move(rows_); }

 private:
  std::size_t engines_;
  std::map<std::pair<std::string, std::string>, std::size_t> index_;
  std::vector<std::vector<Value>> rows_;
};

DataTable transposed(const DataTable& table) {
  DataTable result;
  result.columns.push_back({"engine"});
  for (const auto& row : table.rows) {
    result.columns.push_back(
        {format("{}: {}", std::get<std::string>(row[0]), std::get<std::string>(row[1]))});
  }
  for (std::size_t column = 2; column < table.columns.size(); ++column) {
    std::vector<Value> row = {table.columns[column].name};
    for (const auto& from : table.rows) row.push_back(from[column]);
    result.rows.push_back(std::move(row));
  }
  return result;
}

// A list of a file that breaks its lines, as "[1, 2]".
std::string on_one_line(std::string_view value) {
  std::string text;
  for (std::size_t at = 0; at < value.size();) {
    if (value[at] != '\n' && value[at] != '\r') {
      text += value[at++];
      continue;
    }
    at = std::min(value.find_first_not_of(" \t\r\n", at), value.size());
    if (text.ends_with(',')) text += ' ';
  }
  return text;
}

std::string figure_text(const analyze::TotalRow& row, double value) {
  if (row.unit == "ms") return ms_text(value) + " ms";
  if (row.unit == "bytes") return bytes_text(value);
  if (row.unit == "flops") return flops_text(value);
  if (row.unit == "share") return percent_text(value);
  if (row.unit == "ratio") return format("{:.2f} ×", value);
  if (row.unit == "per_s") return format("{:.1f} /s", value);
  if (row.unit == "dB") return format("{:.1f} dB", value);
  return shortest(value);
}

}  // namespace

DataTable pairs_table(const Comparison& comparison, const SelectedPairs& selected, Names names,
                      PairColumns wanted) {
  const LayerNames layer_names(comparison, names);
  const CompareContext context{&comparison, &layer_names, &selected};
  const std::vector<PairRow> rows = pair_rows(comparison, selected);
  if (wanted == PairColumns::kDifferences) return table_of(rows, pair_table_fields(), context);
  const record::Record& record = pair_sides_fields().record();
  DataTable table{.columns = table_columns(record)};
  for (const PairRow& row : rows) {
    const auto facts = [&](std::size_t engine, std::span<const model::LayerId> layers) {
      return analyze::side_facts(*comparison.engines[engine].model, layers);
    };
    const PairSides sides{row, facts(row.difference->base, row.pair().a),
                          facts(row.difference->engine, row.pair().b)};
    table.rows.push_back(table_row(record, &sides, &context));
  }
  return table;
}

DataTable ledger_table(const Comparison& comparison) {
  const std::size_t engines = comparison.engines.size();
  DataTable table;
  table.columns = {{"operation", "", false}, {"type", "", false}};
  for (const analyze::ComparedEngine& engine : comparison.engines) {
    table.columns.push_back({engine.label, "ms", true});
  }
  if (engines == 2) table.columns.push_back({"delta_ms", "ms", true});
  table.columns.push_back({"layers", "", false});
  table.columns.push_back({"spread", "", false});
  for (const analyze::LedgerRow& row : comparison.ledger.rows) {
    std::vector<Value> cells;
    const bool is_operation = row.kind == analyze::LedgerKind::kOperation;
    std::string name(row.name);
    if (!is_operation) {
      name = row.kind == analyze::LedgerKind::kRemainder ? "(of unknown source operation)"
                                                         : "(records without work)";
    } else if (!row.parameter.empty()) {
      name = format("{} · {}", row.parameter, row.name);
    }
    cells.emplace_back(std::move(name));
    cells.push_back(text_or_null(row.type));
    std::string layers, spread;
    for (const auto& cell : row.cells) {
      cells.push_back(cell ? ms(cell->time) : Value());
      layers += (layers.empty() ? "" : " ") + (cell ? format("{}", cell->layer_count) : "–");
      if (!is_operation) continue;
      spread += (spread.empty() ? "" : " ") +
                (cell ? std::string(to_string(cell->rule)) : std::string("–"));
    }
    if (engines == 2) {
      const auto time = [&](std::size_t engine) {
        return row.cells[engine] ? row.cells[engine]->time : std::optional(analyze::Femtoseconds{});
      };
      const auto a = time(0), b = time(1);
      cells.push_back(a && b ? ms(*b - *a) : Value());
    }
    cells.emplace_back(std::move(layers));
    cells.push_back(text_or_null(spread));
    table.rows.push_back(std::move(cells));
  }
  return table;
}

DataTable summaries_table(const Comparison& comparison, Orientation orientation) {
  DataTable table;
  table.columns = {{"section", "", false}, {"key", "", false}};
  for (const analyze::ComparedEngine& engine : comparison.engines) {
    table.columns.push_back({engine.label, "", false});
  }
  Cards cards(comparison.engines.size());
  for (std::size_t i = 0; i < comparison.engines.size(); ++i) {
    const PlanModel& model = *comparison.engines[i].model;
    cards.set("engine", "name", i, comparison.engines[i].name);
    cards.set("engine", "made by", i, producer_text(model));
    cards.set("engine", "device", i, std::string(model.text(model.engine.device[0])));
    cards.set("engine", "inputs", i, bindings_text(model, model::Direction::kInput));
    cards.set("engine", "outputs", i, bindings_text(model, model::Direction::kOutput));
    if (const auto batch = model.engine.batch_size.get(0)) {
      cards.set("engine", "batch", i, format("{}", *batch));
    }
  }
  for (const analyze::TotalRow& row : comparison.totals) {
    for (std::size_t i = 0; i < row.values.size(); ++i) {
      if (row.values[i]) cards.set("figures", row.label, i, figure_text(row, *row.values[i]));
    }
  }
  for (std::size_t i = 0; i < comparison.engines.size(); ++i) {
    const PlanModel& model = *comparison.engines[i].model;
    for (std::size_t row = 0; row < model.metadata.row_count(); ++row) {
      cards.set(model.text(model.metadata.section[row]), model.text(model.metadata.key[row]), i,
                on_one_line(model.text(model.metadata.value[row])));
    }
  }
  table.rows = cards.take();
  // Sections stay together, whichever engine has them first.
  std::map<std::string, std::size_t> order;
  for (const auto& row : table.rows) order.emplace(std::get<std::string>(row[0]), order.size());
  std::ranges::stable_sort(table.rows, {}, [&](const std::vector<Value>& row) {
    return order.at(std::get<std::string>(row[0]));
  });
  return orientation == Orientation::kEnginesAcross ? table : transposed(table);
}

model::DataTable totals_table(const Comparison& comparison) {
  model::DataTable table;
  table.columns = {{"section", "", false}, {"key", "", false}, {"unit", "", false}};
  for (const auto& engine : comparison.engines) table.columns.push_back({engine.label, "", true});
  const auto add = [&](std::string section, const std::string& key, std::string unit,
                       const std::vector<std::optional<double>>& values) {
    std::vector<model::Value> row;
    row.emplace_back(std::move(section));
    row.emplace_back(key);
    row.emplace_back(std::move(unit));
    for (const auto& value : values) row.push_back(model::value_of(value));
    table.rows.push_back(std::move(row));
  };
  for (const analyze::TotalRow& total : comparison.totals) {
    add("totals", total.metric, total.unit, total.values);
  }
  const auto add_groups = [&](std::string_view section,
                              const std::vector<analyze::GroupRow>& rows) {
    for (const analyze::GroupRow& row : rows) {
      add(std::string(section), row.key + ".median_ms", "ms", row.median_ms);
      add(std::string(section), row.key + ".mean_ms", "ms", row.mean_ms);
      add(std::string(section), row.key + ".count", "", row.count);
      add(std::string(section), row.key + ".share", "share", row.share);
      add(std::string(section), row.key + ".speed_up", "ratio", row.speed_up);
    }
  };
  add_groups("by_type", comparison.by_type);
  add_groups("by_precision", comparison.by_precision);
  add_groups("by_output_precision", comparison.by_output_precision);
  return table;
}

}  // namespace planex::render
