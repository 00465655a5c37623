#include "render/text/grid.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/text.h"
#include "render/words/display_width.h"
#include "render/words/wrap.h"

namespace planex::render {
namespace {

constexpr std::size_t kGridGap = 2;
constexpr std::size_t kMinElastic = 12;
constexpr std::size_t kMinWrapped = 20;

std::string_view code_of(Ink ink) {
  switch (ink) {
    case Ink::kStrong:
      return "\x1b[1m";
    case Ink::kFaint:
      return "\x1b[2m";
    case Ink::kError:
      return "\x1b[31m";
    case Ink::kWarning:
      return "\x1b[33m";
    case Ink::kFaster:
      return "\x1b[36m";
    case Ink::kSlower:
      return "\x1b[33m";
    case Ink::kPlain:
      break;
  }
  return {};
}

}  // namespace

std::string painted(std::string_view text, Ink ink, bool color) {
  const std::string_view code = code_of(ink);
  return color && !code.empty() && !text.empty() ? base::format("{}{}\x1b[0m", code, text)
                                                 : std::string(text);
}

std::vector<std::string> Grid::lines(std::size_t width, std::size_t indent, bool color) const {
  std::vector<std::size_t> widths(columns_.size(), 0);
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      widths[i] = std::max(widths[i], display_width(row[i].text));
    }
  }
  const bool wraps = width > 0 && !columns_.empty() && columns_.back().wraps;
  if (width > 0) {
    std::size_t total = indent;
    for (std::size_t i = 0; i < widths.size(); ++i) {
      const bool last_wraps = wraps && i + 1 == widths.size();
      const std::size_t w = last_wraps ? std::min(widths[i], kMinWrapped) : widths[i];
      total += w == 0 ? 0 : w + kGridGap;
    }
    total -= std::min(total, kGridGap);
    const auto elastic = std::ranges::find(columns_, true, &GridColumn::elastic);
    if (total > width && elastic != columns_.end()) {
      std::size_t& w = widths[static_cast<std::size_t>(elastic - columns_.begin())];
      const std::size_t least = std::min(w, kMinElastic);
      w = std::max(least, w - std::min(w, total - width));
    }
  }
  std::size_t before_last = indent;
  for (std::size_t i = 0; i + 1 < widths.size(); ++i) {
    before_last += widths[i] == 0 ? 0 : widths[i] + kGridGap;
  }
  std::vector<std::string> result;
  for (const auto& row : rows_) {
    std::string line(indent, ' ');
    std::string blanks;  // Held back until something follows, so that lines end in text.
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (widths[i] == 0) continue;
      if (wraps && i + 1 == widths.size() && !row[i].text.empty()) {
        const std::string sentence =
            wrapped(painted(row[i].text, row[i].ink, color),
                    std::max(width, before_last + kMinWrapped), before_last);
        line += blanks;
        const std::size_t end = sentence.find('\n');
        line += std::string_view(sentence).substr(before_last, end - before_last);
        for (std::size_t at = end + 1; at < sentence.size();) {
          result.push_back(std::move(line));
          const std::size_t next = sentence.find('\n', at);
          line = sentence.substr(at, next - at);
          at = next + 1;
        }
        continue;
      }
      const std::string text = elide_middle(row[i].text, widths[i]);
      const std::size_t free = widths[i] - std::min(widths[i], display_width(text));
      const bool right = columns_[i].alignment == Alignment::kRight;
      if (!text.empty()) {
        line += blanks;
        if (right) line.append(free, ' ');
        line += painted(text, row[i].ink, color);
        blanks.assign((right ? 0 : free) + kGridGap, ' ');
      } else {
        blanks.append(widths[i] + kGridGap, ' ');
      }
    }
    result.push_back(std::move(line));
  }
  return result;
}

std::vector<std::string> side_by_side(const std::vector<std::string>& left,
                                      const std::vector<std::string>& right, std::size_t gap,
                                      std::size_t width) {
  std::size_t left_width = 0, right_width = 0;
  for (const std::string& line : left) left_width = std::max(left_width, visible_width(line));
  for (const std::string& line : right) right_width = std::max(right_width, visible_width(line));
  std::vector<std::string> result = left;
  if (width > 0 && left_width + gap + right_width > width) {
    result.emplace_back();
    result.insert(result.end(), right.begin(), right.end());
    return result;
  }
  result.resize(std::max(left.size(), right.size()));
  for (std::size_t i = 0; i < right.size(); ++i) {
    if (right[i].empty()) continue;
    result[i].append(left_width + gap - visible_width(result[i]), ' ');
    result[i] += right[i];
  }
  return result;
}

std::string bar(double ratio, std::size_t cells) {
  constexpr std::array<std::string_view, 8> kEighths = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  if (!(ratio > 0)) return {};
  const auto eighths = static_cast<std::size_t>(
      std::lround(std::min(ratio, 1.0) * static_cast<double>(cells) * 8.0));
  std::string result;
  for (std::size_t i = 0; i < eighths / 8; ++i) result += "█";
  result += kEighths[eighths % 8];
  // Anything more than nothing is visible.
  return result.empty() ? std::string(kEighths[1]) : result;
}

}  // namespace planex::render
