#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "base/text.h"
#include "base/try.h"
#include "query/error_text.h"
#include "query/extra_tables.h"
#include "query/functions.h"
#include "query/plan_table.h"
#include "query/query.h"
#include "query/result_units.h"
#include "query/sql_text.h"
#include "query/statement.h"

namespace planex::query {
namespace {

using model::ColumnType;
using model::DataColumn;
using model::DataTable;
using model::Value;

struct CloseDatabase {
  void operator()(sqlite3* db) const { sqlite3_close_v2(db); }
};
using Connection = std::unique_ptr<sqlite3, CloseDatabase>;

constexpr int kMaxSqlBytes = 256 * 1024;
// The longest attribute of known engines is a few kB; a hostile one is at most as long as its file.
constexpr int kMaxTextBytes = 64 * 1024 * 1024;
// Steps of SQLite's machine between two checks of the memory: a few steps can produce a long text.
constexpr int kStepsPerCheck = 100;
// Memory checks per call of the caller's stop function; together some 0.1 ms.
constexpr std::uint64_t kChecksPerQuestion = 40;

// State that the callbacks of a running query share with it.
struct Run {
  const RunOptions* options = nullptr;
  std::uint64_t memory_before = 0;
  std::uint64_t checks = 0;
  bool cancelled = false;
  bool out_of_memory = false;
  // What the query was not allowed to do; empty if nothing.
  std::string denied;
};

bool may_call(std::string_view function) {
  return function != "load_extension" && function != "fts3_tokenizer";
}

// Those that describe the tables.
bool may_ask(std::string_view pragma) {
  static constexpr auto kAllowed = std::to_array<std::string_view>(
      {"table_info", "table_xinfo", "table_list", "function_list", "data_version"});
  return std::ranges::find(kAllowed, base::lower(pragma)) != kAllowed.end();
}

std::string_view action_name(int action) {
  switch (action) {
    case SQLITE_ATTACH:
      return "ATTACH";
    case SQLITE_DETACH:
      return "DETACH";
    case SQLITE_INSERT:
      return "INSERT";
    case SQLITE_UPDATE:
      return "UPDATE";
    case SQLITE_DELETE:
      return "DELETE";
    case SQLITE_TRANSACTION:
    case SQLITE_SAVEPOINT:
      return "a transaction";
    case SQLITE_ANALYZE:
      return "ANALYZE";
    case SQLITE_REINDEX:
      return "REINDEX";
    case SQLITE_ALTER_TABLE:
      return "ALTER";
    default:
      return "a change of the database";
  }
}

int authorize(void* data, int action, const char* first, const char* second, const char*,
              const char*) noexcept try {
  Run& run = *static_cast<Run*>(data);
  switch (action) {
    case SQLITE_SELECT:
    case SQLITE_READ:
    case SQLITE_RECURSIVE:
      return SQLITE_OK;
    case SQLITE_FUNCTION:
      if (second != nullptr && may_call(second)) return SQLITE_OK;
      run.denied = base::format("the function {}", second == nullptr ? "" : second);
      return SQLITE_DENY;
    case SQLITE_PRAGMA:
      if (first != nullptr && may_ask(first)) return SQLITE_OK;
      run.denied = base::format("PRAGMA {}", first == nullptr ? "" : first);
      return SQLITE_DENY;
    default:
      if (run.denied.empty()) run.denied = action_name(action);
      return SQLITE_DENY;
  }
} catch (...) {
  return SQLITE_DENY;
}

int check_progress(void* data) noexcept try {
  Run& run = *static_cast<Run*>(data);
  const auto used = static_cast<std::uint64_t>(sqlite3_memory_used());
  run.out_of_memory =
      used > run.memory_before && used - run.memory_before > run.options->max_memory_bytes;
  if (++run.checks % kChecksPerQuestion == 0 && run.options->cancelled) {
    run.cancelled = run.options->cancelled();
  }
  return run.out_of_memory || run.cancelled ? 1 : 0;
} catch (...) {
  return 1;
}

// Makes the run visible to the callbacks while it lasts.
class Watch {
 public:
  Watch(sqlite3* db, Run& run) : db_(db) {
    sqlite3_set_authorizer(db, authorize, &run);
    sqlite3_progress_handler(db, kStepsPerCheck, check_progress, &run);
  }
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;
  ~Watch() {
    sqlite3_progress_handler(db_, 0, nullptr, nullptr);
    sqlite3_set_authorizer(db_, nullptr, nullptr);
  }

