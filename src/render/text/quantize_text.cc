#include "render/text/quantize_text.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
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
using quantize::JudgedTensor;
using quantize::MethodScore;
using quantize::NumberFormat;
using quantize::Outcome;
using quantize::QuantizedTensor;

class QuantizeScreen {
 public:
  QuantizeScreen(const Outcome& outcome, const TableStyle& style)
      : outcome_(outcome),
        style_(style),
        width_(style.wide ? 0 : static_cast<std::size_t>(std::max(style.width, 0))) {}

  std::string render() {
    text_ = format("{} → {}, for {}\n", printable(outcome_.model), printable(outcome_.output),
                   to_string(outcome_.target));
    what();
    samples();
    if (!outcome_.preparation.empty()) {
      std::string words;
      for (const std::string& word : outcome_.preparation) {
        words += format("{}{}", words.empty() ? "" : ",", word);
      }
      line("pictures: " + words);
    }
    scores();
    losses();
    text_ += scores_text(outcome_.labels, outcome_.metrics, style_);
    worst();
    rules();
    if (!outcome_.refused.empty()) {
      const auto& first = outcome_.refused.front();
      line(format("{} left out, the first: {}: {}", counted(outcome_.refused.size(), "file"),
                  printable(first.path), printable(first.why)));
    }
    for (const std::string& note : outcome_.notes) line("note: " + printable(note));
    if (!outcome_.cache.empty()) line(format("calibration cache: {}", printable(outcome_.cache)));
    return std::move(text_);
  }

 private:
  void what() {
    const std::string layers = counted(outcome_.layers.size(), "layer");
    const std::string tensors = counted(outcome_.tensors.size(), "tensor");
    switch (outcome_.format) {
      case NumberFormat::kInt8:
        return line(format("{} in INT8, {} with a Q/DQ pair, weights on {} bits per channel",
                           layers, tensors, outcome_.weight_bits));
      case NumberFormat::kFp8:
        return line(format("{} in FP8, {} with a Q/DQ pair, weights per channel", layers, tensors));
      case NumberFormat::kInt4:
        return line(format("{} with INT4 weights, a scale for each {}", layers,
                           outcome_.block_size ? format("{} values", *outcome_.block_size)
                                               : std::string("channel")));
    }
  }

  void samples() {
    if (outcome_.format == NumberFormat::kInt4) {
      return line(format("judged on {}", outcome_.judge_count == 0
                                             ? std::string("nothing")
                                             : counted(outcome_.judge_count, "sample")));
    }
    line(format("calibrated on {}, judged on {}", counted(outcome_.calibration_count, "sample"),
                outcome_.judge_count == 0 ? "none" : format("{} others", outcome_.judge_count)));
  }

  void line(const std::string& words) { text_ += wrapped(words, width_, kScreenIndent); }

  void add(Grid& grid, std::string_view head) {
    text_ += format("\n{}\n", head);
    for (const std::string& row : grid.lines(width_, kScreenIndent, style_.color)) {
      text_ += row + "\n";
    }
  }

  void scores() {
    if (outcome_.judge_count == 0) return;
    Grid grid({{},
               {.alignment = Alignment::kRight},
               {.alignment = Alignment::kRight},
               {.elastic = true},
               {}});
    for (const MethodScore& score : outcome_.scores) {
      bool is_first = true;
      for (const JudgedTensor& one : score.simulated) {
        const Ink ink = score.is_chosen ? Ink::kStrong : Ink::kPlain;
        const std::string top1 = top1_text(one);
        grid.add_row({{is_first ? to_string(score.method) : "", ink},
                      {sqnr_text(one.difference), ink},
                      {top1.empty() ? "" : "top-1 " + top1, ink},
                      {printable(one.tensor), Ink::kFaint},
                      {is_first && score.is_chosen ? "chosen" : ""}});
        is_first = false;
      }
    }
    add(grid, "scales by (float → simulated)");
  }

  void losses() {
    if (outcome_.engine.empty()) return;
    for (const MethodScore& score : outcome_.scores) {
      if (!score.is_chosen) continue;
      text_ += losses_text(score.simulated, outcome_.engine_to_simulated, outcome_.engine,
                           format("{}, {}", outcome_.runtime_version, outcome_.isa), style_);
    }
  }

  void worst() {
    std::vector<const QuantizedTensor*> order;
    for (const QuantizedTensor& tensor : outcome_.tensors) {
      if (tensor.judgement.sqnr_db) order.push_back(&tensor);
    }
    std::ranges::stable_sort(
        order, {}, [](const QuantizedTensor* tensor) { return *tensor->judgement.sqnr_db; });
    constexpr std::size_t kShown = 5;
    if (order.size() > kShown) order.resize(kShown);
    if (order.empty()) return;
    Grid grid({{.elastic = true},
               {.alignment = Alignment::kRight},
               {},
               {.alignment = Alignment::kRight}});
    for (const QuantizedTensor* tensor : order) {
      grid.add_row({{printable(tensor->tensor)},
                    {db_text(tensor->judgement.sqnr_db)},
                    {format("{:.4g} … {:.4g}, scale covers {:.4g}", tensor->min, tensor->max,
                            tensor->threshold)},
                    {format("{} clipped", percent_text(tensor->judgement.clipped_ratio))}});
    }
    add(grid, "tensors that 8 bits represent worst");
  }

  void rules() {
    struct Count {
      std::size_t applied = 0, not_applied = 0;
    };
    std::map<std::string_view, Count> counts;
    for (const quantize::Decision& one : outcome_.decisions) {
      ++(one.is_applied ? counts[one.rule].applied : counts[one.rule].not_applied);
    }
    if (counts.empty()) return;
    Grid grid({{}, {.alignment = Alignment::kRight}, {.alignment = Alignment::kRight}});
    for (const auto& [rule, count] : counts) {
      grid.add_row({{std::string(rule)},
                    {format("{} applied", count.applied)},
                    {count.not_applied == 0 ? "" : format("{} not", count.not_applied)}});
    }
    add(grid, "placement (planex explain placement says why)");
  }

  const Outcome& outcome_;
  const TableStyle& style_;
  const std::size_t width_;
  std::string text_;
};

}  // namespace

std::string quantize_text(const Outcome& outcome, const TableStyle& style) {
  return QuantizeScreen(outcome, style).render();
}

}  // namespace planex::render
