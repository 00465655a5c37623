#include "ingest/tensorrt/format.h"

#include <algorithm>
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
constexpr TypeWord kTypeWords[] = {
    {"float", DType::kFp32},     {"fp32", DType::kFp32},        {"float32", DType::kFp32},
    {"half", DType::kFp16},      {"fp16", DType::kFp16},        {"float16", DType::kFp16},
    {"int8", DType::kInt8},      {"int32", DType::kInt32},      {"int64", DType::kInt64},
    {"bf16", DType::kBf16},      {"bfloat16", DType::kBf16},    {"fp8", DType::kFp8},
    {"float8", DType::kFp8},     {"e4m3", DType::kFp8},         {"e5m2", DType::kFp8},
    {"e4m3fn", DType::kFp8},     {"fp8e4m3", DType::kFp8},      {"fp8e5m2", DType::kFp8},
    {"float8e4m3", DType::kFp8}, {"float8e5m2", DType::kFp8},   {"float8e4m3fn", DType::kFp8},
    {"fp4", DType::kFp4},        {"float4", DType::kFp4},       {"e2m1", DType::kFp4},
    {"fp4e2m1", DType::kFp4},    {"float4e2m1", DType::kFp4},   {"nvfp4", DType::kFp4},
    {"mxfp4", DType::kFp4},      {"int4", DType::kInt4},        {"bool", DType::kBool},
    {"boolean", DType::kBool},   {"uint8", DType::kUint8},      {"int16", DType::kInt16},
    {"uint16", DType::kUint16},  {"uint32", DType::kUint32},    {"uint64", DType::kUint64},
    {"double", DType::kFp64},    {"fp64", DType::kFp64},        {"float64", DType::kFp64},
    {"tf32", DType::kTf32},      {"float4e2m1fn", DType::kFp4},
};

struct WidthWord {
  std::string_view words;
  std::uint8_t width;
};
// Compound words first: "thirty-two wide" contains "two wide".
constexpr std::array<WidthWord, 6> kWidthWords = {{{"sixty-four wide channel", 64},
                                                   {"thirty-two wide channel", 32},
                                                   {"sixteen wide channel", 16},
                                                   {"eight wide channel", 8},
                                                   {"four wide channel", 4},
                                                   {"two wide channel", 2}}};

// Rows longer than their elements, or axes in an order that only strides determine.
constexpr std::array<std::string_view, 9> kStridedWords = {
    "column stride", "row stride",   "h stride",   "line stride", "stride order",
    "(arbitrary)",   "(transposed)", "dla_linear", "dla_hwc4"};

// Names of the enumeration TensorFormat without its k, and the short forms of 11.x: (NC/32HW32).
struct LayoutTag {
  std::string_view word;  // lower case
  Layout layout;
};
constexpr LayoutTag kLayoutTags[] = {
    {"chw2", {Order::kChannelVectors, 2}},    {"2hw2", {Order::kChannelVectors, 2}},
    {"chw4", {Order::kChannelVectors, 4}},    {"4hw4", {Order::kChannelVectors, 4}},
    {"8hw8", {Order::kChannelVectors, 8}},    {"chw16", {Order::kChannelVectors, 16}},
    {"16hw16", {Order::kChannelVectors, 16}}, {"chw32", {Order::kChannelVectors, 32}},
    {"32hw32", {Order::kChannelVectors, 32}}, {"64hw64", {Order::kChannelVectors, 64}},
    {"cdhw32", {Order::kChannelVectors, 32}}, {"32dhw32", {Order::kChannelVectors, 32}},
    {"hwc4", {Order::kChannelsLast, 4}},      {"nhwc4", {Order::kChannelsLast, 4}},
    {"hwc8", {Order::kChannelsLast, 8}},      {"nhwc8", {Order::kChannelsLast, 8}},
    {"dhwc8", {Order::kChannelsLast, 8}},     {"ndhwc8", {Order::kChannelsLast, 8}},
    {"hwc16", {Order::kChannelsLast, 16}},    {"nhwc16", {Order::kChannelsLast, 16}},
};

bool is_word_char(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }

// Calls visit(word) for each word of a lower-case text until it returns true.
template <typename Visit>
void each_word(std::string_view text, Visit visit) {
  std::size_t at = 0;
  while (at < text.size()) {
    while (at < text.size() && !is_word_char(text[at])) ++at;
    const std::size_t first = at;
    while (at < text.size() && is_word_char(text[at])) ++at;
    if (at > first && visit(text.substr(first, at - first))) return;
  }
}

DType type_in(std::string_view lower_text) {
  DType type = DType::kNull;
  each_word(lower_text, [&](std::string_view word) {
    const auto* found = std::ranges::find(kTypeWords, word, &TypeWord::word);
    if (found == std::end(kTypeWords)) return false;
    type = found->type;
    return true;
  });
  return type;
}

Layout tag_in(std::string_view lower_text) {
  Layout layout;
  each_word(lower_text, [&](std::string_view word) {
    if (word.starts_with('k')) word.remove_prefix(1);
    const auto* found = std::ranges::find(kLayoutTags, word, &LayoutTag::word);
    if (found == std::end(kLayoutTags)) return false;
    layout = found->layout;
    return true;
  });
  return layout;
}

// The N of "channel % N", "C % N" or "padded to a multiple of N"; 1 if there is none.
std::uint8_t channel_multiple(std::string_view text) {
  constexpr std::array<std::string_view, 3> kBefore = {"channel % ", " c % ",
                                                       "padded to a multiple of "};
  for (const std::string_view before : kBefore) {
    const std::size_t at = text.find(before);
    if (at == std::string_view::npos) continue;
    std::uint8_t multiple = 1;
    std::from_chars(text.data() + at + before.size(), text.data() + text.size(), multiple);
    return multiple;
  }
  return 1;
}

Layout layout_in(std::string_view text) {
  const auto has = [&](std::string_view words) { return text.find(words) != text.npos; };
  if (std::ranges::any_of(kStridedWords, has)) return {Order::kStrided, 1, false};
  if (const Layout tagged = tag_in(text); tagged.order != Order::kNull) return tagged;
  for (const WidthWord& entry : kWidthWords) {
    if (has(entry.words)) return {Order::kChannelVectors, entry.width, false};
  }
  const std::uint8_t multiple = channel_multiple(text);
  if (has("channel major") || has("channel-last") || has("hwc") || has("padded to a multiple of")) {
    const Layout layout{Order::kChannelsLast, multiple, false};
    // A multiple that no engine has used so far is not a known layout.
    return model::to_string(layout).empty() ? Layout{} : layout;
  }
  return has("row major") || has("linear") ? Layout{Order::kLinear, 1, false} : Layout{};
}

}  // namespace

Format parse_format(std::string_view text) {
  const std::string lower = base::lower(text);
  return {type_in(lower), layout_in(lower)};
}

DType parse_type(std::string_view word) {
  // The type of nearly all weights.
  if (word == "Half") return DType::kFp16;
  if (word == "Float") return DType::kFp32;
  return type_in(base::lower(word));
}

bool depends_on_shapes(std::string_view text) {
  return base::contains_ignoring_case(text, "due to dynamic shapes");
}

}  // namespace planex::ingest::tensorrt
