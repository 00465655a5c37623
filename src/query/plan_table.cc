#include "query/plan_table.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <memory>
#include <new>
#include <optional>
#include <variant>

#include "base/text.h"

namespace planex::query {
namespace {

using model::Cell;
using model::ColumnType;
using model::PlanModel;
using model::TableView;

// How to find the rows for one value.
enum class Access : std::uint8_t {
  kScan,      // all rows
  kPosition,  // the value is the row
  kRange,     // the rows of one layer, which are contiguous
  kIndex,     // an EqualityIndex
};

// The plan that xBestIndex picks, packed into SQLite's idxNum.
struct Plan {
  Access access = Access::kScan;
  bool by_engine = false;
  std::size_t column = 0;  // of the schema

  int packed() const {
    return static_cast<int>(column << 3U) | static_cast<int>(access) << 1 | (by_engine ? 1 : 0);
  }
  static Plan unpacked(int packed) {
    return {static_cast<Access>(packed >> 1 & 3), (packed & 1) != 0,
            static_cast<std::size_t>(packed) >> 3U};
  }
};

// Rows [at, end) of a table, or of `rows` where it is set.
struct Selection {
  const std::uint32_t* rows = nullptr;
  std::size_t at = 0;
  std::size_t end = 0;

  std::size_t row() const { return rows == nullptr ? at : rows[at]; }
};

// What a constraint compares with. SQLite checks every row again, so a selection can contain too
// much but never too little.
struct Wanted {
  enum class Kind : std::uint8_t { kNothing, kNumber, kText, kUnclear };
  Kind kind = Kind::kNothing;
  double number = 0;
  std::string text;
};

struct PlanTable : sqlite3_vtab {
  Catalog* catalog = nullptr;
  std::size_t table = 0;

  const model::TableInfo& info() const { return model::schema()[table]; }
  TableView view(std::size_t model) const { return {*catalog->models[model].model, table}; }
  EqualityIndex& index(std::size_t model, std::size_t column) const {
    return catalog->indexes[table][model][column];
  }
  // Columns that SQLite sees before those of the schema.
  std::size_t leading() const { return catalog->has_engine_column() ? 1 : 0; }
};

struct PlanCursor : sqlite3_vtab_cursor {
  Plan plan;
  Wanted wanted;
  std::size_t model = 0;
  std::size_t model_end = 0;
  Selection selection;

