#include "render/xlsx/workbook.h"

#include <array>
#include <charconv>
#include <cmath>
#include <deque>
#include <set>
#include <utility>

#include "base/text.h"
#include "base/try.h"
#include "render/xlsx/excel_text.h"
#include "render/xlsx/xlsx_library.h"

namespace planex::render {
namespace {

// For files that must be the same when they are made again: the first day that a zip archive can
// record.
constexpr std::int64_t kCreated = 315'532'800;  // 1980-01-01

constexpr lxw_color_t kInk = 0x1F2328, kSubtle = 0x57606A, kLine = 0xAFB8C1, kHeadFill = 0xEEF1F4;

lxw_color_t colour_of(std::string_view text) {
  lxw_color_t colour = 0;
  if (text.starts_with('#'))
    std::from_chars(text.data() + 1, text.data() + text.size(), colour, 16);
  // 0 is "none" to the library.
  return colour == 0 ? lxw_color_t{LXW_COLOR_BLACK} : colour;
}

std::uint8_t type_of(ChartKind kind) {
  switch (kind) {
    case ChartKind::kColumns:
      return LXW_CHART_COLUMN;
    case ChartKind::kStackedColumns:
      return LXW_CHART_COLUMN_STACKED;
    case ChartKind::kBars:
      return LXW_CHART_BAR;
    case ChartKind::kStackedBars:
      return LXW_CHART_BAR_STACKED;
    case ChartKind::kArea:
      return LXW_CHART_AREA;
    case ChartKind::kLine:
      return LXW_CHART_LINE;
    case ChartKind::kScatter:
      return LXW_CHART_SCATTER;
    case ChartKind::kDoughnut:
      break;
  }
  return LXW_CHART_DOUGHNUT;
}

bool is_bars(ChartKind kind) { return kind == ChartKind::kBars || kind == ChartKind::kStackedBars; }
bool is_stacked(ChartKind kind) {
  return kind == ChartKind::kStackedBars || kind == ChartKind::kStackedColumns;
}

}  // namespace

class Workbook::State {
 public:
  State(const XlsxLibrary& library, lxw_workbook* book, std::string path)
      : x_(library), book_(book), path_(std::move(path)) {}
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  // Closing is the only way to free it; the file has no owner then.
  ~State() {
    if (book_ != nullptr) x_.workbook_close(book_);
  }

  void set_up(std::string_view title) {
    std::string name = excel_text(title).text;
    std::string maker = "planex";
    lxw_doc_properties properties{};
    properties.title = name.data();
    properties.author = maker.data();
    properties.created = kCreated;
    note(x_.workbook_set_properties(book_, &properties));
    for (std::size_t i = 0; i < kCellStyles; ++i) {
      formats_[i] = make_format(static_cast<CellStyle>(i));
    }
  }

  // The first error counts.
  void note(lxw_error error) {
    if (error_ == LXW_NO_ERROR) error_ = error;
  }
  lxw_format* format(CellStyle style) { return formats_[static_cast<std::size_t>(style)]; }
  const XlsxLibrary& library() const { return x_; }

  void draw(lxw_worksheet* sheet, CellPlace at, const Chart& chart);

  Result<void> close() {
    note(x_.workbook_close(std::exchange(book_, nullptr)));
    if (error_ == LXW_NO_ERROR) return {};
    return fail({.code = ErrorCode::kIo,
                 .message = base::format("can't write the workbook: {}", x_.lxw_strerror(error_)),
                 .file = path_});
  }

  std::deque<Sheet> sheets;
  std::set<std::string> sheet_names;
  std::int64_t cut_texts = 0;

  lxw_workbook* book() { return book_; }

 private:
  lxw_format* make_format(CellStyle style) {
    lxw_format* made = x_.workbook_add_format(book_);
    x_.format_set_font_color(made, kInk);
    const auto number = [&](const char* text) { x_.format_set_num_format(made, text); };
    switch (style) {
      case CellStyle::kHead:
        x_.format_set_bold(made);
        x_.format_set_bg_color(made, kHeadFill);
        x_.format_set_bottom(made, LXW_BORDER_THIN);
        x_.format_set_bottom_color(made, kLine);
        x_.format_set_text_wrap(made);
        x_.format_set_align(made, LXW_ALIGN_VERTICAL_TOP);
        break;
      case CellStyle::kTitle:
        x_.format_set_bold(made);
        x_.format_set_font_size(made, 16);
        break;
      case CellStyle::kHeading:
        x_.format_set_bold(made);
        x_.format_set_font_size(made, 12);
        break;
      case CellStyle::kNote:
        x_.format_set_font_color(made, kSubtle);
        break;
      case CellStyle::kWhole:
        number("#,##0");
        break;
      case CellStyle::kMs:
        number("0.000000");
        break;
      case CellStyle::kPercent:
        number("0.00%");
        break;
      case CellStyle::kReal:
        number("#,##0.00");
        break;
      case CellStyle::kText:
      case CellStyle::kGeneral:
        break;
    }
    return made;
  }

