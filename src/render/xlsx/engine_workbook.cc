#include "render/xlsx/engine_workbook.h"

#include <algorithm>
#include <deque>
#include <utility>
#include <vector>

#include "base/text.h"
#include "base/try.h"
#include "render/xlsx/chart_data.h"
#include "render/xlsx/engine_charts.h"
#include "render/xlsx/engine_tables.h"
#include "render/xlsx/summary_sheet.h"
#include "render/xlsx/workbook.h"

namespace planex::render {
namespace {

using base::format;

// From here on rows are not kept in memory: each layer takes some fifty cells on several sheets.
constexpr std::size_t kManyLayers = 20'000;

std::string title_of(std::span<const WorkbookEngine> engines) {
  std::string title;
  for (const WorkbookEngine& engine : engines) {
    title += title.empty() ? "" : ", ";
    title += engine.label;
  }
  return title;
}

}  // namespace

Result<void> write_workbook(std::span<const WorkbookEngine> engines,
                            const analyze::Comparison& comparison, const std::string& path) {
  std::size_t layers = 0;
  for (const WorkbookEngine& engine : engines) layers += engine.model->layers.row_count();
  const auto size = layers > kManyLayers ? Workbook::Size::kLarge : Workbook::Size::kUsual;
  PLANEX_ASSIGN(Workbook book, Workbook::create(path, size, title_of(engines)));
  const bool several = engines.size() > 1;

  // Sheets are in the order in which they are made.
  Sheet& summary = book.add_sheet("Summary");
  Sheet* compare = several ? &book.add_sheet("Compare") : nullptr;
  Sheet* compare_charts = several ? &book.add_sheet("Compare charts") : nullptr;
  std::vector<Sheet*> charts;
  for (const WorkbookEngine& engine : engines) {
    charts.push_back(&book.add_sheet(several ? format("Charts {}", engine.label) : "Charts"));
  }
  std::vector<std::string> notes;
  const EngineTables tables = write_tables(book, engines, comparison, notes);
  if (several) {
    write_compare(*compare, comparison);
    ChartData data(book, "Compare chart data");
    draw_comparison_charts(*compare_charts, data, comparison);
    data.write();
  }
  for (std::size_t i = 0; i < engines.size(); ++i) {
    ChartData data(book,
                   several ? format("Chart data {}", engines[i].label) : std::string("Chart data"));
    draw_engine_charts(*charts[i], data, tables, i, engines[i]);
    data.write();
  }
  if (const auto cut = book.cut_text_count(); cut > 0) {
    notes.push_back(format("{} cut: a cell has at most 32 767 characters",
                           base::counted(static_cast<std::size_t>(cut), "text is", "texts are")));
  }
  write_summary(summary, engines, comparison, notes);
  return book.close();
}

}  // namespace planex::render
