#include "ingest/json_input.h"

#include <bit>
#include <bitset>
#include <cstring>

#include "base/text.h"

namespace planex::ingest {
namespace {

namespace ondemand = simdjson::ondemand;
using base::format;

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string_view without_trailing_blanks(std::string_view text) {
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

// The parser has checked that there is one; the padding of Bytes lets whole words be read.
const char* first_quote_or_backslash(const char* at) {
  if constexpr (std::endian::native != std::endian::little) {
    while (*at != '"' && *at != '\\') ++at;
    return at;
  }
  constexpr std::uint64_t kOnes = 0x0101010101010101;
  // The highest bit of each zero byte; those above the first one may be wrong.
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

// Reads one JSON value from front to back. A stack of one bit a level (object or array) replaces
// recursion.
class ValueChecker {
 public:
  explicit ValueChecker(std::string_view text) : text_(text) {}

  bool check() {
    do {
      if (!value()) return false;
      // After a value: the rest of the containers it closes, then a comma and the next value.
      while (true) {
        blanks();
        if (depth_ == 0) return at_ == text_.size();
        if (take(in_object_[top()] ? '}' : ']')) {
          --depth_;
          continue;
        }
        if (!take(',')) return false;
        if (in_object_[top()] && !key()) return false;
        break;
      }
    } while (true);
  }

 private:
  std::size_t top() const { return static_cast<std::size_t>(depth_ - 1); }

  // One scalar, or the opening of containers down to their first scalar or to an empty one.
  bool value() {
    while (true) {
      blanks();
      if (at_ == text_.size()) return false;
      const char c = text_[at_];
      if (c == '{' || c == '[') {
        if (depth_ == kMaxDepth) return false;
        ++at_;
        in_object_[static_cast<std::size_t>(depth_++)] = c == '{';
        blanks();
        if (take(c == '{' ? '}' : ']')) {
          --depth_;
          return true;
        }
        if (c == '{' && !key()) return false;
        continue;
      }
      if (c == '"') return string();
      const std::size_t first = at_;
      while (at_ < text_.size() && !is_blank(text_[at_]) && text_[at_] != ',' &&
             text_[at_] != ']' && text_[at_] != '}') {
        ++at_;
      }
      const std::string_view token = text_.substr(first, at_ - first);
      return token == "true" || token == "false" || token == "null" || is_json_number(token);
    }
  }

  bool key() {
    blanks();
    if (at_ == text_.size() || text_[at_] != '"' || !string()) return false;
    blanks();
    return take(':');
  }

  bool string() {
    for (++at_; at_ < text_.size(); ++at_) {
      if (text_[at_] == '"') {
        ++at_;
        return true;
      }
      if (text_[at_] != '\\') continue;
      if (++at_ == text_.size()) return false;
      if (text_[at_] == 'u') {
        for (int digit = 0; digit < 4; ++digit) {
          if (++at_ == text_.size() || !std::isxdigit(static_cast<unsigned char>(text_[at_]))) {
            return false;
          }
        }
      } else if (std::string_view("\"\\/bfnrt").find(text_[at_]) == std::string_view::npos) {
        return false;
      }
    }
    return false;
  }

  void blanks() {
    while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
  }
  bool take(char c) {
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int depth_ = 0;
  std::bitset<kMaxDepth> in_object_;
};

// Bits of a file that tell what it is when it is not JSON.
std::string describe_content(std::string_view text) {
  if (text.empty()) return "the file is empty";
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) {
    return "the file has nothing but blanks";
  }
  const std::string_view head = text.substr(0, 512);
  if (head.find('\0') != std::string_view::npos) return "the file is binary";
  const char first = base::trimmed(head).front();
  if (first != '{' && first != '[') {
    return format("it begins with {}", base::quoted(base::trimmed(head).substr(0, 40)));
  }
  return {};
}

// How far the first value of a text reaches, by its brackets and texts alone.
struct Extent {
  std::optional<std::size_t> end;  // behind the closing bracket; nothing where there is none
};

Extent extent_of(std::string_view text) {
  std::size_t depth = 0;
  bool in_text = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (in_text) {
      if (c == '\\') ++at;
      if (c == '"') in_text = false;
    } else if (c == '"') {
      in_text = true;
    } else if (c == '{' || c == '[') {
      ++depth;
    } else if (c == '}' || c == ']') {
      if (depth == 0 || --depth == 0) return {at + 1};
    }
  }
  return {};
}

// The first control character between quotation marks.
std::size_t control_inside_text(std::string_view text) {
  bool in_text = false;
  std::size_t at = 0;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (in_text && static_cast<unsigned char>(c) < 0x20) break;
    if (in_text && c == '\\') ++at;
    if (c == '"') in_text = !in_text;
  }
  return std::min(at, text.size());
}

// The first byte that is no UTF-8.
std::size_t valid_utf8_prefix(std::string_view text) {
  std::size_t good = 0;
  while (good < text.size()) {
    // Blocks first: most of a large file is fine. A block may end inside a character.
    constexpr std::size_t kBlock = 4096;
    const std::string_view block = text.substr(good, kBlock);
    if (simdjson::validate_utf8(block.data(), block.size())) {
      good += block.size();
      continue;
    }
    std::size_t length = 1;
    while (length <= 4 && length <= block.size() &&
           !simdjson::validate_utf8(block.data(), length)) {
      ++length;
    }
    if (length > 4 || length > block.size()) return good;
    good += length;
  }
  return good;
}

}  // namespace

bool is_json_number(std::string_view text) {
  std::size_t at = 0;
  const auto digits = [&] {
    const std::size_t first = at;
    while (at < text.size() && is_digit(text[at])) ++at;
    return at > first;
  };
  if (at < text.size() && text[at] == '-') ++at;
  const bool leading_zero = at < text.size() && text[at] == '0';
  const std::size_t integer_at = at;
  if (!digits()) return false;
  if (leading_zero && at - integer_at > 1) return false;
  if (at < text.size() && text[at] == '.') {
    ++at;
    if (!digits()) return false;
  }
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    if (at < text.size() && (text[at] == '+' || text[at] == '-')) ++at;
    if (!digits()) return false;
  }
  return at == text.size();
}

