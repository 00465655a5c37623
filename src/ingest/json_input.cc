#include "ingest/json_input.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>

#include "base/text.h"
#include "base/try.h"

namespace planex::ingest {
namespace {

namespace ondemand = simdjson::ondemand;
using base::format;

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

std::string_view without_trailing_blanks(std::string_view text) {
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

// The parser has checked that there is one; the padding of Bytes makes it safe to read whole words.
const char* first_quote_or_backslash(const char* at) {
  if constexpr (std::endian::native != std::endian::little) {
    while (*at != '"' && *at != '\\') ++at;
    return at;
  }
  constexpr std::uint64_t kOnes = 0x0101010101010101;
  // The highest bit of each zero byte; bits above the first one may be wrong.
  const auto zero_bytes = [](std::uint64_t word) { return (word - kOnes) & ~word & (kOnes << 7); };
  while (true) {
    std::uint64_t word = 0;
    std::memcpy(&word, at, sizeof(word));
    const std::uint64_t found =
        zero_bytes(word ^ (kOnes * '"')) | zero_bytes(word ^ (kOnes * '\\'));
    if (found != 0) return at + std::countr_zero(found) / 8;
    at += sizeof(word);
  }
}

}  // namespace

JsonInput::JsonInput(const Artefact& artefact, std::string_view what)
    : artefact_(artefact), what_(what) {}

simdjson::error_code JsonInput::iterate(std::string_view part, std::size_t readable) {
  return parser_.iterate(part.data(), part.size(), readable).get(document_);
}

Result<void> JsonInput::open() { return open_whole(nullptr); }
Result<void> JsonInput::open(model::ModelBuilder& builder) { return open_whole(&builder); }

Result<void> JsonInput::open_whole(model::ModelBuilder* builder) {
  const std::string_view text = artefact_.bytes->view();
  if (text.size() > kMaxJsonBytes) {
    return fail(
        {.code = ErrorCode::kUnsupported,
         .message = format("has {} bytes; the limit for JSON is {}", text.size(), kMaxJsonBytes),
         .file = artefact_.path});
  }
  parsed_ = text;
  copy_ = {};
  std::size_t size = text.size();
  const std::size_t readable = text.size() + base::Bytes::kPadding;
  auto code = iterate(text, readable);
  // The first pass accepts strings that only a later one would find invalid.
  if (const std::string found = describe_content(text); !found.empty()) {
    return fail({.code = ErrorCode::kBadInput,
                 .message = format("not {}: {}, expected JSON", what_, found),
                 .file = artefact_.path,
                 .byte_offset = inside_ ? inside_->offset : 0});
  }
  // The parser expects the bracket that closes the document at the very end. Text after the
  // document, such as the last lines of a log, is skipped and reported.
  const std::string_view content = base::trimmed(text);
  const bool closed = content.back() == (content.front() == '{' ? '}' : ']');
  if (code != simdjson::SUCCESS || !closed) {
    const auto end = document_end(text);
    // The parser also looks at the byte after the document, which must not look like a
    // continuation.
    const bool separate = end && *end < text.size() &&
                          std::string_view(",:[]{}\"").find(text[*end]) == std::string_view::npos;
    if (separate && !base::trimmed(text.substr(*end)).empty() &&
        text[*end - 1] == (content.front() == '{' ? '}' : ']')) {
      const auto code_without_rest = iterate(text.substr(0, *end), readable);
      if (code_without_rest == simdjson::SUCCESS ||
          code_without_rest == simdjson::UNESCAPED_CHARS) {
        code = code_without_rest;
        size = *end;
        trailing_offset_ = *end;
      }
    }
  }
  if (code == simdjson::SUCCESS) return {};
  if (code == simdjson::UNESCAPED_CHARS && builder != nullptr && escape({0, size}, *builder)) {
    return {};
  }
  return fail(not_json(code, text));
}

Result<void> JsonInput::open_part(ByteRange part, model::ModelBuilder& builder) {
  const std::string_view text = artefact_.bytes->view();
  parsed_ = text;
  copy_ = {};
  is_part_ = true;
  trailing_offset_ = std::nullopt;
  const std::string_view document = text.substr(part.first, part.size);
  const auto code = iterate(document, text.size() - part.first + base::Bytes::kPadding);
  if (code == simdjson::SUCCESS) return {};
  if (code == simdjson::UNESCAPED_CHARS && escape(part, builder)) return {};
  Error error = not_json(code, document);
  if (error.byte_offset && !inside_) *error.byte_offset += part.first;
  return fail(std::move(error));
}

bool JsonInput::escape(ByteRange part, model::ModelBuilder& builder) {
  const std::string_view text = artefact_.bytes->view().substr(part.first, part.size);
  auto escaped = escape_control_characters(text);
  if (!escaped) return false;
  // Line ends inside strings more likely mean that a quotation mark is missing. Then everything
  // after it would be read inside out, and fail at a meaningless location.
  const bool has_line_end = std::ranges::any_of(escaped->escapes, [&](std::size_t at) {
    const char byte = text[escaped->original(at)];
    return byte == '\n' || byte == '\r';
  });
  if (has_line_end && !check_json_value(base::trimmed(escaped->text))) return false;
  auto bytes = base::make_bytes(escaped->text);
  const std::string_view copy = bytes->view();
  if (iterate(copy, copy.size() + base::Bytes::kPadding) != simdjson::SUCCESS) return false;
  builder.keep(std::move(bytes));
  parsed_ = copy;
  copy_first_ = part.first;
  copy_.escapes = std::move(escaped->escapes);
  builder.add_diagnostic(
      {.code = "control-characters",
       .message = format("{} inside strings, which JSON does not allow; read as {}",
                         base::counted(copy_.escapes.size(), "raw control character"),
                         copy_.escapes.size() == 1 ? "its escape" : "their escapes"),
       .file = artefact_.path,
       .byte_offset = inside_ ? inside_->offset
                              : std::optional<std::uint64_t>(
                                    part.first + copy_.original(copy_.escapes.front()))});
  return true;
}

Error JsonInput::not_json(simdjson::error_code code, std::string_view part) {
  Error error{.code = ErrorCode::kBadInput, .file = artefact_.path};
  switch (code) {
    case simdjson::UNCLOSED_STRING:
      error.message = format("not {}: unterminated string: the JSON is truncated", what_);
      error.byte_offset = part.size();
      error.hint = "the file is truncated: write it again";
      break;
    case simdjson::UNESCAPED_CHARS: {
      const std::size_t bad = control_inside_text(part);
      error.byte_offset = bad;
      if (bad < part.size() && is_blank(part[bad])) {
        error.message = format("not {}: a string contains a line break or a tab", what_);
        error.hint = "a quotation mark is missing there or earlier";
      } else {
        error.message = format("not {}: raw control characters in strings", what_);
        error.hint =
            "early releases of TensorRT 8.6 wrote such files; replace the bytes 0x1E and 0x1F by "
            "spaces";
      }
      break;
    }
    case simdjson::UTF8_ERROR:
      error.message = format("not {}: invalid UTF-8", what_);
      error.byte_offset = valid_utf8_prefix(part);
      break;
    default:
      error.message = format("not {}: {}", what_, simdjson::error_message(code));
      break;
  }
  if (inside_) error.byte_offset = inside_->offset;
  return error;
}

std::optional<std::uint64_t> JsonInput::offset() {
  if (inside_) return inside_->offset;
  return position();
}

std::optional<std::string_view> JsonInput::rest() {
  const char* at = nullptr;
  if (document_.current_location().get(at) != simdjson::SUCCESS) return std::nullopt;
  if (at < parsed_.data() || at > parsed_.data() + parsed_.size()) return std::nullopt;
  return parsed_.substr(static_cast<std::size_t>(at - parsed_.data()));
}

std::optional<std::size_t> JsonInput::position() {
  const auto left = rest();
  return left ? std::optional(position_of(left->data())) : std::nullopt;
}

std::size_t JsonInput::position_of(const char* at) const {
  const auto offset = static_cast<std::size_t>(at - parsed_.data());
  return copy_.escapes.empty() ? offset : copy_first_ + copy_.original(offset);
}

Error JsonInput::wrong_value(const std::string& pointer, std::string_view found,
                             std::string_view expected) {
  Error error{.code = ErrorCode::kBadInput,
              .message = format("not {}: {} is {}, expected {}", what_,
                                pointer.empty() ? "the document" : pointer, found, expected),
              .file = artefact_.path,
              .json_pointer = pointer,
              .byte_offset = offset()};
  return error;
}

Error JsonInput::broken(const std::string& pointer, simdjson::error_code code,
                        std::string_view expected) {
  switch (code) {
    case simdjson::INCORRECT_TYPE:
      return wrong_value(pointer, "of another type", expected);
    case simdjson::NUMBER_ERROR:
    case simdjson::NUMBER_OUT_OF_RANGE:
      return wrong_value(pointer, "a number out of range", expected);
    default:
      break;
  }
  Error error{.code = ErrorCode::kBadInput, .file = artefact_.path, .json_pointer = pointer};
  error.byte_offset = offset();
  const std::string_view written = without_trailing_blanks(artefact_.bytes->view());
  const bool cut = !is_part_ && !document_end(written);
  error.message = format("not {}: broken JSON {}", what_,
                         pointer.empty() ? "at the top" : format("in {}", pointer));
  if (cut) {
    error.message += "; it ends too early";
    error.byte_offset = written.size();
    error.hint = "the file is truncated: write it again";
  } else {
    error.context = format("the parser says: {}", simdjson::error_message(code));
    error.hint = "locate it with `python3 -m json.tool FILE`";
  }
  return error;
}

std::string JsonInput::found_text(ondemand::value& value) {
  // The raw token extends to the next one; it is cut before the separator.
  std::string_view token = value.raw_json_token();
  token = without_trailing_blanks(token);
  if (token.empty()) return "nothing";
  if (token.front() == '{') return "an object";
  if (token.front() == '[') return "an array";
  if (token.front() == '"') {
    const std::size_t end = token.size() > 1 && token.back() == '"' ? token.size() - 2 : token.npos;
    return base::quoted(token.substr(1, end));
  }
  return std::string(token.substr(0, 40));
}

std::string_view JsonInput::key_of(ondemand::field& field) {
  const char* first = field.key().raw();
  const char* end = first_quote_or_backslash(first);
  while (*end != '"') end += *end == '\\' ? 2 : 1;
  return {first, static_cast<std::size_t>(end - first)};
}

simdjson::simdjson_result<JsonText> JsonInput::text_of_key(ondemand::field& field) {
  const std::string_view key = key_of(field);
  if (key.find('\\') == std::string_view::npos) return JsonText{key, base::Lifetime::kBorrow};
  std::string_view decoded;
  if (const auto code = field.unescaped_key().get(decoded)) return code;
  return JsonText{decoded, base::Lifetime::kCopy};
}

simdjson::simdjson_result<JsonText> JsonInput::text_of(ondemand::value& value) {
  const std::string_view token = without_trailing_blanks(value.raw_json_token());
  if (token.size() < 2 || token.front() != '"') return simdjson::INCORRECT_TYPE;
  if (token.back() == '"' && token.find('\\') == std::string_view::npos) {
    // Once told that the value was consumed, the parser checks what must follow it. When it skips a
    // string, it takes one before a colon for a key, wherever that is.
    simdjson::ondemand::raw_json_string taken;
    if (const auto code = value.get_raw_json_string().get(taken)) return code;
    return JsonText{token.substr(1, token.size() - 2), base::Lifetime::kBorrow};
  }
  std::string_view decoded;
  if (const auto code = value.get_string().get(decoded)) return code;
  return JsonText{decoded, base::Lifetime::kCopy};
}

simdjson::simdjson_result<std::string_view> JsonInput::raw_of(ondemand::value& value) {
  ondemand::json_type type{};
  if (const auto code = value.type().get(type)) return code;
  switch (type) {
    case ondemand::json_type::array: {
      ondemand::array list;
      if (const auto code = value.get_array().get(list)) return code;
      std::string_view json;
      if (const auto code = list.raw_json().get(json)) return code;
      return without_trailing_blanks(json);  // it extends to the next token
    }
    case ondemand::json_type::object: {
      ondemand::object object;
      if (const auto code = value.get_object().get(object)) return code;
      std::string_view json;
      if (const auto code = object.raw_json().get(json)) return code;
      return without_trailing_blanks(json);
    }
    default:
      break;
  }
  std::string_view token = base::trimmed(value.raw_json_token());
  if (type == ondemand::json_type::string) {
    ondemand::raw_json_string taken;  // see text_of
    if (const auto code = value.get_raw_json_string().get(taken)) return code;
  }
  return token;
}

simdjson::error_code JsonInput::odd_integer_of(ondemand::value& value, simdjson::error_code code,
                                               std::int64_t& integer) {
  // Consumed by the parser too, which then continues after it.
  double number = 0;
  const auto found = integer_in(base::trimmed(value.raw_json_token()));
  if (!found || value.get_double().get(number) != simdjson::SUCCESS) return code;
  integer = *found;
  return simdjson::SUCCESS;
}

simdjson::error_code JsonInput::odd_number_of(ondemand::value& value, simdjson::error_code code,
                                              std::optional<double>& number) {
  number.reset();
  const std::string_view token = base::trimmed(value.raw_json_token());
  if (token == "null") return simdjson::SUCCESS;
  if (!is_not_a_number(token)) return code;
  note_not_a_number(token);
  return simdjson::SUCCESS;
}

void JsonInput::note_not_a_number(std::string_view written) {
  if (not_a_number_count_++ > 0) return;
  not_a_number_offset_ = inside_ ? inside_->offset : position_of(written.data());
}

Result<void> JsonInput::append_integers(ondemand::value& value, const JsonPlace& place,
                                        std::vector<std::int64_t>& integers) {
  ondemand::array list;
  if (const auto code = value.get_array().get(list)) {
    return fail(broken(place.pointer(), code, "a list of integers"));
  }
  // Most lists are the dimensions of a tensor; longer ones are passed on in pieces.
  std::array<std::int64_t, 8> few;
  std::size_t count = 0, index = 0;
  for (auto entry : list) {
    std::int64_t integer = 0;
    if (entry.get_int64().get(integer) != simdjson::SUCCESS) {
      PLANEX_ASSIGN(integer, odd_integer(entry, JsonPlace(place, index)));
    }
    if (count == few.size()) {
      integers.insert(integers.end(), few.begin(), few.end());
      count = 0;
    }
    few[count++] = integer;
    ++index;
  }
  integers.insert(integers.end(), few.begin(), few.begin() + count);
  return {};
}

Result<std::int64_t> JsonInput::odd_integer(simdjson::simdjson_result<ondemand::value> entry,
                                            const JsonPlace& place) {
  ondemand::value element;
  std::int64_t integer = 0;
  auto code = entry.get(element);
  if (!code) code = integer_of(element, integer);
  if (code == simdjson::SUCCESS) return integer;
  return fail(code == simdjson::INCORRECT_TYPE
                  ? wrong_value(place.pointer(), found_text(element), "an integer")
                  : broken(place.pointer(), code, "an integer"));
}

std::optional<std::size_t> JsonInput::trailing_offset() {
  if (trailing_offset_) return trailing_offset_;
  // The parser has no position after everything was read.
  return position();
}

void JsonInput::report_trailing(model::ModelBuilder& builder) {
  if (const auto trailing = trailing_offset()) {
    builder.add_diagnostic({.code = "trailing-text",
                            .message = "text after the end of the JSON document was not read",
                            .file = artefact_.path,
                            .byte_offset = *trailing});
  }
}

void JsonInput::report_not_a_number(model::ModelBuilder& builder) {
  if (not_a_number_count_ == 0) return;
  const bool one = not_a_number_count_ == 1;
  builder.add_diagnostic(
      {.code = "not-a-number",
       .message = format("{} not finite (NaN or Infinity); read as missing",
                         one ? "1 number is" : format("{} numbers are", not_a_number_count_)),
       .file = artefact_.path,
       .byte_offset = not_a_number_offset_});
}

}  // namespace planex::ingest
