#include "ingest/discover/python_text.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>

#include "base/text.h"

namespace planex::ingest {
namespace {

constexpr std::size_t kLookedForPython = 64 * 1024;

void put_code_point(std::string& out, std::uint32_t code) {
  const auto put = [&](std::uint32_t byte) { out += static_cast<char>(byte); };
  if (code >= 0xD800 && code < 0xE000) code = 0xFFFD;
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xC0 | code >> 6);
    put(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    put(0xE0 | code >> 12);
    put(0x80 | (code >> 6 & 0x3F));
    put(0x80 | (code & 0x3F));
  } else {
    put(0xF0 | (code >> 18 & 0x07));
    put(0x80 | (code >> 12 & 0x3F));
    put(0x80 | (code >> 6 & 0x3F));
    put(0x80 | (code & 0x3F));
  }
}

// The text between quotes, unescaped. `at` is after the first quote, and is moved after the last
// one, or to the end of `text`.
std::string unquoted(std::string_view text, char quote, std::size_t& at) {
  std::string out;
  while (at < text.size() && text[at] != quote) {
    const char c = text[at++];
    if (c != '\\' || at == text.size()) {
      out += c;
      continue;
    }
    const char escape = text[at++];
    std::size_t digits = 0;
    switch (escape) {
      case 'n':
        out += '\n';
        break;
      case 't':
        out += '\t';
        break;
      case 'r':
        out += '\r';
        break;
      case 'x':
        digits = 2;
        break;
      case 'u':
        digits = 4;
        break;
      case 'U':
        digits = 8;
        break;
      case '\\':
      case '\'':
      case '"':
        out += escape;
        break;
      default:  // no other escapes that Python writes
        out += c;
        out += escape;
        break;
    }
    if (digits == 0) continue;
    std::uint32_t code = 0;
    const char* const first = text.data() + at;
    const char* const last = first + std::min(digits, text.size() - at);
    const auto [end, error] = std::from_chars(first, last, code, 16);
    if (error != std::errc() || end != last || text.size() - at < digits || code > 0x10FFFF) {
      out += c;
      out += escape;
      continue;
    }
    at += static_cast<std::size_t>(last - first);
    put_code_point(out, code);
  }
  if (at < text.size()) ++at;
  return out;
}

void put_json_text(std::string& out, std::string_view text) {
  out += '"';
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out += base::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      out += c;
    }
  }
  out += '"';
}

// A dict or list in Python syntax as JSON. `at` is at its bracket, and is moved after it.
std::string json_of_object(std::string_view text, std::size_t& at) {
  constexpr std::pair<std::string_view, std::string_view> kWords[] = {
      {"True", "true"}, {"False", "false"}, {"None", "null"}};
  std::string out;
  std::size_t depth = 0;
  while (at < text.size()) {
    const char c = text[at];
    if (c == '\'' || c == '"') {
      ++at;
      put_json_text(out, unquoted(text, c, at));
      continue;
    }
    const std::string_view rest = text.substr(at);
    const auto* const word = std::ranges::find_if(
        kWords, [&](const auto& entry) { return rest.starts_with(entry.first); });
    if (word != std::end(kWords)) {
      out += word->second;
      at += word->first.size();
      continue;
    }
    ++at;
    // A tuple is a list, and a list may end with a comma.
    out += c == '(' ? '[' : c == ')' ? ']' : c;
    if (c == '{' || c == '[' || c == '(') ++depth;
    if (c == '}' || c == ']' || c == ')') {
      if (--depth == 0) break;
    }
  }
  return out;
}

// The position after "DEBUG: [Torch-TensorRT] - " or "INFO:torch_tensorrt.dynamo._compiler:" if the
// line begins with it; otherwise 0.
std::size_t end_of_logger(std::string_view line) {
  constexpr std::string_view kRuntime = "[Torch-TensorRT";
  constexpr std::size_t kLongest = 160;
  const std::string_view head = line.substr(0, kLongest);
  if (const std::size_t at = head.find(kRuntime); at != head.npos && at < 16) {
    const std::size_t end = head.find("] - ", at);
    return end == head.npos ? 0 : end + 4;
  }
  const std::size_t level = head.find(":torch_tensorrt");
  if (level == head.npos || level > 8) return 0;
  const std::size_t end = head.find(':', level + 1);
  return end == head.npos ? 0 : end + 1;
}

enum class PythonForm : std::uint8_t { kNone, kText, kObject, kPlainJson };

// How the words of a line begin, from `at` on, after a logger's prefix and a prompt.
PythonForm form_at(std::string_view text, std::size_t& at) {
  std::string_view line = text.substr(at, text.find('\n', at) - at);
  const auto skip = [&](std::size_t count) {
    at += count;
    line.remove_prefix(count);
  };
  const std::size_t logger = end_of_logger(line);
  skip(logger);
  skip(std::min(line.find_first_not_of(" \t"), line.size()));
  const bool is_bytes = line.starts_with("b'");
  const std::string_view inside = line.substr(is_bytes ? 1 : 0);
  if (inside.starts_with("'{") || inside.starts_with("'[")) {
    skip(is_bytes ? 2 : 1);
    return PythonForm::kText;
  }
  if (line.starts_with("{'") || line.starts_with("[{'")) return PythonForm::kObject;
  return logger > 0 && (line.starts_with('{') || line.starts_with("[{")) ? PythonForm::kPlainJson
                                                                         : PythonForm::kNone;
}

// Only what describes layers, so that other dicts of a log stay unchanged.
bool tells_of_layers(std::string_view text) {
  constexpr std::size_t kBeginning = 4096;
  const std::string_view head = text.substr(0, kBeginning);
  return head.find("Layers") != head.npos || head.find("LayerType") != head.npos ||
         (head.find("Name") != head.npos && head.find("Inputs") != head.npos) ||
         (head.find("name") != head.npos && head.find("averageMs") != head.npos);
}

}  // namespace

std::optional<std::string> from_python(std::string_view text) {
  const std::string_view head = text.substr(0, kLookedForPython);
  bool may_have = false;
  for (const std::string_view mark : {"'{", "'[", "{'", "orch-TensorRT", ":torch_tensorrt"}) {
    may_have = may_have || head.find(mark) != head.npos;
  }
  if (!may_have) return std::nullopt;
  std::string out;
  out.reserve(text.size());
  bool found = false;
  for (std::size_t line = 0; line < text.size();) {
    std::size_t at = line;
    const PythonForm form = form_at(text, at);
    if (form != PythonForm::kNone && tells_of_layers(text.substr(at))) {
      found = true;
      if (form == PythonForm::kText) {
        out += unquoted(text, '\'', at);
      } else if (form == PythonForm::kObject) {
        out += json_of_object(text, at);
      }
      line = at;
    }
    const std::size_t end = std::min(text.find('\n', line), text.size());
    out += text.substr(line, end - line);
    if (end < text.size()) out += '\n';
    line = end + 1;
  }
  return found ? std::optional(std::move(out)) : std::nullopt;
}

}  // namespace planex::ingest
