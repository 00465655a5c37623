#include "model/action.h"

namespace planex::model {

std::string_view to_string(ActionKind kind) {
  switch (kind) {
    case ActionKind::kEdit:
      return "edit";
    case ActionKind::kOption:
      return "option";
    case ActionKind::kCaller:
      return "caller";
    case ActionKind::kMeasureAgain:
      break;
  }
  return "measure-again";
}

std::string_view to_string(Certainty certainty) {
  switch (certainty) {
    case Certainty::kProven:
      return "proven";
    case Certainty::kLikely:
      return "likely";
    case Certainty::kNotProven:
      break;
  }
  return "not-proven";
}

ActionTotal total_of(std::span<const Action> actions) {
  ActionTotal total;
  const auto add = [](std::optional<double>& sum, const std::optional<double>& ms) {
    if (ms) sum = sum.value_or(0) + *ms;
  };
  for (const Action& action : actions) {
    add(total.estimated_ms, action.estimated_ms);
    add(total.low_ms, action.low_ms);
    add(total.high_ms, action.high_ms);
  }
  return total;
}

}  // namespace planex::model
