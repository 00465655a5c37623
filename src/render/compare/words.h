// What is different between engines, in words that terminal, Markdown and JUnit share.
#ifndef PLANEX_RENDER_COMPARE_WORDS_H_
#define PLANEX_RENDER_COMPARE_WORDS_H_

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analyze/compare.h"

namespace planex::render {

enum class Names : std::uint8_t { kShort, kFull };

// "−0.224": a sign always, except for what rounds to zero.
std::string signed_number(double number, int decimals);
// "−38.1 %" of a ratio.
std::string signed_percent(double ratio);

// Names of several layers as one: "conv1 + MaxPool". Not yet printable.
std::string layers_text(const model::PlanModel& model, std::span<const model::LayerId> layers,
                        Names names);
// One name where both sides are called the same, else "a → b".
std::string pair_text(const analyze::Comparison& comparison,
                      const analyze::EngineDifference& difference, const analyze::LayerPair& pair,
                      Names names);

// Both sides of a change, as the engines have them; empty where a kind has no such thing.
struct ChangeDetail {
  analyze::ChangeKind kind;
  std::string from, to;
};
std::vector<ChangeDetail> change_details(const analyze::Comparison& comparison,
                                         const analyze::EngineDifference& difference,
                                         const analyze::LayerPair& pair);
// "2 layers → 1, out FP32 → INT8, another kernel". Kernels have no names here.
std::string change_text(const std::vector<ChangeDetail>& details,
                        const analyze::Comparison& comparison,
                        const analyze::EngineDifference& difference);

// "reformats gone", "fused": a row of the table of causes.
std::string_view cause_text(analyze::Cause cause);

// "−0.365 ms Σ layers: conv1 + MaxPool fused (−0.224), 10 reformats gone (−0.210), …": the causes
// that matter most, at most four. Empty where there is no time to compare.
std::string difference_text(const analyze::Comparison& comparison,
                            const analyze::EngineDifference& difference);

// "qat-residual takes 38.1 % less time than qat (95 % interval 37.8 to 38.5 %)."
std::string verdict_text(const analyze::Comparison& comparison,
                         const analyze::EngineDifference& difference);
// "gate 3.0 %: passed"; empty where there is none.
std::string gate_text(const analyze::Verdict& verdict);

}  // namespace planex::render

#endif  // PLANEX_RENDER_COMPARE_WORDS_H_
