// Numbers in lines of text.
#ifndef PLANEX_INGEST_TENSORRT_LOG_LOG_NUMBERS_H_
#define PLANEX_INGEST_TENSORRT_LOG_LOG_NUMBERS_H_

#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string_view>

namespace planex::ingest::tensorrt {

// Cuts `start` off the front of `text`, and says whether it stood there.
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

// Nothing for anything but a whole finite number: nan and inf are no measurements.
inline std::optional<double> real_of(std::string_view word) {
  double number = 0;
  const char* end = word.data() + word.size();
  const auto parsed = std::from_chars(word.data(), end, number);
  if (word.empty() || parsed.ec != std::errc() || parsed.ptr != end || !std::isfinite(number)) {
    return std::nullopt;
  }
  return number;
}

// Nothing for anything but a whole count that is not negative.
inline std::optional<std::int64_t> count_of(std::string_view word) {
  std::int64_t number = 0;
  const char* end = word.data() + word.size();
  const auto parsed = std::from_chars(word.data(), end, number);
  if (word.empty() || parsed.ec != std::errc() || parsed.ptr != end || number < 0) {
    return std::nullopt;
  }
  return number;
}

// The number word after `label`, or empty.
inline std::string_view word_after(std::string_view text, std::string_view label) {
  const std::size_t at = text.find(label);
  return at == text.npos ? std::string_view{} : number_word(text.substr(at + label.size()));
}

}  // namespace planex::ingest::tensorrt

#endif  // PLANEX_INGEST_TENSORRT_LOG_LOG_NUMBERS_H_
