#include "query/extra_tables.h"

#include <string>

#include "base/text.h"
#include "query/statement.h"

namespace planex::query {
namespace {

// Names come from the program, not from input.
std::string declaration(const ExtraTable& table) {
  std::string sql = base::format("CREATE TABLE {} (", table.name);
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const model::ColumnInfo& column = table.columns[i];
    const std::string_view type = column.type == model::ColumnType::kInt64    ? "INTEGER"
                                  : column.type == model::ColumnType::kDouble ? "REAL"
                                                                              : "TEXT";
    sql += base::format("{}{} {}", i == 0 ? "" : ", ", column.name, type);
    if (!column.unit.empty()) sql += base::format(" \"{}\"", column.unit);
  }
  return sql + ")";
}

int bind(sqlite3_stmt* statement, int index, const model::Value& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) {
    return sqlite3_bind_int64(statement, index, *integer);
  }
  if (const auto* real = std::get_if<double>(&value)) {
    return sqlite3_bind_double(statement, index, *real);
  }
  if (const auto* text = std::get_if<std::string>(&value)) {
    return sqlite3_bind_text64(statement, index, text->data(), text->size(), SQLITE_STATIC,
                               SQLITE_UTF8);
  }
  return sqlite3_bind_null(statement, index);
}

int insert(sqlite3* db, const ExtraTable& table) {
  std::string sql = base::format("INSERT INTO {} VALUES (", table.name);
  for (std::size_t i = 0; i < table.columns.size(); ++i) sql += i == 0 ? "?" : ", ?";
  sql += ")";
  sqlite3_stmt* prepared = nullptr;
  int code = sqlite3_prepare_v2(db, sql.c_str(), -1, &prepared, nullptr);
  const Statement statement(prepared);
  for (const auto& row : table.rows) {
    for (std::size_t i = 0; i < row.size() && code == SQLITE_OK; ++i) {
      code = bind(prepared, static_cast<int>(i) + 1, row[i]);
    }
    if (code != SQLITE_OK) return code;
    code = sqlite3_step(prepared);
    if (code != SQLITE_DONE) return code;
    code = sqlite3_reset(prepared);
  }
  return code;
}

}  // namespace

int create_extra_tables(sqlite3* db, std::span<const ExtraTable> tables) {
  int code = sqlite3_exec(db, "BEGIN", nullptr, nullptr, nullptr);
  for (const ExtraTable& table : tables) {
    if (code == SQLITE_OK) {
      code = sqlite3_exec(db, declaration(table).c_str(), nullptr, nullptr, nullptr);
    }
    if (code == SQLITE_OK) code = insert(db, table);
  }
  return code == SQLITE_OK ? sqlite3_exec(db, "COMMIT", nullptr, nullptr, nullptr) : code;
}

}  // namespace planex::query