 private:
  sqlite3* db_;
};

Failure out_of_memory(const RunOptions& options) {
  return fail(ErrorCode::kUsage,
              base::format("the query needs more than {} MB of memory",
                           options.max_memory_bytes / 1'000'000),
              "Ask for fewer rows: WHERE, GROUP BY or LIMIT.");
}

Value value_of(sqlite3_stmt* statement, int column) {
  switch (sqlite3_column_type(statement, column)) {
    case SQLITE_INTEGER:
      return sqlite3_column_int64(statement, column);
    case SQLITE_FLOAT:
      return sqlite3_column_double(statement, column);
    case SQLITE_TEXT: {
      const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement, column));
      return std::string(text, static_cast<std::size_t>(sqlite3_column_bytes(statement, column)));
    }
    case SQLITE_BLOB: {
      // No table contains blobs; one made by a function is shown in SQL notation.
      const auto* bytes = static_cast<const unsigned char*>(sqlite3_column_blob(statement, column));
      const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement, column));
      std::string text = "x'";
      for (std::size_t i = 0; i < size; ++i) text += base::format("{:02x}", bytes[i]);
      return text + "'";
    }
    default:
      return {};
  }
}

std::size_t bytes_of(const Value& value) {
  const auto* text = std::get_if<std::string>(&value);
  // A short text lies inside the value.
  return sizeof(Value) + (text != nullptr && text->capacity() > 15 ? text->capacity() : 0);
}

void describe_columns(sqlite3_stmt* statement, DataTable& table) {
  for (int i = 0; i < sqlite3_column_count(statement); ++i) {
    const char* declared = sqlite3_column_decltype(statement, i);
    const auto column = static_cast<std::size_t>(i);
    bool any_number = false;
    bool any_text = false;
    for (const auto& row : table.rows) {
      const Value& value = row[column];
      any_text = any_text || std::holds_alternative<std::string>(value);
      any_number = any_number || (!std::holds_alternative<std::monostate>(value) && !any_text);
    }
    DataColumn& described = table.columns[column];
    described.declared = type_of_declaration(declared);
    const bool is_declared_text =
        described.declared.value_or(ColumnType::kText) == ColumnType::kText;
    described.numeric = !any_text && (any_number || !is_declared_text);
    if (!described.numeric) continue;
    described.unit =
        declared != nullptr ? unit_of_declaration(declared) : unit_of_expression(described.name);
  }
}

}  // namespace

class Database::State {
 public:
  State(std::span<const NamedModel> models, std::vector<ExtraTable> extra_tables)
      : catalog_(models), extra_tables_(std::move(extra_tables)) {}

  Result<void> open() {
    sqlite3* db = nullptr;
    constexpr int kFlags =
        SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_MEMORY | SQLITE_OPEN_NOMUTEX;
    int code = sqlite3_open_v2(":memory:", &db, kFlags, nullptr);
    db_.reset(db);
    if (code == SQLITE_OK) code = create_functions(db);
    if (code == SQLITE_OK) code = create_plan_tables(db, catalog_);
    if (code == SQLITE_OK) code = create_extra_tables(db, extra_tables_);
    if (code == SQLITE_OK) {
      // Sorting must not write to the disk. And SQLite creates its table functions when they are
      // first named, in a way that looks like a write, which queries may not do: so name them now.
      constexpr const char* kSetUp =
          "PRAGMA temp_store=MEMORY;"
          "SELECT 1 FROM json_each('[]'), json_tree('[]'), pragma_table_info(''), "
          "pragma_table_xinfo(''), pragma_table_list(''), pragma_function_list LIMIT 0";
      code = sqlite3_exec(db, kSetUp, nullptr, nullptr, nullptr);
    }
    if (code != SQLITE_OK) {
      return fail(ErrorCode::kInternal,
                  base::format("the query engine does not start: {}",
                               db == nullptr ? sqlite3_errstr(code) : sqlite3_errmsg(db)));
    }
    // A misspelt "column" is an error, not a text.
    sqlite3_db_config(db, SQLITE_DBCONFIG_DQS_DML, 0, nullptr);
    sqlite3_db_config(db, SQLITE_DBCONFIG_DQS_DDL, 0, nullptr);
    sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    sqlite3_limit(db, SQLITE_LIMIT_LENGTH, kMaxTextBytes);
    sqlite3_limit(db, SQLITE_LIMIT_SQL_LENGTH, kMaxSqlBytes);
    sqlite3_limit(db, SQLITE_LIMIT_ATTACHED, 0);
    // LIKE and GLOB take time pattern × text.
    constexpr int kMaxPatternBytes = 1000;
    sqlite3_limit(db, SQLITE_LIMIT_LIKE_PATTERN_LENGTH, kMaxPatternBytes);
    return {};
  }

