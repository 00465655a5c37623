#include "render/font/text_width.h"

#include <utf8proc.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/utf8.h"
#include "render/font/advance_widths.h"

namespace planex::render {
namespace {

constexpr std::string_view kCutMark = "…";
constexpr double kHeadShare = 0.55;
// No box is wider than this many letters, so the middle need not be measured.
constexpr std::size_t kMaxMeasuredBytes = 2000;
constexpr std::size_t kMaxHeadBytes = 1100;
constexpr std::size_t kAsciiCount = 128;

std::span<const Advance> advances_of(Face face) {
  return face == Face::kBold ? std::span<const Advance>(kBoldAdvances) : kRegularAdvances;
}

// Units of a character that the font has, negative if it does not have it.
constexpr double known_units(std::span<const Advance> advances, std::int32_t value) {
  const auto found = std::ranges::lower_bound(advances, value, {}, &Advance::last);
  return found != advances.end() && found->first <= value ? found->width : -1;
}

double units_of_unknown(std::span<const Advance> advances, std::int32_t value) {
  switch (utf8proc_charwidth(value)) {
    case 0:
      return 0;
    case 2:
      return kUnitsPerEm;
    default:
      return known_units(advances, 'W');
  }
}

using AsciiUnits = std::array<double, kAsciiCount>;

// Names are ASCII nearly always; looking their letters up one by one is most of the cost otherwise.
template <std::size_t kCount>
constexpr AsciiUnits ascii_units(const Advance (&advances)[kCount]) {
  AsciiUnits units{};
  for (std::size_t i = 0; i < units.size(); ++i) {
    units[i] = std::max(0.0, known_units(advances, static_cast<std::int32_t>(i)));
  }
  return units;
}
constexpr AsciiUnits kRegularAscii = ascii_units(kRegularAdvances);
constexpr AsciiUnits kBoldAscii = ascii_units(kBoldAdvances);

double units_of(const base::CodePoint& point, Face face) {
  constexpr std::int32_t kReplacementCharacter = 0xFFFD;
  const std::int32_t value = point.value < 0 ? kReplacementCharacter : point.value;
  if (static_cast<std::size_t>(value) < kAsciiCount) {
    return (face == Face::kBold ? kBoldAscii : kRegularAscii)[static_cast<std::size_t>(value)];
  }
  const std::span<const Advance> advances = advances_of(face);
  const double units = known_units(advances, value);
  return units >= 0 ? units : units_of_unknown(advances, value);
}

double units_of_text(std::string_view text, Face face) {
  double units = 0;
  while (!text.empty()) {
    const base::CodePoint point = base::first_code_point(text);
    units += units_of(point, face);
    text.remove_prefix(point.length);
  }
  return units;
}

// A character with its combining marks.
struct MeasuredCluster {
  std::size_t end = 0;  // byte after it
  double units = 0;
};

std::vector<MeasuredCluster> clusters_of(std::string_view text, Face face) {
  std::vector<MeasuredCluster> clusters;
  for (std::size_t at = 0; at < text.size();) {
    const base::CodePoint point = base::first_code_point(text.substr(at));
    const double units = units_of(point, face);
    at += point.length;
    if (clusters.empty() || units > 0) clusters.emplace_back();
    clusters.back().end = at;
    clusters.back().units += units;
  }
  return clusters;
}

// Bytes of the start and the end of a text that is too long to be measured.
struct WordEnds {
  std::string_view head, tail;
};
WordEnds word_ends(std::string_view text) {
  if (text.size() <= kMaxMeasuredBytes) return {.head = text, .tail = text};
  constexpr std::size_t kLongestCharacter = 4;
  std::size_t head = kMaxHeadBytes;
  std::size_t tail = text.size() - (kMaxMeasuredBytes - kMaxHeadBytes);
  for (std::size_t i = 1; i < kLongestCharacter && base::is_inside_character(text, head); ++i)
    --head;
  for (std::size_t i = 1; i < kLongestCharacter && base::is_inside_character(text, tail); ++i)
    ++tail;
  return {.head = text.substr(0, head), .tail = text.substr(tail)};
}

}  // namespace

double text_width(std::string_view text, Face face, double size_px) {
  return units_of_text(text, face) * size_px / kUnitsPerEm;
}

std::string fitted(std::string_view text, double width, Face face, double size_px) {
  if (text.size() <= kMaxMeasuredBytes && text_width(text, face, size_px) <= width) {
    return std::string(text);
  }
  double room = width * kUnitsPerEm / size_px - units_of_text(kCutMark, face);
  // Neither zero nor NaN.
  if (!(room >= 0)) return {};
  const auto [head, tail] = word_ends(text);
  std::size_t head_end = 0;
  double left = room * kHeadShare;
  for (const MeasuredCluster& cluster : clusters_of(head, face)) {
    if (cluster.units > left) break;
    left -= cluster.units;
    room -= cluster.units;
    head_end = cluster.end;
  }
  const std::vector<MeasuredCluster> clusters = clusters_of(tail, face);
  std::size_t tail_start = tail.size();
  for (std::size_t i = clusters.size(); i-- > 0 && clusters[i].units <= room;) {
    room -= clusters[i].units;
    tail_start = i == 0 ? 0 : clusters[i - 1].end;
  }
  return std::string(head.substr(0, head_end)).append(kCutMark).append(tail.substr(tail_start));
}

}  // namespace planex::render
