#include "render/words/tactic_sentences.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "base/text.h"
#include "render/words/numbers.h"
#include "trtexec/flags.h"

namespace planex::render {
namespace {

using analyze::LayerTactics;
using analyze::TacticExplanation;
using base::counted;
using base::format;
using model::PlanModel;

constexpr std::string_view kNoTactics =
    "the files contain no tactics: `trtexec --verbose ... > build.log` logs what the builder "
    "tried; put the log beside the engine or name it with --log";
constexpr std::string_view kNoTacticsRtx =
    "TensorRT-RTX chooses kernels where the engine runs, so no build log contains their times";

std::size_t size_of(std::int64_t count) { return static_cast<std::size_t>(count); }

std::string seconds_text(double seconds) { return short_time_text(seconds * 1000); }

std::string tried(const TacticExplanation& of) {
  std::string line =
      format("{} of {} in {}", counted(size_of(of.candidates), "candidate"),
             counted(size_of(of.layer_count), "layer"),
             counted(size_of(of.choices), "combination of formats", "combinations of formats"));
  if (of.cached > 0) line += format("; the timing cache answered {}", of.cached);
  if (of.silent > 0) {
    line += format("; the log says nothing about {}, mostly answered by the timing cache",
                   counted(size_of(of.silent), "combination"));
  }
  if (of.versions > 1) {
    line += format("; the builder made {} versions of the engine, and this is the one it kept",
                   of.versions);
  }
  return line;
}

std::string noise(const TacticExplanation& of) {
  const analyze::TacticNoise& noise = of.noise;
  std::string line;
  if (noise.share) {
    line = format("timed twice, a tactic differed by {} (median of {})", percent_text(*noise.share),
                  counted(size_of(noise.repeats), "repetition"));
  } else {
    line = "too few tactics were timed twice to estimate the timer's noise";
  }
  if (of.within_noise > 0) {
    line += format(
        "; {} within it: another build can choose differently unless it gets the same timing cache",
        counted(size_of(of.within_noise), "choice is", "choices are"));
  } else if (noise.share) {
    line += "; no choice is within it";
  }
  return line;
}

// The choice that was closest, if it was closer than 5 %.
std::string closest(const PlanModel& model, const TacticExplanation& of) {
  const LayerTactics* least = nullptr;
  for (const LayerTactics& layer : of.layers) {
    if (!layer.margin_share || *layer.margin_share < 0) continue;
    if (least == nullptr || *layer.margin_share < *least->margin_share) least = &layer;
  }
  constexpr double kClose = 0.05;
  if (least == nullptr || *least->margin_share > kClose) return {};
  return format("the closest choice is {}: {} ahead of its runner-up",
                base::quoted(model.text(least->name)),
                margin_text(least->margin_ms, least->margin_share));
}

std::string skipped(const PlanModel& model, const TacticExplanation& of) {
  std::string line;
  const auto add = [&line](std::int64_t count, std::string_view why) {
    if (count == 0) return;
    line += format("{}{} {}", line.empty() ? "" : ", ", counted(size_of(count), "tactic"), why);
  };
  add(of.skipped_workspace, "skipped for lack of workspace");
  add(of.skipped_memory, "skipped for lack of device memory");
  add(of.skipped_error, "not timed because they failed");
  if (line.empty()) return line;
  if (of.skipped.empty()) return line;
  const std::size_t row = of.skipped.front();
  const auto bytes = model.tactics.requested_bytes.get(row);
  if (!bytes) return line;
  line += format("; the largest requested {}", size_text(*bytes));
  if (const auto available = model.tactics.available_bytes.get(row)) {
    line += format(", and {} were available", size_text(*available));
  }
  if (of.skipped_workspace > 0) {
    const auto versions =
        trtexec::parse_tensorrt_versions(model.text(model.engine.producer_version[0]));
    line += format("; --{}MIB raises the limit", trtexec::has_effect("memPoolSize", versions)
                                                     ? "memPoolSize=workspace:"
                                                     : "workspace=");
  }
  return line;
}

// "construction of the graph 6.72 ms, selection of formats and tactics 4.87 s".
std::string phases_text(const analyze::BuildTime& of) {
  std::string line;
  for (const analyze::BuildPhase& phase : of.phases) {
    if (!phase.within.empty()) continue;
    line += format("{}{} {}", line.empty() ? "" : ", ", phase_text(phase.phase),
                   seconds_text(phase.seconds));
  }
  return line;
}

std::string build_time(const analyze::BuildTime& of) {
  if (of.phases.empty()) return {};
  return of.build_s && of.accounted_share
             ? format("building took {}, of which the log accounts for {}: {}",
                      seconds_text(*of.build_s), percent_text(*of.accounted_share), phases_text(of))
             : "the build: " + phases_text(of);
}

// Whether the log shows that the build had the option, with a value.
bool was_given(const PlanModel& model, std::string_view option) {
  const std::string with_value = format("--{}=", option);
  for (std::size_t row = 0; row < model.metadata.row_count(); ++row) {
    const std::string_view value = model.text(model.metadata.value[row]);
    if (value.find(with_value) != value.npos) return true;
    if (model.text(model.metadata.key[row]) == option && !value.empty()) return true;
  }
  return false;
}

}  // namespace

std::string tactic_time_text(double ms) {
  constexpr double kShort = 0.01;
  if (ms < kShort / 10) return format("{:.0f} ns", ms * 1e6);
  return ms < kShort ? format("{:.2f} µs", ms * 1e3) : short_time_text(ms);
}

std::string margin_text(const std::optional<double>& ms, const std::optional<double>& share) {
  if (!ms) return "–";
  std::string text = format("{}{}", *ms < 0 ? "−" : "", tactic_time_text(std::abs(*ms)));
  if (share) text += format(" ({})", percent_text(*share));
  return text;
}

std::string tactic_difference_text(const analyze::TacticDifferences& differences) {
  if (differences.compared == 0) return "no layer's kernel choice is known in both builds";
  const std::string all = counted(size_of(differences.compared), "layer");
  if (differences.layers.empty()) {
    return format("both builds chose the same kernels in all of {} whose choices are known", all);
  }
  std::string line =
      format("the builds chose different kernels or formats in {} of {} whose choices are known",
             differences.layers.size(), all);
  // The closest: what the other winner lost by in either build.
  const analyze::TacticDifference* closest = nullptr;
  const auto margin = [](const analyze::TacticDifference& layer) {
    return std::max(*layer.a_margin_ms, *layer.b_margin_ms);
  };
  for (const analyze::TacticDifference& layer : differences.layers) {
    if (!layer.are_candidates_same || !layer.a_margin_ms || !layer.b_margin_ms) continue;
    if (closest == nullptr || margin(layer) < margin(*closest)) closest = &layer;
  }
  if (closest != nullptr) {
    line += format("; {}: same candidates, a different winner by {}", base::quoted(closest->layer),
                   tactic_time_text(margin(*closest)));
  }
  if (differences.noise_share) {
    line += format("; times of the same candidates differed by {} (median of {})",
                   percent_text(*differences.noise_share),
                   counted(size_of(differences.timed_in_both), "candidate"));
    if (differences.within_noise > 0) {
      line += format(", which is more than the margin of {}",
                     counted(size_of(differences.within_noise), "choice"));
    }
  }
  return line;
}

const analyze::BuildPhase* main_phase(const analyze::BuildTime& build) {
  const analyze::BuildPhase* longest = nullptr;
  for (const analyze::BuildPhase& phase : build.phases) {
    if (!phase.within.empty() || !phase.share) continue;
    if (longest == nullptr || *phase.share > *longest->share) longest = &phase;
  }
  return longest != nullptr && *longest->share >= 0.5 ? longest : nullptr;
}

std::string build_time_text(const analyze::BuildTime& build) {
  if (!build.build_s) return phases_text(build);
  std::string text = seconds_text(*build.build_s);
  if (const analyze::BuildPhase* phase = main_phase(build)) {
    text += format("; {} of it is {}", percent_text(*phase->share), phase_text(phase->phase));
  }
  return text;
}

std::string build_time_advice(const PlanModel& model, const analyze::BuildTime& build) {
  if (build.build_s.value_or(0) < analyze::kLongBuild_s) return {};
  if (model.text(model.engine.producer[0]) != "tensorrt") return {};
  const auto versions =
      trtexec::parse_tensorrt_versions(model.text(model.engine.producer_version[0]));
  std::string text;
  if (!was_given(model, "timingCacheFile")) {
    text = "--timingCacheFile=FILE keeps the timings for the next build";
  }
  if (trtexec::has_effect("builderOptimizationLevel", versions) &&
      !was_given(model, "builderOptimizationLevel")) {
    text +=
        format("{}--builderOptimizationLevel=2 tries fewer kernels, so the engine can be slower",
               text.empty() ? "" : "; ");
  }
  return text;
}

std::string phase_text(std::string_view phase) {
  constexpr std::pair<std::string_view, std::string_view> kTexts[] = {
      {"parsing", "parsing the model"},
      {"graph-construction", "construction of the graph"},
      {"graph-optimization", "optimization of the graph"},
      {"tactic-selection", "selection of formats and tactics"},
      {"timing-layers", "timing of layers"},
      {"compiling-subgraphs", "compilation of subgraphs"},
      {"timing-conversions", "timing of conversions"}};
  for (const auto& [word, text] : kTexts) {
    if (word == phase) return std::string(text);
  }
  return std::string(phase);
}

std::vector<std::string> tactic_sentences(const PlanModel& model,
                                          const TacticExplanation& explanation) {
  std::vector<std::string> lines;
  const bool is_rtx = model.text(model.engine.producer[0]) == "tensorrt-rtx";
  if (is_rtx || !analyze::has_tactics(model)) {
    lines.emplace_back(is_rtx ? kNoTacticsRtx : kNoTactics);
  }
  const auto add = [&lines](std::string line) {
    if (!line.empty()) lines.push_back(std::move(line));
  };
  if (!is_rtx && analyze::has_tactics(model)) {
    add(tried(explanation));
    if (explanation.known < explanation.layer_count) {
      add(format("the formats in use, and so the choice, are known for {} of {}", explanation.known,
                 counted(size_of(explanation.layer_count), "layer")));
    }
    if (explanation.with_runner_up > 0) {
      add(noise(explanation));
      add(closest(model, explanation));
    }
    if (explanation.faster_elsewhere > 0) {
      std::string line =
          format("{} faster in other formats than in those used",
                 counted(size_of(explanation.faster_elsewhere), "layer was", "layers were"));
      if (explanation.lost_to_conversion > 0) {
        line += format("; for {} of them conversions cost at least what that saves",
                       explanation.lost_to_conversion);
      }
      add(line);
    }
    add(skipped(model, explanation));
  }
  add(build_time(explanation.build));
  return lines;
}

}  // namespace planex::render