  Result<DataTable> run(std::string_view sql, const RunOptions& options) {
    if (sql.size() > static_cast<std::size_t>(kMaxSqlBytes)) {
      return fail(ErrorCode::kUsage, base::format("the query has {} bytes; planex reads at most {}",
                                                  sql.size(), kMaxSqlBytes));
    }
    if (sql.find('\0') != sql.npos) {
      return fail(ErrorCode::kUsage, "the query contains a NUL character");
    }
    const std::vector<Token> tokens = tokens_of(sql);
    PLANEX_TRY(check_complexity(tokens));
    if (options.cancelled && options.cancelled()) return cancelled();

    Run run;
    run.options = &options;
    run.memory_before = static_cast<std::uint64_t>(sqlite3_memory_used());
    const Watch watch(db_.get(), run);
    return run_with(sql, tokens, run);
  }

  const Catalog& catalog() const { return catalog_; }
  std::span<const ExtraTable> extra_tables() const { return extra_tables_; }

 private:
  static Failure cancelled() { return fail(ErrorCode::kCancelled, "the query was stopped"); }

  Failure error_of(std::string_view sql, const std::vector<Token>& tokens, const Run& run,
                   int code) const {
    if (!run.denied.empty()) {
      return fail(ErrorCode::kUsage,
                  base::format("a query only reads; {} is not allowed", run.denied));
    }
    if (run.cancelled || (code == SQLITE_INTERRUPT && !run.out_of_memory)) return cancelled();
    if (run.out_of_memory || code == SQLITE_NOMEM) return out_of_memory(*run.options);
    if (code == SQLITE_TOOBIG) {
      return fail(ErrorCode::kUsage, base::format("the query produces a text of more than {} MB",
                                                  kMaxTextBytes / (1024 * 1024)));
    }
    return fail(explain_error(sqlite3_errmsg(db_.get()), sql, tokens,
                              sqlite3_error_offset(db_.get()), catalog_.has_engine_column()));
  }

  // A null statement means that there is only white space and comments.
  Result<Statement> prepare(std::string_view sql, const std::vector<Token>& tokens, const Run& run,
                            std::size_t& used) const {
    sqlite3_stmt* statement = nullptr;
    const char* tail = nullptr;
    const int code =
        sqlite3_prepare_v2(db_.get(), sql.data(), static_cast<int>(sql.size()), &statement, &tail);
    Statement owned(statement);
    if (code != SQLITE_OK) return error_of(sql, tokens, run, code);
    used = static_cast<std::size_t>(tail - sql.data());
    return owned;
  }

  Result<DataTable> run_with(std::string_view sql, const std::vector<Token>& tokens, Run& run) {
    constexpr std::string_view kExample =
        "For example: SELECT name, median_ms FROM layers ORDER BY median_ms DESC LIMIT 10";
    if (tokens.empty() || std::ranges::all_of(tokens, [](const Token& token) {
          return token.name == ";" && token.kind == TokenKind::kOther;
        })) {
      return fail(ErrorCode::kUsage, "the query is empty", std::string(kExample));
    }
    std::size_t used = 0;
    PLANEX_ASSIGN(const Statement statement, prepare(sql, tokens, run, used));
    if (statement == nullptr) {
      return fail(ErrorCode::kUsage, "the query is empty", std::string(kExample));
    }
    for (const Token& token : tokens) {
      if (token.offset < used || token.name == ";") continue;
      Error error;
      error.code = ErrorCode::kUsage;
      error.message = "only one statement is allowed: there is more text after the first";
      error.context = point_at(sql, token.offset);
      return fail(std::move(error));
    }
    if (sqlite3_stmt_readonly(statement.get()) == 0) {
      return fail(ErrorCode::kUsage, "a query only reads; this statement would write");
    }
    if (sqlite3_column_count(statement.get()) == 0) {
      return fail(ErrorCode::kUsage, "a query must return rows; this statement returns none",
                  std::string(kExample));
    }
    if (sqlite3_bind_parameter_count(statement.get()) > 0) {
      return fail(ErrorCode::kUsage,
                  base::format("the query has a parameter ({}), which planex can't set",
                               sqlite3_bind_parameter_name(statement.get(), 1) == nullptr
                                   ? "?"
                                   : sqlite3_bind_parameter_name(statement.get(), 1)));
    }
    return fetch(statement.get(), sql, tokens, run);
  }

