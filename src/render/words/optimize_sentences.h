// What optimizing a model came to, in sentences.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analyze/optimize/outcome.h"

namespace planex::render {

// In the words of the aim: "12.3 ms", "81.3/s", "4.70 MB", "–".
std::string optimize_figure(const analyze::OptimizeOutcome& outcome,
                            const analyze::TimedMedian& time);

// "a.onnx in openvino: 2.41 × as fast (2.35 to 2.47): 12.3 ms → 5.10 ms"; `model`: its name there.
std::string optimize_headline(const analyze::OptimizeOutcome& outcome, std::string_view model);
// "goal: 20 dB; 8 steps tried in 87 s"
std::string optimize_effort(const analyze::OptimizeOutcome& outcome);

// Both, for reports, with the name of the model's file.
std::vector<std::string> optimize_sentences(const analyze::OptimizeOutcome& outcome);

}  // namespace planex::render
