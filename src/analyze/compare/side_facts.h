// Describes the layers of one side of a pair, for many pairs of one engine.
#pragma once

#include "analyze/compare/pairs.h"

namespace planex::analyze {

// `model` must outlive it.
class SideReader {
 public:
  explicit SideReader(const model::PlanModel& model)
      : model_(model), tactic_value_(model.strings.find("TacticValue")) {}

  SideFacts facts(std::span<const model::LayerId> layers) const;

 private:
  std::string_view tactic(model::LayerId layer) const;

  const model::PlanModel& model_;
  base::StringId tactic_value_;
};

}  // namespace planex::analyze
