#include "ingest/json_documents.h"

#include <algorithm>

namespace planex::ingest {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

// The position after the quotation mark that closes the text that begins at `at`, if it is closed
// on its line.
std::optional<std::size_t> text_end(std::string_view text, std::size_t at) {
  for (++at; at < text.size() && text[at] != '\n'; ++at) {
    if (text[at] == '"') return at + 1;
    if (text[at] == '\\') ++at;
  }
  return std::nullopt;
}

bool is_whole_line(std::string_view text, std::size_t first, std::size_t end) {
  const std::size_t before = text.find_last_not_of(" \t", first == 0 ? 0 : first - 1);
  const bool at_begin = first == 0 || before == text.npos || text[before] == '\n';
  const std::size_t after = text.find_first_not_of(" \t\r", end);
  return at_begin && (after == text.npos || text[after] == '\n');
}

}  // namespace

bool begins_as_json(std::string_view text) {
  const std::size_t at = text.find_first_not_of(kBlanks);
  if (at == text.npos || (text[at] != '{' && text[at] != '[')) return false;
  const std::size_t inner = text.find_first_not_of(kBlanks, at + 1);
  // "[04/25/2026-00:42:53] [I]" begins a log.
  const std::string_view first = text[at] == '{' ? "\"}" : "{[\"]";
  return inner != text.npos && first.find(text[inner]) != first.npos;
}

std::string_view first_key(std::string_view text) {
  const std::size_t open = text.find_first_not_of(kBlanks, 1);
  if (!text.starts_with('{') || open == text.npos || text[open] != '"') return {};
  const std::size_t close = text.find('"', open + 1);
  return close == text.npos ? std::string_view{} : text.substr(open + 1, close - open - 1);
}

bool has_content(std::string_view text) { return text.find_first_not_of(kBlanks) != text.npos; }

bool JsonDocuments::begins_document(std::size_t at) const {
  const std::size_t inner = text_.find_first_not_of(kBlanks, at + 1);
  if (inner == text_.npos) return false;
  return text_[inner] == '"' || (text_[at] == '[' && text_[inner] == '{');
}

std::optional<ByteRange> JsonDocuments::next() {
  while (true) {
    const std::size_t first = text_.find_first_of("{[\"", at_);
    if (first == text_.npos) return std::nullopt;
    at_ = first + 1;
    if (text_[first] == '"') {
      const auto end = text_end(text_, first);
      // If the text has no end, the rest of the line contains no key either.
      if (!end) at_ = std::min(text_.find('\n', first), text_.size());
      if (!end || !is_whole_line(text_, first, *end)) continue;
      at_ = *end;
      return ByteRange{first, *end - first};
    }
    if (!begins_document(first)) continue;
    const auto end = document_end(text_.substr(first));
    if (!end) {
      unclosed_ = first;
      at_ = text_.size();
      return std::nullopt;
    }
    at_ = first + *end;
    return ByteRange{first, *end};
  }
}

}  // namespace planex::ingest
