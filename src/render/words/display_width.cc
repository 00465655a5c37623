#include "render/words/display_width.h"

#include <utf8proc.h>

#include <algorithm>
#include <vector>

#include "base/text.h"
#include "base/utf8.h"

namespace planex::render {
namespace {

constexpr std::string_view kEllipsis = "…";

bool is_plain_ascii(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c >= 0x20 && c < 0x7F; });
}

// A character with its combining marks.
struct Cluster {
  std::size_t end = 0;  // byte after it
  std::size_t width = 0;
};

std::vector<Cluster> clusters_of(std::string_view text) {
  std::vector<Cluster> clusters;
  utf8proc_int32_t state = 0;
  utf8proc_int32_t before = 0;
  for (std::size_t at = 0; at < text.size();) {
    const base::CodePoint point = base::first_code_point(text.substr(at));
    at += point.length;
    const bool starts = clusters.empty() || point.value < 0 || before < 0 ||
                        utf8proc_grapheme_break_stateful(before, point.value, &state);
    if (starts) clusters.emplace_back();
    clusters.back().end = at;
    // printable() leaves nothing without a width; count what slips through as one cell.
    clusters.back().width +=
        point.value < 0 ? 1 : static_cast<std::size_t>(utf8proc_charwidth(point.value));
    before = point.value;
  }
  return clusters;
}

// The widest start of at most `width` cells, in bytes.
std::size_t start_within(const std::vector<Cluster>& clusters, std::size_t width) {
  std::size_t end = 0;
  for (const Cluster& cluster : clusters) {
    if (cluster.width > width) break;
    width -= cluster.width;
    end = cluster.end;
  }
  return end;
}

}  // namespace

std::size_t display_width(std::string_view text) {
  if (is_plain_ascii(text)) return text.size();
  std::size_t width = 0;
  for (std::size_t at = 0; at < text.size();) {
    const base::CodePoint point = base::first_code_point(text.substr(at));
    width += point.value < 0 ? 1 : static_cast<std::size_t>(utf8proc_charwidth(point.value));
    at += point.length;
  }
  return width;
}

std::string elide_middle(std::string_view text, std::size_t width) {
  if (display_width(text) <= width) return std::string(text);
  if (width <= 1) return width == 0 ? std::string() : std::string(kEllipsis);
  // Names differ at both ends; the start says where a layer is, the end what it does.
  constexpr std::size_t kStartPercent = 55;
  constexpr std::size_t kAll = 100;
  const std::vector<Cluster> clusters = clusters_of(text);
  const std::size_t room = width - 1;
  const std::size_t start_width = (room * kStartPercent + kAll / 2) / kAll;
  const std::size_t start = start_within(clusters, start_width);
  std::size_t end_width = room - start_width;
  std::size_t end = text.size();
  for (std::size_t i = clusters.size(); i-- > 0;) {
    if (clusters[i].width > end_width) break;
    end_width -= clusters[i].width;
    end = i == 0 ? 0 : clusters[i - 1].end;
  }
  std::string result(text.substr(0, start));
  result += kEllipsis;
  return result.append(text.substr(std::max(start, end)));
}

std::string elide_end(std::string_view text, std::size_t width) {
  if (display_width(text) <= width) return std::string(text);
  if (width == 0) return {};
  std::string result(text.substr(0, start_within(clusters_of(text), width - 1)));
  return result.append(kEllipsis);
}

std::string padded_left(std::string_view text, std::size_t width) {
  const std::size_t own = display_width(text);
  return std::string(own < width ? width - own : 0, ' ').append(text);
}

}  // namespace planex::render
