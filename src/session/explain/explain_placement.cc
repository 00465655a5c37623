#include "session/explain/explain_placement.h"

#include <vector>

#include "base/text.h"
#include "quantize/placement_rules.h"
#include "render/fields/placement.h"
#include "render/text/placement_text.h"
#include "session/answer/format.h"

namespace planex::session {
namespace {

using base::format;

Failure unknown_rule(std::string_view rule) {
  std::vector<std::string_view> ids;
  for (const quantize::PlacementRule& known : quantize::placement_rules()) ids.push_back(known.id);
  const auto nearest = base::nearest(rule, ids);
  return fail(
      ErrorCode::kUsage, format("no placement rule is called {}", base::quoted(rule)),
      nearest ? format("did you mean {}?", *nearest) : "planex explain placement lists all rules");
}

}  // namespace

Result<std::string> explain_placement(std::string_view rule, std::string_view target,
                                      const View& view) {
  render::PlacementRules rules;
  if (!target.empty()) {
    rules.target = quantize::target_of(target);
    if (!rules.target) {
      return fail(ErrorCode::kUsage, format("no target is called {}", base::quoted(target)),
                  "the targets are tensorrt, tensorrt-rtx, openvino and onnxruntime");
    }
  }
  if (!rule.empty()) {
    const quantize::PlacementRule* known = quantize::find_placement_rule(rule);
    if (known == nullptr) return unknown_rule(rule);
    rules.rules.push_back(*known);
  } else {
    for (const quantize::PlacementRule& known : quantize::placement_rules()) {
      if (!rules.target || quantize::stance(known, *rules.target) != quantize::Stance::kNo) {
        rules.rules.push_back(known);
      }
    }
  }
  return write(
      {.document = Described(render::placement_rules_document(), rules),
       .rows = [&] { return record::rows_of(rules.rules, render::placement_rule_fields()); },
       .markdown = [&] { return render::placement_rules_markdown(rules); },
       .text =
           [&](const render::TableStyle& style) {
             return render::placement_rules_text(rules, style);
           }},
      view);
}

}  // namespace planex::session