  void set_range(lxw_chart_series* series, const CellRange& range,
                 decltype(&::chart_series_set_values) set) {
    set(series, range.sheet.c_str(), range.first_row, range.column, range.last_row, range.column);
  }
  void add_series(lxw_chart* made, const Chart& chart, const ChartSeries& series);
  void set_axis(lxw_chart_axis* axis, const ChartAxis& facts);

  const XlsxLibrary& x_;
  lxw_workbook* book_;
  std::string path_;
  lxw_error error_ = LXW_NO_ERROR;
  std::array<lxw_format*, kCellStyles> formats_{};
};

void Workbook::State::add_series(lxw_chart* made, const Chart& chart, const ChartSeries& series) {
  lxw_chart_series* added = x_.chart_add_series(made, nullptr, nullptr);
  if (added == nullptr) return note(LXW_ERROR_MEMORY_MALLOC_FAILED);
  set_range(added, series.values, x_.chart_series_set_values);
  if (series.categories) set_range(added, *series.categories, x_.chart_series_set_categories);
  x_.chart_series_set_name(added, excel_text(series.name).text.c_str());
  if (chart.kind == ChartKind::kScatter) {
    lxw_chart_fill fill{};
    fill.color = colour_of(series.colour.empty() ? "#3B6EA8" : series.colour);
    lxw_chart_line line{};
    line.none = LXW_TRUE;
    x_.chart_series_set_marker_type(added, LXW_CHART_MARKER_CIRCLE);
    x_.chart_series_set_marker_size(added, 5);
    x_.chart_series_set_marker_fill(added, &fill);
    x_.chart_series_set_marker_line(added, &line);
    return;
  }
  if (chart.kind == ChartKind::kDoughnut) {
    std::deque<lxw_chart_fill> fills;
    std::deque<lxw_chart_point> points;
    std::vector<lxw_chart_point*> list;
    for (const std::string& colour : series.part_colours) {
      fills.push_back({});
      fills.back().color = colour_of(colour);
      points.push_back({});
      points.back().fill = &fills.back();
      list.push_back(&points.back());
    }
    list.push_back(nullptr);
    if (list.size() > 1) note(x_.chart_series_set_points(added, list.data()));
    x_.chart_series_set_labels(added);
    x_.chart_series_set_labels_percentage(added);
    return;
  }
  if (series.colour.empty()) return;
  if (chart.kind == ChartKind::kLine) {
    lxw_chart_line line{};
    line.color = colour_of(series.colour);
    line.width = 1.25F;
    x_.chart_series_set_line(added, &line);
  } else {
    lxw_chart_fill fill{};
    if (series.colour == kNoColour) {
      fill.none = LXW_TRUE;
    } else {
      fill.color = colour_of(series.colour);
    }
    x_.chart_series_set_fill(added, &fill);
  }
}

void Workbook::State::set_axis(lxw_chart_axis* axis, const ChartAxis& facts) {
  x_.chart_axis_set_name(axis, excel_text(facts.name).text.c_str());
  if (!facts.number_format.empty()) {
    x_.chart_axis_set_num_format(axis, facts.number_format.c_str());
  }
  if (facts.is_logarithmic) x_.chart_axis_set_log_base(axis, 10);
  if (!facts.has_labels) {
    x_.chart_axis_set_label_position(axis, LXW_CHART_AXIS_LABEL_POSITION_NONE);
  }
}

void Workbook::State::draw(lxw_worksheet* sheet, CellPlace at, const Chart& chart) {
  lxw_chart* made = x_.workbook_add_chart(book_, type_of(chart.kind));
  if (made == nullptr) return note(LXW_ERROR_MEMORY_MALLOC_FAILED);
  for (const ChartSeries& series : chart.series) add_series(made, chart, series);
  x_.chart_title_set_name(made, excel_text(chart.title).text.c_str());
  lxw_chart_font font{};
  font.size = 12;
  font.bold = LXW_TRUE;
  x_.chart_title_set_name_font(made, &font);
  x_.chart_legend_set_position(made,
                               static_cast<std::uint8_t>(chart.has_legend ? LXW_CHART_LEGEND_BOTTOM
                                                                          : LXW_CHART_LEGEND_NONE));
  if (chart.kind == ChartKind::kDoughnut) {
    x_.chart_set_hole_size(made, 40);
  } else {
    set_axis(made->x_axis, chart.x);
    set_axis(made->y_axis, chart.y);
    // The first category on top, as in the table.
    if (is_bars(chart.kind)) x_.chart_axis_set_reverse(made->x_axis);
  }
  if (is_stacked(chart.kind)) x_.chart_set_series_overlap(made, 100);
  const bool has_gap = is_bars(chart.kind) || chart.kind == ChartKind::kColumns ||
                       chart.kind == ChartKind::kStackedColumns;
  if (has_gap) x_.chart_set_series_gap(made, chart.is_dense ? 5 : 60);
  // The library's own chart has 480 by 288 pixels.
  lxw_chart_options options{};
  options.x_scale = kChartWidthPixels / 480.0;
  options.y_scale = kChartHeightPixels / 288.0;
  note(x_.worksheet_insert_chart_opt(sheet, at.row, at.column, made, &options));
}

namespace {

lxw_worksheet* as_sheet(void* sheet) { return static_cast<lxw_worksheet*>(sheet); }

}  // namespace

void Sheet::text(CellPlace at, std::string_view text, CellStyle style) {
  Workbook::State& book = *workbook_;
  const ExcelText shown = excel_text(text);
  if (shown.is_cut) ++book.cut_texts;
  book.note(book.library().worksheet_write_string(as_sheet(sheet_), at.row, at.column,
                                                  shown.text.c_str(), book.format(style)));
}

void Sheet::number(CellPlace at, double number, CellStyle style) {
  if (!std::isfinite(number)) return;
  Workbook::State& book = *workbook_;
  book.note(book.library().worksheet_write_number(as_sheet(sheet_), at.row, at.column, number,
                                                  book.format(style)));
}

void Sheet::set_width(std::uint16_t column, double characters) {
  Workbook::State& book = *workbook_;
  book.note(
      book.library().worksheet_set_column(as_sheet(sheet_), column, column, characters, nullptr));
}

void Sheet::set_height(std::uint32_t row, double points) {
  Workbook::State& book = *workbook_;
  book.note(book.library().worksheet_set_row(as_sheet(sheet_), row, points, nullptr));
}

void Sheet::freeze(CellPlace at) {
  workbook_->library().worksheet_freeze_panes(as_sheet(sheet_), at.row, at.column);
}

void Sheet::filter(std::uint32_t first_row, std::uint32_t last_row, std::uint16_t columns) {
  Workbook::State& book = *workbook_;
  book.note(book.library().worksheet_autofilter(as_sheet(sheet_), first_row, 0, last_row,
                                                static_cast<std::uint16_t>(columns - 1)));
}

void Sheet::bars(const CellRange& range, std::string_view colour) {
  Workbook::State& book = *workbook_;
  lxw_conditional_format format{};
  format.type = LXW_CONDITIONAL_DATA_BAR;
  format.bar_color = colour_of(colour);
  format.bar_solid = LXW_TRUE;
  format.data_bar_2010 = LXW_TRUE;
  // From zero, so that lengths can be compared.
  format.min_rule_type = LXW_CONDITIONAL_RULE_TYPE_NUMBER;
  format.min_value = 0;
  book.note(book.library().worksheet_conditional_format_range(
      as_sheet(sheet_), range.first_row, range.column, range.last_row, range.column, &format));
}

void Sheet::hide_gridlines() {
  workbook_->library().worksheet_gridlines(as_sheet(sheet_), LXW_HIDE_ALL_GRIDLINES);
}

void Sheet::add_chart(CellPlace at, const Chart& chart) {
  workbook_->draw(as_sheet(sheet_), at, chart);
}

Result<Workbook> Workbook::create(const std::string& path, Size size, std::string_view title) {
  PLANEX_ASSIGN(const XlsxLibrary* library, xlsx_library());
  lxw_workbook_options options{};
  options.constant_memory = size == Size::kLarge ? LXW_TRUE : LXW_FALSE;
  lxw_workbook* book = library->workbook_new_opt(path.c_str(), &options);
  if (book == nullptr) {
    return fail({.code = ErrorCode::kIo, .message = "can't begin the workbook", .file = path});
  }
  auto state = std::make_unique<State>(*library, book, path);
  state->set_up(title);
  return Workbook(std::move(state));
}

Workbook::Workbook(std::unique_ptr<State> state) : state_(std::move(state)) {}
Workbook::Workbook(Workbook&&) noexcept = default;
Workbook::~Workbook() = default;

Sheet& Workbook::add_sheet(std::string_view name) {
  const std::string unique = sheet_name(name, state_->sheet_names);
  lxw_worksheet* added = state_->library().workbook_add_worksheet(state_->book(), unique.c_str());
  if (added == nullptr) state_->note(LXW_ERROR_SHEETNAME_ALREADY_USED);
  state_->sheets.push_back(Sheet(*state_, added, unique));
  return state_->sheets.back();
}

std::int64_t Workbook::cut_text_count() const { return state_->cut_texts; }

Result<void> Workbook::close() { return state_->close(); }

}  // namespace planex::render
