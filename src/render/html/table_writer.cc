#include "render/html/table_writer.h"

#include <array>
#include <charconv>
#include <cmath>
#include <utility>

namespace planex::render {

double rounded_to_digits(double value, int digits) {
  if (!std::isfinite(value)) return value;
  std::array<char, 64> text{};
  const auto written = std::to_chars(text.data(), text.data() + text.size(), value,
                                     std::chars_format::scientific, digits - 1);
  double result = value;
  std::from_chars(text.data(), written.ptr, result);
  return result;
}

TableWriter::TableWriter(JsonWriter& json, StringTable& strings, std::size_t row_count)
    : json_(json), strings_(strings), row_count_(row_count) {
  json_.begin_object().member("row_count", row_count_).key("columns").begin_object();
}

void TableWriter::finish() { json_.end_object().end_object(); }

template <typename Value, typename Write>
void TableWriter::column(std::string_view name, std::string_view type, std::string_view unit,
                         const Value& value, const Write& write) {
  using Cell = decltype(value(std::size_t{}));
  std::vector<std::optional<Cell>> cells;
  cells.reserve(row_count_);
  bool any = false;
  for (std::size_t row = 0; row < row_count_; ++row) {
    Cell cell = value(row);
    bool known = true;
    if constexpr (requires { cell.has_value(); }) {
      known = cell.has_value();
    } else if constexpr (requires { cell.empty(); }) {
      known = !cell.empty();
    }
    any = any || known;
    cells.push_back(known ? std::optional<Cell>(std::move(cell)) : std::nullopt);
  }
  if (!any) return;
  json_.key(name)
      .begin_object()
      .member("type", type)
      .member("unit", unit)
      .key("values")
      .begin_array();
  for (const std::optional<Cell>& cell : cells) {
    if (cell) {
      write(*cell);
    } else {
      json_.null();
    }
  }
  json_.end_array().end_object();
}

void TableWriter::text(std::string_view name,
                       const std::function<std::string_view(std::size_t)>& value) {
  column(name, "text", "", value,
         [&](std::string_view text) { json_.value(strings_.index_of(text)); });
}

void TableWriter::made_text(std::string_view name,
                            const std::function<std::string(std::size_t)>& value) {
  column(name, "text", "", value,
         [&](const std::string& text) { json_.value(strings_.index_of_copy(text)); });
}

void TableWriter::integer(std::string_view name,
                          const std::function<std::optional<std::int64_t>(std::size_t)>& value) {
  column(name, "int64", "", value,
         [&](std::optional<std::int64_t> number) { json_.value(*number); });
}

void TableWriter::flag(std::string_view name, const std::function<bool(std::size_t)>& value) {
  column(name, "bool", "", value, [&](bool truth) { json_.value(truth); });
}

void TableWriter::real(std::string_view name, std::string_view unit,
                       const std::function<std::optional<double>(std::size_t)>& value) {
  column(name, "double", unit, value,
         [&](std::optional<double> number) { json_.value(rounded_to_digits(*number)); });
}

void TableWriter::list(std::string_view name,
                       const std::function<std::vector<std::int64_t>(std::size_t)>& value) {
  column(name, "list", "", value, [&](const std::vector<std::int64_t>& items) {
    json_.begin_array();
    for (const std::int64_t item : items) json_.value(item);
    json_.end_array();
  });
}

void TableWriter::texts(std::string_view name,
                        const std::function<std::vector<std::string>(std::size_t)>& value) {
  column(name, "list", "", value, [&](const std::vector<std::string>& items) {
    json_.begin_array();
    for (const std::string& item : items) json_.value(strings_.index_of_copy(item));
    json_.end_array();
  });
}

}  // namespace planex::render
