// Helpers for writing the JSON files of this folder. Text that is not valid UTF-8 is repaired.
#pragma once

#include <rapidjson/prettywriter.h>
#include <rapidjson/stringbuffer.h>

#include <string>
#include <string_view>

#include "base/utf8.h"

namespace planex::drive {

using JsonFileWriter = rapidjson::PrettyWriter<rapidjson::StringBuffer>;

inline void write_text(JsonFileWriter& json, std::string_view value) {
  const std::string valid = base::valid_utf8(value);
  json.String(valid.data(), static_cast<rapidjson::SizeType>(valid.size()));
}

inline void write_field(JsonFileWriter& json, const char* key, std::string_view value) {
  json.Key(key);
  write_text(json, value);
}

}  // namespace planex::drive
