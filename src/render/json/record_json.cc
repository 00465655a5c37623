#include "render/json/record_json.h"

namespace planex::render {
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
