#include "render/fields/actions.h"

#include "render/fields/common.h"

namespace planex::render {
namespace {

using model::Action;
using model::ActionLayer;
using model::PlanModel;
using record::Fields;

Fields<ActionLayer, PlanModel> action_layer_fields() {
  return Fields<ActionLayer, PlanModel>("ActionLayer", "A layer that an action changes.")
      .with(layer_fields(), &ActionLayer::layer)
      .field("ms", "ms",
             "Its part of estimated_ms; null: unknown, or an earlier action saves it already.",
             &ActionLayer::ms);
}

}  // namespace

const Fields<Action, PlanModel>& action_fields() {
  static const auto kFields =
      Fields<Action, PlanModel>("Action", "One edit or one option that can be done at once.")
          .field("rank", "",
                 "From 1, in the order in which to do the actions; null: nothing shows that it "
                 "gains (certainty is not-proven), so it has no place in that order.",
                 &Action::rank)
          .field("what", "", "What to do, a sentence.", &Action::what)
          .field("kind", "",
                 "edit: of the model. option: of the build or of the runtime. caller: in the "
                 "program that runs the engine. measure-again: saves nothing, and shows what the "
                 "files can't.",
                 [](const Action& action) { return to_string(action.kind); })
          .one_of({"edit", "option", "caller", "measure-again"})
          .list("layers", "The layers that it changes, in execution order.", action_layer_fields(),
                &Action::layers)
          .field("estimated_ms", "ms",
                 "What it saves per inference in addition to the actions before it; null: unknown.",
                 &Action::estimated_ms)
          .field("saving_low_ms", "ms",
                 "The least that it saves end to end, judging by past fixes of its kind; null: "
                 "none was measured, or nothing is known.",
                 &Action::low_ms)
          .field("saving_high_ms", "ms", "The most that it saves end to end; null: unknown.",
                 &Action::high_ms)
          .field("certainty", "",
                 "proven: engines before and after such a fix were measured, and the range is the "
                 "share of the predicted gain that they reached. likely: the files show what "
                 "disappears or gets faster; the gain end to end was not measured. not-proven: no "
                 "file shows that it gains here. Null: it promises no gain.",
                 [](const Action& action) -> std::optional<std::string_view> {
                   if (!action.certainty) return std::nullopt;
                   return to_string(*action.certainty);
                 })
          .one_of({"proven", "likely", "not-proven"})
          .maybe("command", "",
                 "A command that does it; the command can do other actions of the list as well.",
                 &Action::command)
          .field("findings", "",
                 "The findings that it removes, including symptoms, as positions in the findings "
                 "of planex lint; the first one asks for it.",
                 &Action::findings);
  return kFields;
}

}  // namespace planex::render
