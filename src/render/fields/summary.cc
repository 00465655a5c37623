#include "render/fields/summary.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "render/fields/actions.h"
#include "render/fields/common.h"
#include "render/fields/tactics.h"
#include "render/fields/timing.h"
#include "render/words/sentences.h"

namespace planex::render {
namespace {

using analyze::LayerFigure;
using analyze::MemorySummary;
using analyze::Reconciliation;
using analyze::Summary;
using model::PlanModel;
using record::Fields;

template <typename Column>
auto of_engine(Column model::EngineTable::* column) {
  return [column](const PlanModel& model) {
    if constexpr (std::is_same_v<Column, model::Text>) {
      return model.text((model.engine.*column)[0]);
    } else {
      return (model.engine.*column).get(0);
    }
  };
}

Fields<PlanModel> summary_engine_fields() {
  using Engine = model::EngineTable;
  return Fields<PlanModel>("Engine", "An engine, and the evidence for its version.")
      .field("name", "", "Name of the engine.", of_engine(&Engine::name))
      .maybe("producer", "",
             "tensorrt, tensorrt-rtx, openvino or onnxruntime; onnx: a model, not compiled.",
             of_engine(&Engine::producer))
      .maybe("producer_version", "", "Version of the producer, as exactly as the files record it.",
             of_engine(&Engine::producer_version))
      .maybe("version_evidence", "", "How the version is known.",
             of_engine(&Engine::version_evidence))
      .maybe("importer", "", "The reader that made this model.", of_engine(&Engine::importer))
      .maybe("detail", "",
             "full; log: short lines of a log; names-only; no-layers: a log without layers; "
             "failed: a build that produced no engine; model: an ONNX model, not compiled.",
             of_engine(&Engine::detail))
      .one_of({"full", "log", "names-only", "no-layers", "failed", "model"})
      .maybe("device", "", "What the engine was built for or measured on.",
             of_engine(&Engine::device))
      .field("batch_size", "count", "First dimension of the first input, where it is a batch.",
             of_engine(&Engine::batch_size))
      .field("profile_index", "", "The optimization profile that is shown.",
             of_engine(&Engine::profile_index));
}

const Fields<analyze::Binding>& binding_fields() {
  using analyze::Binding;
  static const auto kFields =
      Fields<Binding>("Binding", "An input or output of the engine.")
          .field("name", "", "Its name.", &Binding::name)
          .field("dims", "", "-1 is a dynamic dimension; null where the file does not say.",
                 [](const Binding& binding) {
                   return binding.dims_known ? std::optional(binding.dims) : std::nullopt;
                 })
          .maybe("dtype", "", "FP32, FP16, INT8, ….", &Binding::dtype)
          .maybe("layout", "", "Memory layout.", &Binding::layout);
  return kFields;
}

// `word`: what layers of a group share.
Fields<analyze::Group> summary_group_fields(std::string_view name, std::string_view word,
                                            std::string_view description) {
  return Fields<analyze::Group>(name, description)
      .maybe(word, "", "The value that they share; null: unknown.", &analyze::Group::key)
      .maybe("family", "", "The type in terms common to all producers.", &analyze::Group::family)
      .left_out()
      .field("count", "count", "Layers.", &analyze::Group::count)
      .field("median_ms", "ms", "Sum of medians.", &analyze::Group::median_ms)
      .field("mean_ms", "ms", "Sum of means.", &analyze::Group::mean_ms)
      .field("share", "ratio", "Share of the sum of layer times, 0 to 1.", &analyze::Group::share);
}

// Null without a peak.
model::LayerId peak_layer(const MemorySummary& memory) {
  return memory.peak.bytes ? memory.peak.layer : model::LayerId();
}

Fields<MemorySummary, PlanModel> summary_peak_fields() {
  return Fields<MemorySummary, PlanModel>("SummaryPeak", "Activations at their peak.")
      .field("bytes", "bytes", "The most bytes of activations that are live at once.",
             [](const MemorySummary& memory) { return memory.peak.bytes; })
      .field("with_scratch_bytes", "bytes",
             "The same with the scratch memory of the layers that run; null if no layer records "
             "its own.",
             [](const MemorySummary& memory) { return memory.peak.with_scratch_bytes; })
      .with(maybe_layer_fields(), peak_layer)
      .field("tensor_count", "count", "Tensors that are live at the peak.",
             [](const MemorySummary& memory) { return memory.peak.contributor_count; })
      .field("tensors_without_size", "count",
             "Tensors left out; if there are any, the peak is a lower bound.",
             [](const MemorySummary& memory) { return memory.peak.tensors_without_size; })
      .field("stream_count", "count",
             "Number of streams; with several, the peak is an upper bound.",
             [](const MemorySummary& memory) { return memory.peak.stream_count; });
}

Fields<MemorySummary, PlanModel> summary_memory_fields() {
  using Memory = MemorySummary;
  return Fields<Memory, PlanModel>("Memory", "The engine's memory and memory traffic.")
      .field("weight_bytes", "bytes", "Weights, each constant once.", &Memory::weight_bytes)
      .field("layers_without_weights", "count",
             "Layers that can have weights and do not list them; if there are any, weight_bytes is "
             "a lower bound.",
             &Memory::layers_without_weights)
      .field("traffic_bytes", "bytes", "Inputs and outputs of layers, a tensor once per use.",
             &Memory::traffic_bytes)
      .field("tensor_count", "count", "Tensors that layers which do work read or write.",
             &Memory::distinct_count)
      .field("tensor_bytes", "bytes", "Size of those tensors in memory, each counted once.",
             &Memory::distinct_bytes)
      .field("tensor_data_bytes", "bytes",
             "Size of the elements of those tensors alone, each counted once.",
             &Memory::distinct_data_bytes)
      .field("tensors_without_size", "count",
             "Tensors left out; if there are any, the sums are lower bounds.",
             &Memory::tensors_without_size)
      .field("tensors_without_layout", "count", "Tensors of which only the elements are counted.",
             &Memory::tensors_without_layout)
      .field("input_bytes", "bytes", "The engine's inputs, which are the caller's.",
             &Memory::input_bytes)
      .field("output_bytes", "bytes", "The engine's outputs, which are the caller's.",
             &Memory::output_bytes)
      .field("scratch_bytes", "bytes",
             "The largest scratch memory of one layer, as the layers record it.",
             &Memory::scratch_bytes)
      .object("peak", "Peak of activations, in the order of execution.", summary_peak_fields(),
              std::identity{})
      .field("reported_weight_bytes", "bytes", "As the builder reports it.",
             &Memory::reported_weight_bytes)
      .field("reported_activation_bytes", "bytes",
             "As the builder reports it, scratch memory included.",
             &Memory::reported_activation_bytes)
      .field("reported_scratch_bytes", "bytes",
             "As the builder reports it: the largest of one layer, an upper bound.",
             &Memory::reported_scratch_bytes)
      .field("reported_device_persistent_bytes", "bytes",
             "On the device for as long as an execution context exists.",
             &Memory::reported_device_persistent_bytes)
      .field("reported_host_persistent_bytes", "bytes",
             "On the host for as long as an execution context exists.",
             &Memory::reported_host_persistent_bytes);
}

Fields<Reconciliation> others_fields() {
  return Fields<Reconciliation>("OtherRecords", "Records that do no work and have a time.")
      .field("count", "count", "Records.",
             [](const Reconciliation& time) { return time.others.count; })
      .field("median_ms", "ms", "Sum of medians.",
             [](const Reconciliation& time) { return time.others.median_ms; })
      .field("mean_ms", "ms", "Sum of means.",
             [](const Reconciliation& time) { return time.others.mean_ms; })
      .field("share", "ratio", "Share of Σ layers.",
             [](const Reconciliation& time) { return time.share(time.others_ms()); })
      .field("types", "", "Each once, sorted.",
             [](const Reconciliation& time) -> const std::vector<std::string>& {
               return time.others.types;
             });
}

Fields<Reconciliation> summary_time_fields() {
  return Fields<Reconciliation>("Time", "From the times of layers to that of an inference.")
      .field("layers_mean_ms", "ms", "Sum of the layers' means.", &Reconciliation::layers_mean_ms)
      .field("layers_median_ms", "ms", "Sum of the layers' medians.",
             &Reconciliation::layers_median_ms)
      .maybe("share_basis", "", "Which times of layers shares refer to.", &Reconciliation::basis)
      .field("layers_without_time", "count",
             "Layers that do work but have no time though others do: missing from the sums.",
             &Reconciliation::layers_without_time)
      .object("other_records",
              "Records that do no work and have a time, such as the condition of an If: with "
              "by_type they make Σ layers.",
              others_fields(), std::identity{})
      .with(end_to_end_fields())
      .field("gap_ms", "ms", "Sum of layers minus end to end.", &Reconciliation::gap_ms)
      .field("profiled_median_ms", "ms", "Median of whole inferences while layers were timed.",
             &Reconciliation::profiled_median_ms)
      .field("overhead_us_per_layer", "us", "The overhead of timing a layer.",
             &Reconciliation::overhead_us_per_layer)
      .field("resolution_us", "us", "The profiler's step.", &Reconciliation::resolution_us)
      .field("throughput_per_s", "1/s", "Inferences per second.",
             &Reconciliation::throughput_per_s);
}

Fields<LayerFigure, PlanModel> top_layer_fields() {
  const auto of_layer = [](model::Real model::LayersTable::* column) {
    return [column](const LayerFigure& figure, const PlanModel& model) {
      return (model.layers.*column).get(figure.layer.index());
    };
  };
  return Fields<LayerFigure, PlanModel>("TopLayer", "One of the slowest layers.")
      .field("layer_id", "", "Position of the record in the engine's own list.",
             [](const LayerFigure& figure) { return figure.layer.index(); })
      .field("name", "", "Its name.",
             [](const LayerFigure& figure, const PlanModel& model) {
               return model.text(model.layers.name[figure.layer.index()]);
             })
      .field("type", "", "What the layer does, in the producer's terms.",
             [](const LayerFigure& figure, const PlanModel& model) {
               return model.text(model.layers.type[figure.layer.index()]);
             })
      .field("median_ms", "ms", "Median time of one inference.",
             of_layer(&model::LayersTable::median_ms))
      .field("mean_ms", "ms", "Mean time of one inference.", of_layer(&model::LayersTable::mean_ms))
      .field("share", "ratio", "Share of the sum of layer times.",
             of_layer(&model::LayersTable::share));
}

// Sums over the engine.
Fields<Summary, PlanModel> sum_fields() {
  return Fields<Summary, PlanModel>("", "")
      .field("layer_count", "count", "Layers that do work.", &Summary::layer_count)
      .field("record_count", "count", "All records of the engine.", &Summary::record_count)
      .field("tensor_count", "count", "Tensors.", &Summary::tensor_count)
      .field("weight_bytes", "bytes", "Weights, each constant once.", &Summary::weight_bytes)
      .field("activation_bytes", "bytes", "Traffic: inputs and outputs, a tensor once per use.",
             &Summary::activation_bytes)
      .field("footprint_bytes", "bytes", "Activation traffic and weights.",
             &Summary::footprint_bytes)
      .field("macs", "count", "Multiply-accumulates.", &Summary::macs)
      .field("flops", "count", "Operations: 2 per multiply-accumulate.", &Summary::flops)
      .field("least_macs", "count",
             "If one branch of a conditional runs and it is unknown which: with the smaller one; "
             "macs is with the larger. Null otherwise.",
             &Summary::least_macs)
      .field("least_flops", "count", "The same for flops.", &Summary::least_flops)
      .field("layers_without_bytes", "count",
             "Layers whose bytes are unknown: the sums are lower bounds.",
             &Summary::layers_without_bytes)
      .field("layers_without_flops", "count",
             "Layers whose work is unknown: the sums are lower bounds.",
             &Summary::layers_without_flops)
      .field("layers_without_footprint", "count",
             "Layers that do work and whose bytes moved are unknown: footprint_bytes is a lower "
             "bound.",
             &Summary::layers_without_footprint);
}

Fields<analyze::DlaReport> dla_fields() {
  using analyze::DlaFallbacks;
  using analyze::DlaReport;
  const auto fallbacks =
      Fields<DlaFallbacks>("DlaFallbacks",
                           "Layers that fell back to the GPU, of one type and for one reason.")
          .maybe("type", "", "What they do; null: the log does not say.", &DlaFallbacks::type)
          .maybe("reason", "", "In TensorRT's words; null: the log does not say.",
                 &DlaFallbacks::reason)
          .field("count", "count", "Layers of the model.",
                 [](const DlaFallbacks& group) { return group.layers.size(); })
          .field("layers", "", "Their names.", &DlaFallbacks::layers);
  return Fields<DlaReport>("Dla", "What runs on a DLA, and what fell back.")
      .field("part_count", "count", "Parts of the network that run on the DLA.",
             &DlaReport::part_count)
      .field("gpu_layer_count", "count", "Layers that run on the GPU.", &DlaReport::gpu_layer_count)
      .field("transfer_count", "count",
             "Rows of the profile for copies between the memories of both.",
             &DlaReport::transfer_count)
      .field("shared_tensor_count", "count",
             "Tensors that one side writes and the other reads; null: unknown.",
             &DlaReport::shared_tensor_count)
      .field("part_ms", "ms",
             "Rows of the parts; if other rows wait for the DLA, only the time to start them.",
             &DlaReport::part_ms)
      .field("wait_ms", "ms", "Rows that wait for the DLA: the time of the parts.",
             &DlaReport::wait_ms)
      .field("wait_share", "ratio", "Share of Σ layers.", &DlaReport::wait_share)
      .field("transfer_ms", "ms", "Rows of such copies.", &DlaReport::transfer_ms)
      .field("fallback_count", "count", "Layers of the model that fell back.",
             &DlaReport::fallback_count)
      .list("fallbacks", "Layers that fell back, most frequent first.", fallbacks,
            &DlaReport::fallbacks);
}

Fields<analyze::AccuracyWarning> accuracy_warning_fields() {
  using analyze::AccuracyWarning;
  return Fields<AccuracyWarning>(
             "AccuracyWarning",
             "A warning of the builder that the engine computes something different.")
      .field("code", "", "Which kind: docs/reference/messages.md.", &AccuracyWarning::code)
      .field("cause", "", "What it means.", &AccuracyWarning::cause)
      .maybe("cure", "", "What to do; null: nothing.", &AccuracyWarning::cure)
      .field("weight_count", "count", "Weights that it is about, where the log counts them.",
             &AccuracyWarning::weight_count)
      .field("names", "", "Nodes, layers and tensors that the log names.", &AccuracyWarning::names)
      .field("layer_ids", "", "Layers of the engine that these belong to.",
             [](const AccuracyWarning& warning) {
               std::vector<std::int64_t> ids;
               for (const model::LayerId layer : warning.layers) {
                 ids.push_back(static_cast<std::int64_t>(layer.index()));
               }
               return ids;
             });
}

Fields<analyze::ProviderReport> provider_fields() {
  using analyze::ProviderFallbacks;
  using analyze::ProviderLoad;
  using analyze::ProviderReport;
  const auto load =
      Fields<ProviderLoad>("ProviderLoad", "What one execution provider runs.")
          .field("provider", "", "Its name in ONNX Runtime.", &ProviderLoad::provider)
          .field(
              "layer_count", "count",
              "Layers that do work on it, copies left out; null: all, and the log does not count "
              "them.",
              &ProviderLoad::layer_count)
          .field("time_ms", "ms", "Sum under the basis; null if none of them has a time.",
                 &ProviderLoad::time_ms)
          .field("share", "ratio", "Share of Σ layers.", &ProviderLoad::share);
  const auto fallbacks =
      Fields<ProviderFallbacks>("ProviderFallbacks",
                                "Nodes of one type that a provider did not take, for one reason.")
          .maybe("type", "", "Their operator; null: the log does not say.",
                 &ProviderFallbacks::type)
          .field("reason", "", "Why, as the log says.", &ProviderFallbacks::reason)
          .field("count", "count", "Nodes.", &ProviderFallbacks::count)
          .field("nodes", "", "The names of those that have one.", &ProviderFallbacks::nodes);
  return Fields<ProviderReport>("Providers", "Which provider of ONNX Runtime runs what.")
      .list("providers", "By time, then by layers.", load, &ProviderReport::providers)
      .field("copy_count", "count",
             "Copies between the host and a device where the provider changes; null: unknown.",
             &ProviderReport::copy_count)
      .field("copy_ms", "ms", "Their sum under the basis.", &ProviderReport::copy_ms)
      .field("copy_share", "ratio", "Share of Σ layers.", &ProviderReport::copy_share)
      .list("fallbacks", "Why nodes do not run where they were meant to, most frequent first.",
            fallbacks, &ProviderReport::fallbacks);
}

Fields<analyze::Concurrency> concurrency_fields() {
  using analyze::Concurrency;
  return Fields<Concurrency>("Concurrency", "Several inferences at once.")
      .field("at_once", "count", "Inferences.", &Concurrency::at_once)
      .field("source", "",
             "times: their times overlap; options: the options of the run ask for them.",
             &Concurrency::source)
      .field("throughput_per_s", "1/s", "Inferences of all streams.",
             &Concurrency::throughput_per_s)
      .field("latency_ms", "ms", "End to end of one inference, alongside the others.",
             &Concurrency::latency_ms)
      .field("in_flight", "count",
             "Inferences that were under way on average: throughput × latency. Below at_once the "
             "program did not keep all streams busy.",
             &Concurrency::in_flight);
}

Fields<analyze::HostTimes> host_times_fields() {
  using analyze::HostPart;
  using analyze::HostTimes;
  const auto part =
      Fields<HostPart>("HostPart", "One part of an inference's time.")
          .field("id", "",
                 "latency (transfers and compute), compute, enqueue (the host's time to start it), "
                 "h2d or d2h (transfers to and from the device).",
                 &HostPart::id)
          .field("median_ms", "ms", "Median.", &HostPart::median_ms)
          .field("max_ms", "ms", "The largest.", &HostPart::max_ms);
  return Fields<HostTimes>("HostTimes",
                           "What the time of an inference consists of, device and host.")
      .field("source", "", "times: a times file; log: a performance summary.", &HostTimes::source)
      .maybe("end_to_end_part", "", "Which part the time of an inference is.",
             &HostTimes::end_to_end_part)
      .list("parts", "Those that are known.", part, &HostTimes::parts)
      .field("first_ms", "ms", "That part of the first inference; null without a times file.",
             &HostTimes::first_ms)
      .field("has_no_transfers", "",
             "Whether the run left transfers out, so that what they take is unknown.",
             &HostTimes::has_no_transfers);
}

Fields<analyze::ModelPlan> model_plan_fields() {
  using analyze::ModelPlan;
  using analyze::TargetPlan;
  const auto target =
      Fields<TargetPlan>("TargetPlan", "What a compiler's rules of placement ask of the model.")
          .field("target", "", "tensorrt, tensorrt-rtx, openvino or onnxruntime.",
                 &TargetPlan::target)
          .field("layers", "count",
                 "Layers that would be quantized to INT8; null: the model has Q/DQ, or nothing can "
                 "be quantized.",
                 &TargetPlan::layers)
          .field("tensors", "count", "Tensors that would get a Q/DQ pair; null as for layers.",
                 &TargetPlan::tensors)
          .field("edits", "count",
                 "Edits of the Q/DQ that are there: planex advise; null: the model has none.",
                 &TargetPlan::edits)
          .field("layout_copies_at_inputs", "count",
                 "Inputs that the engine likely copies into the layout of its convolutions; null: "
                 "unknown.",
                 &TargetPlan::layout_copies_at_inputs)
          .field("layout_copies_inside", "count",
                 "Tensors between layers that it likely copies into another layout; null: unknown.",
                 &TargetPlan::layout_copies_inside)
          .field("layout_copies_at_outputs", "count",
                 "Outputs that it likely copies into the model's own layout; null: unknown.",
                 &TargetPlan::layout_copies_at_outputs);
  using Coarse = analyze::CoarseScaleFact;
  const auto coarse =
      Fields<Coarse>("CoarseScaleFact", "A scale too coarse for values that it quantizes.")
          .field("tensor", "", "The tensor that is quantized.", &Coarse::tensor)
          .field("part", "",
                 "The tensor whose values it is too coarse for: itself, or one joined into it.",
                 &Coarse::part)
          .field("step_count", "count", "Steps of the scale in the whole range of these values.",
                 &Coarse::step_count)
          .field("sentence", "", "The finding, in a sentence.", &Coarse::sentence)
          .field("cure", "", "What to do.", &Coarse::cure);
  return Fields<ModelPlan>("ModelPlan", "A model that was not compiled.")
      .field("product_count", "count", "Convolutions and matrix products.",
             &ModelPlan::product_count)
      .field("quantized_count", "count",
             "Those that read a quantized activation and a quantized weight.",
             &ModelPlan::quantized_count)
      .field("partly_quantized_count", "count", "Those that read one of the two.",
             &ModelPlan::partly_quantized_count)
      .field("pair_count", "count", "Q/DQ pairs of activations.", &ModelPlan::pair_count)
      .field("quantized_weight_count", "count", "Weights with a DQ, or a pair, after them.",
             &ModelPlan::quantized_weight_count)
      .list("coarse_scales", "Scales too coarse for what they quantize, seen without data.", coarse,
            &ModelPlan::coarse_scales)
      .list("targets", "By target.", target, &ModelPlan::targets);
}

// What is odd, and what is missing.
Fields<Summary, PlanModel> note_fields() {
  using analyze::DiagnosticGroup;
  using analyze::ReformatLoad;
  const auto reformats =
      Fields<ReformatLoad>("ReformatLoad", "Layers that only change type or layout.")
          .field("count", "count", "Layers.", &ReformatLoad::count)
          .field("time_ms", "ms", "Sum under the basis; null if none of them has a time.",
                 &ReformatLoad::time_ms)
          .field("share", "ratio", "Share of Σ layers.", &ReformatLoad::share);
  const auto diagnostic =
      Fields<DiagnosticGroup>("DiagnosticGroup", "Diagnostics of one code.")
          .field("code", "", "Its code.", &DiagnosticGroup::code)
          .field("severity", "", "How much it matters.", &DiagnosticGroup::severity)
          .field("message", "", "Message of the first of its kind.", &DiagnosticGroup::message)
          .field("count", "count", "How many there are.", &DiagnosticGroup::count)
          .maybe("file", "", "The file of the first.", &DiagnosticGroup::file);
  return Fields<Summary, PlanModel>("", "")
      .object("reformats",
              "Layers that only change type or layout (layers.is_reformat); null if that is "
              "unknown for all layers.",
              reformats, &Summary::reformats)
      .object("dla", "Null if nothing concerns a DLA.", dla_fields(), &Summary::dla)
      .object("providers", "Null if no file records ONNX Runtime's providers.", provider_fields(),
              &Summary::providers)
      .object("host_times", "Null if no more than one part is known.", host_times_fields(),
              &Summary::host_times)
      .object("build", "Null if no log records how long building took.", build_time_fields(),
              &Summary::build)
      .object("concurrency", "Null if inferences follow one another, or no file says.",
              concurrency_fields(), &Summary::concurrency)
      .object("model_plan", "Null for engines.", model_plan_fields(), &Summary::model_plan)
      .list("accuracy_warnings", "Warnings of the builder, as the log contains them.",
            accuracy_warning_fields(), &Summary::accuracy_warnings)
      .list("actions", "What to do first: at most three of the actions of planex lint.",
            action_fields(), &Summary::actions)
      .field("action_count", "count", "Number of all actions.", &Summary::action_count)
      .field("saving_low_ms", "ms", "The least that all actions save; null: unknown.",
             [](const Summary& summary) { return summary.saving.low_ms; })
      .field("saving_high_ms", "ms", "The most that all actions save; null: unknown.",
             [](const Summary& summary) { return summary.saving.high_ms; })
      .object("findings", "What planex lint found.", finding_counts_fields(), &Summary::findings)
      .list("diagnostics", "Diagnostics of the files, by kind.", diagnostic, &Summary::diagnostics)
      .object(
          "conclusion", "The summary in words.", conclusion_fields(),
          [](const Summary& summary, const PlanModel& model) { return conclusion(model, summary); })
      .list("missing", "Files that would add information.", missing_piece_fields(),
            &Summary::missing);
}

}  // namespace

const Fields<analyze::FindingCounts>& finding_counts_fields() {
  using analyze::FindingCounts;
  static const auto kFields = Fields<FindingCounts>("FindingCounts", "Findings by severity.")
                                  .field("error", "count", "Errors.", &FindingCounts::error)
                                  .field("warning", "count", "Warnings.", &FindingCounts::warning)
                                  .field("info", "count", "Hints.", &FindingCounts::info);
  return kFields;
}

const Fields<analyze::MissingPiece>& missing_piece_fields() {
  using analyze::MissingPiece;
  static const auto kFields =
      Fields<MissingPiece>("MissingPiece", "A file that would add information.")
          .field("id", "", "Which kind of file.", &MissingPiece::id)
          .one_of(
              {"engine", "layer-details", "layer-information", "profile", "times", "source-model"})
          .field("what", "", "The file.", &MissingPiece::what)
          .field("consequence", "", "What is unknown without it.", &MissingPiece::consequence)
          .field("command", "", "The command that creates it.", &MissingPiece::command)
          .field("is_optional", "",
                 "It adds information, but nothing about such an engine is missing without it.",
                 &MissingPiece::is_optional);
  return kFields;
}

const Fields<analyze::Group>& type_group_fields() {
  static const auto kFields = summary_group_fields("TypeGroup", "type", "Layers of one type.");
  return kFields;
}

const Fields<analyze::Group>& precision_group_fields() {
  static const auto kFields =
      summary_group_fields("PrecisionGroup", "precision", "Layers of one precision.");
  return kFields;
}

const record::Document<Summary, PlanModel>& summary_document() {
  static const record::Document<Summary, PlanModel> kDocument = {
      "planex.summary/2", "One engine in figures: planex summary --format json",
      Fields<Summary, PlanModel>("Summary", "One engine in figures.")
          .object("engine", "", summary_engine_fields(),
                  [](const Summary&, const PlanModel& model) -> const PlanModel& { return model; })
          .list("inputs", "Inputs of the engine.", binding_fields(), &Summary::inputs)
          .list("outputs", "Outputs of the engine.", binding_fields(), &Summary::outputs)
          .list("bindings",
                "Bindings for which the files do not say whether they are inputs or outputs.",
                binding_fields(), &Summary::bindings)
          .with(sum_fields())
          .object("memory", "Memory of the shown optimization profile; null if it is unknown.",
                  summary_memory_fields(), &Summary::memory)
          .object("time", "", summary_time_fields(), &Summary::time)
          .object("steady_state", "Whether the times of inferences are steady; null without them.",
                  steady_figures_fields(), &Summary::steady_state)
          .list("by_type", "By time, descending.", type_group_fields(), &Summary::by_type)
          .list("by_precision", "By the type that layers read.", precision_group_fields(),
                &Summary::by_precision)
          .list("by_output_precision", "By the type that layers write.", precision_group_fields(),
                &Summary::by_output_precision)
          .list("top_layers", "The slowest, slowest first.", top_layer_fields(),
                &Summary::top_layers)
          .with(note_fields())};
  return kDocument;
}

}  // namespace planex::render
