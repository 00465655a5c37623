#include "ingest/json_text.h"

#include <simdjson.h>

#include <algorithm>

#include "base/text.h"

namespace planex::ingest {

using base::format;

std::string describe_content(std::string_view text) {
  if (text.empty()) return "the file is empty";
  const std::size_t content = text.find_first_not_of(" \t\r\n");
  if (content == std::string_view::npos) return "the file contains only blanks";
  const std::string_view head = text.substr(content, 512);
  if (head.front() == '{' || head.front() == '[') return {};
  if (head.find('\0') != std::string_view::npos) return "the file is binary";
  return format("it begins with {}", base::quoted(base::trimmed(head.substr(0, 40))));
}

std::optional<std::size_t> document_end(std::string_view text) {
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
      if (depth == 0 || --depth == 0) return at + 1;
    }
  }
  return std::nullopt;
}

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

std::size_t valid_utf8_prefix(std::string_view text) {
  std::size_t good = 0;
  while (good < text.size()) {
    // Blocks first: most of a large file is valid. A block may end inside a character.
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

std::size_t EscapedText::original(std::size_t at) const {
  const auto before = std::ranges::lower_bound(escapes, at) - escapes.begin();
  // Inside an escape: the byte that it represents.
  std::size_t shift = static_cast<std::size_t>(before) * kGrowth;
  if (before > 0) {
    const std::size_t last = escapes[static_cast<std::size_t>(before) - 1];
    if (at <= last + kGrowth) shift -= kGrowth - (at - last);
  }
  return at - shift;
}

std::optional<EscapedText> escape_control_characters(std::string_view text) {
  EscapedText result;
  bool in_text = false;
  std::size_t copied = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (in_text && static_cast<unsigned char>(c) < 0x20) {
      if (result.escapes.size() == kMaxEscapes) return std::nullopt;
      result.text += text.substr(copied, at - copied);
      result.escapes.push_back(result.text.size());
      result.text += format("\\u{:04x}", static_cast<unsigned>(c));
      copied = at + 1;
      continue;
    }
    if (in_text && c == '\\') {
      // A backslash before a raw control character escapes nothing: both are left to the parser.
      ++at;
    } else if (c == '"') {
      in_text = !in_text;
    }
  }
  if (result.escapes.empty()) return std::nullopt;
  result.text += text.substr(copied);
  return result;
}

}  // namespace planex::ingest
