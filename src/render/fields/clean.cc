#include "render/fields/clean.h"

#include <string_view>

namespace planex::render {

using clean::CleanOutcome;
using clean::DoneStep;
using record::Fields;

const Fields<DoneStep>& clean_step_fields() {
  static const auto kFields =
      Fields<DoneStep>("CleanStep", "What one pass simplified.")
          .field("pass", "", "The pass, as --only and --skip name it.", &DoneStep::pass)
          .field("what", "", "What it does.", &DoneStep::what)
          .field("effect", "",
                 "exact: results keep their bits, but for the sign of a zero; rounding: they are "
                 "rounded at other places.",
                 [](const DoneStep& step) -> std::string_view {
                   return step.effect == clean::Effect::kExact ? "exact" : "rounding";
                 })
          .field("count", "count", "Places that it simplified.", &DoneStep::count)
          .field("nodes", "",
                 "Where: names of nodes, or of their first outputs, as they were at that point.",
                 &DoneStep::nodes);
  return kFields;
}

const record::Document<CleanOutcome>& clean_document() {
  static const record::Document<CleanOutcome> kDocument = {
      "planex.clean/1", "A model that was simplified: planex clean --format json",
      Fields<CleanOutcome>("Clean", "How a model was simplified.")
          .field("model", "", "The model.", &CleanOutcome::model)
          .field("output", "", "The simplified model.", &CleanOutcome::output)
          .field("opset_before", "", "Opset of the model.", &CleanOutcome::opset_before)
          .field("opset", "", "Opset of the simplified model.", &CleanOutcome::opset)
          .field("node_count_before", "count",
                 "Nodes of the model's graph and of bodies in it, without Constant nodes.",
                 &CleanOutcome::node_count_before)
          .field("node_count", "count", "The same of the simplified model.",
                 &CleanOutcome::node_count)
          .field("size_before_bytes", "bytes", "Size of the file, without external data.",
                 &CleanOutcome::bytes_before)
          .field("size_bytes", "bytes", "The same of the simplified model.", &CleanOutcome::bytes)
          .list("steps",
                "What the passes did, in their order; those that found nothing are left "
                "out.",
                clean_step_fields(), &CleanOutcome::steps)};
  return kDocument;
}

}  // namespace planex::render
