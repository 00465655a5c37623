#include "arrays/sample_sources.h"

#include <rapidjson/prettywriter.h>
#include <rapidjson/stringbuffer.h>

#include <string_view>

#include "base/files.h"
#include "base/utf8.h"

namespace planex::arrays {

Result<void> write_sources(std::span<const SampleSource> sources, const std::string& path) {
  rapidjson::StringBuffer buffer;
  rapidjson::PrettyWriter<rapidjson::StringBuffer> json(buffer);
  json.SetIndent(' ', 1);
  const auto put = [&](const char* key, std::string_view text) {
    const std::string valid = base::valid_utf8(text);
    json.Key(key);
    json.String(valid.data(), static_cast<rapidjson::SizeType>(valid.size()));
  };
  json.StartArray();
  for (const SampleSource& source : sources) {
    json.StartObject();
    put("name", source.name);
    if (!source.label.empty()) put("label", source.label);
    json.EndObject();
  }
  json.EndArray();
  std::string text(buffer.GetString(), buffer.GetSize());
  text += '\n';
  return base::write_file_atomically(path, text);
}

}  // namespace planex::arrays
