#include "ingest/json_record.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <vector>

#include "base/text.h"

namespace planex::ingest {
namespace {

namespace ondemand = simdjson::ondemand;
using base::format;

// "planex.times/1" -> 1 where the name is the schema's. "1.5" is later than 1: 2.
std::optional<int> version_in(std::string_view text, std::string_view name) {
  if (!text.starts_with(name) || !text.substr(name.size()).starts_with('/')) return std::nullopt;
  const std::string_view digits = text.substr(name.size() + 1);
  int version = 0;
  const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), version);
  if (parsed.ec != std::errc() || version <= 0) return std::nullopt;
  const std::string_view rest = digits.substr(static_cast<std::size_t>(parsed.ptr - digits.data()));
  if (rest.empty()) return version;
  const bool is_minor = rest.size() > 1 && rest.front() == '.' &&
                        rest.find_first_not_of("0123456789", 1) == rest.npos;
  return is_minor && version < std::numeric_limits<int>::max() ? std::optional(version + 1)
                                                               : std::nullopt;
}

}  // namespace

std::string compact_json(std::string_view json) {
  std::string compact;
  bool in_string = false;
  for (std::size_t at = 0; at < json.size(); ++at) {
    const char c = json[at];
    const bool is_blank = c == ' ' || c == '\n' || c == '\r' || c == '\t';
    if (is_blank && !in_string) continue;
    compact += c;
    if (c == '"') in_string = !in_string;
    if (c == '\\' && in_string && at + 1 < json.size()) compact += json[++at];
  }
  return compact;
}

Confidence sniff_schema(std::string_view head, const Schema& schema) {
  if (!base::trimmed(head).starts_with('{')) return Confidence::kNo;
  constexpr std::string_view kKey = "\"schema\"";
  for (std::size_t at = head.find(kKey); at != head.npos; at = head.find(kKey, at + 1)) {
    std::string_view rest = base::trimmed(head.substr(at + kKey.size(), 256));
    if (!rest.starts_with(':')) continue;
    rest = base::trimmed(rest.substr(1));
    if (!rest.starts_with('"')) continue;
    const std::string_view text = rest.substr(1, rest.find('"', 1) - 1);
    if (version_in(text, schema.name)) return Confidence::kSure;
  }
  return Confidence::kNo;
}

Error JsonRecords::error_at(ondemand::value& value, const JsonPlace& place,
                            simdjson::error_code code, std::string_view expected) {
  if (code == simdjson::INCORRECT_TYPE) {
    return input_.wrong_value(place.pointer(), JsonInput::found_text(value), expected);
  }
  return input_.broken(place.pointer(), code, expected);
}

bool JsonRecords::is_null(ondemand::value& value) {
  return base::trimmed(value.raw_json_token()) == "null";
}

bool JsonRecords::is_text(ondemand::value& value) {
  return value.raw_json_token().starts_with('"');
}

Result<JsonText> JsonRecords::text(ondemand::value& value, const JsonPlace& place) {
  JsonText result;
  if (const auto code = JsonInput::text_of(value).get(result)) {
    return fail(error_at(value, place, code, "a text"));
  }
  return result;
}

Result<bool> JsonRecords::boolean(ondemand::value& value, const JsonPlace& place) {
  bool result = false;
  if (const auto code = value.get_bool().get(result)) {
    return fail(error_at(value, place, code, "true or false"));
  }
  return result;
}

Result<std::optional<std::int64_t>> JsonRecords::integer(ondemand::value& value,
                                                         const JsonPlace& place) {
  if (is_null(value)) return std::optional<std::int64_t>();
  std::int64_t result = 0;
  if (const auto code = JsonInput::integer_of(value, result)) {
    return fail(error_at(value, place, code, "an integer"));
  }
  return std::optional(result);
}

Result<std::optional<double>> JsonRecords::number(ondemand::value& value, const JsonPlace& place) {
  if (is_null(value)) return std::optional<double>();
  double result = 0;
  if (const auto code = value.get_double().get(result)) {
    return fail(error_at(value, place, code, "a number"));
  }
  return std::optional(result);
}

Result<std::string_view> JsonRecords::raw(ondemand::value& value, const JsonPlace& place) {
  std::string_view text;
  if (const auto code = JsonInput::raw_of(value).get(text)) {
    return fail(input_.broken(place.pointer(), code, "a value"));
  }
  if (!check_json_value(text)) return fail(not_json(text, place));
  return base::trimmed(text);
}

Result<JsonText> JsonRecords::written(ondemand::value& value, const JsonPlace& place) {
  if (is_text(value)) return text(value, place);
  PLANEX_ASSIGN(const std::string_view text, raw(value, place));
  return JsonText{text, base::Lifetime::kBorrow};
}

Result<void> JsonRecords::check_schema(ondemand::value& value, const JsonPlace& place) {
  PLANEX_ASSIGN(const JsonText found, text(value, place));
  const auto version = version_in(found.view, schema_.name);
  if (!version) {
    return fail(input_.wrong_value(place.pointer(), base::quoted(found.view),
                                   format("\"{}/{}\"", schema_.name, schema_.version)));
  }
  if (*version > schema_.version) {
    Error error =
        input_.wrong_value(place.pointer(), base::quoted(found.view),
                           format("\"{}/{}\" or an older version", schema_.name, schema_.version));
    error.code = ErrorCode::kUnsupported;
    error.hint = "the file was written by a newer planex: use that version";
    return fail(std::move(error));
  }
  return {};
}

Error JsonRecords::not_json(std::string_view text, const JsonPlace& place) {
  return input_.wrong_value(place.pointer(), base::quoted(text, 40),
                            format("a JSON value nested at most {} levels deep", kMaxDepth));
}

Error JsonRecords::no_schema() const {
  return {.code = ErrorCode::kBadInput,
          .message = format("not {}: there is no \"schema\": \"{}/{}\"", schema_.what, schema_.name,
                            schema_.version),
          .file = artefact_.path,
          .json_pointer = "/schema",
          .hint = std::string(schema_.hint)};
}

}  // namespace planex::ingest
