#include "record/fields.h"

#include <cmath>
#include <memory>
#include <utility>

namespace planex::record {
namespace {

// Passes the key of a member on with its value, and drops both where the value is null.
class LeavesOutNull final : public Sink {
 public:
  LeavesOutNull(Sink& sink, std::string_view key) : sink_(sink), key_(key) {}

  void null() override {
    if (is_begun_) sink_.null();
  }
  void boolean(bool truth) override { begun().boolean(truth); }
  void integer(std::int64_t number) override { begun().integer(number); }
  void real(double number) override { begun().real(number); }
  void text(std::string_view text) override { begun().text(text); }
  void begin_list() override { begun().begin_list(); }
  void end_list() override { sink_.end_list(); }
  void begin_object() override { begun().begin_object(); }
  void key(std::string_view name) override { sink_.key(name); }
  void end_object() override { sink_.end_object(); }
  void table(const Record& record, std::size_t row_count, const RowAt& row,
             const void* context) override {
    begun().table(record, row_count, row, context);
  }

 private:
  Sink& begun() {
    if (!is_begun_) sink_.key(key_);
    is_begun_ = true;
    return sink_;
  }

  Sink& sink_;
  std::string_view key_;
  bool is_begun_ = false;
};

}  // namespace

void Sink::table(const Record& record, std::size_t row_count, const RowAt& row,
                 const void* context) {
  begin_list();
  for (std::size_t i = 0; i < row_count; ++i) record.put_object(row(i), context, *this);
  end_list();
}

void ValueOf<Number>::put(Sink& sink, const Number& number) {
  if (!number.value) return sink.null();
  constexpr double kMaxExact = 9'007'199'254'740'992.0;  // 2^53
  const double value = *number.value;
  if (value >= -kMaxExact && value <= kMaxExact && value == std::trunc(value)) {
    sink.integer(static_cast<std::int64_t>(value));
  } else {
    sink.real(value);
  }
}

void ValueOf<std::variant<std::monostate, std::int64_t, double, std::string>>::put(
    Sink& sink, const Value& value) {
  if (const auto* number = std::get_if<std::int64_t>(&value)) return sink.integer(*number);
  if (const auto* number = std::get_if<double>(&value)) return sink.real(*number);
  if (const auto* text = std::get_if<std::string>(&value)) return sink.text(*text);
  sink.null();
}

void Record::add(std::string_view field, std::string_view unit, std::string_view words,
                 Type (*type)(), Puts put) {
  fields.push_back(
      {.name = field, .unit = unit, .description = words, .type = type(), .put = std::move(put)});
}

void Record::add_record(std::string_view field, std::string_view words, Form form,
                        std::shared_ptr<const Record> of, Puts put) {
  Type type{.kind = form.kind, .nullable = form.nullable, .record = std::move(of)};
  for (int i = 0; i < form.list_depth; ++i) {
    type = {.kind = Kind::kList, .item = std::make_shared<const Type>(std::move(type))};
  }
  fields.push_back(
      {.name = field, .description = words, .type = std::move(type), .put = std::move(put)});
}

void Record::add_described(std::string_view field, std::string_view words, Type type) {
  fields.push_back({.name = field,
                    .description = words,
                    .type = std::move(type),
                    .put = [](const void*, const void*, Sink& sink) { sink.null(); }});
}

void Record::put_members(const void* object, const void* context, Sink& sink) const {
  for (const Field& field : fields) {
    if (field.is_there && !field.is_there(object, context)) continue;
    if (field.is_left_out) {
      LeavesOutNull kept(sink, field.name);
      field.put(object, context, kept);
    } else {
      sink.key(field.name);
      field.put(object, context, sink);
    }
  }
}

void Record::put_object(const void* object, const void* context, Sink& sink) const {
  sink.begin_object();
  put_members(object, context, sink);
  sink.end_object();
}

}  // namespace planex::record
