// planex.placement-rules/1: the rules by which Q/DQ are placed.
#ifndef PLANEX_RENDER_FIELDS_PLACEMENT_H_
#define PLANEX_RENDER_FIELDS_PLACEMENT_H_

#include <optional>
#include <vector>

#include "quantize/placement_rules.h"
#include "record/fields.h"

namespace planex::render {

struct PlacementRules {
  std::optional<quantize::Target> target;  // that follows them; none: any
  std::vector<quantize::PlacementRule> rules;
};

const record::Fields<quantize::PlacementRule>& placement_rule_fields();
const record::Document<PlacementRules>& placement_rules_document();

}  // namespace planex::render

#endif  // PLANEX_RENDER_FIELDS_PLACEMENT_H_
