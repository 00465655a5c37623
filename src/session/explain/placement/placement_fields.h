// planex.placement-rules/1: the rules by which Q/DQ are placed.
#pragma once

#include <optional>
#include <vector>

#include "quantize/placement_rules.h"
#include "record/fields.h"

namespace planex::session::placement_topic {

struct PlacementRules {
  std::optional<quantize::Target> target;  // that follows them; none: any
  std::vector<quantize::PlacementRule> rules;
};

const record::Fields<quantize::PlacementRule>& placement_rule_fields();
const record::Document<PlacementRules>& placement_rules_document();

}  // namespace planex::session::placement_topic
