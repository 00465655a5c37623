// Numbers in lines of text.
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/numbers.h"

namespace planex::ingest::tensorrt {

// Removes `start` from the front of `text`, and returns whether it was there.
inline bool take_start(std::string_view& text, std::string_view start) {
  if (!text.starts_with(start)) return false;
  text.remove_prefix(start.size());
  return true;
}

// The word at the front of `text`, up to a blank, a comma or a bracket.
inline std::string_view number_word(std::string_view text) {
  const std::size_t end = text.find_first_of(" ,()%");
  return text.substr(0, end == text.npos ? text.size() : end);
}

// Nothing unless it is entirely a finite number: nan and inf are not measurements.
inline std::optional<double> real_of(std::string_view word) {
  const auto number = base::number_in<double>(word);
  return number && std::isfinite(*number) ? number : std::nullopt;
}

// Nothing unless it is entirely a non-negative integer.
inline std::optional<std::int64_t> count_of(std::string_view word) {
  const auto number = base::number_in<std::int64_t>(word);
  return number && *number >= 0 ? number : std::nullopt;
}

// The number word after `label`, or empty.
inline std::string_view word_after(std::string_view text, std::string_view label) {
  const std::size_t at = text.find(label);
  return at == text.npos ? std::string_view{} : number_word(text.substr(at + label.size()));
}

}  // namespace planex::ingest::tensorrt
