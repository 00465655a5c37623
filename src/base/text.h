// Formatting and small text tools. The one place that names the formatting library.
#pragma once

#include <fmt/format.h>

#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace planex::base {

// An object, since a function with this name would also find std::format, by arguments of std::.
struct Format {
  template <typename... Args>
  std::string operator()(fmt::format_string<Args...> text, Args&&... args) const {
    return fmt::format(text, std::forward<Args>(args)...);
  }
};
inline constexpr Format format;

// The candidate that `word` most likely means, or nothing when none is near. Cost: O(candidates ·
// word · candidate), for words of command lines and column names.
std::optional<std::string_view> nearest(std::string_view word,
                                        std::span<const std::string_view> candidates);

// "a, b and c".
std::string join_words(std::span<const std::string_view> words);

// Replaces control characters and invalid UTF-8 by visible escapes, and cuts after `limit` bytes,
// on a character boundary, so that text from any file can be used in a message. Adds the quotes.
std::string quoted(std::string_view text, std::size_t limit = 80);

// ASCII only: the locale never matters.
std::string lower(std::string_view text);
bool contains_ignoring_case(std::string_view text, std::string_view part);
std::string_view trimmed(std::string_view text);

// Takes the part before the separator from `rest`, together with the separator; all of it where
// there is none.
std::string_view take_part(std::string_view& rest, char separator);

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
// One or more digits, and nothing else.
bool are_digits(std::string_view text);

// A word in a form that can be pasted into a shell, with quotes where it needs them.
std::string shell_word(std::string_view word);

// "1 layer", "2 layers".
std::string counted(std::size_t count, std::string_view singular, std::string_view plural = {});
// "3 of 8 layers"; for all of them "the only layer", "both layers", "all 8 layers".
std::string part_of_all(std::size_t count, std::size_t all, std::string_view singular,
                        std::string_view plural = {});

}  // namespace planex::base
