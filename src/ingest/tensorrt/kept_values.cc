#include "ingest/tensorrt/kept_values.h"

#include "base/text.h"

namespace planex::ingest::tensorrt {

namespace ondemand = simdjson::ondemand;
using base::format;
using base::Lifetime;
using model::ValueType;

Error no_text(JsonInput& input, ondemand::value& value, simdjson::error_code code,
              const JsonPlace& place, std::string_view key) {
  const std::string pointer = JsonPlace(place, key).pointer();
  return code == simdjson::INCORRECT_TYPE
             ? input.wrong_value(pointer, JsonInput::found_text(value), "a text")
             : input.broken(pointer, code, "a text");
}

Result<KeptValue> keep_other_value(JsonInput& input, ondemand::value& value, const JsonPlace& place,
                                   std::string_view key, model::ModelBuilder& builder) {
  const auto where = [&] { return JsonPlace(place, key).pointer(); };
  std::string_view raw = value.raw_json_token();
  if (!raw.starts_with('[') && !raw.starts_with('{')) {
    raw = base::trimmed(raw);
    if (is_not_a_number(raw)) {
      input.note_not_a_number(raw);
      return KeptValue{builder.strings().intern("null"), ValueType::kJsonNull};
    }
  }
  if (const auto code = JsonInput::raw_of(value).get(raw)) {
    return fail(input.broken(where(), code, "a value"));
  }
  const ValueType type = json_type_of(raw);
  if (check_json_value(raw)) {
    return KeptValue{builder.strings().add(raw, Lifetime::kBorrow), type};
  }
  if (const auto without = with_null_for_not_a_number(raw)) {
    input.note_not_a_number(raw);
    return KeptValue{builder.strings().add(*without, Lifetime::kCopy), type};
  }
  return fail(input.wrong_value(where(), base::quoted(raw, 40),
                                format("a JSON value nested at most {} deep", kMaxDepth)));
}

KeptValue keep_as_written(std::string_view json, model::ModelBuilder& builder) {
  const ValueType type = json_type_of(json);
  // A text that is read a second time must not be decoded again: the parser has room for one copy.
  if (type == ValueType::kString && json.size() >= 2) json = json.substr(1, json.size() - 2);
  return {builder.strings().add(json, Lifetime::kBorrow), type};
}

}  // namespace planex::ingest::tensorrt
