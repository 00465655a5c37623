#include "record/rows.h"

#include <algorithm>

#include "base/text.h"

namespace planex::record {
namespace {

bool is_scalar(const Type& type) { return type.kind <= Kind::kScalar; }

bool is_integer_list(const Type& type) {
  return type.kind == Kind::kList && type.item->kind == Kind::kInteger && !type.item->nullable;
}

bool has_column(const Field& field) {
  return !field.cell.empty() || is_scalar(field.type) ||
         (field.type.kind == Kind::kList && is_scalar(*field.type.item));
}

Kind kind_of(const Field& field) {
  if (!field.cell.empty()) {
    const auto& members = field.type.record->fields;
    const auto member = std::ranges::find(members, field.cell, &Field::name);
    return member == members.end() ? Kind::kText : kind_of(*member);
  }
  if (is_integer_list(field.type)) return Kind::kList;
  return is_scalar(field.type) ? field.type.kind : Kind::kText;
}

// One cell: a scalar, a list of scalars, or a member of an object.
class CellSink final : public Sink {
 public:
  CellSink(std::string_view member, Kind kind) : member_(member), kind_(kind) {}

  void null() override { put(std::monostate{}); }
  void boolean(bool truth) override { put(truth); }
  void integer(std::int64_t number) override { put(number); }
  void real(double number) override { put(number); }
  void text(std::string_view text) override { put(std::string(text)); }
  void begin_list() override {
    is_list_ = true;
    if (kind_ == Kind::kList) {
      cell_ = std::vector<std::int64_t>();
    } else {
      cell_ = std::string();
    }
  }
  void end_list() override {}
  void begin_object() override { is_skipped_ = true; }
  void key(std::string_view name) override { is_skipped_ = name != member_; }
  void end_object() override { is_skipped_ = false; }

  Cell take() { return std::move(cell_); }

 private:
  void put(Cell value) {
    if (is_skipped_) return;
    if (!is_list_) {
      cell_ = std::move(value);
      return;
    }
    const auto* integer = std::get_if<std::int64_t>(&value);
    if (auto* list = std::get_if<std::vector<std::int64_t>>(&cell_)) {
      if (integer != nullptr) list->push_back(*integer);
      return;
    }
    auto& list = std::get<std::string>(cell_);
    if (!list.empty()) list += ", ";
    if (const auto* text = std::get_if<std::string>(&value)) list += *text;
    if (const auto* truth = std::get_if<bool>(&value)) list += *truth ? "1" : "0";
    if (integer != nullptr) list += std::to_string(*integer);
    if (const auto* number = std::get_if<double>(&value)) list += base::format("{}", *number);
  }

  std::string_view member_;
  Kind kind_;
  Cell cell_;
  bool is_list_ = false, is_skipped_ = false;
};

}  // namespace

std::vector<RowColumn> row_columns(const Record& record) {
  std::vector<RowColumn> columns;
  for (const Field& field : record.fields) {
    if (has_column(field)) columns.push_back({&field, kind_of(field)});
  }
  return columns;
}

Cell cell_of(const RowColumn& column, const void* row, const void* context) {
  CellSink sink(column.field->cell, column.kind);
  column.field->put(row, context, sink);
  return sink.take();
}

std::string list_text(const std::vector<std::int64_t>& list) {
  std::string text;
  for (const std::int64_t number : list) {
    if (!text.empty()) text += ", ";
    text += std::to_string(number);
  }
  return text;
}

}  // namespace planex::record
