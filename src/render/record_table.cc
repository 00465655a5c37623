#include "render/record_table.h"

#include <string>
#include <utility>

#include "base/text.h"

namespace planex::render {
namespace {

using model::Value;
using record::Field;
using record::Kind;

bool is_scalar(const record::Type& type) { return type.kind <= Kind::kScalar; }

bool has_column(const Field& field) {
  return !field.cell.empty() || is_scalar(field.type) ||
         (field.type.kind == Kind::kList && is_scalar(*field.type.item));
}

// One cell: a scalar, a list of scalars, or a member of an object.
class CellSink final : public record::Sink {
 public:
  explicit CellSink(std::string_view member) : member_(member) {}

  void null() override { put(std::monostate{}); }
  void boolean(bool truth) override { put(std::int64_t{truth ? 1 : 0}); }
  void integer(std::int64_t number) override { put(number); }
  void real(double number) override { put(number); }
  void text(std::string_view text) override { put(std::string(text)); }
  void begin_list() override {
    is_list_ = true;
    cell_ = std::string();
  }
  void end_list() override {}
  void begin_object() override { is_skipped_ = true; }
  void key(std::string_view name) override { is_skipped_ = name != member_; }
  void end_object() override { is_skipped_ = false; }

  Value take() { return std::move(cell_); }

 private:
  void put(Value value) {
    if (is_skipped_) return;
    if (!is_list_) {
      cell_ = std::move(value);
      return;
    }
    auto& list = std::get<std::string>(cell_);
    if (!list.empty()) list += ", ";
    if (const auto* text = std::get_if<std::string>(&value)) list += *text;
    if (const auto* number = std::get_if<std::int64_t>(&value)) list += std::to_string(*number);
    if (const auto* number = std::get_if<double>(&value)) list += base::format("{}", *number);
  }

  std::string_view member_;
  Value cell_;
  bool is_list_ = false, is_skipped_ = false;
};

}  // namespace

std::vector<model::DataColumn> table_columns(const record::Record& record) {
  std::vector<model::DataColumn> columns;
  for (const Field& field : record.fields) {
    if (!has_column(field)) continue;
    const bool is_number = field.type.kind == Kind::kBool || field.type.kind == Kind::kInteger ||
                           field.type.kind == Kind::kReal;
    columns.push_back({std::string(field.name), std::string(field.unit), is_number});
  }
  return columns;
}

std::vector<Value> table_row(const record::Record& record, const void* object,
                             const void* context) {
  std::vector<Value> row;
  for (const Field& field : record.fields) {
    if (!has_column(field)) continue;
    CellSink sink(field.cell);
    field.put(object, context, sink);
    row.push_back(sink.take());
  }
  return row;
}

}  // namespace planex::render
