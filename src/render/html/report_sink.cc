#include "render/html/report_sink.h"

#include <cstdint>

#include "base/numbers.h"

namespace planex::render {
namespace {

using record::Field;
using record::Kind;

// How columns name their type.
std::string_view column_type(const record::Type& type) {
  switch (type.kind) {
    case Kind::kBool:
      return "bool";
    case Kind::kInteger:
      return "int64";
    case Kind::kReal:
      return "double";
    case Kind::kList:
      return "list";
    default:
      return "text";
  }
}

// The value of one cell. Lists begin with their first item: an empty one is null.
class CellSink : public record::Sink {
 public:
  void begin_list() override { list_ = List::kEmpty; }
  void begin_object() override {}
  void key(std::string_view /*name*/) override {}
  void end_object() override {}

 protected:
  enum class List : std::uint8_t { kNone, kEmpty, kBegun };
  List list_ = List::kNone;
};

// Whether there is a value.
class ValueFinder final : public CellSink {
 public:
  void null() override {}
  void boolean(bool /*truth*/) override { found = true; }
  void integer(std::int64_t /*number*/) override { found = true; }
  void real(double /*number*/) override { found = true; }
  void text(std::string_view text) override {
    found = found || !text.empty() || list_ != List::kNone;
  }
  void end_list() override { list_ = List::kNone; }

  bool found = false;
};

class CellWriter final : public CellSink {
 public:
  CellWriter(JsonWriter& json, StringTable& strings) : json_(json), strings_(strings) {}

  void null() override { begun().null(); }
  void boolean(bool truth) override { begun().value(truth); }
  void integer(std::int64_t number) override { begun().value(number); }
  void real(double number) override {
    begun().value(base::rounded_to_digits(number, kReportDigits));
  }
  void text(std::string_view text) override {
    if (text.empty() && list_ == List::kNone) {
      json_.null();
    } else {
      begun().value(strings_.index_of_copy(text));
    }
  }
  void end_list() override {
    if (list_ == List::kBegun) {
      json_.end_array();
    } else {
      json_.null();
    }
    list_ = List::kNone;
  }

 private:
  JsonWriter& begun() {
    if (list_ == List::kEmpty) {
      json_.begin_array();
      list_ = List::kBegun;
    }
    return json_;
  }

  JsonWriter& json_;
  StringTable& strings_;
};

}  // namespace

void ReportSink::table(const record::Record& record, std::size_t row_count, const RowAt& row,
                       const void* context) {
  json().begin_object().member("row_count", row_count).key("columns").begin_object();
  for (const Field& field : record.fields) {
    ValueFinder finder;
    for (std::size_t i = 0; i < row_count && !finder.found; ++i) {
      field.put(row(i), context, finder);
    }
    if (!finder.found) continue;
    json()
        .key(field.name)
        .begin_object()
        .member("type", column_type(field.type))
        .member("unit", field.unit)
        .key("values")
        .begin_array();
    CellWriter writer(json(), strings_);
    for (std::size_t i = 0; i < row_count; ++i) field.put(row(i), context, writer);
    json().end_array().end_object();
  }
  json().end_object().end_object();
}

}  // namespace planex::render
