#include <algorithm>
#include <array>

#include "base/text.h"
#include "lint/layer_facts.h"

namespace planex::lint::layout_round_trip_rule {
namespace {

using base::format;

constexpr std::array kNeeds = {Need::kTypes, Need::kDims, Need::kLinks};

constexpr RuleInfo kInfo = {
    .id = "layout-round-trip",
    .pack = Pack::kGeneric,
    .severity = Severity::kWarning,
    .summary =
        "a tensor is copied from NHWC or a vectorized layout to NCHW for at most four layers, and "
        "back; one finding for all round trips around plugins or normalizations",
    .rationale =
        "Both copies exist because a few layers have no kernel for the layout around them: usually "
        "a plugin or a normalization that needs NCHW among convolutions in NHWC. If the builder "
        "timed the kernel in between together with the copies, they are needed, and the rule is "
        "silent",
    .fix =
        "Use a form of the layers in between that supports the layout around them: a plugin that "
        "does, the compiler's own normalization layer, or another precision",
    .needs = kNeeds,
    .source =
        "Seen around InstanceNormalization (TensorRT 8.6, ControlNet) and around Winograd "
        "convolutions in FP32 (TensorRT 8.4, ResNet-50)",
    .evidence = "both copies with their times, and the layers between",
    .estimate =
        "the measured times of both copies; another kernel between them may be slower by a part of "
        "that"};

std::string fix(const Context& context, const RoundTrip& trip, const std::string& between) {
  const std::string_view wanted = model::to_string(context.model().ports.layout[trip.there.in]);
  for (const LayerId layer : trip.between) {
    if (context.family(layer) == Family::kPlugin || context.family(layer) == Family::kNorm) {
      const bool is_plugin = context.family(layer) == Family::kPlugin;
      return format(
          "Let {} use {}: with {}the compiler's own normalization layer (export GroupNormalization "
          "or LayerNormalization as one operation)",
          between, wanted,
          is_plugin ? "a plugin whose supportsFormatCombination allows it, or " : "");
    }
  }
  if (trip.between.size() == 1 && context.is_matrix_layer(trip.between.front())) {
    return format(
        "Check whether {} has a kernel that keeps channels together: in FP16 and INT8 it usually "
        "does",
        between);
  }
  return format("Let {} run in {}, or merge it with a neighbor", between, wanted);
}

bool has_other_form(const Context& context, const RoundTrip& trip) {
  return std::ranges::any_of(trip.between, [&](LayerId layer) {
    return context.family(layer) == Family::kPlugin || context.family(layer) == Family::kNorm;
  });
}

std::string between_text(const Context& context, const RoundTrip& trip) {
  std::vector<std::string> names;
  for (const LayerId layer : trip.between) names.push_back(context.name(layer));
  return listed(names, 2);
}

void report(const Context& context, std::span<const RoundTrip> trips, Severity severity,
            FindingSink& sink) {
  constexpr std::size_t kMaxShown = 2;
  const RoundTrip& first = trips.front();
  FindingDraft draft;
  draft.layer = first.there.layer;
  draft.severity = severity;
  draft.message = format("layout goes {} → {} around {}", layout_text(context, first.there),
                         model::to_string(context.model().ports.layout[first.back.out]),
                         base::counted(first.between.size(), "layer"));
  if (trips.size() > 1) draft.message += format(", one of {} such round trips", trips.size());
  for (std::size_t i = 0; i < trips.size(); ++i) {
    const RoundTrip& trip = trips[i];
    draft.savings.push_back({trip.there.layer});
    draft.savings.push_back({trip.back.layer});
    if (i >= kMaxShown) continue;
    draft.evidence +=
        format("{}{} {} and {} {} around {}", i > 0 ? "; " : "", context.name(trip.there.layer),
               time_text(context, trip.there.layer), context.name(trip.back.layer),
               time_text(context, trip.back.layer), between_text(context, trip));
  }
  if (trips.size() > kMaxShown) draft.evidence += format("; and {} more", trips.size() - kMaxShown);
  draft.estimate_method =
      "measured times of both copies; a kernel in the other layout may be slower by a part of that";
  draft.fix = fix(context, first, between_text(context, first));
  if (trips.size() > 1) draft.fix += "; the same applies to the others";
  sink.add(std::move(draft));
}

void run(const Context& context, FindingSink& sink) {
  for (std::size_t row = 0; row < context.layer_count(); ++row) {
    if (layout_change(context, LayerId(row))) sink.looked_at();
  }
  std::vector<RoundTrip> of_plugins;
  for (RoundTrip& trip : round_trips(context)) {
    if (trip.between.empty()) continue;  // conversions-in-a-row
    if (context.is_needed(trip.there.layer) || context.is_needed(trip.back.layer)) continue;
    if (has_other_form(context, trip)) {
      of_plugins.push_back(std::move(trip));
    } else {
      report(context, std::span(&trip, 1), Severity::kInfo, sink);
    }
  }
  // One implementation is one cause, however often the network contains it.
  if (!of_plugins.empty()) report(context, of_plugins, Severity::kWarning, sink);
}

}  // namespace
}  // namespace planex::lint::layout_round_trip_rule

PLANEX_LINT_RULE(layout_round_trip)
