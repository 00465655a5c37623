#include "render/text/sweep_text.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "base/text.h"
#include "render/tables/sweep_table.h"
#include "render/text/grid.h"
#include "render/words/display_width.h"
#include "render/words/numbers.h"
#include "render/words/sweep_sentences.h"
#include "render/words/wrap.h"

namespace planex::render {
namespace {

using analyze::Sweep;
using analyze::SweepCell;
using analyze::SweepCliff;
using analyze::SweepLottery;
using base::counted;
using base::format;

constexpr std::size_t kMaxCliffs = 10;
constexpr std::size_t kMaxLotteryCells = 5;
constexpr std::size_t kMaxNamedLayers = 5;

class SweepText {
 public:
  SweepText(const Sweep& sweep, const TableStyle& style) : sweep_(sweep), style_(style) {}

  std::string write() {
    head();
    TableStyle table = style_;
    table.indent = kScreenIndent;
    text_ += text_table(sweep_table(sweep_, SweepColumns::kFew), table);
    const auto sentences = sweep_sentences(sweep_);
    if (!sentences.empty()) text_ += "\n";
    for (const std::string& sentence : sentences) paragraph(sentence);
    cliffs();
    lottery();
    failures();
    return std::move(text_);
  }

 private:
  void title(std::string_view text) {
    text_ += format("\n{}\n", painted(text, Ink::kStrong, style_.color));
  }

  void paragraph(std::string_view text) {
    text_ += wrapped(printable(text), static_cast<std::size_t>(style_.width), kScreenIndent);
  }

  void lines(const Grid& grid) {
    const auto width = style_.wide ? 0 : static_cast<std::size_t>(style_.width);
    for (const std::string& line : grid.lines(width, kScreenIndent, style_.color)) {
      text_ += line + "\n";
    }
  }

  void more(std::size_t count) {
    if (count == 0) return;
    paragraph(
        format("… and {} more; --format json has all", grouped(static_cast<std::int64_t>(count))));
  }

  void head() {
    std::string line =
        format("{}: {}, {} each", printable(sweep_.model), counted(sweep_.cells.size(), "cell"),
               counted(static_cast<std::size_t>(sweep_.repeats), "build"));
    if (sweep_.failed_count > 0) line += format("; {} failed", sweep_.failed_count);
    if (sweep_.pending_count > 0) line += format("; {} not run yet", sweep_.pending_count);
    if (sweep_.run_spread_ratio) {
      line += format("; runs of a cell differ by {}", percent_text(*sweep_.run_spread_ratio));
    }
    text_ += wrapped(line, static_cast<std::size_t>(style_.width), 0) + "\n";
  }

  void cliffs() {
    if (sweep_.cliffs.empty()) return;
    title("Cliffs");
    const std::size_t count = std::min(sweep_.cliffs.size(), kMaxCliffs);
    for (std::size_t i = 0; i < count; ++i) {
      const SweepCliff& cliff = sweep_.cliffs[i];
      paragraph(cliff_sentence(sweep_, cliff));
      if (cliff.changed.empty()) continue;
      Grid grid({{Alignment::kLeft, true}, {Alignment::kLeft}, {Alignment::kRight}});
      for (std::size_t l = 0; l < std::min(cliff.changed.size(), kMaxNamedLayers); ++l) {
        const analyze::ChangedTactic& layer = cliff.changed[l];
        grid.add_row(
            {{"  " + printable(layer.layer)},
             {format("{} → {}", printable(layer.a_tactic), printable(layer.b_tactic)), Ink::kFaint},
             {format("{} → {} ms", or_dash(layer.a_ms, ms_text), or_dash(layer.b_ms, ms_text))}});
      }
      lines(grid);
    }
    more(sweep_.cliffs.size() - count);
  }

  void lottery() {
    if (sweep_.lottery.empty()) return;
    title("Kernels that builds chose differently");
    const std::size_t count = std::min(sweep_.lottery.size(), kMaxLotteryCells);
    for (std::size_t i = 0; i < count; ++i) {
      const SweepLottery& lottery = sweep_.lottery[i];
      paragraph(lottery_sentence(sweep_, lottery));
      Grid grid({{Alignment::kLeft, true}, {Alignment::kRight}, {Alignment::kRight}});
      for (std::size_t l = 0; l < std::min(lottery.layers.size(), kMaxNamedLayers); ++l) {
        grid.add_row({{"  " + printable(lottery.layers[l].layer), Ink::kStrong}});
        for (const analyze::LotteryTactic& tactic : lottery.layers[l].tactics) {
          grid.add_row({{"    " + printable(tactic.tactic), Ink::kFaint},
                        {counted(static_cast<std::size_t>(tactic.run_count), "build")},
                        {format("{} ms", or_dash(tactic.time_ms, ms_text))}});
        }
      }
      lines(grid);
    }
    more(sweep_.lottery.size() - count);
  }

  void failures() {
    if (std::ranges::none_of(sweep_.cells, [](const SweepCell& cell) { return !!cell.error; })) {
      return;
    }
    title("Failed");
    // Most cells with a value that an engine does not accept fail for the same reason.
    std::vector<std::vector<std::size_t>> alike;
    for (std::size_t i = 0; i < sweep_.cells.size(); ++i) {
      const auto& error = sweep_.cells[i].error;
      if (!error) continue;
      const auto same = std::ranges::find_if(alike, [&](const std::vector<std::size_t>& cells) {
        return sweep_.cells[cells.front()].error->message == error->message;
      });
      same != alike.end() ? same->push_back(i) : alike.push_back({i});
    }
    for (const std::vector<std::size_t>& cells : alike) {
      const Error& error = *sweep_.cells[cells.front()].error;
      const std::string others = cells.size() == 1 ? "" : format(" and {} more", cells.size() - 1);
      paragraph(format("{}{}: {}", cell_text(sweep_, cells.front()), others, error.message));
      if (error.hint.empty()) continue;
      text_ +=
          wrapped(printable(error.hint), static_cast<std::size_t>(style_.width), 2 * kScreenIndent);
    }
  }

  const Sweep& sweep_;
  const TableStyle& style_;
  std::string text_;
};

}  // namespace

std::string sweep_text(const Sweep& sweep, const TableStyle& style) {
  return SweepText(sweep, style).write();
}

}  // namespace planex::render
