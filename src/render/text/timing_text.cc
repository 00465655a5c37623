#include "render/text/timing_text.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/text.h"
#include "render/text/grid.h"
#include "render/words/display_width.h"
#include "render/words/numbers.h"
#include "render/words/sentences.h"
#include "render/words/timing_sentences.h"
#include "render/words/wrap.h"

namespace planex::render {
namespace {

using analyze::SteadyState;
using analyze::TimingPhase;
using base::format;

constexpr std::size_t kBarCells = 32;
constexpr std::size_t kMaxPhases = 24;

// One cell per value, in eighths between the minimum and the maximum.
std::string sparkline(const std::vector<double>& values, double low, double high) {
  constexpr std::array<std::string_view, 8> kCells = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  std::string line;
  for (const double value : values) {
    const double ratio = high > low ? (value - low) / (high - low) : 0;
    const double cell = std::floor(ratio * static_cast<double>(kCells.size()));
    line += kCells[static_cast<std::size_t>(std::clamp(cell, 0.0, 7.0))];
  }
  return line;
}

class TimingScreen {
 public:
  TimingScreen(const model::PlanModel& model, const analyze::Summary& summary,
               const TableStyle& style)
      : model_(model),
        summary_(summary),
        width_(style.wide ? 0 : static_cast<std::size_t>(std::max(style.width, 0))),
        color_(style.color) {}

  std::string render() {
    head();
    if (!summary_.steady_state) {
      nothing();
      return std::move(text_);
    }
    state_ = &*summary_.steady_state;
    verdict();
    course();
    trusted();
    phases();
    findings();
    distribution();
    return std::move(text_);
  }

 private:
  void lines(const std::vector<std::string>& content) {
    for (const std::string& one : content) text_ += one + "\n";
  }
  void blank() { text_ += '\n'; }

  std::string ms(double value) const {
    return level_ms_text(value, state_->trusted ? state_->trusted->median_ms : value);
  }

  void head() {
    Grid grid({{Alignment::kLeft, true}, {}, {}});
    grid.add_row({{printable(model_.text(model_.engine.name[0])), Ink::kStrong},
                  {printable(producer_text(model_))},
                  {printable(model_.text(model_.engine.device[0]))}});
    lines(grid.lines(width_, 0, color_));
  }

  void nothing() {
    blank();
    const Conclusion conclusion = timing_conclusion(summary_);
    text_ += wrapped(
        conclusion.text.empty() ? conclusion.headline : conclusion.headline + " " + conclusion.text,
        width_, 0);
    for (const analyze::MissingPiece& piece : summary_.missing) {
      if (piece.id != "times") continue;
      text_ += format("  to see {}:\n    {}\n", piece.what, printable(piece.command));
    }
  }

  void verdict() {
    std::string counts = format("{} inferences, {}", grouped(state_->sample_count),
                                state_->field == "compute" ? "compute time" : "latency");
    if (state_->duration_ms) counts += format(", in {:.2f} s", *state_->duration_ms / 1000);
    text_ += counts + "\n";
    blank();
    text_ += wrapped(painted(steadiness_text(*state_), Ink::kStrong, color_), width_, 0);
  }

  void course() {
    const std::vector<double>& medians = state_->overview.median_ms;
    if (medians.size() < 2) return;
    const auto [low, high] = std::ranges::minmax(medians);
    blank();
    text_ += format("  {}\n", sparkline(medians, low, high));
    text_ += wrapped(
        format("medians of {} equal parts, from {} to {} ms", medians.size(), ms(low), ms(high)),
        width_, kScreenIndent);
  }

  void trusted() {
    if (!state_->trusted) return;
    const analyze::TrustedFigures& figures = *state_->trusted;
    blank();
    text_ += wrapped(format("trust samples {} to {}, {:.0f} % of all", grouped(figures.range.first),
                            grouped(figures.range.last), figures.share * 100),
                     width_, kScreenIndent);
    Grid grid({{}, {Alignment::kRight}, {}, {.wraps = true}});
    grid.add_row({{"median"},
                  {ms(figures.median_ms), Ink::kStrong},
                  {"ms"},
                  {format("95 % confidence {} to {}: order statistics of {} independent samples",
                          ms(figures.median_low_ms), ms(figures.median_high_ms),
                          grouped(static_cast<std::int64_t>(figures.effective_count)))}});
    grid.add_row({{"mean"},
                  {ms(figures.mean_ms)},
                  {"ms"},
                  {format("coefficient of variation {}; neighbors correlate by {:.2f}",
                          percent_text(figures.variation), figures.autocorrelation)}});
    grid.add_row({{"min, max"},
                  {ms(figures.min_ms)},
                  {"ms"},
                  {format("{} ms; p90 {}, p95 {}, p99 {}", ms(figures.max_ms), ms(figures.p90_ms),
                          ms(figures.p95_ms), ms(figures.p99_ms))}});
    lines(grid.lines(width_, kScreenIndent + 2, color_));
  }

