#include "render/text/advise_text.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

#include "base/text.h"
#include "render/text/grid.h"
#include "render/words/compare_words.h"
#include "render/words/display_width.h"
#include "render/words/numbers.h"
#include "render/words/wrap.h"

namespace planex::render {
namespace {

using base::counted;
using base::format;
using quantize::AdviceRow;
using quantize::AdvisedLayer;
using quantize::AdviseOutcome;
using quantize::EngineFigures;
using quantize::GainRange;
using quantize::ScaleSource;
using quantize::WhatIfRow;

// "0.2 … 1.25 ms"; "unknown, ≤ 1.25 ms"; a dash where nothing is known.
std::string gain_text(const GainRange& gain) {
  if (!gain.high_ms) return "–";
  if (!gain.low_ms) return format("unknown, ≤ {}", short_time_text(*gain.high_ms));
  return format("{} … {}", short_time_text(*gain.low_ms), short_time_text(*gain.high_ms));
}

// "+0.10 ms": longer; "-0.40 ms": shorter.
std::string longer_text(double ms) { return (ms > 0 ? "+" : "") + short_time_text(ms); }

class AdviseScreen {
 public:
  AdviseScreen(const AdviseOutcome& outcome, bool all, const TableStyle& style)
      : outcome_(outcome),
        all_(all),
        style_(style),
        width_(style.wide ? 0 : static_cast<std::size_t>(std::max(style.width, 0))) {}

  std::string render() {
    text_ = format("{}, for {}\n", printable(outcome_.model), to_string(outcome_.target));
    line(format("{} and {}", counted(outcome_.pair_count, "Q/DQ pair"),
                counted(outcome_.weight_count, "quantized weight")));
    coarse_scales();
    if (outcome_.advice.empty()) {
      line("nothing to change: Q/DQ are where the target needs them");
    } else {
      advice();
    }
    engine();
    for (const WhatIfRow& row : outcome_.what_if) what_if(row);
    measurement();
    if (!outcome_.output.empty()) {
      line(format("{}: {} of {} applied", printable(outcome_.output), outcome_.applied_count,
                  counted(outcome_.advice.size(), "piece", "pieces")));
    }
    for (const std::string& note : outcome_.notes) line("note: " + printable(note));
    return std::move(text_);
  }

 private:
  void line(const std::string& words) { text_ += wrapped(words, width_, kScreenIndent); }

  void add(const Grid& grid, const std::string& head) {
    text_ += format("\n{}\n", head);
    for (const std::string& row : grid.lines(width_, kScreenIndent, style_.color)) {
      text_ += row + "\n";
    }
  }

  bool has_engine() const { return !outcome_.engine.empty(); }

  // This comes first: where values are lost, no placement of Q/DQ restores them.
  void coarse_scales() {
    for (const quantize::CoarseScale& coarse : outcome_.coarse_scales) {
      line(format("accuracy: {}", printable(sentence_of(coarse))));
      line(format("  {}", printable(cure_of(coarse))));
    }
  }

  void advice() {
    constexpr std::size_t kShown = 12;
    const std::size_t count =
        all_ ? outcome_.advice.size() : std::min(kShown, outcome_.advice.size());
    bool has_needs = false;
    Grid grid({{}, {.alignment = Alignment::kRight}, {}, {.wraps = true}});
    for (std::size_t at = 0; at < count; ++at) {
      const AdviceRow& row = outcome_.advice[at];
      std::string words = printable(row.edit);
      if (row.scale_source == ScaleSource::kFromData && !row.scale) words += " (needs data)";
      if (!row.needs.empty()) {
        words += format(" (with {})", counted(row.needs.size(), "other edit"));
        has_needs = true;
      }
      grid.add_row({{std::string(to_string(row.action)), Ink::kStrong},
                    {has_engine() ? gain_text(row.gain) : ""},
                    {row.rule, Ink::kFaint},
                    {std::move(words)}});
    }
    add(grid, format("{}{}", counted(outcome_.advice.size(), "piece of advice", "pieces of advice"),
                     !has_engine() ? ""
                     : has_needs ? ", each with its gain per inference, alone or together with the "
                                   "others that one of its layers needs"
                                 : ", each with its own gain per inference"));
    if (count < outcome_.advice.size()) {
      line(format("… {} more: --all", outcome_.advice.size() - count));
    }
    if (!all_) return;
    for (const AdviceRow& row : outcome_.advice) {
      if (!row.layers.empty()) layers(row.layers, printable(row.edit));
      for (const std::string& needed : row.needs) {
        line(format("{}: needs: {}", printable(row.edit), printable(needed)));
      }
      if (has_engine() && !row.gain.reason.empty()) {
        line(format("{}: no range: {}", printable(row.edit), printable(row.gain.reason)));
      }
    }
  }

