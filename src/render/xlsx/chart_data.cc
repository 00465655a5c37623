#include "render/xlsx/chart_data.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <variant>

namespace planex::render {

ChartData::ChartData(Workbook& book, std::string_view sheet) : sheet_(book.add_sheet(sheet)) {
  sheet_.freeze({1, 0});
}

CellRange ChartData::add(std::string head, CellStyle style, std::vector<model::Value> values) {
  const auto column = static_cast<std::uint16_t>(columns_.size());
  const auto last = static_cast<std::uint32_t>(values.size());
  columns_.push_back({std::move(head), style, std::move(values)});
  return {sheet_.name(), 1, last, column};
}

void ChartData::write() {
  std::size_t rows = 0;
  sheet_.set_height(0, 32);
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const auto column = static_cast<std::uint16_t>(i);
    sheet_.text({0, column}, columns_[i].head, CellStyle::kHead);
    sheet_.set_width(column, 13);
    rows = std::max(rows, columns_[i].values.size());
  }
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      if (row >= columns_[i].values.size()) continue;
      const CellPlace at{static_cast<std::uint32_t>(row + 1), static_cast<std::uint16_t>(i)};
      const model::Value& value = columns_[i].values[row];
      if (const auto* text = std::get_if<std::string>(&value)) {
        sheet_.text(at, *text);
      } else if (const auto* integer = std::get_if<std::int64_t>(&value)) {
        sheet_.number(at, static_cast<double>(*integer), columns_[i].style);
      } else if (const auto* real = std::get_if<double>(&value)) {
        sheet_.number(at, *real, columns_[i].style);
      }
    }
  }
}

}  // namespace planex::render