  std::string_view kind_of(const TimingPhase& phase) const {
    if (phase.is_warm_up) return "warm-up";
    return phase.is_trusted ? "trusted" : "";
  }

  void phases() {
    if (state_->phases.empty()) return;
    blank();
    Grid grid({{},
               {Alignment::kRight},
               {Alignment::kRight},
               {Alignment::kRight},
               {Alignment::kRight},
               {Alignment::kRight},
               {Alignment::kRight},
               {Alignment::kRight}});
    const bool timed = state_->duration_ms.has_value();
    std::vector<GridCell> heads = {{"phase", Ink::kFaint}, {"samples", Ink::kFaint}};
    heads.push_back({"from", Ink::kFaint});
    if (timed) heads.push_back({"at s", Ink::kFaint});
    for (const char* head : {"median ms", "change", "spread", "spikes"}) {
      heads.push_back({head, Ink::kFaint});
    }
    grid.add_row(std::move(heads));
    for (std::size_t i = 0; i < std::min(kMaxPhases, state_->phases.size()); ++i) {
      const TimingPhase& phase = state_->phases[i];
      std::vector<GridCell> row = {{std::string(kind_of(phase))}, {grouped(phase.range.count)}};
      row.push_back({grouped(phase.range.first)});
      if (timed) {
        row.push_back(
            {phase.range.start_ms ? format("{:.3f}", *phase.range.start_ms / 1000) : "–"});
      }
      row.push_back({ms(phase.median_ms)});
      row.push_back(
          {phase.is_trusted || !phase.change_ratio ? "" : timing_change_text(*phase.change_ratio)});
      row.push_back({format("{:.2f} %", phase.spread_ratio * 100)});
      row.push_back({grouped(phase.spike_count)});
      grid.add_row(std::move(row));
    }
    lines(grid.lines(width_, kScreenIndent, color_));
    if (state_->phases.size() > kMaxPhases) {
      text_ += format("  {} more: --format json\n", state_->phases.size() - kMaxPhases);
    }
  }

  void findings() {
    const std::vector<TimingStatement> remarks = timing_statements(model_, summary_);
    if (remarks.empty()) return;
    blank();
    Grid grid({{}, {.wraps = true}});
    for (const TimingStatement& remark : remarks) {
      grid.add_row({{std::string(remark.id)}, {remark.text}});
    }
    lines(grid.lines(width_, kScreenIndent, color_));
  }

  void distribution() {
    if (!summary_.time.histogram) return;
    const analyze::Histogram& histogram = *summary_.time.histogram;
    const std::int64_t most = std::ranges::max(histogram.counts);
    blank();
    Grid grid({{Alignment::kRight}, {Alignment::kRight}, {}});
    grid.add_row({{"from ms", Ink::kFaint}, {"samples", Ink::kFaint}, {}});
    for (std::size_t i = 0; i < histogram.counts.size(); ++i) {
      const double start = histogram.start_ms + static_cast<double>(i) * histogram.step_ms;
      grid.add_row(
          {{ms(start) + (i + 1 == histogram.counts.size() ? " +" : "  ")},
           {grouped(histogram.counts[i])},
           {bar(static_cast<double>(histogram.counts[i]) / static_cast<double>(most), kBarCells)}});
    }
    lines(grid.lines(width_, kScreenIndent, color_));
  }

  const model::PlanModel& model_;
  const analyze::Summary& summary_;
  const SteadyState* state_ = nullptr;
  std::size_t width_;
  bool color_;
  std::string text_;
};

}  // namespace

std::string timing_text(const model::PlanModel& model, const analyze::Summary& summary,
                        const TableStyle& style) {
  return TimingScreen(model, summary, style).render();
}

}  // namespace planex::render
