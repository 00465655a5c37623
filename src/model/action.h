// What someone can do about an engine at once: one edit of its model, one option of its build. Made
// by lint/actions.h, and what every list of things to do and every total of gains is taken from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/types.h"

namespace planex::model {

enum class ActionKind : std::uint8_t {
  kEdit,          // of the model
  kOption,        // of the build or of the runtime
  kCaller,        // in the program that runs the engine
  kMeasureAgain,  // saves nothing: what is there cannot be judged, or not seen
};

enum class Certainty : std::uint8_t {
  // Engines before and after such a fix were measured; the range is what they gained of what was
  // predicted.
  kProven,
  // The files show what goes or gets faster, and its time where there is one; what such a fix gains
  // end to end was not measured.
  kLikely,
  // No file shows that it gains here.
  kNotProven,
};

// Permanent words for documents: "measure-again", "not-proven".
std::string_view to_string(ActionKind kind);
std::string_view to_string(Certainty certainty);

struct ActionLayer {
  LayerId layer;
  // What the action saves of its time; null where nothing is known, or an action before it saves
  // it. Each layer's time is in one action only.
  std::optional<double> ms;
};

struct Action {
  // From 1, in the order in which to do them; null: nothing shows that it gains, so it has no place
  // in that order.
  std::optional<std::int64_t> rank;
  std::string what;  // a sentence
  ActionKind kind = ActionKind::kEdit;
  // In execution order.
  std::vector<ActionLayer> layers;
  // Per inference, beyond what the actions before it save; null is "not known", never 0. The range
  // lies around the estimate; its low end is null where no pair of engines says what such a fix
  // gains.
  std::optional<double> estimated_ms, low_ms, high_ms;
  // Null where it promises no gain.
  std::optional<Certainty> certainty;
  std::string command;  // that does it; empty where there is none
  // Those that it takes away, symptoms too: places in the report's list. The first one asks for it.
  std::vector<std::size_t> findings;
};

// Of several actions: sums of what is known. Null where nothing is.
struct ActionTotal {
  std::optional<double> estimated_ms, low_ms, high_ms;
};
ActionTotal total_of(std::span<const Action> actions);

}  // namespace planex::model
