// What happened where advice was followed: how far a rule's gain is known, per engine. The table is
// made from the records of tests/evidence by tools/evidence.sh; docs/reference/evidence.md shows it
// in full.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "model/action.h"

namespace planex::lint {

enum class Proof : std::uint8_t {
  kMeasured,   // on a small model: the fix was applied, built, timed in turns, results compared
  kRecorded,   // in a pair of recorded engines; the second one has the fix
  kNotProven,  // nothing at hand shows a gain
};
// "measured", "recorded", "not-proven".
std::string_view to_string(Proof proof);

// Measured gain divided by promised gain, minus and plus the noise of the measurement.
struct GainedRatio {
  double low = 0, high = 0;
};

// Static storage.
struct Evidence {
  std::string_view rule;
  std::string_view engine;   // a producer: "openvino"
  std::string_view version;  // "OpenVINO 2026.4.1"; the engine alone where nothing was built
  Proof proof = Proof::kNotProven;
  // What the followed finding asked for: nothing is known about its other advice.
  model::ActionKind asked = model::ActionKind::kEdit;
  std::string_view said;  // what was gained and on which model, or why nothing is known
  // Null where nothing was measured, or the finding promised no time.
  std::optional<GainedRatio> ratio = {};
};

// The rows of a rule, by engine; empty where it has none.
std::span<const Evidence> evidence_of(std::string_view rule);
// Null if the table has no row: a user's rule, or an engine that the rule does not apply to.
// Cost: O(log rows).
const Evidence* find_evidence(std::string_view rule, std::string_view engine);
// For a rule's advice of one kind. kNotProven if there is no row, or if other advice was followed.
Proof proof_of(std::string_view rule, std::string_view engine, model::ActionKind asked);
// Whether a measurement on this engine gained less than the band kLowestRatio … kHighestRatio
// (run.h), even with all its noise: then the pairs that the band comes from prove nothing there.
bool falls_short(std::string_view rule, std::string_view engine);
bool falls_short(const Evidence& evidence);

}  // namespace planex::lint
