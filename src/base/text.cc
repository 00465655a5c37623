#include "base/text.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace planex::base {
namespace {

char lower_char(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// Edits (insert, remove, replace, swap of neighbours) between two short words, ignoring case.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = lower_char(a[i - 1]) == lower_char(b[j - 1]);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0 : 1)});
      if (i > 1 && j > 1 && lower_char(a[i - 1]) == lower_char(b[j - 2]) &&
          lower_char(a[i - 2]) == lower_char(b[j - 1])) {
        row[j] = std::min(row[j], before_last[j - 2] + 1);
      }
    }
    std::swap(before_last, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

}  // namespace

std::optional<std::string_view> nearest(std::string_view word,
                                        std::span<const std::string_view> candidates) {
  // Words of a command line; longer ones can't be a slip of the finger.
  constexpr std::size_t kLongest = 64;
  if (word.empty() || word.size() > kLongest) return std::nullopt;
  std::optional<std::string_view> best;
  std::size_t best_distance = 1 + word.size() / 3;  // More edits than this is another word.
  for (const std::string_view candidate : candidates) {
    if (candidate.size() > kLongest) continue;
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < best_distance || (!best && distance == best_distance)) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

std::string join_words(std::span<const std::string_view> words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? " and " : ", ";
    text += words[i];
  }
  return text;
}

std::string quoted(std::string_view text, std::size_t limit) {
  std::string result = "\"";
  std::size_t used = 0;
  for (; used < text.size() && result.size() < limit; ++used) {
    const auto c = static_cast<unsigned char>(text[used]);
    if (c < 0x20 || c == 0x7F) {
      result += format("\\x{:02x}", c);
    } else {
      result += text[used];
    }
  }
  if (used < text.size()) {
    // Do not stop inside a UTF-8 sequence.
    while (used > 0 && (static_cast<unsigned char>(text[used]) & 0xC0) == 0x80 &&
           result.size() > 1) {
      result.pop_back();
      --used;
    }
    result += "…";
  }
  return result + "\"";
}

std::string lower(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(), lower_char);
  return result;
}

bool contains_ignoring_case(std::string_view text, std::string_view part) {
  return !std::ranges::search(text, part, {}, lower_char, lower_char).empty() || part.empty();
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

std::string counted(std::size_t count, std::string_view singular, std::string_view plural) {
  if (count == 1) return format("1 {}", singular);
  return plural.empty() ? format("{} {}s", count, singular) : format("{} {}", count, plural);
}

}  // namespace planex::base
