// SQLite's messages in helpful words: what is wrong, where, what could be meant.
#pragma once

#include <string_view>
#include <vector>

#include "planex/error.h"
#include "query/sql_text.h"

namespace planex::query {

inline constexpr std::string_view kWorkLayers = "work_layers";

// Indexes into model::schema() of the tables that the query names, each once, in schema order;
// work_layers counts as layers.
std::vector<std::size_t> tables_in(const std::vector<Token>& tokens);

// All tables and views.
std::vector<std::string_view> table_names();

// `has_engine_column`: whether tables have the column `engine`.
// `offset`: where in the query, in bytes; negative where SQLite does not say.
Error explain_error(std::string_view sqlite_message, std::string_view sql,
                    const std::vector<Token>& tokens, int offset, bool has_engine_column);

// An unknown table, with the existing names. `name` as the user wrote it.
Error unknown_table(std::string_view name, const std::vector<Token>& tokens);

}  // namespace planex::query
