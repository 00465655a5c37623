#include "render/xlsx/table_sheet.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <utility>
#include <variant>

#include "base/text.h"
#include "render/words/display_width.h"
#include "render/xlsx/excel_text.h"

namespace planex::render {
namespace {

using base::format;

constexpr double kMinWidth = 9, kGreatestWidth = 60, kGreatestHeadWidth = 16;
constexpr std::string_view kBarColour = "#C9D9EC";

struct Word {
  std::string_view name, head;
};
// Names that are not readable as words and a unit.
constexpr auto kWords = std::to_array<Word>({
    {"share", "Share of Σ layers (%)"},
    {"corrected_share", "Corrected share (%)"},
    {"macs", "MACs"},
    {"flops", "Operations (FLOP)"},
    {"gemm_m", "GEMM M"},
    {"gemm_n", "GEMM N"},
    {"gemm_k", "GEMM K"},
    {"io_bytes", "Activations (bytes)"},
    {"footprint_bytes", "Bytes moved (bytes)"},
    {"arithmetic_intensity", "Arithmetic intensity (FLOP/byte)"},
    {"h2d_ms", "To device (ms)"},
    {"d2h_ms", "From device (ms)"},
    {"reached", "Reached of the bound (%)"},
    {"limit", "Limited by"},
    {"flops_per_s", "Achieved (GFLOP/s)"},
    {"bytes_per_s", "Achieved (GB/s)"},
});

std::string head_of(std::string_view name, std::string_view unit) {
  for (const Word& word : kWords) {
    if (word.name == name) return std::string(word.head);
  }
  std::string_view shown_unit = unit == "ratio" ? "%" : unit == "us" ? "µs" : unit;
  if (unit == "count") shown_unit = {};
  for (const std::string_view ending : {"_ms", "_us", "_bytes", "_ratio", "_db"}) {
    if (name.ends_with(ending) && name.size() > ending.size()) {
      name.remove_suffix(ending.size());
      break;
    }
  }
  std::string head(name);
  std::ranges::replace(head, '_', ' ');
  if (!head.empty() && head[0] >= 'a' && head[0] <= 'z') {
    head[0] = static_cast<char>(head[0] - 'a' + 'A');
  }
  return shown_unit.empty() ? head : format("{} ({})", head, shown_unit);
}

// Ratios that are factors or certainties, not parts of a whole.
bool is_factor(std::string_view name) {
  return name == "ratio" || name == "speed_up" || name == "certainty";
}

std::string list_text(std::span<const std::int64_t> list) {
  std::string text = "[";
  for (const std::int64_t number : list) {
    text += format("{}{}", text.size() > 1 ? "," : "", number);
  }
  return text + "]";
}

}  // namespace

SheetColumn sheet_column(std::string_view name, std::string_view unit, bool is_numeric) {
  if (unit == "ratio" && is_factor(name)) unit = {};
  SheetColumn column{.name = std::string(name), .head = head_of(name, unit)};
  if (!is_numeric) return column;
  const bool is_rate = unit == "flop/s" || unit == "bytes/s";
  if (is_rate) column.scale = 1e-9;
  column.style = unit == "ms"                         ? CellStyle::kMs
                 : unit == "ratio"                    ? CellStyle::kPercent
                 : unit == "bytes" || unit == "count" ? CellStyle::kWhole
                 : unit == "us" || unit == "flop/byte" || unit == "dB" || is_rate
                     ? CellStyle::kReal
                     : CellStyle::kGeneral;
  column.has_bars = name == "share";
  return column;
}

SheetColumn sheet_column(const model::DataColumn& column) {
  return sheet_column(column.name, column.unit, column.numeric);
}

TableSheet::TableSheet(Workbook& book, std::string_view name, std::vector<SheetColumn> columns,
                       std::uint16_t frozen)
    : sheet_(book.add_sheet(name)), columns_(std::move(columns)) {
  sheet_.set_height(0, 32);
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    sheet_.text({0, static_cast<std::uint16_t>(i)}, columns_[i].head, CellStyle::kHead);
    const auto width = static_cast<double>(display_width(columns_[i].head)) + 3;
    widths_.push_back(std::clamp(width, kMinWidth, kGreatestHeadWidth));
  }
  sheet_.freeze({1, frozen});
}

void TableSheet::text_cell(std::string_view text) {
  // Long texts are as wide as a column can be; the rest need not be measured.
  const auto length = static_cast<double>(std::min<std::size_t>(
                          text.size(), static_cast<std::size_t>(kGreatestWidth))) +
                      2;
  widths_[column_] = std::clamp(length, widths_[column_], kGreatestWidth);
  sheet_.text({row_, column_}, text);
}

void TableSheet::number_cell(double number) {
  const CellStyle style = columns_[column_].style;
  number *= columns_[column_].scale;
  constexpr double kPerDigit = 1.35;  // groups have commas
  const double size = std::fabs(number);
  const double digits = size >= 10 ? std::floor(std::log10(size)) + 1 : 1;
  const double decimals = style == CellStyle::kMs ? 7 : style == CellStyle::kWhole ? 0 : 3;
  widths_[column_] = std::clamp(digits * kPerDigit + decimals + 2, widths_[column_], 24.0);
  sheet_.number({row_, column_}, number, style == CellStyle::kText ? CellStyle::kGeneral : style);
}

void TableSheet::cell(const model::Cell& value) {
  if (column_ < columns_.size() && row_ < kMaxExcelRows) {
    if (const auto* text = std::get_if<std::string_view>(&value)) {
      text_cell(*text);
    } else if (const auto* integer = std::get_if<std::int64_t>(&value)) {
      number_cell(static_cast<double>(*integer));
    } else if (const auto* real = std::get_if<double>(&value)) {
      number_cell(*real);
    } else if (const auto* list = std::get_if<std::span<const std::int64_t>>(&value)) {
      text_cell(list_text(*list));
    }
  }
  ++column_;
}

void TableSheet::cell(const model::Value& value) {
  std::visit(
      [this](const auto& held) {
        using Held = std::decay_t<decltype(held)>;
        if constexpr (std::is_same_v<Held, std::string>) {
          cell(model::Cell(std::string_view(held)));
        } else {
          cell(model::Cell(held));
        }
      },
      value);
}

void TableSheet::end_row() {
  column_ = 0;
  row_ < kMaxExcelRows ? static_cast<void>(++row_) : static_cast<void>(++left_out_);
}

std::string TableSheet::finish() {
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const auto column = static_cast<std::uint16_t>(i);
    sheet_.set_width(column, widths_[i]);
    if (columns_[i].has_bars && row_ > 1) {
      sheet_.bars(range(column, 1, row_ - 1), kBarColour);
    }
  }
  sheet_.filter(0, std::max(row_, 2U) - 1, static_cast<std::uint16_t>(columns_.size()));
  if (left_out_ == 0) return {};
  return format("{}: {} left out, a sheet has at most {} rows", sheet_.name(),
                base::counted(static_cast<std::size_t>(left_out_), "row is", "rows are"),
                kMaxExcelRows);
}

}  // namespace planex::render
