// Texts, and values without a column: kept unchanged, after checking that they are JSON.
#pragma once

#include <string_view>

#include "base/text.h"
#include "ingest/json_input.h"
#include "model/builder.h"

namespace planex::ingest::tensorrt {

// The text at `key` of the object at `place`. Errors: kBadInput.
Error no_text(JsonInput& input, simdjson::ondemand::value& value, simdjson::error_code code,
              const JsonPlace& place, std::string_view key);
inline Result<JsonText> read_text(JsonInput& input, simdjson::ondemand::value& value,
                                  const JsonPlace& place, std::string_view key) {
  JsonText text;
  const auto code = JsonInput::text_of(value).get(text);
  return code == simdjson::SUCCESS ? Result<JsonText>(text)
                                   : fail(no_text(input, value, code, place, key));
}

struct KeptValue {
  // The content of a text, JSON for anything else. NaN and infinity become null.
  base::StringId text;
  model::ValueType type = model::ValueType::kNull;
};

// Values that are neither texts nor plain numbers.
Result<KeptValue> keep_other_value(JsonInput& input, simdjson::ondemand::value& value,
                                   const JsonPlace& place, std::string_view key,
                                   model::ModelBuilder& builder);

// The value of `key` in the object at `place`. The builder keeps the input's bytes. Most of a layer
// file is such values, hence inline.
// Errors: kBadInput.
inline Result<KeptValue> keep_value(JsonInput& input, simdjson::ondemand::value& value,
                                    const JsonPlace& place, std::string_view key,
                                    model::ModelBuilder& builder) {
  std::string_view raw = value.raw_json_token();
  if (raw.starts_with('"')) {
    JsonText text;
    if (const auto code = JsonInput::text_of(value).get(text)) {
      return fail(input.broken(JsonPlace(place, key).pointer(), code, "a text"));
    }
    return KeptValue{builder.strings().add(text.view, text.lifetime), model::ValueType::kString};
  }
  if (raw = base::trimmed(raw); is_json_number(raw)) {
    return KeptValue{builder.strings().add(raw, base::Lifetime::kBorrow),
                     model::ValueType::kNumber};
  }
  return keep_other_value(input, value, place, key, builder);
}

// The same for JSON that was already checked, or whose brackets at least match.
KeptValue keep_as_written(std::string_view json, model::ModelBuilder& builder);

}  // namespace planex::ingest::tensorrt