bool check_json_value(std::string_view text) { return ValueChecker(text).check(); }

std::string pointer_token(std::string_view key) {
  std::string token;
  for (const char c : key) {
    if (c == '~') {
      token += "~0";
    } else if (c == '/') {
      token += "~1";
    } else {
      token += c;
    }
  }
  return token;
}

std::string pointer_to(std::string_view key, std::size_t index) {
  return format("/{}/{}", pointer_token(key), index);
}

JsonInput::JsonInput(const Artefact& artefact, std::string_view what)
    : artefact_(artefact), what_(what) {}

Result<void> JsonInput::open() {
  const std::string_view text = artefact_.bytes->view();
  const auto iterate = [&](std::size_t size) {
    return parser_.iterate(text.data(), size, text.size() + base::Bytes::kPadding).get(document_);
  };
  auto code = iterate(text.size());
  Error error{.code = ErrorCode::kBadInput, .file = artefact_.path};
  // The first pass lets texts through that only a later one would find wrong.
  if (const std::string found = describe_content(text); !found.empty()) {
    error.message = format("not {}: {}, expected JSON", what_, found);
    error.byte_offset = 0;
    return fail(std::move(error));
  }
  // The parser wants the bracket that closes the document at the very end. What stands behind the
  // document, such as the last lines of a log, is left out and reported.
  const std::string_view content = base::trimmed(text);
  const bool closed = content.back() == (content.front() == '{' ? '}' : ']');
  if (code != simdjson::SUCCESS || !closed) {
    const auto end = extent_of(text).end;
    // The parser also looks at the byte behind the document, which must not seem to go on with it.
    const bool separate = end && *end < text.size() &&
                          std::string_view(",:[]{}\"").find(text[*end]) == std::string_view::npos;
    if (separate && !base::trimmed(text.substr(*end)).empty() &&
        text[*end - 1] == (content.front() == '{' ? '}' : ']')) {
      const auto code_without_rest = iterate(*end);
      if (code_without_rest == simdjson::SUCCESS) {
        code = code_without_rest;
        trailing_offset_ = *end;
      }
    }
  }
  if (code == simdjson::SUCCESS) return {};
  switch (code) {
    case simdjson::UNCLOSED_STRING:
      error.message = format("not {}: a text has no end, so the JSON is cut", what_);
      error.byte_offset = text.size();
      error.hint = "the file was cut: write it again";
      break;
    case simdjson::UNESCAPED_CHARS: {
      const std::size_t bad = control_inside_text(text);
      error.byte_offset = bad;
      if (bad < text.size() && is_blank(text[bad])) {
        error.message = format("not {}: a text goes over the end of its line, or has a tab", what_);
        error.hint = "a quotation mark is missing there, or before it";
      } else {
        error.message = format("not {}: raw control characters inside texts", what_);
        error.hint =
            "an early TensorRT 8.6 wrote such files; replace the bytes 0x1E and 0x1F by spaces";
      }
      break;
    }
    case simdjson::UTF8_ERROR:
      error.message = format("not {}: the text is not UTF-8", what_);
      error.byte_offset = valid_utf8_prefix(text);
      break;
    case simdjson::CAPACITY:
      error.message =
          format("not {}: the file is larger than 4 GB, more than the parser takes", what_);
      break;
    default:
      error.message = format("not {}: {}", what_, simdjson::error_message(code));
      break;
  }
  return fail(std::move(error));
}