  const PlanTable& table() const { return *static_cast<const PlanTable*>(pVtab); }
};

Access access_of(const model::TableInfo& table, std::string_view column) {
  // The builder creates these positions; ids of other tables are up to the readers.
  if (table.name == "layers" && column == "layer_id") return Access::kPosition;
  if (table.name == "tensors" && column == "tensor_id") return Access::kPosition;
  if (column == "layer_id" &&
      (table.name == "ports" || table.name == "attributes" || table.name == "sources")) {
    return Access::kRange;
  }
  return Access::kIndex;
}

model::RowRange rows_of_layer(const PlanModel& model, std::string_view table,
                              model::LayerId layer) {
  if (table == "ports") return model.ports_of(layer);
  if (table == "attributes") return model.attributes_of(layer);
  return model.sources_of(layer);
}

// A whole number that fits a row, or nothing.
std::optional<std::size_t> as_position(const Wanted& wanted) {
  constexpr double kEnd = 4294967295.0;  // ids have 32 bits
  if (wanted.kind != Wanted::Kind::kNumber || !(wanted.number >= 0) || wanted.number >= kEnd ||
      std::trunc(wanted.number) != wanted.number) {
    return std::nullopt;
  }
  return static_cast<std::size_t>(wanted.number);
}

Selection select_rows(const PlanCursor& cursor) {
  const PlanTable& table = cursor.table();
  const TableView view = table.view(cursor.model);
  const std::size_t row_count = view.row_count();
  const Selection all{nullptr, 0, row_count};
  const Plan& plan = cursor.plan;
  if (plan.access == Access::kScan || cursor.wanted.kind == Wanted::Kind::kUnclear) return all;
  if (cursor.wanted.kind == Wanted::Kind::kNothing) return {};
  if (plan.access == Access::kIndex) {
    EqualityIndex& index = table.index(cursor.model, plan.column);
    if (!index.counts_lookup()) return all;
    index.build(view, plan.column);
    const auto rows =
        index.find(cursor.wanted.kind == Wanted::Kind::kNumber ? key_of_number(cursor.wanted.number)
                                                               : key_of_text(cursor.wanted.text));
    return {rows.data(), 0, rows.size()};
  }
  const std::optional<std::size_t> position = as_position(cursor.wanted);
  const PlanModel& model = *table.catalog->models[cursor.model].model;
  if (plan.access == Access::kPosition) {
    if (!position || *position >= row_count) return {};
    return {nullptr, *position, *position + 1};
  }
  if (!position || *position >= model.layers.row_count()) return {};
  const model::RowRange rows = rows_of_layer(model, table.info().name, model::LayerId(*position));
  return {nullptr, rows.first, rows.end()};
}

// Moves to the first row of the next engine that has one.
void settle(PlanCursor& cursor) {
  while (cursor.selection.at == cursor.selection.end) {
    if (++cursor.model >= cursor.model_end) return;
    cursor.selection = select_rows(cursor);
  }
}

std::string_view text_of(sqlite3_value* value) {
  const auto* text = reinterpret_cast<const char*>(sqlite3_value_text(value));
  if (text == nullptr) return {};
  return {text, static_cast<std::size_t>(sqlite3_value_bytes(value))};
}

// `=` compares a numeric column with a text as numbers if the text is one.
Wanted wanted_of(sqlite3_value* value, ColumnType column) {
  const bool numeric = column == ColumnType::kInt64 || column == ColumnType::kDouble;
  switch (sqlite3_value_type(value)) {
    case SQLITE_NULL:
      return {};
    case SQLITE_INTEGER:
    case SQLITE_FLOAT:
      if (!numeric) return {.kind = Wanted::Kind::kUnclear};
      return {.kind = Wanted::Kind::kNumber, .number = sqlite3_value_double(value)};
    case SQLITE_TEXT:
      // SQLite decides whether this text is a number.
      if (numeric) return {.kind = Wanted::Kind::kUnclear};
      return {.kind = Wanted::Kind::kText, .text = std::string(text_of(value))};
    default:
      return {.kind = Wanted::Kind::kUnclear};
  }
}

// --- What SQLite calls. No exception leaves these.
// ------------------------------------------------

template <typename Body>
int guarded(Body body) noexcept {
  try {
    return body();
  } catch (...) {
    return SQLITE_NOMEM;  // Nothing here throws but allocation.
  }
}

std::string declaration_of(const model::ColumnInfo& column) {
  std::string_view type = "TEXT";
  if (column.type == ColumnType::kInt64) type = "INTEGER";
  if (column.type == ColumnType::kDouble) type = "REAL";
  std::string text = base::format("\"{}\" {}", column.name, type);
  if (!column.unit.empty()) text += base::format(" \"{}\"", column.unit);
  return text;
}

int connect(sqlite3* db, void* aux, int argc, const char* const* argv, sqlite3_vtab** result,
            char** error) noexcept {
  return guarded([&] {
    constexpr int kTableName = 2;
    const auto table = model::find_table(argc > kTableName ? argv[kTableName] : "");
    if (!table) {
      *error = sqlite3_mprintf("not a table of the schema");
      return SQLITE_ERROR;
    }
    auto* catalog = static_cast<Catalog*>(aux);
    std::string sql = "CREATE TABLE t(";
    if (catalog->has_engine_column()) sql += declaration_of(kEngineColumn) + ", ";
    for (const model::ColumnInfo& column : model::schema()[*table].columns) {
      if (!sql.ends_with('(') && !sql.ends_with(' ')) sql += ", ";
      sql += declaration_of(column);
    }
    sql += ")";
    if (const int code = sqlite3_declare_vtab(db, sql.c_str()); code != SQLITE_OK) return code;
    // Reading has no side effects, so views may use the table.
    if (const int code = sqlite3_vtab_config(db, SQLITE_VTAB_INNOCUOUS); code != SQLITE_OK) {
      return code;
    }
    auto created = std::make_unique<PlanTable>();
    created->catalog = catalog;
    created->table = *table;
    *result = created.release();
    return SQLITE_OK;
  });
}

int disconnect(sqlite3_vtab* table) noexcept {
  delete static_cast<PlanTable*>(table);
  return SQLITE_OK;
}

// Expected number of rows with one value of a column, for the order of joins.
double expected_matches(const model::ColumnInfo& column, Access access, double rows) {
  constexpr double kFew = 4;
  constexpr double kKindsOfEnumeration = 8;
  if (access == Access::kPosition) return 1;
  const bool identifies = column.name.ends_with("_id") || column.name.ends_with("name");
  if (access == Access::kRange || identifies || column.type != ColumnType::kText) {
    return std::min(rows, kFew);
  }
  return std::max(1.0, rows / kKindsOfEnumeration);
}

int best_index(sqlite3_vtab* vtab, sqlite3_index_info* info) noexcept {
  return guarded([&] {
    const PlanTable& table = *static_cast<PlanTable*>(vtab);
    const std::size_t models = table.catalog->models.size();
    double rows = 0;
    for (std::size_t model = 0; model < models; ++model) {
      rows += static_cast<double>(table.view(model).row_count());
    }

    constexpr int kNoConstraint = -1;
    int engine_constraint = kNoConstraint;
    int column_constraint = kNoConstraint;
    Plan plan;
    double matches = rows;
    for (int i = 0; i < info->nConstraint; ++i) {
      const auto& constraint = info->aConstraint[i];
      if (constraint.usable == 0 || constraint.op != SQLITE_INDEX_CONSTRAINT_EQ ||
          constraint.iColumn < 0) {
        continue;
      }
      const bool plain =
          std::string_view(sqlite3_vtab_collation(info, i)) == std::string_view("BINARY");
      if (!plain) continue;
      const auto column = static_cast<std::size_t>(constraint.iColumn);
      if (column < table.leading()) {
        engine_constraint = i;
        continue;
      }
      const model::ColumnInfo& column_info = table.info().columns[column - table.leading()];
      if (column_info.type == ColumnType::kList) continue;
      const Access access = access_of(table.info(), column_info.name);
      const double expected =
          expected_matches(column_info, access, rows / static_cast<double>(models));
      const bool better = column_constraint == kNoConstraint || access < plan.access ||
                          (access == plan.access && expected < matches);
      if (!better) continue;
      column_constraint = i;
      plan.access = access;
      plan.column = column - table.leading();
      matches = expected;
    }
    if (column_constraint == kNoConstraint && models > 0) {
      matches = rows / static_cast<double>(models);
    }
    int argument = 0;
    if (engine_constraint != kNoConstraint) {
      plan.by_engine = true;
      info->aConstraintUsage[engine_constraint].argvIndex = ++argument;
    } else {
      matches *= static_cast<double>(models);
    }
    if (column_constraint != kNoConstraint) {
      info->aConstraintUsage[column_constraint].argvIndex = ++argument;
    }

    const bool one_engine = models == 1 || plan.by_engine;
    if (plan.access == Access::kPosition && one_engine) {
      info->idxFlags = SQLITE_INDEX_SCAN_UNIQUE;
    }
    // Rows ascend by layer and tensor, so such an ORDER BY or GROUP BY needs no sorting.
    if (one_engine && info->nOrderBy == 1 && info->aOrderBy[0].desc == 0 &&
        info->aOrderBy[0].iColumn >= static_cast<int>(table.leading())) {
      const auto column = static_cast<std::size_t>(info->aOrderBy[0].iColumn) - table.leading();
      const Access access = access_of(table.info(), table.info().columns[column].name);
      info->orderByConsumed = access == Access::kPosition || access == Access::kRange ? 1 : 0;
    }
    info->idxNum = plan.packed();
    constexpr double kLookup = 2;
    info->estimatedCost = matches + kLookup;
    info->estimatedRows = static_cast<sqlite3_int64>(std::max(1.0, matches));
    return SQLITE_OK;
  });
}

int open_cursor(sqlite3_vtab*, sqlite3_vtab_cursor** result) noexcept {
  return guarded([&] {
    *result = std::make_unique<PlanCursor>().release();
    return SQLITE_OK;
  });
}

int close_cursor(sqlite3_vtab_cursor* cursor) noexcept {
  delete static_cast<PlanCursor*>(cursor);
  return SQLITE_OK;
}

int filter(sqlite3_vtab_cursor* base_cursor, int packed, const char*, int,
           sqlite3_value** arguments) noexcept {
  return guarded([&] {
    PlanCursor& cursor = *static_cast<PlanCursor*>(base_cursor);
    const PlanTable& table = cursor.table();
    const std::vector<NamedModel>& models = table.catalog->models;
    cursor.plan = Plan::unpacked(packed);
    cursor.model = 0;
    cursor.model_end = models.size();
    cursor.selection = {};
    if (cursor.plan.by_engine) {
      const Wanted engine = wanted_of(*arguments++, ColumnType::kText);
      if (engine.kind == Wanted::Kind::kNothing) {
        cursor.model = cursor.model_end;
        return SQLITE_OK;
      }
      if (engine.kind == Wanted::Kind::kText) {
        const auto found = std::ranges::find(models, engine.text, &NamedModel::name);
        cursor.model = static_cast<std::size_t>(found - models.begin());
        cursor.model_end = std::min(cursor.model + 1, models.size());
      }
    }
    if (cursor.plan.access != Access::kScan) {
      cursor.wanted = wanted_of(*arguments, table.info().columns[cursor.plan.column].type);
    }
    if (cursor.model >= cursor.model_end) return SQLITE_OK;
    cursor.selection = select_rows(cursor);
    settle(cursor);
    return SQLITE_OK;
  });
}

int next(sqlite3_vtab_cursor* base_cursor) noexcept {
  return guarded([&] {
    PlanCursor& cursor = *static_cast<PlanCursor*>(base_cursor);
    ++cursor.selection.at;
    settle(cursor);
    return SQLITE_OK;
  });
}

int at_end(sqlite3_vtab_cursor* base_cursor) noexcept {
  const PlanCursor& cursor = *static_cast<PlanCursor*>(base_cursor);
  return cursor.model >= cursor.model_end ? 1 : 0;
}

void result_static_text(sqlite3_context* context, std::string_view text) {
  // A null pointer would be NULL, not an empty text. The model outlives the database.
  sqlite3_result_text64(context, text.empty() ? "" : text.data(), text.size(), SQLITE_STATIC,
                        SQLITE_UTF8);
}

std::string json_of(std::span<const std::int64_t> numbers) {
  constexpr std::size_t kLongestInt64 = 20;
  std::string text = "[";
  std::array<char, kLongestInt64> digits{};
  for (const std::int64_t number : numbers) {
    if (text.size() > 1) text += ',';
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
    text.append(digits.data(), end);
  }
  return text + "]";
}

int column(sqlite3_vtab_cursor* base_cursor, sqlite3_context* context, int column_number) noexcept {
  return guarded([&] {
    const PlanCursor& cursor = *static_cast<PlanCursor*>(base_cursor);
    const PlanTable& table = cursor.table();
    const auto number = static_cast<std::size_t>(column_number);
    if (number < table.leading()) {
      result_static_text(context, table.catalog->models[cursor.model].name);
      return SQLITE_OK;
    }
    const Cell cell =
        table.view(cursor.model).cell(number - table.leading(), cursor.selection.row());
    if (const auto* integer = std::get_if<std::int64_t>(&cell)) {
      sqlite3_result_int64(context, *integer);
    } else if (const auto* real = std::get_if<double>(&cell)) {
      sqlite3_result_double(context, *real);
    } else if (const auto* text = std::get_if<std::string_view>(&cell)) {
      result_static_text(context, *text);
    } else if (const auto* list = std::get_if<std::span<const std::int64_t>>(&cell)) {
      const std::string json = json_of(*list);
      sqlite3_result_text64(context, json.data(), json.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
    } else {
      sqlite3_result_null(context);
    }
    return SQLITE_OK;
  });
}

int row_id(sqlite3_vtab_cursor* base_cursor, sqlite3_int64* id) noexcept {
  const PlanCursor& cursor = *static_cast<PlanCursor*>(base_cursor);
  constexpr unsigned kRowBits = 32;
  *id =
      static_cast<sqlite3_int64>(std::uint64_t{cursor.model} << kRowBits | cursor.selection.row());
  return SQLITE_OK;
}

const sqlite3_module& plan_module() {
  static const sqlite3_module module = [] {
    sqlite3_module m{};
    m.xCreate = connect;
    m.xConnect = connect;
    m.xBestIndex = best_index;
    m.xDisconnect = disconnect;
    m.xDestroy = disconnect;
    m.xOpen = open_cursor;
    m.xClose = close_cursor;
    m.xFilter = filter;
    m.xNext = next;
    m.xEof = at_end;
    m.xColumn = column;
    m.xRowid = row_id;
    return m;
  }();
  return module;
}

}  // namespace

Catalog::Catalog(std::span<const NamedModel> named_models)
    : models(named_models.begin(), named_models.end()) {
  indexes.resize(model::schema().size());
  for (std::size_t table = 0; table < indexes.size(); ++table) {
    indexes[table].resize(models.size());
    for (auto& columns : indexes[table]) columns.resize(model::schema()[table].columns.size());
  }
}

int create_plan_tables(sqlite3* db, Catalog& catalog) {
  if (const int code = sqlite3_create_module_v2(db, "planex", &plan_module(), &catalog, nullptr);
      code != SQLITE_OK) {
    return code;
  }
  std::string sql;
  for (const model::TableInfo& table : model::schema()) {
    sql += base::format("CREATE VIRTUAL TABLE \"{}\" USING planex;", table.name);
  }
  // The subquery only runs for layers of one profile among several.
  sql += base::format(
      "CREATE VIEW work_layers AS SELECT * FROM layers WHERE role = 'work' AND (profile_index IS "
      "NULL OR profile_index = (SELECT e.profile_index FROM engine AS e{}));",
      catalog.models.size() > 1 ? " WHERE e.engine = layers.engine" : "");
  return sqlite3_exec(db, sql.c_str(), nullptr, nullptr, nullptr);
}

std::string unit_of_declaration(const char* declared_type) {
  if (declared_type == nullptr) return {};
  const std::string_view type = declared_type;
  const std::size_t first = type.find('"');
  const std::size_t last = type.rfind('"');
  if (first == std::string_view::npos || last == first) return {};
  return std::string(type.substr(first + 1, last - first - 1));
}

std::optional<ColumnType> type_of_declaration(const char* declared_type) {
  if (declared_type == nullptr) return std::nullopt;
  const std::string_view type = declared_type;
  if (type.starts_with("INTEGER")) return ColumnType::kInt64;
  if (type.starts_with("REAL")) return ColumnType::kDouble;
  return ColumnType::kText;
}

}  // namespace planex::query
