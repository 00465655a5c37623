#include "session/list.h"

#include <algorithm>
#include <utility>

#include "analyze/engine_row.h"
#include "base/text.h"
#include "base/try.h"
#include "ingest/discover/discover.h"
#include "model/data_table.h"
#include "render/csv/table_csv.h"
#include "render/fields/tables.h"
#include "render/json/record_json.h"
#include "render/markdown/table_markdown.h"
#include "render/text/table_text.h"
#include "render/words/sentences.h"
#include "session/answer/format.h"
#include "session/open/internals.h"

namespace planex::session {
namespace {

using base::format;
using model::DataTable;

// More folders than this look like a whole disk, not a place for engines.
constexpr std::size_t kMaxFolders = 10'000;
constexpr std::size_t kMaxDepth = 16;

const std::vector<model::DataColumn>& list_columns() {
  static const std::vector<model::DataColumn> columns = {
      {.name = "path"},
      {.name = "engine"},
      {.name = "device"},
      {.name = "latency_ms", .unit = "ms", .numeric = true},
      {.name = "layers_ms", .unit = "ms", .numeric = true},
      {.name = "layer_count", .unit = "count", .numeric = true},
      {.name = "finding_count", .unit = "count", .numeric = true},
      {.name = "error"},
  };
  return columns;
}

void add_engines(const std::string& folder, std::size_t depth_left, const base::FileSource& files,
                 std::size_t& folder_count, std::vector<std::string>& found) {
  if (++folder_count > kMaxFolders) return;
  if (const auto here = ingest::engine_paths(folder, files)) {
    found.insert(found.end(), here->begin(), here->end());
  }
  if (depth_left == 0) return;
  for (const std::string& inner : files.list_folders(folder).value_or(std::vector<std::string>())) {
    if (base::file_name_of(inner).starts_with('.')) continue;
    add_engines(inner, depth_left - 1, files, folder_count, found);
  }
}

std::vector<model::Value> row_of(const std::string& path, const base::FileSource& files) {
  const auto engine = open_engine({.path = path}, files);
  if (!engine) {
    const Error& error = engine.error();
    std::string why = error.file.empty() || error.file == path
                          ? error.message
                          : format("{}: {}", error.file, error.message);
    const model::Value none;
    return {path, none, none, none, none, none, none, std::move(why)};
  }
  const EngineOverview overview = overview_of(*engine);
  return {path,
          model::text_or_null(overview.producer),
          model::text_or_null(overview.device),
          model::value_of(overview.latency_ms),
          model::value_of(overview.layers_ms),
          overview.layer_count,
          overview.finding_count,
          std::monostate{}};
}

// Numbers from the largest, texts from A; unknown values come last either way.
void sort_rows(DataTable& table, std::size_t column, bool reverse) {
  const bool descends = table.columns[column].numeric != reverse;
  std::ranges::stable_sort(table.rows, [&](const auto& a, const auto& b) {
    const bool a_known = a[column].index() != 0, b_known = b[column].index() != 0;
    if (!a_known || !b_known) return a_known && !b_known;
    return descends ? b[column] < a[column] : a[column] < b[column];
  });
}

Result<std::size_t> find_list_column(const std::string& name) {
  std::vector<std::string_view> names;
  for (const model::DataColumn& column : list_columns()) {
    if (column.name == name) return names.size();
    names.push_back(column.name);
  }
  const auto near = base::nearest(name, names);
  return fail(ErrorCode::kUsage,
              format("there is no column {}{}", base::quoted(name),
                     near ? format("; did you mean {}?", base::quoted(*near)) : ""),
              format("columns: {}", base::join_words(names)));
}

void drop_column(DataTable& table, std::size_t column) {
  const auto at = static_cast<std::ptrdiff_t>(column);
  table.columns.erase(table.columns.begin() + at);
  for (auto& row : table.rows) row.erase(row.begin() + at);
}

}  // namespace

EngineOverview overview_of(const Engine& engine) {
  analyze::EngineFigures row = analyze::engine_row(engine.model, engine.summary);
  return {.name = std::move(row.name),
          .producer = render::producer_text(engine.model),
          .device = std::move(row.device),
          .latency_ms = row.end_to_end_median_ms,
          .layers_ms = row.layers_ms,
          .layer_count = row.layer_count,
          .finding_count = static_cast<std::int64_t>(row.findings.error + row.findings.warning)};
}

Result<std::vector<std::string>> engines_below(const std::string& path, std::size_t depth,
                                               const base::FileSource& files) {
  if (files.kind(path) != base::PathKind::kFolder) return ingest::engine_paths(path, files);
  std::vector<std::string> found;
  std::size_t folder_count = 0;
  add_engines(path, depth, files, folder_count, found);
  return found;
}

Result<ListResult> list_engines(const ListRequest& request, const View& view,
                                const base::FileSource& files) {
  std::optional<std::size_t> sort;
  if (!request.sort.empty()) {
    PLANEX_ASSIGN(sort, find_list_column(request.sort));
  }
  DataTable table{.columns = list_columns(), .rows = {}};
  ListResult result;
  for (const std::string& path : request.paths) {
    PLANEX_ASSIGN(const std::vector<std::string> engines, engines_below(path, kMaxDepth, files));
    for (const std::string& engine : engines) {
      table.rows.push_back(row_of(engine, files));
      if (table.rows.back().back().index() != 0) ++result.failed_count;
    }
  }
  result.engine_count = table.rows.size();
  if (sort) {
    sort_rows(table, *sort, request.reverse);
  } else if (request.reverse) {
    std::ranges::reverse(table.rows);
  }
  switch (view.format) {
    case Format::kJson:
      result.document = render::json_document(render::table_document("planex.list/1"), table, {},
                                              render::JsonStyle::kCompact);
      return result;
    case Format::kCsv:
      result.document = render::csv_table(table);
      return result;
    default:
      break;
  }
  if (result.failed_count == 0) drop_column(table, table.columns.size() - 1);
  result.document = view.format == Format::kMarkdown ? render::markdown_table(table)
                                                     : render::text_table(table, style_of(view));
  return result;
}

}  // namespace planex::session