std::optional<std::uint64_t> JsonInput::offset() {
  const char* at = nullptr;
  if (document_.current_location().get(at) != simdjson::SUCCESS) return std::nullopt;
  const std::string_view text = artefact_.bytes->view();
  if (at < text.data() || at > text.data() + text.size()) return std::nullopt;
  return static_cast<std::uint64_t>(at - text.data());
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
      return wrong_value(pointer, "no number that fits", expected);
    default:
      break;
  }
  const std::string_view text = artefact_.bytes->view();
  Error error{.code = ErrorCode::kBadInput, .file = artefact_.path, .json_pointer = pointer};
  error.byte_offset = offset();
  const std::string_view rest = without_trailing_blanks(text);
  const bool cut = !extent_of(rest).end;
  error.message = format("not {}: broken JSON {}", what_,
                         pointer.empty() ? "at the top" : format("in {}", pointer));
  if (cut) {
    error.message += "; it ends too early";
    error.byte_offset = rest.size();
    error.hint = "the file was cut: write it again";
  } else {
    error.context = format("the parser says: {}", simdjson::error_message(code));
    error.hint = "`python3 -m json.tool FILE` shows the place";
  }
  return error;
}

std::string JsonInput::found_text(ondemand::value& value) {
  // The raw token reaches to the next one; it is cut before the separator.
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

simdjson::simdjson_result<JsonText> JsonInput::text_of(ondemand::value& value) {
  const std::string_view token = without_trailing_blanks(value.raw_json_token());
  if (token.size() < 2 || token.front() != '"') return simdjson::INCORRECT_TYPE;
  if (token.back() == '"' && token.find('\\') == std::string_view::npos) {
    // Told that the value was taken, the parser sees what must follow it; skipping a text it would
    // take one before a colon for a key, wherever it stands.
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
      return list.raw_json();
    }
    case ondemand::json_type::object: {
      ondemand::object object;
      if (const auto code = value.get_object().get(object)) return code;
      return object.raw_json();
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

std::optional<std::size_t> JsonInput::trailing_offset() {
  if (trailing_offset_) return trailing_offset_;
  // The parser has no place to stand when everything was read.
  const auto where = offset();
  return where ? std::optional<std::size_t>(*where) : std::nullopt;
}

void JsonInput::report_trailing(model::ModelBuilder& builder) {
  if (const auto trailing = trailing_offset()) {
    builder.add_diagnostic({.code = "trailing-text",
                            .message = "text after the end of the JSON document was not read",
                            .file = artefact_.path,
                            .byte_offset = *trailing});
  }
}

}  // namespace planex::ingest
