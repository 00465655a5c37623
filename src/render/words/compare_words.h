// What is different between engines, in words that terminal, Markdown and JUnit share.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analyze/compare/compare.h"

namespace planex::render {

enum class Names : std::uint8_t { kShort, kFull };

struct CompareTextOptions {
  // Every pair that differs, not only those that matter most.
  bool all = false;
  // A layer counts as faster or slower from this ratio of its time on.
  double threshold_ratio = 0.03;
};

// "−0.224": a sign always, except for what rounds to zero.
std::string signed_number(double number, int decimals);
// Milliseconds, "0.2240" and "−0.0120"; a dash where nothing is known.
std::string exact_ms_text(const std::optional<analyze::Femtoseconds>& time, int decimals);
std::string delta_ms_text(const std::optional<analyze::Femtoseconds>& delta, int decimals);
// "−38.1 %" of a ratio.
std::string signed_percent(double ratio);

// "4.08" of b ÷ a = 0.245, which is above 0.
std::string speed_up_text(double ratio);

// The names of the layers of each engine. Not yet printable.
class LayerNames {
 public:
  // Short ones are unique within their engine. Cost: O(bytes of the names) for short ones.
  LayerNames(const analyze::Comparison& comparison, Names names);

  // Names of several layers as one: "conv1 + MaxPool"; short ones name three at most.
  std::string layers(std::size_t engine, std::span<const model::LayerId> layers) const;
  // One name if both sides have the same, else "a → b".
  std::string pair(const analyze::EngineDifference& difference,
                   const analyze::LayerPair& pair) const;

 private:
  const analyze::Comparison& comparison_;
  // [engine][layer]; empty for full names.
  std::vector<std::vector<std::string>> short_names_;
};

// Both sides of a change, as the engines have them; empty for kinds without such values.
struct ChangeDetail {
  analyze::ChangeKind kind;
  std::string from, to;
};
std::vector<ChangeDetail> change_details(const analyze::Comparison& comparison,
                                         const analyze::EngineDifference& difference,
                                         const analyze::LayerPair& pair);
// "2 → 1 layers, out FP32 → INT8, another kernel". Kernels have no names here. At most `most` of
// them; an ellipsis stands for the rest.
std::string change_text(const std::vector<ChangeDetail>& details,
                        const analyze::Comparison& comparison,
                        const analyze::EngineDifference& difference,
                        std::size_t most = static_cast<std::size_t>(-1));

// "removed reformats", "fused": a row of the table of causes.
std::string_view cause_text(analyze::Cause cause);

// "9 reformats removed", "conv1 + MaxPool fused": a cause as part of a sentence, without its time.
// It is named where one pair is all of it.
std::string cause_clause(const analyze::EngineDifference& difference, const LayerNames& names,
                         const analyze::CauseRow& row);

// "−0.365 ms Σ layers: conv1 + MaxPool fused (−0.224), 10 reformats removed (−0.210), …": the
// causes that matter most, at most four. Empty where there is no time to compare.
std::string difference_text(const analyze::EngineDifference& difference, const LayerNames& names);

// "qat-residual takes 38.1 % less time than qat (95 % interval 37.8 to 38.5 %)."
std::string verdict_text(const analyze::Comparison& comparison,
                         const analyze::EngineDifference& difference);
// "gate 3.0 %: passed"; empty where there is none.
std::string gate_text(const analyze::Verdict& verdict);

}  // namespace planex::render