  Result<DataTable> fetch(sqlite3_stmt* statement, std::string_view sql,
                          const std::vector<Token>& tokens, Run& run) const {
    DataTable table;
    const int column_count = sqlite3_column_count(statement);
    for (int i = 0; i < column_count; ++i) {
      const char* name = sqlite3_column_name(statement, i);
      table.columns.push_back({.name = name == nullptr ? "" : name});
    }
    const RunOptions& options = *run.options;
    std::uint64_t result_bytes = 0;
    int code = SQLITE_DONE;
    while (options.max_rows == 0 || table.rows.size() < options.max_rows) {
      code = sqlite3_step(statement);
      if (code != SQLITE_ROW) break;
      std::vector<Value> row;
      row.reserve(static_cast<std::size_t>(column_count));
      result_bytes += sizeof(row);
      for (int i = 0; i < column_count; ++i) {
        row.push_back(value_of(statement, i));
        result_bytes += bytes_of(row.back());
      }
      table.rows.push_back(std::move(row));
      if (result_bytes > options.max_memory_bytes) return out_of_memory(options);
    }
    if (code != SQLITE_DONE && code != SQLITE_ROW) return error_of(sql, tokens, run, code);
    describe_columns(statement, table);
    return table;
  }

  Catalog catalog_;  // Before the connection, which points to it.
  std::vector<ExtraTable> extra_tables_;
  Connection db_;
};

Database::Database(std::unique_ptr<State> state) : state_(std::move(state)) {}
Database::Database(Database&&) noexcept = default;
Database& Database::operator=(Database&&) noexcept = default;
Database::~Database() = default;

Result<Database> Database::open(std::span<const NamedModel> models,
                                std::vector<ExtraTable> extra_tables) {
  if (models.empty()) return fail(ErrorCode::kUsage, "there is no engine to query");
  for (std::size_t i = 0; i < models.size(); ++i) {
    for (std::size_t j = i + 1; j < models.size(); ++j) {
      if (models[i].name != models[j].name) continue;
      return fail(ErrorCode::kUsage,
                  base::format("two engines are both named {}", base::quoted(models[i].name)),
                  "Give each its own name.");
    }
  }
  auto state = std::make_unique<State>(models, std::move(extra_tables));
  PLANEX_TRY(state->open());
  return Database(std::move(state));
}

Result<DataTable> Database::run(std::string_view sql, const RunOptions& options) try {
  return state_->run(sql, options);
} catch (const std::bad_alloc&) {
  return out_of_memory(options);
} catch (const std::exception& exception) {
  return fail(ErrorCode::kInternal, base::format("the query failed: {}", exception.what()));
}

DataTable Database::list_tables() const {
  DataTable table;
  table.columns = {{.name = "table"},
                   {.name = "rows", .unit = "count", .numeric = true},
                   {.name = "description"}};
  for (std::size_t i = 0; i < model::schema().size(); ++i) {
    const model::TableInfo& info = model::schema()[i];
    std::size_t rows = 0;
    for (const NamedModel& named : state_->catalog().models) {
      rows += model::TableView(*named.model, i).row_count();
    }
    table.rows.push_back(
        {std::string(info.name), static_cast<std::int64_t>(rows), std::string(info.description)});
  }
  std::int64_t work_layers = 0;
  for (const NamedModel& named : state_->catalog().models) {
    for (std::size_t row = 0; row < named.model->layers.row_count(); ++row) {
      if (named.model->does_work(model::LayerId(row))) ++work_layers;
    }
  }
  table.rows.push_back({std::string(kWorkLayers), work_layers,
                        std::string("The layers that do work in the profile that is shown.")});
  for (const ExtraTable& extra : state_->extra_tables()) {
    table.rows.push_back({std::string(extra.name), static_cast<std::int64_t>(extra.rows.size()),
                          std::string(extra.description)});
  }
  return table;
}

Result<DataTable> Database::describe_table(std::string_view name) const {
  const std::string lower = base::lower(base::trimmed(name));
  const auto index = model::find_table(lower == kWorkLayers ? "layers" : lower);
  const auto extra = std::ranges::find(state_->extra_tables(), lower, &ExtraTable::name);
  const bool is_extra = extra != state_->extra_tables().end();
  if (!index && !is_extra) return fail(unknown_table(name, {}));
  DataTable table;
  table.columns = {{.name = "column"}, {.name = "type"}, {.name = "unit"}, {.name = "description"}};
  const auto add = [&](const model::ColumnInfo& column) {
    table.rows.push_back({std::string(column.name), std::string(to_string(column.type)),
                          model::text_or_null(column.unit), std::string(column.description)});
  };
  if (!is_extra && state_->catalog().has_engine_column()) add(kEngineColumn);
  for (const model::ColumnInfo& column :
       is_extra ? extra->columns : model::schema()[*index].columns) {
    add(column);
  }
  return table;
}

}  // namespace planex::query
