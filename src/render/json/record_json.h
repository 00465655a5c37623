// Described results as JSON.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "record/fields.h"
#include "render/json/json_writer.h"

namespace planex::render {

// Described values as JSON.
class JsonSink : public record::Sink {
 public:
  explicit JsonSink(JsonWriter& json) : json_(json) {}

  void null() override { json_.null(); }
  void boolean(bool truth) override { json_.value(truth); }
  void integer(std::int64_t number) override { json_.value(number); }
  void real(double number) override { json_.value(number); }
  void text(std::string_view text) override { json_.value(text); }
  void begin_list() override { json_.begin_array(); }
  void end_list() override { json_.end_array(); }
  void begin_object() override { json_.begin_object(); }
  void key(std::string_view name) override { json_.key(name); }
  void end_object() override { json_.end_object(); }

 protected:
  JsonWriter& json() { return json_; }

 private:
  JsonWriter& json_;
};

// The members of an object that is open.
void write_members(JsonWriter& json, const record::Record& record, const void* object,
                   const void* context);

template <typename T, typename Context = record::NoContext>
void write_members(JsonWriter& json, const record::Fields<T, Context>& fields, const T& object,
                   const Context& context = {}) {
  write_members(json, fields.record(), &object, &context);
}

// One value: an object that begins with its "schema".
template <typename T, typename Context = record::NoContext>
void write_document(JsonWriter& json, const record::Document<T, Context>& document, const T& object,
                    const Context& context = {}) {
  json.begin_object().member("schema", document.id);
  write_members(json, document.fields, object, context);
  json.end_object();
}

// By itself, with a line break at its end.
std::string json_document(std::string_view id, const record::Record& record, const void* object,
                          const void* context, JsonStyle style = JsonStyle::kPretty);

template <typename T, typename Context = record::NoContext>
std::string json_document(const record::Document<T, Context>& document, const T& object,
                          const Context& context = {}, JsonStyle style = JsonStyle::kPretty) {
  return json_document(document.id, document.fields.record(), &object, &context, style);
}

}  // namespace planex::render
