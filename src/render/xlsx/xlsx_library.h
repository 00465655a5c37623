// libxlsxwriter, loaded when the first workbook is written, or linked in
// (docs/design/0017-libraries-that-start-fast.md).
#pragma once

#include <xlsxwriter.h>

#include "planex/error.h"

#define PLANEX_XLSX_FUNCTIONS(X)            \
  X(chart_add_series)                       \
  X(chart_axis_major_gridlines_set_visible) \
  X(chart_axis_set_label_position)          \
  X(chart_axis_set_log_base)                \
  X(chart_axis_set_max)                     \
  X(chart_axis_set_min)                     \
  X(chart_axis_set_name)                    \
  X(chart_axis_set_num_format)              \
  X(chart_axis_set_reverse)                 \
  X(chart_legend_set_position)              \
  X(chart_series_set_categories)            \
  X(chart_series_set_fill)                  \
  X(chart_series_set_labels)                \
  X(chart_series_set_labels_percentage)     \
  X(chart_series_set_line)                  \
  X(chart_series_set_marker_fill)           \
  X(chart_series_set_marker_line)           \
  X(chart_series_set_marker_size)           \
  X(chart_series_set_marker_type)           \
  X(chart_series_set_name)                  \
  X(chart_series_set_points)                \
  X(chart_series_set_values)                \
  X(chart_set_hole_size)                    \
  X(chart_set_series_gap)                   \
  X(chart_set_series_overlap)               \
  X(chart_title_set_name)                   \
  X(chart_title_set_name_font)              \
  X(format_set_align)                       \
  X(format_set_bg_color)                    \
  X(format_set_bold)                        \
  X(format_set_bottom)                      \
  X(format_set_bottom_color)                \
  X(format_set_font_color)                  \
  X(format_set_font_size)                   \
  X(format_set_num_format)                  \
  X(format_set_text_wrap)                   \
  X(lxw_strerror)                           \
  X(workbook_add_chart)                     \
  X(workbook_add_format)                    \
  X(workbook_add_worksheet)                 \
  X(workbook_close)                         \
  X(workbook_new_opt)                       \
  X(workbook_set_properties)                \
  X(worksheet_autofilter)                   \
  X(worksheet_conditional_format_range)     \
  X(worksheet_freeze_panes)                 \
  X(worksheet_gridlines)                    \
  X(worksheet_insert_chart_opt)             \
  X(worksheet_set_column)                   \
  X(worksheet_set_row)                      \
  X(worksheet_write_number)                 \
  X(worksheet_write_string)

namespace planex::render {

// The functions, of the same names and types.
struct XlsxLibrary {
#define PLANEX_XLSX_MEMBER(name) decltype(&::name) name = nullptr;
  PLANEX_XLSX_FUNCTIONS(PLANEX_XLSX_MEMBER)
#undef PLANEX_XLSX_MEMBER
};

// Loads it the first time; it stays. Error: kUnsupported (not on this machine).
Result<const XlsxLibrary*> xlsx_library();

}  // namespace planex::render
