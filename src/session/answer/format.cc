#include "session/answer/format.h"

#include <memory>
#include <utility>

#include "arrow/data_table.h"
#include "arrow/record_table.h"
#include "render/csv/table_csv.h"
#include "render/json/record_json.h"
#include "render/markdown/table_markdown.h"
#include "render/tables/record_table.h"

namespace planex::session {

model::DataTable to_data_table(Rows rows) {
  if (auto* table = std::get_if<model::DataTable>(&rows)) return std::move(*table);
  return render::table_of(std::get<record::Rows>(rows));
}

ArrowTable to_arrow(const Rows& rows, std::string_view name) {
  const auto* table = std::get_if<model::DataTable>(&rows);
  return ArrowTable(std::make_shared<const arrow::Table>(
      table != nullptr ? arrow::data_table(*table, name)
                       : arrow::record_table(std::get<record::Rows>(rows), name)));
}

Take take_table(std::optional<ArrowTable>& table, std::string_view name) {
  return [&table, name](const Writers& writers) -> Result<void> {
    table = to_arrow(writers.rows(), name);
    return {};
  };
}

std::string json_of(const Described& document, render::JsonStyle style) {
  return render::json_document(document.id, *document.record, document.object, document.context,
                               style);
}

std::string write(const Writers& writers, const View& view) {
  switch (view.format) {
    case Format::kJson:
      return json_of(writers.document, writers.style);
    case Format::kCsv:
      return render::csv_table(to_data_table(writers.rows()));
    case Format::kMarkdown:
      if (writers.screen) return writers.screen({.all = writers.all}).markdown();
      return writers.markdown ? writers.markdown()
                              : render::markdown_table(to_data_table(writers.rows()));
    default:
      break;
  }
  const render::TableStyle style = style_of(view);
  if (!writers.screen) return writers.text(style);
  return writers.screen({.width = render::screen_width(style), .all = writers.all}).text(style);
}

}  // namespace planex::session
