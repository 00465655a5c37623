#include <array>
#include <map>

#include "base/text.h"
#include "lint/advice.h"
#include "lint/layer_facts.h"

namespace planex::lint::auxiliary_streams_rule {
namespace {

using base::format;
using model::Role;

constexpr std::array kNeeds = {Need::kDims};

constexpr RuleInfo kInfo = {
    .id = "auxiliary-streams",
    .pack = Pack::kTensorRt,
    .severity = Severity::kInfo,
    .summary = "the engine runs layers on more than one stream",
    .rationale =
        "Branches on separate streams can overlap, but their activations are live at the same "
        "time, and every signal and wait costs a little. On a device that one branch fills, the "
        "streams gain nothing and still cost the memory",
    .fix =
        "Build once with IBuilderConfig::setMaxAuxStreams(0) and "
        "compare time and memory",
    .needs = kNeeds,
    .source =
        "Measured with TensorRT-RTX 1.7.1: four branches of three convolutions reserve 43.2 MB of "
        "activations on four streams and 13.8 MB on one; NVIDIA TensorRT Developer Guide, "
        "Within-Inference Multi-Streaming",
    .evidence =
        "layers per stream, signals and waits, and the activation memory that the builder "
        "reserves",
    .estimate = "unknown: only a build without the streams shows it",
    .action = ActionKind::kOption};

struct Streams {
  std::map<std::int64_t, std::size_t> work_layers;  // by stream
  std::size_t signals = 0, waits = 0;
};

Streams count_streams(const Context& context, FindingSink& sink) {
  Streams streams;
  const auto& layers = context.model().layers;
  for (std::size_t row = 0; row < context.layer_count(); ++row) {
    if (!context.model().is_shown(LayerId(row))) continue;
    if (layers.role[row] == Role::kSignal) ++streams.signals;
    if (layers.role[row] == Role::kWait) ++streams.waits;
    const auto stream = layers.stream.get(row);
    if (!context.works(LayerId(row)) || !stream) continue;
    sink.looked_at();
    ++streams.work_layers[*stream];
  }
  return streams;
}

// The first work layer that is not on `main`.
LayerId first_elsewhere(const Context& context, std::int64_t main) {
  const auto& layers = context.model().layers;
  for (std::size_t row = 0; row < context.layer_count(); ++row) {
    const auto stream = layers.stream.get(row);
    if (context.works(LayerId(row)) && stream && *stream != main) return LayerId(row);
  }
  return {};
}

void run(const Context& context, FindingSink& sink) {
  const Streams streams = count_streams(context, sink);
  if (streams.work_layers.empty()) {
    sink.could_not_judge("the file does not record streams");
    return;
  }
  if (streams.work_layers.size() < 2) return;
  const std::int64_t main = streams.work_layers.begin()->first;
  std::vector<std::string> counts;
  for (const auto& [stream, count] : streams.work_layers) {
    counts.push_back(format("{} on stream {}", base::counted(count, "layer"), stream));
  }
  FindingDraft draft;
  draft.severity = Severity::kInfo;
  draft.layer = first_elsewhere(context, main);
  draft.message = format(
      "the engine runs on {} streams, and this is the first layer that is not "
      "on the main one",
      streams.work_layers.size());
  draft.evidence =
      format("{}; {} and {}", listed(counts, 6), base::counted(streams.signals, "signal"),
             base::counted(streams.waits, "wait"));
  if (const auto bytes = context.model().engine.reported_activation_bytes.get(0)) {
    draft.evidence += format("; the builder reserves {} of activation memory",
                             bytes_text(static_cast<double>(*bytes)));
  }
  draft.estimate_method = "unknown: only a build without them shows it";
  draft.fix = format(
      "Build once with IBuilderConfig::setMaxAuxStreams(0) ({} --maxAuxStreams=0) and compare time "
      "and memory",
      runner_of(context));
  sink.add(std::move(draft));
}

}  // namespace
}  // namespace planex::lint::auxiliary_streams_rule

PLANEX_LINT_RULE(auxiliary_streams)
