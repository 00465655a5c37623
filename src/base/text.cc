#include "base/text.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "base/printable.h"
#include "base/utf8.h"

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
  // Words of a command line; longer ones can't be a typo.
  constexpr std::size_t kLongest = 64;
  if (word.empty() || word.size() > kLongest) return std::nullopt;
  std::optional<std::string_view> best;
  std::size_t best_distance = 1 + word.size() / 3;  // With more edits than this, it is another
                                                    // word.
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
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint point = first_code_point(text.substr(at));
    const std::string_view character = text.substr(at, point.length);
    const std::string piece = printable(character);
    if (result.size() + piece.size() > limit) {
      result += "…";
      break;
    }
    result += piece;
    at += character.size();
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
  // Hand-written: find_first_not_of() calls a function for every character, and this runs for every
  // number of a file.
  const auto is_blank = [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; };
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

std::string_view take_part(std::string_view& rest, char separator) {
  const std::size_t end = std::min(rest.find(separator), rest.size());
  const std::string_view part = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return part;
}

bool are_digits(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

std::string shell_word(std::string_view word) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%";
  if (!word.empty() && word.find_first_not_of(kPlain) == word.npos) return std::string(word);
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string counted(std::size_t count, std::string_view singular, std::string_view plural) {
  if (count == 1) return format("1 {}", singular);
  return plural.empty() ? format("{} {}s", count, singular) : format("{} {}", count, plural);
}

std::string part_of_all(std::size_t count, std::size_t all, std::string_view singular,
                        std::string_view plural) {
  if (count < all) return format("{} of {}", count, counted(all, singular, plural));
  if (count == 1) return format("the only {}", singular);
  if (count != 2) return format("all {}", counted(count, singular, plural));
  return plural.empty() ? format("both {}s", singular) : format("both {}", plural);
}

}  // namespace planex::base
