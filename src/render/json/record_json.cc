#include "render/json/record_json.h"

namespace planex::render {
void write_members(JsonWriter& json, const record::Record& record, const void* object,
                   const void* context) {
  JsonSink sink(json);
  record.put_members(object, context, sink);
}

}  // namespace planex::render
