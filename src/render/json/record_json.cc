#include "render/json/record_json.h"

#include <cstdint>

namespace planex::render {
namespace {

class JsonSink final : public record::Sink {
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

 private:
  JsonWriter& json_;
};

}  // namespace

void write_members(JsonWriter& json, const record::Record& record, const void* object,
                   const void* context) {
  JsonSink sink(json);
  record.put_members(object, context, sink);
}

std::string json_document(std::string_view id, const record::Record& record, const void* object,
                          const void* context, JsonStyle style) {
  JsonWriter json(style);
  json.begin_object().member("schema", id);
  write_members(json, record, object, context);
  json.end_object();
  return json.take() + "\n";
}

}  // namespace planex::render
