#include "render/text/cast_text.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "render/text/grid.h"
#include "render/text/losses_text.h"
#include "render/text/slice_text.h"
#include "render/words/display_width.h"
#include "render/words/numbers.h"
#include "render/words/wrap.h"

namespace planex::render {
namespace {

using base::counted;
using base::format;
using quantize::CastKept;
using quantize::CastOutcome;
using quantize::CastTensor;

class CastScreen {
 public:
  CastScreen(const CastOutcome& outcome, bool shows_all, const TableStyle& style)
      : outcome_(outcome),
        shows_all_(shows_all),
        style_(style),
        width_(style.wide ? 0 : static_cast<std::size_t>(std::max(style.width, 0))) {}

  std::string render() {
    if (outcome_.type) {
      head();
      kept();
      tensors();
      losses();
      tries();
    } else {
      text_ = format("{} stays as it is\n", printable(outcome_.model));
    }
    if (!outcome_.refused.empty()) {
      const auto& first = outcome_.refused.front();
      line(format("{} left out, the first: {}: {}", counted(outcome_.refused.size(), "file"),
                  printable(first.path), printable(first.why)));
    }
    if (has_grid_ && !outcome_.notes.empty()) text_ += '\n';
    for (const std::string& note : outcome_.notes) line("note: " + printable(note));
    command();
    return std::move(text_);
  }

 private:
  void line(const std::string& words) { text_ += wrapped(words, width_, kScreenIndent); }

  void add(Grid& grid, std::string_view head) {
    has_grid_ = true;
    text_ += format("\n{}\n", head);
    for (const std::string& row : grid.lines(width_, kScreenIndent, style_.color)) {
      text_ += row + "\n";
    }
  }

  void head() {
    text_ = format("{} → {}, in {}\n", printable(outcome_.model), printable(outcome_.output),
                   quantize::short_name(*outcome_.type));
    line(format("{} cast, {} in float, {} added, {} converted, which saves {}",
                counted(outcome_.small_nodes, "node"), counted(outcome_.kept.size(), "node"),
                counted(outcome_.counts.added_casts, "Cast"),
                counted(outcome_.counts.converted_tensors, "constant"),
                size_text(static_cast<std::int64_t>(outcome_.counts.saved_bytes))));
    if (outcome_.opset != outcome_.opset_before) {
      line(format("opset {} → {}", outcome_.opset_before, outcome_.opset));
    }
    if (!outcome_.small_io.empty()) {
      std::string names;
      for (const std::string& name : outcome_.small_io) {
        names += format("{}{}", names.empty() ? "" : ", ", printable(name));
      }
      line("inputs and outputs in the small type: " + names);
    }
    if (outcome_.sample_count == 0) return;
    line(format("ranges of {} on {}", counted(outcome_.tensors.size(), "tensor"),
                counted(outcome_.sample_count, "sample")));
    std::string words;
    for (const std::string& word : outcome_.preparation) {
      words += format("{}{}", words.empty() ? "" : ",", word);
    }
    if (!words.empty()) line("pictures: " + words);
  }

  void kept() {
    if (outcome_.kept.empty()) return;
    std::map<std::string_view, std::size_t> counts;
    for (const CastKept& one : outcome_.kept) ++counts[one.rule];
    Grid grid({{}, {}, {.elastic = true}, {}});
    std::map<std::string_view, std::size_t> shown;
    for (const CastKept& one : outcome_.kept) {
      if (!shows_all_ && shown[one.rule]++ > 0) continue;
      const std::size_t more = counts[one.rule] - 1;
      grid.add_row({{one.rule},
                    {one.op_type},
                    {format("{}: {}", printable(one.node), printable(one.why))},
                    {shows_all_ || more == 0 ? "" : format("and {} more", more), Ink::kFaint}});
    }
    add(grid, shows_all_ ? "in float" : "in float (--all shows each)");
  }

  // Those nearest to the limit.
  void tensors() {
    std::vector<const CastTensor*> order;
    for (const CastTensor& tensor : outcome_.tensors) order.push_back(&tensor);
    std::ranges::stable_sort(
        order, [](double one, double two) { return one > two; },
        [](const CastTensor* tensor) { return tensor->limit_ratio; });
    constexpr std::size_t kShown = 5;
    if (order.size() > kShown) order.resize(kShown);
    if (order.empty()) return;
    Grid grid({{.elastic = true}, {.alignment = Alignment::kRight}, {}, {}});
    for (const CastTensor* tensor : order) {
      grid.add_row({{printable(tensor->tensor)},
                    {percent_text(tensor->limit_ratio)},
                    {format("{:.4g} … {:.4g}", tensor->min, tensor->max)},
                    {tensor->is_small ? std::string(quantize::short_name(*outcome_.type))
                                      : std::string("float")}});
    }
    add(grid, "nearest to the type's limit");
  }

  void losses() {
    if (outcome_.simulated.empty()) return;
    Grid grid(
        {{.elastic = true}, {.alignment = Alignment::kRight}, {.alignment = Alignment::kRight}});
    for (const quantize::JudgedTensor& one : outcome_.simulated) {
      const std::string top1 = top1_text(one);
      grid.add_row({{printable(one.tensor)},
                    {sqnr_text(one.difference)},
                    {top1.empty() ? "" : "top-1 " + top1}});
    }
    add(grid,
        format("what it cost, each result rounded ({})", counted(outcome_.judge_count, "sample")));
    for (const quantize::JudgedTensor& one : outcome_.simulated) {
      const std::string sentence = worst_slice_sentence(printable(one.tensor), one.difference);
      if (!sentence.empty()) line(sentence);
    }
  }

  void tries() {
    if (outcome_.tries.empty()) return;
    Grid grid({{.elastic = true}, {.alignment = Alignment::kRight}, {}});
    for (const quantize::CastTry& one : outcome_.tries) {
      std::string names;
      for (const std::string& name : one.nodes) {
        names += format("{}{}", names.empty() ? "" : ", ", printable(name));
      }
      grid.add_row({{names}, {db_text(one.worst_db)}, {one.is_taken ? "kept in float" : ""}});
    }
    add(grid, "nodes that cost most, tried in float");
  }

  void command() {
    if (outcome_.new_command.empty()) return;
    Grid grid({{}, {}, {.elastic = true}});
    for (const quantize::CastOption& one : outcome_.options) {
      if (one.change == "kept" && one.why.empty()) continue;
      std::string what = printable(one.now);
      if (!one.why.empty()) what += format("{}{}", what.empty() ? "" : ": ", printable(one.why));
      const Ink ink = one.change == "lost" ? Ink::kWarning : Ink::kPlain;
      grid.add_row({{one.change, ink}, {printable(one.option)}, {what}});
    }
    add(grid, "options");
    text_ += format("\nfor TensorRT 11\n{}\n", printable(outcome_.new_command));
  }

  const CastOutcome& outcome_;
  const bool shows_all_;
  const TableStyle& style_;
  const std::size_t width_;
  std::string text_;
  bool has_grid_ = false;
};

}  // namespace

std::string cast_text(const CastOutcome& outcome, bool shows_all, const TableStyle& style) {
  return CastScreen(outcome, shows_all, style).render();
}

}  // namespace planex::render
