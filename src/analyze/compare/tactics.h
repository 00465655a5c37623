// Where two builds chose different kernels for the same layer, and the margin of each choice.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "model/plan_model.h"

namespace planex::analyze {

// A layer with a different kernel in the second build. Views into the models.
struct TacticDifference {
  std::string_view layer;               // as both builders called it
  std::string_view a_runner, b_runner;  // with the tactic: the winner of each build
  std::string_view a_tactic, b_tactic;
  std::string_view a_name, b_name;  // of the kernels, may be empty
  std::optional<double> a_ms, b_ms;
  bool are_formats_same = false;
  // Both builds had the same candidates with times, in the same formats.
  bool are_candidates_same = false;
  // How much slower the other build's winner was: in a, b's winner less a's; in b, a's less b's.
  // Null where it was not a candidate.
  std::optional<double> a_margin_ms, b_margin_ms;
  // Both margins are within the noise between the builds; null where that is not known.
  std::optional<bool> is_within_noise;
};

struct TacticDifferences {
  std::int64_t compared = 0;      // layers of one name whose choice is known in both builds
  std::int64_t same_formats = 0;  // of these
  // Those of `differences` with the same candidates.
  std::int64_t same_candidates = 0;
  std::int64_t within_noise = 0;
  // Candidates of these layers that both builds timed in the same formats, and the median
  // difference, relative to the shorter of both times. Null below kMinRepeats.
  std::int64_t timed_in_both = 0;
  std::optional<double> noise_share;
  std::vector<TacticDifference> layers;  // in a's order
};

// Null where either log has no times of tactics. Cost: O(choices + tactics).
std::optional<TacticDifferences> tactic_differences(const model::PlanModel& a,
                                                    const model::PlanModel& b);

}  // namespace planex::analyze
