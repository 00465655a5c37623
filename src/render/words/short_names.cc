#include "render/words/short_names.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>

#include "base/text.h"

namespace planex::render {
namespace {

constexpr std::size_t kLongest = 2000;

bool take_prefix(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

bool take_digits(std::string_view& text) {
  const auto end = std::ranges::find_if_not(text, base::is_digit);
  const auto count = static_cast<std::size_t>(end - text.begin());
  text.remove_prefix(count);
  return count > 0;
}

std::string_view without_suffix(std::string_view text, std::string_view suffix) {
  if (text.ends_with(suffix)) text.remove_suffix(suffix.size());
  return text;
}

// "Reformatting CopyNode for Input Tensor 0 to X": X, and which end is copied.
struct Copy {
  std::string_view end, of;
};
std::optional<Copy> copy_of(std::string_view name) {
  if (!take_prefix(name, "Reformatting CopyNode for ")) return std::nullopt;
  const std::string_view end = take_prefix(name, "Input ")    ? "input"
                               : take_prefix(name, "Output ") ? "output"
                                                              : "";
  const bool matches = !end.empty() && take_prefix(name, "Tensor ") && take_digits(name) &&
                       take_prefix(name, " to ");
  return matches ? std::optional(Copy{.end = end, .of = name}) : std::nullopt;
}

// OpenVINO's layout of a tensor as its reorders name it, "abcd" or "aBcd16b": which axes it has,
// one bit each, or 0 where the text is no layout.
std::uint32_t axes_of(std::string_view layout) {
  constexpr std::size_t kMaxLetters = 6;
  std::uint32_t axes = 0;
  const auto take_letter = [&] {
    const char lower = layout.empty() ? '\0' : static_cast<char>(layout.front() | 0x20);
    if (lower < 'a' || lower > 'f') return false;
    axes |= std::uint32_t{1} << (lower - 'a');
    layout.remove_prefix(1);
    return true;
  };
  std::size_t letters = 0;
  while (letters < kMaxLetters && take_letter()) ++letters;
  if (letters < 2) return 0;
  take_digits(layout);
  take_letter();
  return layout.empty() ? axes : 0;
}

// The axes that a tensor has are the first ones: abc, never ace.
bool are_first_axes(std::uint32_t axes) { return (axes & (axes + 1)) == 0; }

// "X_abcd_acdb_Y", a reorder of what Y reads: Y. The last two layouts in the name count.
std::optional<std::string_view> reorder_for(std::string_view name) {
  // The text after the last `_` seen, and the layout before that one.
  std::size_t end = std::string_view::npos;
  std::uint32_t later_axes = 0;
  std::string_view later_rest;
  for (std::size_t at = name.rfind('_'); at != std::string_view::npos && at > 0;
       at = name.rfind('_', at - 1)) {
    const bool has_rest = end != std::string_view::npos && end + 1 < name.size();
    const std::uint32_t axes =
        end == std::string_view::npos ? 0 : axes_of(name.substr(at + 1, end - at - 1));
    if (axes != 0 && later_axes != 0) {
      const bool same = axes == later_axes && are_first_axes(axes);
      return same ? std::optional(later_rest) : std::nullopt;
    }
    later_axes = has_rest ? axes : 0;
    if (later_axes != 0) later_rest = name.substr(end + 1);
    end = at;
  }
  return std::nullopt;
}

bool only_quantises(std::string_view member) {
  return member == "QuantizeLinear" || member == "DequantizeLinear";
}

// What a fused layer's first member already says.
bool repeats(std::string_view member) {
  return member == "Conv" || member == "Gemm" || member == "MatMul";
}

// Without ".weight", then without a running number.
std::string_view cleaned(std::string_view member) {
  member = without_suffix(member, ".weight");
  std::size_t end = member.size();
  while (end > 0 && base::is_digit(member[end - 1])) --end;
  const bool is_numbered = end < member.size() && end > 0 && member[end - 1] == '_';
  return is_numbered ? member.substr(0, end - 1) : member;
}

// A beginning that all or nearly all names share says nothing about any one of them. Shorter ones
// do no harm, and few layers can share one by chance.
constexpr std::size_t kMinPrefix = 8, kMinNames = 4;
constexpr double kSharedBy = 0.9;

// The longest such beginning that ends with a slash: "jax2tf_get_logits_/". Empty if there is none.
std::string_view shared_prefix(const std::vector<std::string_view>& names) {
  std::string_view prefix;
  if (names.size() < kMinNames) return prefix;
  while (true) {
    std::unordered_map<std::string_view, std::size_t> count_of;
    for (const std::string_view name : names) {
      if (!name.starts_with(prefix)) continue;
      const std::size_t slash = name.find('/', prefix.size());
      // Something has to be left.
      if (slash != std::string_view::npos && slash + 1 < name.size()) {
        ++count_of[name.substr(0, slash + 1)];
      }
    }
    const auto most =
        std::ranges::max_element(count_of, {}, [](const auto& counted) { return counted.second; });
    if (most == count_of.end() ||
        static_cast<double>(most->second) < kSharedBy * static_cast<double>(names.size())) {
      break;
    }
    prefix = most->first;
  }
  return prefix.size() < kMinPrefix ? std::string_view() : prefix;
}

std::string joined_members(std::string_view name, std::string_view prefix) {
  constexpr std::string_view kBetween = " + ";
  // OpenVINO: a suffix that a fused node keeps from its first part.
  std::string_view rest = without_suffix(name, "/WithoutBiases");
  std::string result;
  for (bool is_first = true, is_more = true; is_more; is_first = false) {
    const std::size_t end = rest.find(kBetween);
    is_more = end != std::string_view::npos;
    std::string_view member = cleaned(rest.substr(0, end));
    if (member.size() > prefix.size()) take_prefix(member, prefix);
    if (is_more) rest.remove_prefix(end + kBetween.size());
    if (is_first) {
      result = member;
    } else if (!only_quantises(member) && !repeats(member)) {
      result.append(kBetween).append(member);
    }
  }
  // A whole layer that quantizes keeps its number, or all of them would be called the same.
  return only_quantises(result) ? std::string(name) : result;
}

// What a name says it copies, and the rest: the layer itself.
struct ParsedName {
  std::string copies;
  std::string_view layer;
};
ParsedName parsed(std::string_view name) {
  ParsedName result;
  while (true) {
    if (const auto copy = copy_of(name)) {
      result.copies += base::format("copy · {} of ", copy->end);
      name = copy->of;
    } else if (const auto reordered = reorder_for(name)) {
      result.copies += "reorder · input of ";
      name = *reordered;
    } else {
      result.layer = name;
      return result;
    }
  }
}

std::string short_name_of(std::string_view name, ParsedName parsed, std::string_view prefix) {
  if (name.size() > kLongest) return std::string(name);
  return parsed.copies.append(joined_members(parsed.layer, prefix));
}

}  // namespace

std::string short_name(std::string_view name) {
  return name.size() > kLongest ? std::string(name) : short_name_of(name, parsed(name), {});
}

std::vector<std::string> short_names(const model::PlanModel& model) {
  const model::LayersTable& layers = model.layers;
  std::vector<std::string> names;
  names.reserve(layers.row_count());
  std::unordered_map<std::string_view, std::size_t> count_of;
  std::vector<ParsedName> all;
  std::vector<std::string_view> layer_names;
  all.reserve(layers.row_count());
  for (std::size_t row = 0; row < layers.row_count(); ++row) {
    const std::string_view name = model.text(layers.name[row]);
    all.push_back(name.size() > kLongest ? ParsedName{} : parsed(name));
    layer_names.push_back(all.back().layer);
  }
  const std::string_view prefix = shared_prefix(layer_names);
  for (std::size_t row = 0; row < layers.row_count(); ++row) {
    names.push_back(short_name_of(model.text(layers.name[row]), std::move(all[row]), prefix));
  }
  for (const std::string& name : names) ++count_of[name];
  std::vector<std::size_t> taken;
  for (std::size_t row = 0; row < names.size(); ++row) {
    if (count_of[names[row]] > 1) taken.push_back(row);
  }
  for (const std::size_t row : taken) names[row] = model.text(layers.name[row]);
  return names;
}

}  // namespace planex::render
