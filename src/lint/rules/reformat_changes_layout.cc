#include <array>

#include "base/text.h"
#include "lint/advice.h"
#include "lint/layer_facts.h"

namespace planex::lint::reformat_changes_layout_rule {
namespace {

using base::format;

constexpr std::array kNeeds = {Need::kTypes, Need::kDims, Need::kLinks};

constexpr RuleInfo kInfo = {
    .id = "reformat-changes-layout",
    .pack = Pack::kGeneric,
    .severity = Severity::kWarning,
    .summary =
        "a layer only copies a tensor into another layout, and could be removed (round trips and "
        "conversions in a row have their own rules)",
    .rationale =
        "Every element is moved because the layers on both sides have kernels for different "
        "layouts. If the builder timed both kernels together with the copy, the copy is needed, "
        "and the rule is silent, as is `planex explain reformats`. The rule is also silent inside "
        "TensorRT-RTX, where only the compiler chooses layouts. At the engine's edge it is a note, "
        "because the caller chooses the layout there. It is also a note if it is not clear whether "
        "another layout would be faster",
    .fix =
        "At the edge, bind the tensor in the engine's layout; inside, change the layer that needs "
        "the other layout",
    .needs = kNeeds,
    .source =
        "NVIDIA TensorRT Developer Guide, I/O Formats; OpenVINO documentation, Layout API and "
        "preprocessing",
    .evidence =
        "types, shapes and layouts on both sides, the copy's time, and the layers that write and "
        "read it",
    .estimate = "the copy's measured time",
    .depth = 6};

// Share of the time of all layers.
constexpr double kWorthANote = 0.01;

// The layer before it, or the only one after it, is also a conversion: conversions-in-a-row reports
// both.
bool is_in_a_row(const Context& context, const LayoutChange& change) {
  const auto writers = context.writers(context.tensor_of(change.in));
  const auto readers = context.readers(context.tensor_of(change.out));
  return (writers.size() == 1 && context.is_conversion(context.layer_of(writers[0])) &&
          context.readers(context.tensor_of(change.in)).size() == 1) ||
         (readers.size() == 1 && context.is_conversion(context.layer_of(readers[0])));
}

std::optional<LayerId> pool_behind(const Context& context, const Walk& readers) {
  for (const Reach& reader : readers.reaches) {
    if (context.family(reader.layer) == Family::kPool) return reader.layer;
  }
  return std::nullopt;
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
    if (in_round_trip[row] || is_in_a_row(context, *change) || context.is_needed(LayerId(row))) {
      continue;
    }
    const Walk writers = context.real_writers(context.tensor_of(change->in));
    const Walk readers = context.real_readers(context.tensor_of(change->out));
    const bool at_input = writers.reaches.empty();
    const bool at_output = readers.reaches.empty();
    const auto judgement = context.reformat(LayerId(row));
    const bool is_avoidable = judgement && judgement->verdict == model::ReformatVerdict::kAvoidable;
    // Whether it can be removed is not known, and the gain would hardly show.
    const auto time = context.time_ms(change->layer);
    if (!at_input && !at_output && !is_avoidable && time &&
        *time < kWorthANote * context.total_ms().value_or(0)) {
      continue;
    }
    // Inside TensorRT-RTX, and in engines for CPUs, only the compiler chooses layouts: the advice
    // could not be followed.
    const Producer producer = producer_of(context);
    const bool is_compilers =
        producer == Producer::kTensorRtRtx ||
        (!is_avoidable && (producer == Producer::kOpenVino || producer == Producer::kOnnxRuntime));
    if (!at_input && !at_output && is_compilers) continue;
    // If the layout can't be bound, nothing can be asked of the caller.
    if ((at_input || at_output) &&
        ((judgement && !is_avoidable) ||
         !caller_can_bind(context, at_input ? change->out : change->in))) {
      continue;
    }
    FindingDraft draft;
    draft.layer = change->layer;
    draft.severity = is_avoidable && !at_input && !at_output ? Severity::kWarning : Severity::kInfo;
    draft.message = format("a copy changes the layout only, {}", layout_text(context, *change));
    draft.evidence = format("{} → {}, {}; written by {}, read by {}", context.port_text(change->in),
                            context.port_text(change->out), time_text(context, change->layer),
                            names_or(context, writers, "the engine's input"),
                            names_or(context, readers, "the engine's output"));
    draft.savings = {{change->layer}};
    draft.estimate_method = "measured time of the copy";
    if (at_input || at_output) {
      draft.action = ActionKind::kCaller;
      draft.message +=
          at_input ? "; it is at the engine's input" : "; it is at the engine's output";
      draft.fix =
          as_sentence(edge_advice(context, context.tensor_of(at_input ? change->in : change->out),
                                  at_input ? change->out : change->in, at_input));
    } else if (const auto pool = pool_behind(context, readers);
               is_avoidable && pool && !context.is_calibrated()) {
      draft.fix = format(
          "Put the Q/DQ pair before the pooling {} rather than after it: this also removes the "
          "copy",
          context.name(*pool));
    } else {
      draft.fix = format(
          "Let {} and {} use the same layout: check which of them has a kernel for the other's "
          "layout",
          names_or(context, writers, ""), names_or(context, readers, ""));
    }
    sink.add(std::move(draft));
  }
}

}  // namespace
}  // namespace planex::lint::reformat_changes_layout_rule

PLANEX_LINT_RULE(reformat_changes_layout)
