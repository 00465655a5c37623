// Tables of the report's data that are no tables of the model: columns as those are written, so
// that the page reads both alike (docs/reference/report-data.md).
#ifndef PLANEX_RENDER_HTML_TABLE_WRITER_H_
#define PLANEX_RENDER_HTML_TABLE_WRITER_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "render/html/string_table.h"
#include "render/json/json_writer.h"

namespace planex::render {

// Digits that are written of a bound or a rate: more than the clocks and data sheets behind it
// have, and half as many bytes.
inline constexpr int kReportDigits = 7;

// The nearest number of that many decimal digits; what is not finite stays.
double rounded_to_digits(double value, int digits = kReportDigits);

// Opens the object; every column goes over the rows 0 … row_count - 1. Columns without any value
// are left out. finish() closes it.
class TableWriter {
 public:
  TableWriter(JsonWriter& json, StringTable& strings, std::size_t row_count);

  // An empty text is null.
  void text(std::string_view name, const std::function<std::string_view(std::size_t)>& value);
  // Of texts that nobody keeps.
  void made_text(std::string_view name, const std::function<std::string(std::size_t)>& value);
  void integer(std::string_view name,
               const std::function<std::optional<std::int64_t>(std::size_t)>& value);
  void flag(std::string_view name, const std::function<bool(std::size_t)>& value);
  // Rounded, as above.
  void real(std::string_view name, std::string_view unit,
            const std::function<std::optional<double>(std::size_t)>& value);
  // An empty list is null.
  void list(std::string_view name,
            const std::function<std::vector<std::int64_t>(std::size_t)>& value);
  // Lists of texts: of their places among the strings.
  void texts(std::string_view name,
             const std::function<std::vector<std::string>(std::size_t)>& value);
  void finish();

 private:
  template <typename Value, typename Write>
  void column(std::string_view name, std::string_view type, std::string_view unit,
              const Value& value, const Write& write);

  JsonWriter& json_;
  StringTable& strings_;
  std::size_t row_count_;
};

}  // namespace planex::render

#endif  // PLANEX_RENDER_HTML_TABLE_WRITER_H_
