#include "ingest/tensorrt/uniform_rows.h"

#include <array>
#include <cstdint>
#include <cstring>

#include "base/text.h"

namespace planex::ingest::tensorrt {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// Powers of ten that a double represents exactly.
constexpr std::array<double, 23> kPowers = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                            1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                            1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
constexpr int kMaxPower = 22;

// Reads digits into `number`. They must be followed by a character that is not a digit.
const char* take_digits(const char* at, std::uint64_t& number) {
  std::uint64_t digits = number;
  while (base::is_digit(*at)) digits = digits * 10 + static_cast<std::uint64_t>(*at++ - '0');
  number = digits;
  return at;
}

// The JSON number that begins at `at`, which is moved after it. It must be followed by a character
// that can't belong to a number. False if there is none, or one that is not the quotient or product
// of two exact doubles, and so needs more than one rounding.
bool read_number(const char*& at, double& number) {
  const char* p = at;
  const bool is_negative = *p == '-';
  if (is_negative) ++p;
  const char* const first = p;
  std::uint64_t digits = 0;
  p = take_digits(p, digits);
  auto digit_count = p - first;
  if (digit_count == 0 || (*first == '0' && digit_count > 1)) return false;
  std::ptrdiff_t power = 0;
  if (*p == '.') {
    const char* const fraction = ++p;
    p = take_digits(p, digits);
    if (p == fraction) return false;
    digit_count += p - fraction;
    power = fraction - p;
  }
  // This many digits don't overflow; their value must still fit a double's 53 bits.
  constexpr std::ptrdiff_t kMaxDigits = 18;
  constexpr std::uint64_t kMaxExact = std::uint64_t{1} << 53;
  if (digit_count > kMaxDigits || digits > kMaxExact) return false;
  if (*p == 'e' || *p == 'E') {
    ++p;
    const bool is_down = *p == '-';
    if (*p == '-' || *p == '+') ++p;
    const char* const exponent_first = p;
    std::uint64_t exponent = 0;
    p = take_digits(p, exponent);
    constexpr std::ptrdiff_t kMaxExponentDigits = 3;
    if (p == exponent_first || p - exponent_first > kMaxExponentDigits) return false;
    const auto shift = static_cast<std::ptrdiff_t>(exponent);
    power += is_down ? -shift : shift;
  }
  if (power < -kMaxPower || power > kMaxPower) return false;
  number = static_cast<double>(digits);
  if (power < 0) {
    number /= kPowers[static_cast<std::size_t>(-power)];
  } else if (power > 0) {
    number *= kPowers[static_cast<std::size_t>(power)];
  }
  if (is_negative) number = -number;
  at = p;
  return true;
}

}  // namespace

void UniformRows::skip_blanks() {
  while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
}

std::optional<UniformRows> UniformRows::open(std::string_view text) {
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  // A closing bracket also ends numbers, so they need not check for the end of the text.
  if (!text.ends_with(']')) return std::nullopt;
  UniformRows rows(text);
  rows.skip_blanks();
  if (text[rows.at_] != '[') return std::nullopt;
  ++rows.at_;
  rows.skip_blanks();
  const std::size_t first_row = rows.at_;
  if (!rows.take_form()) return std::nullopt;
  rows.row_size_ = rows.at_ - first_row;
  rows.at_ = first_row;
  return rows;
}

// {"key": 1, "key": 2}
bool UniformRows::take_form() {
  std::size_t first = at_;
  const auto take = [&](char c) {
    skip_blanks();
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  };
  if (!take('{')) return false;
  do {
    if (!take('"')) return false;
    const std::size_t key = at_;
    while (at_ < text_.size() && text_[at_] != '"') {
      // Anything that may have to be decoded or checked.
      if (text_[at_] == '\\' || text_[at_] < 0x20 || text_[at_] > 0x7e) return false;
      ++at_;
    }
    keys_.push_back(text_.substr(key, at_ - key));
    if (!take('"') || !take(':')) return false;
    skip_blanks();
    if (at_ == text_.size()) return false;
    between_.push_back(text_.substr(first, at_ - first));
    const char* at = text_.data() + at_;
    double ignored = 0;
    if (!read_number(at, ignored)) return false;
    first = at_ = static_cast<std::size_t>(at - text_.data());
  } while (take(','));
  if (!take('}')) return false;
  between_.push_back(text_.substr(first, at_ - first));
  return true;
}

bool UniformRows::next(std::vector<double>& numbers) {
  if (at_end_) return false;
  numbers.resize(keys_.size());
  const char* at = text_.data() + at_;
  const char* const end = text_.data() + text_.size();
  const auto take = [&](std::string_view text) {
    if (static_cast<std::size_t>(end - at) < text.size() ||
        std::memcmp(at, text.data(), text.size()) != 0) {
      return false;
    }
    at += text.size();
    return true;
  };
  for (std::size_t i = 0; i < keys_.size(); ++i) {
    if (!take(between_[i]) || !read_number(at, numbers[i])) return false;
  }
  if (!take(between_.back())) return false;
  at_ = static_cast<std::size_t>(at - text_.data());
  skip_blanks();
  if (at_ == text_.size()) return false;
  const char separator = text_[at_];
  if (separator != ',' && separator != ']') return false;
  ++at_;
  skip_blanks();
  at_end_ = separator == ']' && at_ == text_.size();
  // There is text after the list: this row may not be complete without it.
  return separator == ',' || at_end_;
}

}  // namespace planex::ingest::tensorrt
