#include "ingest/tensorrt/format.h"

#include <array>
#include <charconv>

#include "base/text.h"

namespace planex::ingest::tensorrt {
namespace {

using model::DType;
using model::Layout;
using model::Order;

struct TypeWord {
  std::string_view word;  // lower case
  DType type;
};
constexpr std::array<TypeWord, 26> kTypeWords = {{
    {"float", DType::kFp32},    {"fp32", DType::kFp32},     {"float32", DType::kFp32},
    {"half", DType::kFp16},     {"fp16", DType::kFp16},     {"float16", DType::kFp16},
    {"int8", DType::kInt8},     {"int32", DType::kInt32},   {"int64", DType::kInt64},
    {"bf16", DType::kBf16},     {"bfloat16", DType::kBf16}, {"fp8", DType::kFp8},
    {"fp4", DType::kFp4},       {"int4", DType::kInt4},     {"bool", DType::kBool},
    {"uint8", DType::kUint8},   {"int16", DType::kInt16},   {"uint16", DType::kUint16},
    {"uint32", DType::kUint32}, {"uint64", DType::kUint64}, {"double", DType::kFp64},
    {"fp64", DType::kFp64},     {"float64", DType::kFp64},  {"fp8e4m3", DType::kFp8},
    {"e2m1", DType::kFp4},      {"tf32", DType::kTf32},
}};

struct WidthWord {
  std::string_view words;
  std::uint8_t width;
};
// Compound words first: "thirty-two wide" has "two wide" in it.
constexpr std::array<WidthWord, 6> kWidthWords = {{{"sixty-four wide channel", 64},
                                                   {"thirty-two wide channel", 32},
                                                   {"sixteen wide channel", 16},
                                                   {"eight wide channel", 8},
                                                   {"four wide channel", 4},
                                                   {"two wide channel", 2}}};

bool is_word_char(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }

DType type_in(std::string_view lower_text) {
  std::size_t at = 0;
  while (at < lower_text.size()) {
    while (at < lower_text.size() && !is_word_char(lower_text[at])) ++at;
    const std::size_t first = at;
    while (at < lower_text.size() && is_word_char(lower_text[at])) ++at;
    const std::string_view word = lower_text.substr(first, at - first);
    for (const TypeWord& entry : kTypeWords) {
      if (entry.word == word) return entry.type;
    }
  }
  return DType::kNull;
}

Layout layout_in(std::string_view text) {
  for (const WidthWord& entry : kWidthWords) {
    if (text.find(entry.words) != std::string_view::npos) {
      return {Order::kChannelVectors, entry.width, false};
    }
  }
  if (text.find("channel major") != std::string_view::npos) {
    constexpr std::string_view kModulo = "channel % ";
    std::uint8_t vector = 1;
    if (const std::size_t at = text.find(kModulo); at != std::string_view::npos) {
      const char* first = text.data() + at + kModulo.size();
      std::from_chars(first, text.data() + text.size(), vector);
    }
    const Layout layout{Order::kChannelsLast, vector, false};
    // A multiple that no engine has used so far is not a layout we know.
    return model::to_string(layout).empty() ? Layout{} : layout;
  }
  return text.find("row major") != std::string_view::npos ? Layout{Order::kLinear, 1, false}
                                                          : Layout{};
}

}  // namespace

Format parse_format(std::string_view text) {
  const std::string lower = base::lower(text);
  return {type_in(lower), layout_in(lower)};
}

DType parse_type(std::string_view word) { return type_in(base::lower(word)); }

}  // namespace planex::ingest::tensorrt
