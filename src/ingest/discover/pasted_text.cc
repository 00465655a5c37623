#include "ingest/discover/pasted_text.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "base/text.h"

namespace planex::ingest {
namespace {

constexpr std::size_t kLooked = 64 * 1024;

// Whether `text` begins with the pattern: '0' is a digit, 'a' a letter.
bool has_shape(std::string_view text, std::string_view shape) {
  if (text.size() < shape.size()) return false;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const char c = text[i];
    const bool is_letter = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
    const bool fits = shape[i] == '0'   ? base::is_digit(c)
                      : shape[i] == 'a' ? is_letter
                                        : c == shape[i];
    if (!fits) return false;
  }
  return true;
}

std::string_view without_blanks(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  return text;
}

// trtexec's own.
constexpr std::string_view kTrtexecPrefix = "[00/00/0000-00:00:00] [a] ";

bool starts_like_a_logger(std::string_view text) {
  constexpr std::array<std::string_view, 6> kStarts = {"&&&& ",       "[Step ", "[ INFO ]",
                                                       "[ WARNING ]", "[TRT] ", "[TensorRT] "};
  return has_shape(text, "[00/00/0000-00:00:00] [") || has_shape(text, "[a] ") ||
         std::ranges::any_of(kStarts, [&](auto start) { return text.starts_with(start); });
}

// --- What can come before a line ---

// "> x", "> > x": the position after it, or 0.
std::size_t end_of_quote(std::string_view line) {
  std::size_t end = 0;
  while (true) {
    const std::size_t mark = line.find_first_not_of(' ', end);
    constexpr std::size_t kMaxBlanks = 3;  // more is an indented code block
    if (mark == line.npos || mark - end > kMaxBlanks || line[mark] != '>') return end;
    end = mark + 1;
    if (end < line.size() && line[end] == ' ') ++end;
  }
}

// "2024-05-24T14:43:21.123Z", "…+02:00": the position after it, or 0.
std::size_t end_of_iso_time(std::string_view text) {
  constexpr std::string_view kSeconds = "0000-00-00T00:00:00";
  if (!has_shape(text, kSeconds)) return 0;
  std::size_t end = kSeconds.size();
  if (end < text.size() && (text[end] == '.' || text[end] == ',')) {
    ++end;
    while (end < text.size() && base::is_digit(text[end])) ++end;
  }
  if (text.substr(end).starts_with('Z')) return end + 1;
  if (has_shape(text.substr(end), "+00:00") || has_shape(text.substr(end), "-00:00")) {
    return end + 6;
  }
  return 0;
}

// The same with its surroundings: "job<TAB>step<TAB>time x" (gh run view), "[time] x" (Jenkins),
// "time 01O x" (GitLab).
std::size_t end_of_time(std::string_view line) {
  std::size_t start = 0;
  constexpr std::size_t kLongestNames = 256;
  const std::string_view names = line.substr(0, kLongestNames);
  if (const std::size_t first = names.find('\t'); first != names.npos) {
    const std::size_t second = names.find('\t', first + 1);
    const std::size_t time = second == names.npos ? first + 1 : second + 1;
    if (end_of_iso_time(line.substr(time)) > 0) start = time;
  }
  const bool is_bracketed = line.substr(start).starts_with('[');
  if (is_bracketed) ++start;
  const std::size_t size = end_of_iso_time(line.substr(start));
  if (size == 0) return 0;
  std::size_t end = start + size;
  if (is_bracketed) {
    if (!line.substr(end).starts_with(']')) return 0;
    ++end;
  }
  if (end == line.size() || line[end] != ' ') return end == line.size() ? end : 0;
  ++end;
  const std::string_view tag = line.substr(end);
  if (has_shape(tag, "00O ") || has_shape(tag, "00E ") || has_shape(tag, "00O+") ||
      has_shape(tag, "00E+")) {
    end += 4;
  }
  return end;
}

// "May 24 14:43:21 host prog[123]: x": the position after it, or 0.
std::size_t end_of_journal_prefix(std::string_view line) {
  const bool is_time = has_shape(line, "aaa 00 00:00:00 ") || has_shape(line, "aaa  0 00:00:00 ");
  constexpr std::size_t kLongest = 160;
  if (!is_time) return 0;
  const std::string_view head = line.substr(0, kLongest);
  const std::size_t colon = head.find("]: ");
  const std::size_t pid = head.find('[');
  if (colon == head.npos || pid == head.npos || pid > colon ||
      !base::are_digits(head.substr(pid + 1, colon - pid - 1))) {
    return 0;
  }
  return colon + 3;
}

// "[pod/name/container] x": the position after it, or 0.
std::size_t end_of_pod(std::string_view line) {
  if (!line.starts_with("[pod/")) return 0;
  const std::size_t end = line.find("] ");
  return end == line.npos ? 0 : end + 2;
}

// "app-1  | ": the position after it, or 0. Any word can precede a bar, so the lines have to agree.
std::size_t end_of_service(std::string_view line) {
  constexpr std::size_t kLongest = 64;
  const std::size_t bar = line.substr(0, kLongest).find('|');
  if (bar == line.npos || bar == 0 || line[bar - 1] != ' ') return 0;
  const std::string_view name = base::trimmed(line.substr(0, bar));
  if (name.empty() || name.find_first_of(" \t[]{}") != name.npos) return 0;
  return bar + 1 + (line.substr(bar + 1).starts_with(' ') ? 1 : 0);
}

// The length of what precedes trtexec's prefix in a line; nothing if there is no prefix.
std::optional<std::size_t> before_trtexec_prefix(std::string_view line) {
  constexpr std::size_t kLongest = 256;
  for (std::size_t at = line.find('['); at != line.npos && at < kLongest;
       at = line.find('[', at + 1)) {
    if (has_shape(line.substr(at), kTrtexecPrefix)) return at;
  }
  return std::nullopt;
}

bool is_fence(std::string_view line) {
  line = base::trimmed(line);
  if (line.starts_with("```")) return true;
  if (!line.starts_with("~~~")) return false;
  // Python underlines the location of an error with such marks.
  const std::string_view language = line.substr(std::min(line.find_first_not_of('~'), line.size()));
  return std::ranges::all_of(language, [](char c) { return c >= 'a' && c <= 'z'; });
}

// --- Which of these a text has ---

struct Wrapping {
  bool has_quotes = false, has_fences = false, has_times = false, has_journal = false,
       has_pods = false, has_any = false;
  std::string service;
  std::size_t indent = 0;

