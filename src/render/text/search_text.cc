#include "render/text/search_text.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "base/text.h"
#include "render/text/grid.h"
#include "render/text/losses_text.h"
#include "render/words/display_width.h"
#include "render/words/numbers.h"
#include "render/words/wrap.h"

namespace planex::render {
namespace {

using base::counted;
using base::format;
using quantize::Score;
using quantize::SearchLayer;
using quantize::SearchOutcome;
using quantize::SearchPoint;

std::string score_text(const Score& score) {
  if (std::isfinite(score.sqnr_db)) return format("{:.1f} dB", score.sqnr_db);
  return score.sqnr_db > 0 ? "equal" : "NaN or Inf";
}

// "1.234 ms ± 0.012".
std::string point_time_text(const SearchPoint& point) {
  if (!point.median_ms) return {};
  if (!point.median_low_ms || !point.median_high_ms) return format("{:.3f} ms", *point.median_ms);
  return format("{:.3f} ms ± {:.3f}", *point.median_ms,
                (*point.median_high_ms - *point.median_low_ms) / 2);
}

class SearchScreen {
 public:
  SearchScreen(const SearchOutcome& outcome, const TableStyle& style)
      : outcome_(outcome),
        style_(style),
        width_(style.wide ? 0 : static_cast<std::size_t>(std::max(style.width, 0))) {}

  std::string render() {
    text_ = format("{} → {}, for {}\n", printable(outcome_.model), printable(outcome_.output),
                   to_string(outcome_.target));
    line(format("{} of {} that can be in INT8 in float{}", counted(kept_count(), "layer"),
                outcome_.layers.size(), goal_text()));
    line(format("scales by {}, weights on {} bits; calibrated on {}, searched on {}, judged on {}",
                to_string(outcome_.method), outcome_.weight_bits,
                counted(outcome_.calibration_count, "sample"), outcome_.search_count,
                outcome_.judge_count));
    front();
    layers();
    text_ += losses_text(outcome_.simulated, outcome_.engine_to_simulated, outcome_.engine,
                         format("{}, {}", outcome_.runtime_version, outcome_.isa), style_);
    text_ += scores_text(outcome_.labels, outcome_.metrics, style_);
    if (!outcome_.precision_options.empty()) {
      text_ += "\nfor trtexec up to 10.16, with the float model and a calibration cache\n";
      text_ += std::string(kScreenIndent, ' ') + printable(outcome_.precision_options) + "\n";
    }
    if (!outcome_.refused.empty()) {
      const auto& first = outcome_.refused.front();
      line(format("{} left out, the first: {}: {}", counted(outcome_.refused.size(), "file"),
                  printable(first.path), printable(first.why)));
    }
    for (const std::string& note : outcome_.notes) line("note: " + printable(note));
    return std::move(text_);
  }

 private:
  void line(const std::string& words) { text_ += wrapped(words, width_, kScreenIndent); }

  std::size_t kept_count() const {
    return static_cast<std::size_t>(
        std::ranges::count(outcome_.layers, true, &SearchLayer::is_kept));
  }

  std::string goal_text() const {
    if (!outcome_.goal) return {};
    return format(", {} is {}reached", to_string(*outcome_.goal),
                  outcome_.is_reached ? "" : "not ");
  }

  void add(Grid& grid, std::string_view head) {
    text_ += format("\n{}\n", head);
    for (const std::string& row : grid.lines(width_, kScreenIndent, style_.color)) {
      text_ += row + "\n";
    }
  }

  // Each point is described by what it has in float that the one before does not.
  void front() {
    Grid grid({{.alignment = Alignment::kRight},
               {.alignment = Alignment::kRight},
               {.alignment = Alignment::kRight},
               {.alignment = Alignment::kRight},
               {.alignment = Alignment::kRight},
               {.elastic = true},
               {}});
    std::vector<std::string> before;
    for (const SearchPoint& point : outcome_.front) {
      const Ink ink = point.is_chosen ? Ink::kStrong : Ink::kPlain;
      std::string added;
      for (const std::string& node : point.kept) {
        if (std::ranges::find(before, node) != before.end()) continue;
        added += format("{}{}", added.empty() ? "+ " : ", ", printable(node));
      }
      const Score& score = point.judged ? *point.judged : point.score;
      const auto top1 = score.top1_ratio();
      grid.add_row(
          {{format("{} in float", point.kept.size()), ink},
           {point.kept.empty() ? "" : or_dash(point.macs_ratio, percent_text) + " of MACs", ink},
           {score_text(score), ink},
           {top1 ? "top-1 " + percent_text(*top1) : "", ink},
           {point_time_text(point), ink},
           {added, Ink::kFaint},
           {point.is_chosen ? "chosen" : ""}});
      before = point.kept;
    }
    std::string head = "models that no other beats, on all held-back samples (float → simulated)";
    if (outcome_.run_count > 0) {
      head += format("; medians of {}, alternating, with 95 % intervals",
                     counted(outcome_.run_count, "run"));
    }
    add(grid, head);
  }

  void layers() {
    std::vector<const SearchLayer*> order;
    for (const SearchLayer& layer : outcome_.layers) order.push_back(&layer);
    std::ranges::stable_sort(order, {},
                             [](const SearchLayer* layer) { return layer->alone.sqnr_db; });
    constexpr std::size_t kShown = 8;
    if (order.size() > kShown) order.resize(kShown);
    Grid grid({{.elastic = true},
               {},
               {.alignment = Alignment::kRight},
               {.alignment = Alignment::kRight},
               {}});
    for (const SearchLayer* layer : order) {
      grid.add_row({{printable(layer->node)},
                    {printable(layer->op_type), Ink::kFaint},
                    {score_text(layer->alone)},
                    {or_dash(layer->macs_ratio, percent_text) + " of MACs"},
                    {layer->is_kept ? "in float" : ""}});
    }
    add(grid, "layers that do most harm alone in INT8");
  }

  const SearchOutcome& outcome_;
  const TableStyle& style_;
  const std::size_t width_;
  std::string text_;
};

}  // namespace

std::string search_text(const SearchOutcome& outcome, const TableStyle& style) {
  return SearchScreen(outcome, style).render();
}

}  // namespace planex::render
