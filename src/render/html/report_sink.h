// Described members in the report's data: as in every document, but for tables.
#pragma once

#include <cstddef>
#include <string_view>

#include "record/fields.h"
#include "render/html/string_table.h"
#include "render/json/record_json.h"

namespace planex::render {

// Digits written for a bound or a rate in a table: more than the underlying clocks and data sheets
// have, and half as many bytes.
inline constexpr int kReportDigits = 7;

// Writes tables as columns, like those of the model, so that the page reads both in the same way
// (docs/reference/report-data.md): a text is its place among the strings, an empty text or list is
// null, a column without any value is left out.
class ReportSink final : public JsonSink {
 public:
  ReportSink(JsonWriter& json, StringTable& strings) : JsonSink(json), strings_(strings) {}

  void table(const record::Record& record, std::size_t row_count, const RowAt& row,
             const void* context) override;

  // The members of an object that is open.
  template <typename T, typename Context>
  void members(const record::Fields<T, Context>& fields, const T& object, const Context& context) {
    fields.record().put_members(&object, &context, *this);
  }

 private:
  StringTable& strings_;
};

}  // namespace planex::render