  bool is_none() const {
    return !has_quotes && !has_fences && !has_times && !has_journal && !has_pods && !has_any &&
           service.empty() && indent == 0;
  }
  std::string words() const {
    std::vector<std::string_view> parts;
    if (has_quotes) parts.emplace_back("quote marks");
    if (has_fences) parts.emplace_back("Markdown fences");
    if (has_times) parts.emplace_back("timestamps before the lines");
    if (has_journal || has_pods || !service.empty()) parts.emplace_back("names before the lines");
    if (has_any) parts.emplace_back("text before trtexec's prefix");
    if (indent > 0) parts.emplace_back("indentation");
    return base::join_words(parts);
  }

  // The line without all of this, but with trtexec's rule and indentation.
  std::string_view unwrapped(std::string_view line) const {
    if (has_quotes) line.remove_prefix(end_of_quote(line));
    if (!service.empty() && line.starts_with(service)) line.remove_prefix(service.size());
    if (has_pods) line.remove_prefix(end_of_pod(line));
    if (has_times) line.remove_prefix(end_of_time(line));
    if (has_journal) line.remove_prefix(end_of_journal_prefix(line));
    return line;
  }
  std::string_view plain(std::string_view line) const {
    line = unwrapped(line);
    if (has_any) line.remove_prefix(before_trtexec_prefix(line).value_or(0));
    if (indent > 0) {
      const std::size_t blanks = std::min(line.find_first_not_of(' '), line.size());
      line.remove_prefix(std::min(blanks, indent));
    }
    return line;
  }
};

template <typename Visit>
void each_line(std::string_view text, Visit visit) {
  while (!text.empty()) visit(base::take_part(text, '\n'));
}

Wrapping wrapping_of(std::string_view head) {
  constexpr std::size_t kFew = 2;
  Wrapping found;
  // From the outside inwards, each one once the outer ones are known.
  std::size_t quotes = 0, lines = 0;
  each_line(head, [&](std::string_view line) {
    if (base::trimmed(line).empty()) return;
    ++lines;
    quotes += end_of_quote(line) > 0 ? 1u : 0u;
  });
  found.has_quotes = quotes >= kFew || (quotes == 1 && lines == 1);

  std::string service;
  std::size_t of_service = 0;
  each_line(head, [&](std::string_view line) {
    const std::string_view rest = found.unwrapped(line);
    const std::size_t end = end_of_service(rest);
    if (end == 0) return;
    if (service.empty()) service = rest.substr(0, end);
    of_service += rest.starts_with(service) ? 1u : 0u;
  });
  if (of_service > kFew && of_service * 2 > lines) found.service = service;

  std::size_t pods = 0, times = 0, journal = 0, fences = 0;
  each_line(head, [&](std::string_view line) {
    std::string_view rest = found.unwrapped(line);
    const std::size_t pod = end_of_pod(rest);
    pods += pod > 0 ? 1u : 0u;
    rest.remove_prefix(pod);
    const std::size_t time = end_of_time(rest);
    times += time > 0 ? 1u : 0u;
    rest.remove_prefix(time);
    journal += end_of_journal_prefix(rest) > 0 ? 1u : 0u;
    fences += is_fence(rest) ? 1u : 0u;
  });
  found.has_pods = pods >= kFew;
  found.has_times = times >= kFew;
  found.has_journal = journal >= kFew;
  found.has_fences = fences > 0;

  std::size_t moved = 0, in_place = 0;
  each_line(head, [&](std::string_view line) {
    const std::string_view rest = without_blanks(found.unwrapped(line));
    if (const auto at = before_trtexec_prefix(rest)) ++(*at > 0 ? moved : in_place);
  });
  found.has_any = moved > in_place;

  std::optional<std::size_t> indent;
  each_line(head, [&](std::string_view line) {
    const std::string_view rest = found.plain(line);
    const std::size_t blanks = std::min(rest.find_first_not_of(' '), rest.size());
    if (!starts_like_a_logger(rest.substr(blanks))) return;
    indent = std::min(indent.value_or(blanks), blanks);
  });
  found.indent = indent.value_or(0);
  return found;
}

// --- Blocks of Markdown ---

// Whether a block is a file of its own rather than lines of a log.
bool is_file(std::string_view block) {
  const std::size_t start = block.find_first_not_of(" \t\r\n");
  if (start == block.npos) return false;
  block.remove_prefix(start);
  return !is_lines_of_text(block) || block.starts_with("layerName");
}

struct Block {
  std::size_t begin = 0, end = 0;
};

// The only block with content, if it is a file.
std::optional<Block> only_file(std::string_view text) {
  std::optional<Block> open, found;
  std::size_t count = 0;
  const auto close = [&](std::size_t end) {
    open->end = end;
    if (!base::trimmed(text.substr(open->begin, end - open->begin)).empty()) {
      ++count;
      found = open;
    }
    open.reset();
  };
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t next = std::min(text.find('\n', at), text.size() - 1) + 1;
    if (is_fence(text.substr(at, next - at))) {
      if (open) {
        close(at);
      } else {
        open = Block{next, next};
      }
    }
    at = next;
  }
  if (open) close(text.size());
  if (count != 1 || !is_file(text.substr(found->begin, found->end - found->begin))) {
    return std::nullopt;
  }
  return found;
}

