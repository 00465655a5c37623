#include <array>

#include "base/text.h"
#include "lint/layer_facts.h"

namespace planex::lint::reformat_changes_layout_rule {
namespace {

using base::format;

constexpr std::array kNeeds = {Need::kTypes, Need::kDims};

constexpr RuleInfo kInfo = {
    .id = "reformat-changes-layout",
    .pack = Pack::kGeneric,
    .severity = Severity::kWarning,
    .summary =
        "a layer copies a tensor into another layout and changes nothing else (round trips and "
        "conversions in a row have rules of their own)",
    .rationale =
        "Every element is moved because the layers on both sides have kernels for different "
        "layouts. At the engine's edge it is a note: the caller chooses the layout there",
    .fix =
        "At the edge, bind the tensor in the engine's layout (--inputIOFormats, --outputIOFormats; "
        "OpenVINO's PrePostProcessor); inside, change the layer that asks for the other layout",
    .needs = kNeeds,
    .source =
        "NVIDIA TensorRT Developer Guide, I/O Formats; OpenVINO documentation, Layout API and "
        "preprocessing",
    .evidence =
        "types, shapes and layouts on both sides, the copy's time, who writes and who reads",
    .estimate = "the copy's measured time"};

// The layer before it, or the only one behind it, converts too: conversions-in-a-row tells of both.
bool is_in_a_row(const Context& context, const LayoutChange& change) {
  const auto writers = context.writers(context.tensor_of(change.in));
  const auto readers = context.readers(context.tensor_of(change.out));
  return (writers.size() == 1 && context.is_conversion(context.layer_of(writers[0])) &&
          context.readers(context.tensor_of(change.in)).size() == 1) ||
         (readers.size() == 1 && context.is_conversion(context.layer_of(readers[0])));
}

std::string edge_fix(const Context& context, const LayoutChange& change, bool at_input) {
  const PortRow wanted = at_input ? change.out : change.in;
  const std::string tensor = context.name(context.tensor_of(at_input ? change.in : change.out));
  const std::string_view layout = model::to_string(context.model().ports.layout[wanted]);
  if (context.model().text(context.model().engine.producer[0]) == "openvino") {
    return format(
        "Let the caller {} {} in {} (PrePostProcessor: {}.tensor().set_layout) if it can have it "
        "so; otherwise leave it",
        at_input ? "give" : "take", tensor, layout, at_input ? "input()" : "output()");
  }
  return format(
      "Let the caller {} {} in {} {} ({}, ITensor::setAllowedFormats) if it can have it so",
      at_input ? "give" : "take", tensor, model::to_string(context.type_of(wanted)), layout,
      at_input ? "trtexec --inputIOFormats" : "trtexec --outputIOFormats");
}

void run(const Context& context, FindingSink& sink) {
  std::vector<bool> in_round_trip(context.layer_count());
  for (const RoundTrip& trip : round_trips(context)) {
    in_round_trip[trip.there.layer.index()] = true;
    in_round_trip[trip.back.layer.index()] = true;
  }
  for (std::size_t row = 0; row < context.layer_count(); ++row) {
    const auto change = layout_change(context, LayerId(row));
    if (!change) continue;
    sink.looked_at();
    if (in_round_trip[row] || is_in_a_row(context, *change)) continue;
    const Walk writers = context.real_writers(context.tensor_of(change->in));
    const Walk readers = context.real_readers(context.tensor_of(change->out));
    const bool at_input = writers.reaches.empty();
    const bool at_output = readers.reaches.empty();
    FindingDraft draft;
    draft.layer = change->layer;
    draft.message = format("a copy changes the layout only, {}", layout_text(context, *change));
    draft.evidence = format("{} → {}, {}; written by {}, read by {}", context.port_text(change->in),
                            context.port_text(change->out), time_text(context, change->layer),
                            names_or(context, writers, "the engine's input"),
                            names_or(context, readers, "the engine's output"));
    draft.savings = {{change->layer}};
    draft.estimate_method = "measured time of the copy";
    if (at_input || at_output) {
      draft.severity = Severity::kInfo;
      draft.message +=
          at_input ? "; it is at the engine's input" : "; it is at the engine's output";
      draft.fix = edge_fix(context, *change, at_input);
    } else {
      draft.fix = format(
          "Let {} and {} agree on a layout: see which of them has a kernel for the "
          "other's",
          names_or(context, writers, ""), names_or(context, readers, ""));
    }
    sink.add(std::move(draft));
  }
}

}  // namespace
}  // namespace planex::lint::reformat_changes_layout_rule

PLANEX_LINT_RULE(reformat_changes_layout)
