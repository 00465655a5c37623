#include "session/explain/kernels/kernel_sentences.h"

#include <cmath>
#include <cstddef>
#include <string_view>

#include "base/text.h"
#include "model/plan_model.h"
#include "render/words/numbers.h"
#include "render/words/stream_sentences.h"

namespace planex::session::kernels_topic {
namespace {

using analyze::KernelExplanation;
using base::counted;
using base::format;
using base::ms_text;
using base::percent_text;
using model::PlanModel;
using render::or_dash;
using render::stream_sentence;

constexpr std::string_view kNoKernels =
    "no kernels are recorded for this engine: `nsys profile --trace=cuda,nvtx` records them with "
    "the layers that launch them, and `nsys export --type sqlite` writes the file to read; put it "
    "beside the engine or name it with --nsight";

}  // namespace

std::string signed_ms(double ms) {
  return format("{}{}", ms < 0 ? "−" : "+", ms_text(std::abs(ms)));
}

std::vector<std::string> kernel_sentences(const PlanModel& model,
                                          const KernelExplanation& explanation) {
  std::vector<std::string> lines;
  if (model.kernels.row_count() == 0) {
    lines.emplace_back(kNoKernels);
    return lines;
  }
  const std::string runs = counted(static_cast<std::size_t>(explanation.inferences), "inference");
  if (explanation.layers.empty()) {
    lines.emplace_back("no kernel of the trace belongs to a layer; the diagnostics say why");
  } else if (explanation.are_times_of_kernels) {
    lines.push_back(
        format("Σ kernels {} ms, median of {}: there is no profile, so these are the "
               "layers' times too",
               or_dash(explanation.kernels_ms, ms_text), runs));
  } else if (explanation.difference_ms) {
    std::string line =
        format("Σ kernels {} ms of Σ layers {} ms{}", ms_text(*explanation.kernels_ms),
               or_dash(explanation.layers_ms, ms_text),
               explanation.basis == analyze::TimeBasis::kMean ? " (means)" : "");
    const bool are_all = explanation.compared_layers_ms == explanation.layers_ms &&
                         explanation.compared_kernels_ms == explanation.kernels_ms;
    if (!are_all) {
      line +=
          format("; in layers that have both, {} of {}", ms_text(*explanation.compared_kernels_ms),
                 ms_text(*explanation.compared_layers_ms));
    }
    line += format(": {} ms more in {}", ms_text(std::abs(*explanation.difference_ms)),
                   *explanation.difference_ms >= 0 ? "layers" : "kernels");
    if (explanation.difference_share) {
      line +=
          format(" ({} of these layers)", percent_text(std::abs(*explanation.difference_share)));
    }
    line += *explanation.difference_ms >= 0
                ? ", which is time between launches and the overhead of timing each layer"
                : ", so kernels took longer here than in the profile, or kernels of one layer ran "
                  "side by side";
    lines.push_back(line);
    lines.push_back(format("medians of {} in the trace", runs));
  } else {
    lines.push_back(
        format("Σ kernels {} ms, median of {}; no layer with kernels has a time in the "
               "profile",
               or_dash(explanation.kernels_ms, ms_text), runs));
  }
  if (explanation.end_to_end_ms && explanation.kernels_ms) {
    lines.push_back(format("end to end {} ms, measured without the trace",
                           ms_text(*explanation.end_to_end_ms)));
  }
  if (!explanation.layers.empty()) {
    std::string line =
        format("{} make {} per inference",
               counted(static_cast<std::size_t>(explanation.with_kernels), "layer"),
               counted(static_cast<std::size_t>(explanation.launches), "launch", "launches"));
    if (explanation.without_kernels > 0) {
      line += format("; {} that should do work have none in the trace",
                     counted(static_cast<std::size_t>(explanation.without_kernels), "layer"));
      if (explanation.without_kernels_ms) {
        line += format(" ({} ms of the profile)", ms_text(*explanation.without_kernels_ms));
      }
    }
    lines.push_back(line);
  }
  const auto others = [&](const analyze::OtherKernels& of, std::string_view where) {
    if (of.rows.empty()) return;
    lines.push_back(format("{} of {} {}: {} ms in all",
                           counted(static_cast<std::size_t>(of.launches), "launch", "launches"),
                           counted(of.rows.size(), "kernel"), where, ms_text(of.total_ms)));
  };
  others(explanation.between, "in an inference, but in no layer's range");
  others(explanation.elsewhere, "outside of the engine's inferences");
  if (explanation.streams) {
    if (auto sentence = stream_sentence(*explanation.streams)) lines.push_back(*sentence);
  }
  return lines;
}

}  // namespace planex::session::kernels_topic