// Line ends alone.
void blank(std::string& text, std::size_t begin, std::size_t end) {
  const auto from = text.begin() + static_cast<std::ptrdiff_t>(begin);
  const auto to = text.begin() + static_cast<std::ptrdiff_t>(end);
  text.erase(std::remove_if(from, to, [](char c) { return c != '\n'; }), to);
}

}  // namespace

bool is_lines_of_text(std::string_view text) {
  const std::string_view head = text.substr(0, kLooked);
  const auto is_binary = [](char c) {
    // Separators that TensorRT prints in a layer's sources.
    const bool is_separator = c >= '\x1c' && c <= '\x1f';
    return static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n' && c != '\r' &&
           c != '\x1b' && !is_separator;
  };
  if (std::ranges::any_of(head, is_binary)) return false;
  std::size_t start = head.find_first_not_of(" \t\r\n");
  if (start == head.npos || head[start] == '{' || head[start] == '<') return false;
  if (head[start] != '[') return true;
  // A list in JSON, or a line that begins with its time or level.
  start = head.find_first_not_of(" \t\r\n", start + 1);
  return start != head.npos && head[start] != '{' && head[start] != '"' && head[start] != ']';
}

std::optional<Unwrapped> unwrap(std::string_view text) {
  if (!is_lines_of_text(text)) return std::nullopt;
  const Wrapping wrapping = wrapping_of(text.substr(0, kLooked));
  if (wrapping.is_none()) return std::nullopt;
  Unwrapped result{.text = {}, .what = wrapping.words()};
  result.text.reserve(text.size());
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::size_t end = rest.find('\n');
    result.text += wrapping.plain(rest.substr(0, end));
    if (end == rest.npos) break;
    result.text += '\n';
    rest.remove_prefix(end + 1);
  }
  if (!wrapping.has_fences) return result;
  if (const auto file = only_file(result.text)) {
    const std::size_t size = result.text.size();
    blank(result.text, file->end, size);
    blank(result.text, 0, file->begin);
    return result;
  }
  std::string without;
  without.reserve(result.text.size());
  rest = result.text;
  while (!rest.empty()) {
    const std::size_t end = rest.find('\n');
    const std::string_view line = rest.substr(0, end);
    if (!is_fence(line)) without += line;
    if (end == rest.npos) break;
    without += '\n';
    rest.remove_prefix(end + 1);
  }
  result.text = std::move(without);
  return result;
}

}  // namespace planex::ingest
