#include "ingest/openvino/format.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "base/text.h"

namespace planex::ingest::openvino {
namespace {

using model::DType;
using model::Layout;
using model::Order;

struct TypeWord {
  std::string_view word;
  DType type;
};
// ov::element::Type::get_type_name(), then the names of the IR's port precisions.
constexpr std::array<TypeWord, 36> kTypeWords = {{
    {"f32", DType::kFp32},   {"bf16", DType::kBf16},    {"f16", DType::kFp16},
    {"i8", DType::kInt8},    {"u8", DType::kUint8},     {"i32", DType::kInt32},
    {"i64", DType::kInt64},  {"boolean", DType::kBool}, {"i4", DType::kInt4},
    {"u4", DType::kInt4},    {"f64", DType::kFp64},     {"i16", DType::kInt16},
    {"u16", DType::kUint16}, {"u32", DType::kUint32},   {"u64", DType::kUint64},
    {"f8e4m3", DType::kFp8}, {"f8e5m2", DType::kFp8},   {"f4e2m1", DType::kFp4},
    {"FP32", DType::kFp32},  {"BF16", DType::kBf16},    {"FP16", DType::kFp16},
    {"I8", DType::kInt8},    {"U8", DType::kUint8},     {"I32", DType::kInt32},
    {"I64", DType::kInt64},  {"BOOL", DType::kBool},    {"I4", DType::kInt4},
    {"U4", DType::kInt4},    {"FP64", DType::kFp64},    {"I16", DType::kInt16},
    {"U16", DType::kUint16}, {"U32", DType::kUint32},   {"U64", DType::kUint64},
    {"F8E4M3", DType::kFp8}, {"F8E5M2", DType::kFp8},   {"F4E2M1", DType::kFp4},
}};

// Calls visit(part) for each part between underscores.
template <typename Visit>
void each_part(std::string_view primitive, Visit visit) {
  while (!primitive.empty()) {
    visit(base::take_part(primitive, '_'));
  }
}

bool is_type_part(std::string_view part) {
  return std::ranges::find(kTypeWords, part, &TypeWord::word) != kTypeWords.end();
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

// "b, c, d" follow "a" without gaps or repetitions.
bool are_all_axes(std::string letters) {
  std::ranges::sort(letters);
  for (std::size_t i = 0; i < letters.size(); ++i) {
    if (letters[i] != static_cast<char>('a' + i)) return false;
  }
  return !letters.empty();
}

// "16" -> a layout of channels in vectors of 16; null if the model has no such layout.
Layout channel_vectors(std::string_view width_text) {
  std::uint8_t width = 0;
  const char* end = width_text.data() + width_text.size();
  const auto parsed = std::from_chars(width_text.data(), end, width);
  if (parsed.ec != std::errc() || parsed.ptr != end) return {};
  const Layout layout{Order::kChannelVectors, width, false};
  return model::to_string(layout).empty() ? Layout{} : layout;
}

// b is the batch, f the channels, zyx the space; fsv16: 16 channels together.
// https://github.com/openvinotoolkit/openvino (intel_gpu/runtime/format.hpp)
TagFacts parse_gpu_tag(std::string_view tag) {
  if (tag == "bfyx" || tag == "bfzyx" || tag == "bfwzyx") {
    return {{Order::kLinear, 1, false}, true, TagFacts::kAnyRank};
  }
  if (tag == "byxf") return {{Order::kChannelsLast, 1, false}, true, 4};
  if (tag == "bzyxf") return {{Order::kChannelsLast, 1, false}, true, 5};
  for (const auto& [prefix, rank] : {std::pair<std::string_view, std::size_t>{"b_fs_yx_fsv", 4},
                                     std::pair<std::string_view, std::size_t>{"b_fs_zyx_fsv", 5}}) {
    if (tag.starts_with(prefix)) {
      return {channel_vectors(tag.substr(prefix.size())), false, rank};
    }
  }
  return {};
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
  if (!are_all_axes(axes.letters)) return parse_gpu_tag(tag);
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
  // One block of channels; weights have several.
  if (axes.split != 'b' || axes.split_count != 1 || !is_ascending(axes.letters)) return facts;
  if (axes.blocks.ends_with('b')) {
    facts.layout = channel_vectors(axes.blocks.substr(0, axes.blocks.size() - 1));
  }
  return facts;
}

DType type_of_primitive(std::string_view primitive) {
  DType type = DType::kNull;
  each_part(primitive, [&](std::string_view part) {
    if (is_type_part(part)) type = part == "I8" ? DType::kUint8 : parse_type(part);
  });
  return type;
}

std::optional<bool> uses_matrix_units(std::string_view primitive) {
  bool is_named = false, has_matrix_units = false;
  each_part(primitive, [&](std::string_view part) {
    has_matrix_units = has_matrix_units || part == "amx";
    // "uni" means whatever the machine has.
    is_named = is_named || (is_instruction_set(part) && part != "uni");
  });
  return is_named ? std::optional(has_matrix_units) : std::nullopt;
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
