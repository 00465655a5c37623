#include "ingest/openvino/format.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace planex::ingest::openvino {
namespace {

using model::DType;
using model::Layout;
using model::Order;

struct TypeWord {
  std::string_view word;
  DType type;
};
// ov::element::Type::get_type_name().
constexpr std::array<TypeWord, 18> kTypeWords = {{
    {"f32", DType::kFp32},
    {"bf16", DType::kBf16},
    {"f16", DType::kFp16},
    {"i8", DType::kInt8},
    {"u8", DType::kUint8},
    {"i32", DType::kInt32},
    {"i64", DType::kInt64},
    {"boolean", DType::kBool},
    {"i4", DType::kInt4},
    {"u4", DType::kInt4},
    {"f64", DType::kFp64},
    {"i16", DType::kInt16},
    {"u16", DType::kUint16},
    {"u32", DType::kUint32},
    {"u64", DType::kUint64},
    {"f8e4m3", DType::kFp8},
    {"f8e5m2", DType::kFp8},
    {"f4e2m1", DType::kFp4},
}};

// Calls visit(part) for each part between underscores.
template <typename Visit>
void each_part(std::string_view primitive, Visit visit) {
  while (!primitive.empty()) {
    const std::size_t end = std::min(primitive.find('_'), primitive.size());
    visit(primitive.substr(0, end));
    primitive.remove_prefix(std::min(end + 1, primitive.size()));
  }
}

bool is_type_part(std::string_view part) {
  return part == "I8" || std::ranges::find(kTypeWords, part, &TypeWord::word) != kTypeWords.end();
}

// The instruction sets of impl_desc_type in OpenVINO's CPU plugin.
bool is_instruction_set(std::string_view part) {
  constexpr std::array<std::string_view, 9> kSets = {"sse42", "avx", "avx2",  "avx512", "amx",
                                                     "neon",  "uni", "asimd", "sve"};
  return std::ranges::find(kSets, part) != kSets.end();
}

// Axes in order, a to z without a gap, upper case where the axis is split; then the blocks.
struct Axes {
  std::string letters;  // lower case
  char split = 0;       // the only split axis, or 0
  int split_count = 0;
  std::string_view blocks;
};

Axes axes_of(std::string_view tag) {
  Axes axes;
  std::size_t at = 0;
  for (; at < tag.size(); ++at) {
    const char c = tag[at];
    if (c >= 'A' && c <= 'Z') {
      axes.split = static_cast<char>(c - 'A' + 'a');
      ++axes.split_count;
      axes.letters += axes.split;
    } else if (c >= 'a' && c <= 'z') {
      axes.letters += c;
    } else {
      break;
    }
  }
  axes.blocks = tag.substr(at);
  return axes;
}

// "b, c, d" follow "a" and nothing is missing or twice.
bool are_all_axes(std::string letters) {
  std::ranges::sort(letters);
  for (std::size_t i = 0; i < letters.size(); ++i) {
    if (letters[i] != static_cast<char>('a' + i)) return false;
  }
  return !letters.empty();
}

bool is_ascending(std::string_view letters) { return std::ranges::is_sorted(letters); }

// a, then c to the end, then b: channels last. Needs a spatial axis.
bool is_channels_last(std::string_view letters) {
  return letters.size() >= 3 && letters.front() == 'a' && letters.back() == 'b' &&
         is_ascending(letters.substr(0, letters.size() - 1));
}

}  // namespace

DType parse_type(std::string_view word) {
  const auto found = std::ranges::find(kTypeWords, word, &TypeWord::word);
  return found == kTypeWords.end() ? DType::kNull : found->type;
}

TagFacts parse_tag(std::string_view tag) {
  const Axes axes = axes_of(tag);
  if (!are_all_axes(axes.letters)) return {};
  TagFacts facts{.rank = axes.letters.size()};
  if (axes.split_count == 0 && axes.blocks.empty()) {
    facts.is_permutation = true;
    if (is_ascending(axes.letters)) {
      facts.layout = {Order::kLinear, 1, false};
    } else if (is_channels_last(axes.letters)) {
      facts.layout = {Order::kChannelsLast, 1, false};
    }
    return facts;
  }
  // One block of channels; weights have more.
  if (axes.split != 'b' || axes.split_count != 1 || !is_ascending(axes.letters)) return facts;
  std::uint8_t width = 0;
  const char* end = axes.blocks.data() + axes.blocks.size();
  const auto parsed = std::from_chars(axes.blocks.data(), end, width);
  if (parsed.ec != std::errc() || std::string_view(parsed.ptr, end) != "b") return facts;
  const Layout layout{Order::kChannelVectors, width, false};
  if (!model::to_string(layout).empty()) facts.layout = layout;
  return facts;
}

DType type_of_primitive(std::string_view primitive) {
  DType type = DType::kNull;
  each_part(primitive, [&](std::string_view part) {
    if (is_type_part(part)) type = part == "I8" ? DType::kUint8 : parse_type(part);
  });
  return type;
}

std::string family_of_primitive(std::string_view primitive) {
  std::string family;
  if (primitive.starts_with("unknown")) return family;
  each_part(primitive, [&](std::string_view part) {
    if (part.empty() || is_type_part(part) || is_instruction_set(part)) return;
    if (!family.empty()) family += '_';
    family += part;
  });
  return family;
}

}  // namespace planex::ingest::openvino