  void layers(const std::vector<AdvisedLayer>& of, const std::string& head) {
    Grid grid({{.elastic = true},
               {.alignment = Alignment::kRight},
               {},
               {.alignment = Alignment::kRight},
               {}});
    for (const AdvisedLayer& layer : of) {
      std::string findings;
      for (const std::string& finding : layer.findings) {
        findings += format("{}{}", findings.empty() ? "" : ", ", printable(finding));
      }
      grid.add_row({{printable(layer.layer)},
                    {layer.time_ms ? short_time_text(*layer.time_ms) : "–"},
                    {std::string(to_string(layer.effect))},
                    {gain_text({.low_ms = layer.low_ms, .high_ms = layer.high_ms, .reason = {}})},
                    {std::move(findings), Ink::kFaint}});
    }
    add(grid, head);
  }

  static std::vector<GridCell> cells(std::string_view head, const EngineFigures& of,
                                     std::string latency) {
    return {{std::string(head), Ink::kFaint},
            {format("{}", of.layer_count)},
            {format("{}", of.float_layer_count)},
            {size_text(of.written_bytes)},
            {std::move(latency)}};
  }

  static std::string latency_of(const EngineFigures& of) {
    return of.latency_ms ? short_time_text(*of.latency_ms) : "–";
  }

  static Grid figures() {
    Grid grid({{},
               {.alignment = Alignment::kRight},
               {.alignment = Alignment::kRight},
               {.alignment = Alignment::kRight},
               {.alignment = Alignment::kRight}});
    grid.add_row({{""},
                  {"layers", Ink::kFaint},
                  {"that write float", Ink::kFaint},
                  {"written", Ink::kFaint},
                  {"an inference", Ink::kFaint}});
    return grid;
  }

  // The expected effect of all advice on the engine.
  void engine() {
    if (!outcome_.as_measured || !outcome_.forecast || outcome_.advice.empty()) return;
    Grid grid = figures();
    grid.add_row(cells("now", *outcome_.as_measured, latency_of(*outcome_.as_measured)));
    grid.add_row(
        cells("at best", *outcome_.forecast,
              outcome_.gain.high_ms ? format("{} faster", gain_text(outcome_.gain)) : "–"));
    add(grid, format("all advice together, in {}", printable(outcome_.engine)));
    if (!outcome_.gain.reason.empty()) line("no range: " + printable(outcome_.gain.reason));
  }

  void what_if(const WhatIfRow& row) {
    std::string nodes;
    for (const std::string& node : row.nodes) {
      nodes += format("{}{}", nodes.empty() ? "" : ", ", printable(node));
    }
    const std::string head = format("{} in INT8", nodes);
    if (row.layers.empty()) {
      text_ += format("\n{}\n", head);
    } else {
      layers(row.layers, head);
    }
    if (row.gain.low_ms && row.gain.high_ms) {
      line(format("an inference: {} … {}, with {}", longer_text(-*row.gain.high_ms),
                  longer_text(-*row.gain.low_ms), counted(row.converted.size(), "conversion")));
    } else {
      line(format("no range: {}; it needs {}", printable(row.gain.reason),
                  counted(row.converted.size(), "conversion")));
    }
    for (const std::string& tensor : row.converted) line("converts " + printable(tensor));
  }

  void measurement() {
    if (!outcome_.measurement) return;
    const quantize::AdviceMeasurement& measured = *outcome_.measurement;
    Grid grid = figures();
    grid.add_row(cells("before", measured.before, latency_of(measured.before)));
    if (outcome_.forecast) {
      grid.add_row(
          cells("forecast", *outcome_.forecast,
                outcome_.gain.high_ms ? format("{} faster", gain_text(outcome_.gain)) : "–"));
    }
    grid.add_row(cells("after", measured.after, latency_of(measured.after)));
    add(grid, format("measured here, {} of each, alternating", counted(measured.run_count, "run")));
    if (measured.change_ratio && measured.low_ratio && measured.high_ratio) {
      line(format("latency {}, 95 % within {} … {}: {}", signed_percent(*measured.change_ratio),
                  signed_percent(*measured.low_ratio), signed_percent(*measured.high_ratio),
                  measured.judgement));
    }
  }

  const AdviseOutcome& outcome_;
  const bool all_;
  const TableStyle& style_;
  const std::size_t width_;
  std::string text_;
};

}  // namespace

std::string advise_text(const AdviseOutcome& outcome, bool all, const TableStyle& style) {
  return AdviseScreen(outcome, all, style).render();
}

}  // namespace planex::render
