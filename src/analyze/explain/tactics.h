// Which kernel the builder chose for each layer and which ones it considered, from a verbose build
// log.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "analyze/summary/build_time.h"
#include "model/plan_model.h"

namespace planex::analyze {

// Why a layer does not use the formats in which it was fastest.
enum class LostTo : std::uint8_t {
  kConversion,  // the conversions that these formats need cost at least as much as they gain
  kOther,       // they cost less: the builder optimizes the whole graph, or must keep certain
                // formats
  kUnknown,     // the log has no time of a conversion they need
};
std::string_view to_string(LostTo cause);

struct LayerTactics {
  model::LayerId layer;               // null: no layer of the engine has this name
  base::StringId name;                // as the builder wrote it
  std::vector<std::size_t> choices;   // of `tactic_choices`, of the version that became the engine
  std::int64_t candidates = 0;        // timed, cached or skipped, in all formats
  std::int64_t skipped = 0;           // of these
  std::optional<double> profiling_s;  // time that timing them took
  std::optional<std::size_t> used;    // of `tactic_choices`; null where the log does not say
  std::vector<std::size_t> fastest_first;  // of `tactics`: of the used choice, skipped ones last
  // Of `tactics`. The runner-up is the fastest other candidate in the same formats.
  std::optional<std::size_t> winner, runner_up;
  std::optional<double> time_ms, runner_up_ms;
  // runner_up_ms - time_ms, and of time_ms.
  std::optional<double> margin_ms, margin_share;
  // Null where the log does not reveal the timer's noise.
  std::optional<bool> is_within_noise;
  // Of `tactic_choices`: other formats in which the layer was faster than in those it uses.
  std::optional<std::size_t> faster;
  std::optional<double> faster_ms, gain_ms;  // gain_ms = time_ms - faster_ms
  // What the conversions to and from them took; null where one was not timed.
  std::optional<double> conversion_ms;
  std::optional<LostTo> lost_to;
};

// How exact the times of a log are, as far as it shows.
struct TacticNoise {
  // The same tactic of the same layer in the same formats, timed again: how often, and the median
  // difference relative to the shorter time. Null below kMinRepeats.
  std::int64_t repeats = 0;
  std::optional<double> share;
  std::optional<double> step_ms;  // of the timer
};
inline constexpr std::int64_t kMinRepeats = 5;

struct TacticExplanation {
  std::vector<LayerTactics> layers;  // of the engine in execution order, then others
  std::vector<std::size_t> skipped;  // of `tactics`, most bytes first; for layers, all formats
  TacticNoise noise;
  std::int64_t layer_count = 0;
  // Choices for layers, of the version that became the engine.
  std::int64_t choices = 0, cached = 0, silent = 0;
  bool has_times = false;  // of any of them
  std::int64_t candidates = 0;
  std::int64_t skipped_workspace = 0, skipped_memory = 0, skipped_error = 0;
  // Conversions of tensors that were timed, and how long timing them took.
  std::int64_t conversions = 0;
  // Layers whose choice is known; among these: those with a runner-up, those within the timer's
  // noise, those that were faster in other formats, and among the latter those whose conversions
  // cost more.
  std::int64_t known = 0, with_runner_up = 0, within_noise = 0, faster_elsewhere = 0;
  std::int64_t lost_to_conversion = 0;
  std::int64_t versions = 0;  // of the engine that the builder made
  BuildTime build;
};

// Units: ms and s as in the log. Cost: O(choices + tactics), besides sorting.
TacticExplanation explain_tactics(const model::PlanModel& model);

// Whether there is anything to explain.
inline bool has_tactics(const model::PlanModel& model) {
  return model.tactic_choices.row_count() > 0;
}

}  // namespace planex::analyze
