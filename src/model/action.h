// What a user can do about an engine at once: one edit of its model, one option of its build.
// Created by lint/actions.h, and the source of every list of things to do and every total of gains.
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
  kMeasureAgain,  // saves nothing: existing data cannot be judged, or not seen
};

enum class Certainty : std::uint8_t {
  // Engines before and after such a fix were measured; the range is the gain they reached relative
  // to the prediction.
  kProven,
  // The files show what disappears or gets faster, and its time where there is one; the end-to-end
  // gain of such a fix was not measured.
  kLikely,
  // No file shows a gain here.
  kNotProven,
};

// Stable words for documents: "measure-again", "not-proven".
std::string_view to_string(ActionKind kind);
std::string_view to_string(Certainty certainty);

struct ActionLayer {
  LayerId layer;
  // What the action saves of its time; null where nothing is known, or an earlier action saves it.
  // Each layer's time is in only one action.
  std::optional<double> ms;
};

struct Action {
  // From 1, in the order in which to do them; null: nothing shows a gain, so it has no place in
  // that order.
  std::optional<std::int64_t> rank;
  std::string what;  // a sentence
  ActionKind kind = ActionKind::kEdit;
  // In execution order.
  std::vector<ActionLayer> layers;
  // Per inference, beyond what the earlier actions save; null is "not known", never 0. The range
  // contains the estimate; its low end is null where no pair of engines shows what such a fix
  // gains.
  std::optional<double> estimated_ms, low_ms, high_ms;
  // Null where no gain is predicted.
  std::optional<Certainty> certainty;
  std::string command;  // that does it; empty if there is none
  // Findings that it resolves, including symptoms: places in the report's list. The first one
  // requires it.
  std::vector<std::size_t> findings;
};

// For several actions: sums of what is known. Null where nothing is.
struct ActionTotal {
  std::optional<double> estimated_ms, low_ms, high_ms;
};
ActionTotal total_of(std::span<const Action> actions);

}  // namespace planex::model
