#include "render/text/compare_markdown.h"

#include <algorithm>

#include "base/text.h"
#include "render/markdown/table_markdown.h"
#include "render/text/compare_text.h"
#include "render/words/compare_words.h"
#include "render/words/tactic_sentences.h"

namespace planex::render {
namespace {

using analyze::Comparison;
using analyze::EngineDifference;
using analyze::LayerPair;
using base::format;

constexpr int kDecimals = 4;

// A folded part. Its title is HTML, which takes no Markdown; an empty line ends it.
std::string folded(std::string_view title, std::string_view body) {
  return format("<details><summary>{}</summary>\n\n{}\n</details>\n", title, body);
}

std::string_view mark(const analyze::Verdict& verdict) {
  if (verdict.fails) return "❌ ";
  return verdict.gate == analyze::GateResult::kPassed ? "✅ " : "";
}

std::string causes(const EngineDifference& difference) {
  std::string text = "| cause | layers | change ms |\n|---|---:|---:|\n";
  for (const analyze::CauseRow& row : difference.layers.causes) {
    text +=
        format("| {} | {} → {} | {} |\n", cause_text(row.cause), row.a_layers, row.b_layers,
               difference.layers.delta ? delta_ms_text(row.b_time - row.a_time, kDecimals) : "–");
  }
  return text +
         format("| **all** | | **{}** |\n", delta_ms_text(difference.layers.delta, kDecimals));
}

std::string movers(const Comparison& comparison, const EngineDifference& difference,
                   const LayerNames& names, std::size_t count) {
  std::string text = format("| layer | {} ms | {} ms | change ms | × | different |\n",
                            markdown_text(comparison.engines.front().label),
                            markdown_text(comparison.engines[difference.engine].label));
  text += "|---|---:|---:|---:|---:|---|\n";
  for (std::size_t i = 0; i < count; ++i) {
    const LayerPair& pair = difference.layers.pairs[difference.layers.movers[i]];
    text += format("| {} | {} | {} | {} | {} | {} |\n", markdown_text(names.pair(difference, pair)),
                   exact_ms_text(pair.a_time, kDecimals), exact_ms_text(pair.b_time, kDecimals),
                   delta_ms_text(pair.delta, kDecimals),
                   pair.ratio && *pair.ratio > 0 ? speed_up_text(*pair.ratio) : "–",
                   markdown_text(change_text(change_details(comparison, difference, pair),
                                             comparison, difference)));
  }
  return text;
}

}  // namespace

std::string compare_markdown(const Comparison& comparison, const CompareTextOptions& options) {
  constexpr std::size_t kMax = 10;
  const LayerNames names(comparison, Names::kShort);
  std::string text;
  for (const EngineDifference& difference : comparison.differences) {
    text += format("**{}{}**", mark(difference.verdict),
                   markdown_text(verdict_text(comparison, difference)));
    if (const std::string gate = gate_text(difference.verdict); !gate.empty()) {
      text += format("  \n{}", markdown_text(gate));
    }
    if (const std::string sentence = difference_text(difference, names); !sentence.empty()) {
      text += format("  \n{}", markdown_text(sentence));
    }
    if (difference.tactics) {
      text += format("  \n{}", markdown_text(tactic_difference_text(*difference.tactics)));
    }
    text += "\n\n";
  }
  text += totals_markdown(comparison, TotalsPart::kFigures) + "\n";
  for (const EngineDifference& difference : comparison.differences) {
    std::string of;
    if (comparison.differences.size() > 1) {
      // Markdown has no effect in a title, and HTML is escaped anyway.
      of = format(", engine {}", difference.engine + 1);
    }
    text += folded("Where the time went" + of, causes(difference));
    const std::size_t all = difference.layers.movers.size();
    const std::size_t count = options.all ? all : std::min(all, kMax);
    if (count == 0) continue;
    const std::string title =
        count == all ? format("All {} with a different time{}", base::counted(all, "pair"), of)
                     : format("The {} of {} pairs that changed most{}", count, all, of);
    text += folded(title, movers(comparison, difference, names, count));
  }
  return text + folded("By type and precision", totals_markdown(comparison, TotalsPart::kGroups));
}

}  // namespace planex::render
