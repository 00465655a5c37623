#include "session/layers/layers_query.h"

#include <algorithm>
#include <vector>

#include "base/text.h"
#include "base/try.h"
#include "query/sql_text.h"
#include "session/layers/type_attributes.h"

namespace planex::session {
namespace {

using base::format;

std::span<const model::ColumnInfo> layer_columns() {
  return model::schema()[*model::find_table("layers")].columns;
}

Result<const model::ColumnInfo*> find_column(std::string_view name) {
  const auto columns = layer_columns();
  const auto found = std::ranges::find(columns, name, &model::ColumnInfo::name);
  if (found != columns.end()) return &*found;
  std::vector<std::string_view> names;
  for (const model::ColumnInfo& column : columns) names.push_back(column.name);
  const auto near = base::nearest(name, names);
  return fail(ErrorCode::kUsage,
              format("layers have no column {}{}", base::quoted(name),
                     near ? format("; did you mean \"{}\"?", *near) : ""),
              format("columns: {}", base::join_words(names)));
}

// The condition is put between brackets and must not close them: what comes after it, such as the
// order and the limit, must stay in force.
Result<void> check_condition(std::string_view filter) {
  std::ptrdiff_t depth = 0;
  for (const query::Token& token : query::tokens_of(filter)) {
    if (token.kind != query::TokenKind::kOther) continue;
    if (token.name == "(") ++depth;
    if (token.name == ")") --depth;
    if (depth < 0 || token.name == ";") {
      return fail({.code = ErrorCode::kUsage,
                   .message = format("--filter takes one condition, but there is {} too many: {}",
                                     depth < 0 ? "a )" : "a ;", base::quoted(filter)),
                   .hint = "planex layers PLAN --filter \"type = 'Reformat'\""});
    }
  }
  return {};
}

// A choice of columns that the engine has: no times without a profile, and only names if it has
// nothing else.
std::vector<std::string> default_columns(const model::PlanModel& model, std::string_view type) {
  const model::LayersTable& layers = model.layers;
  const auto any = [&](const auto& column) {
    for (std::size_t row = 0; row < layers.row_count(); ++row) {
      const bool listed = type.empty() || model.text(layers.type[row]) == type;
      if (listed && !column.is_null(row)) return true;
    }
    return false;
  };
  std::vector<std::string> columns = {"layer_id", "name"};
  if (any(layers.type) && type.empty()) columns.emplace_back("type");
  if (any(layers.precision)) {
    columns.emplace_back("precision");
    columns.emplace_back("output_precision");
  }
  if (any(layers.median_ms)) {
    columns.emplace_back("median_ms");
  } else if (any(layers.mean_ms)) {
    columns.emplace_back("mean_ms");
  }
  if (any(layers.share)) columns.emplace_back("share");
  if (any(layers.simulated_db)) columns.emplace_back("simulated_db");
  if (any(layers.engine_db)) columns.emplace_back("engine_db");
  if (any(layers.footprint_bytes)) columns.emplace_back("footprint_bytes");
  if (any(layers.flops)) columns.emplace_back("flops");
  if (!type.empty()) {
    if (any(layers.macs)) columns.emplace_back("macs");
    if (any(layers.arithmetic_intensity)) columns.emplace_back("arithmetic_intensity");
    if (any(layers.gemm_m)) columns.insert(columns.end(), {"gemm_m", "gemm_n", "gemm_k"});
    if (any(layers.tactic)) columns.emplace_back("tactic");
  }
  return columns;
}

bool has_times(const model::PlanModel& model) {
  for (std::size_t row = 0; row < model.layers.row_count(); ++row) {
    if (!model.layers.median_ms.is_null(row) || !model.layers.mean_ms.is_null(row)) return true;
  }
  return false;
}

// The type in the spelling of the engine, whatever case the user wrote.
Result<std::string> find_type(const model::PlanModel& model, std::string_view wanted) {
  std::vector<std::string_view> types;
  for (const base::StringId id : model.layers.type.values()) {
    const std::string_view type = model.text(id);
    if (base::lower(type) == base::lower(wanted)) return std::string(type);
    if (std::ranges::find(types, type) == types.end() && !type.empty()) types.push_back(type);
  }
  const auto near = base::nearest(wanted, types);
  return fail(ErrorCode::kUsage,
              format("no layer has the type {}{}", base::quoted(wanted),
                     near ? format("; did you mean \"{}\"?", *near) : ""),
              format("types: {}", base::join_words(types)));
}

std::string sql_quoted(std::string_view text, char quote) {
  std::string result(1, quote);
  for (const char c : text) {
    if (c == quote) result += c;
    result += c;
  }
  return result + quote;
}

// Attributes of a type as columns named like the key.
std::string attribute_columns(const model::PlanModel& model, std::string_view type) {
  std::string sql;
  for (const std::string_view key : attribute_keys(model, type)) {
    sql += format(
        ", (select a.value from attributes a where a.layer_id = l.layer_id and a.key = {}) as {}",
        sql_quoted(key, '\''), sql_quoted(key, '"'));
  }
  return sql;
}

}  // namespace

Result<std::string> layers_sql(const LayersRequest& request, const model::PlanModel& model) {
  std::string type;
  if (!request.type.empty()) {
    PLANEX_ASSIGN(type, find_type(model, request.type));
  }
  const std::vector<std::string> columns =
      request.columns.empty() ? default_columns(model, type) : request.columns;
  std::string sql = "select ";
  for (std::size_t i = 0; i < columns.size(); ++i) {
    PLANEX_ASSIGN(const model::ColumnInfo* column, find_column(columns[i]));
    sql += format("{}{}", i > 0 ? ", " : "", column->name);
  }
  if (!type.empty() && request.columns.empty()) sql += attribute_columns(model, type);
  sql += request.all_records ? " from layers l" : " from work_layers l";
  if (!type.empty()) sql += format(" where type = {}", sql_quoted(type, '\''));
  if (!request.filter.empty()) {
    PLANEX_TRY(check_condition(request.filter));
    // The line break ends a comment.
    sql += format(" {} ({}\n)", type.empty() ? "where" : "and", request.filter);
  }
  if (!request.sort.empty()) {
    PLANEX_ASSIGN(const model::ColumnInfo* column, find_column(request.sort));
    const bool number = column->type != model::ColumnType::kText && column->name != "layer_id";
    sql += format(" order by {} {} nulls last, layer_id", column->name,
                  number != request.reverse ? "desc" : "asc");
  } else if (request.top > 0 && !request.reverse && has_times(model)) {
    // A few of many: the slowest are meant, not those that run first.
    sql += format(" order by coalesce(median_ms, mean_ms) desc nulls last, layer_id");
  } else if (request.reverse) {
    sql += " order by layer_id desc";
  }
  if (request.top > 0) sql += format(" limit {}", request.top);
  return sql;
}

}  // namespace planex::session
