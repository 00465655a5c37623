#include "ingest/tensorrt/log/log_runs.h"

#include <algorithm>
#include <array>

#include "ingest/tensorrt/log/log_lines.h"

namespace planex::ingest::tensorrt {
namespace {

struct FoundBanner {
  std::size_t line_begin = 0;
  Banner banner;
};

// The banner in the line around `at`, if the line begins with it, or with a prefix before it.
std::optional<FoundBanner> banner_around(std::string_view text, std::size_t at) {
  // Longer than any prefix, so that a file without line ends is not walked again and again.
  constexpr std::size_t kLongestPrefix = 64;
  std::size_t begin = at;
  while (begin > 0 && text[begin - 1] != '\n') {
    if (at - begin >= kLongestPrefix) return std::nullopt;
    --begin;
  }
  std::string_view line = text.substr(begin, std::min(text.find('\n', at), text.size()) - begin);
  if (line.ends_with('\r')) line.remove_suffix(1);
  const auto banner = parse_banner(parse_log_line(line).text);
  if (!banner) return std::nullopt;
  return FoundBanner{begin, *banner};
}

bool contains(std::string_view text, const LogRun& run, std::string_view part) {
  return text.substr(run.begin, run.end - run.begin).find(part) != text.npos;
}

bool has_performance(std::string_view text, const LogRun& run) {
  return contains(text, run, "=== Performance summary ===") || contains(text, run, "=== Profile (");
}

int worth(std::string_view text, const LogRun& run) {
  constexpr std::array<std::string_view, 3> kLayerMarks = {
      "Engine Layer Information:", " Layers:", "\nLayers:"};
  const bool layers = std::ranges::any_of(
      kLayerMarks, [&](std::string_view mark) { return contains(text, run, mark); });
  return (run.outcome == BannerWord::kPassed ? 4 : 0) + (layers ? 2 : 0) +
         (has_performance(text, run) ? 1 : 0);
}

std::string_view file_name(std::string_view path) {
  const std::size_t slash = path.find_last_of("/\\");
  return slash == path.npos ? path : path.substr(slash + 1);
}

}  // namespace

std::vector<LogRun> find_runs(std::string_view text) {
  std::vector<LogRun> runs = {LogRun{.end = text.size()}};
  for (std::size_t at = text.find(kBannerStart); at != text.npos;
       at = text.find(kBannerStart, at)) {
    const auto banner = banner_around(text, at);
    at += kBannerStart.size();
    if (!banner) continue;
    if (banner->banner.word != BannerWord::kRunning) {
      runs.back().outcome = banner->banner.word;
      // A log whose head is missing still names the command in its last line.
      if (runs.back().opening.command.empty()) {
        runs.back().opening = banner->banner;
        runs.back().opening.word = BannerWord::kNone;
      }
      continue;
    }
    const bool first = runs.size() == 1 && runs.back().opening.command.empty() &&
                       runs.back().opening.word == BannerWord::kNone;
    if (!first) {
      runs.back().end = banner->line_begin;
      const LogRun& last = runs.back();
      const auto lines = std::count(text.begin() + static_cast<std::ptrdiff_t>(last.begin),
                                    text.begin() + static_cast<std::ptrdiff_t>(last.end), '\n');
      runs.push_back({.begin = banner->line_begin,
                      .end = text.size(),
                      .first_line = last.first_line + static_cast<std::size_t>(lines)});
    }
    runs.back().opening = banner->banner;
  }
  return runs;
}

RunChoice choose_run(std::string_view text, const std::vector<LogRun>& runs) {
  RunChoice choice;
  if (runs.size() == 1) return choice;
  int best = -1;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const int value = worth(text, runs[i]);
    if (value < best) continue;
    best = value;
    choice.main = i;
  }
  const auto passed = [&](std::size_t i) { return runs[i].outcome == BannerWord::kPassed; };
  // Where the best run saved its engine and a later one loads and times it, the two are one.
  const std::string_view saved =
      file_name(option_value(runs[choice.main].opening.command, "saveEngine"));
  if (!saved.empty() && passed(choice.main) && !has_performance(text, runs[choice.main])) {
    for (std::size_t i = runs.size(); i-- > choice.main + 1;) {
      if (passed(i) && file_name(option_value(runs[i].opening.command, "loadEngine")) == saved &&
          has_performance(text, runs[i])) {
        choice.build = choice.main;
        choice.main = i;
        return choice;
      }
    }
  }
  const std::string_view loaded =
      file_name(option_value(runs[choice.main].opening.command, "loadEngine"));
  for (std::size_t i = choice.main; !loaded.empty() && i-- > 0;) {
    if (passed(i) && file_name(option_value(runs[i].opening.command, "saveEngine")) == loaded) {
      choice.build = i;
      break;
    }
  }
  return choice;
}

}  // namespace planex::ingest::tensorrt
