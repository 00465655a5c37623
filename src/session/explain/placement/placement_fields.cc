#include "session/explain/placement/placement_fields.h"

#include <string>
#include <string_view>

namespace planex::session::placement_topic {
namespace {

using quantize::PlacementRule;
using quantize::Stance;
using record::Fields;

auto stance_of(Stance PlacementRule::* target) {
  return [target](const PlacementRule& rule) { return quantize::to_string(rule.*target); };
}

std::vector<std::string> stance_words() {
  std::vector<std::string> words;
  for (const Stance stance : {Stance::kNo, Stance::kYes, Stance::kNeutral, Stance::kMeasured}) {
    words.emplace_back(quantize::to_string(stance));
  }
  return words;
}

}  // namespace

const Fields<PlacementRule>& placement_rule_fields() {
  static const auto kFields =
      Fields<PlacementRule>(
          "PlacementRule",
          "Where Q/DQ go, or do not. A target follows the rule (yes), doesn't (no), doesn't care "
          "(neutral), or only where measuring says so (measured).")
          .field("rule", "", "Its id, which is permanent.", &PlacementRule::id)
          .field("tensorrt", "", "Whether TensorRT follows it.",
                 stance_of(&PlacementRule::tensorrt))
          .one_of(stance_words())
          .field("tensorrt_rtx", "", "Whether TensorRT-RTX follows it.",
                 stance_of(&PlacementRule::tensorrt_rtx))
          .one_of(stance_words())
          .field("openvino", "", "Whether OpenVINO follows it, on a CPU.",
                 stance_of(&PlacementRule::openvino))
          .one_of(stance_words())
          .field("onnxruntime", "", "Whether ONNX Runtime's CPU provider follows it.",
                 stance_of(&PlacementRule::onnxruntime))
          .one_of(stance_words())
          .field("formats", "", "Formats that it applies to: int8, fp8, int4.",
                 &quantize::formats_of)
          .field("condition", "", "Where it applies.", &PlacementRule::condition)
          .field("edit", "", "What is done there.", &PlacementRule::edit)
          .maybe("versions", "", "Versions that it applies to; null: all.",
                 &PlacementRule::versions)
          .field("why", "", "Why.", &PlacementRule::why)
          .field("source", "", "Source of the rule.", &PlacementRule::source);
  return kFields;
}

const record::Document<PlacementRules>& placement_rules_document() {
  static const record::Document<PlacementRules> kDocument = {
      "planex.placement-rules/1",
      "Rules by which Q/DQ are placed: planex explain placement --format json",
      Fields<PlacementRules>("PlacementRules", "Rules of the placement of Q/DQ.")
          .field("target", "", "Only rules that this one follows; null: all rules.",
                 [](const PlacementRules& rules) -> std::optional<std::string_view> {
                   if (!rules.target) return std::nullopt;
                   return quantize::to_string(*rules.target);
                 })
          .list("rules", "In the order in which they are checked.", placement_rule_fields(),
                &PlacementRules::rules)};
  return kDocument;
}

}  // namespace planex::session::placement_topic
