// The tables of the engines as SQLite virtual tables, read in place.
#pragma once

#include <sqlite3.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "query/equality_index.h"
#include "query/query.h"

namespace planex::query {

// What all tables of one database share.
struct Catalog {
  std::vector<NamedModel> models;
  // indexes[table][model][column], made when first needed.
  std::vector<std::vector<std::vector<EqualityIndex>>> indexes;

  explicit Catalog(std::span<const NamedModel> named_models);
  bool has_engine_column() const { return models.size() > 1; }
};

// Name and meaning of the column that identifies the engine.
inline constexpr model::ColumnInfo kEngineColumn{"engine", model::ColumnType::kText, "",
                                                 "Name of the engine, as it was opened."};

// Creates all tables of the schema. `catalog` must outlive `db`.
// Returns an SQLite result code.
int create_plan_tables(sqlite3* db, Catalog& catalog);

// The unit in the declared type of a column: tables declare `median_ms REAL "ms"`, and SQLite
// passes the declaration on through aliases, views and sub-queries.
std::string unit_of_declaration(const char* declared_type);
// The declared type of a column; nothing where there is no declaration.
std::optional<model::ColumnType> type_of_declaration(const char* declared_type);

}  // namespace planex::query
