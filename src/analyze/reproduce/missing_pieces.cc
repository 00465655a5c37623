#include "analyze/reproduce/missing_pieces.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "analyze/reproduce/engine_commands.h"
#include "analyze/reproduce/engine_facts.h"
#include "analyze/timing/measured_profile.h"
#include "base/text.h"

namespace planex::analyze {
namespace {

using base::format;
using base::shell_word;
using model::PlanModel;

// Of the shown profile.
bool has_times(const PlanModel& model) {
  const model::LayersTable& layers = model.layers;
  for (std::size_t row = 0; row < layers.row_count(); ++row) {
    if (!model.is_shown(model::LayerId(row))) continue;
    if (!layers.median_ms.is_null(row) || !layers.mean_ms.is_null(row)) return true;
  }
  return false;
}

// For layers that hide operations, or that cannot be traced to the model, the source model would
// add information.
bool wants_source_model(const PlanModel& model) {
  if (model.operations.row_count() > 0) return false;
  if (model.sources.row_count() == 0) return true;
  const model::LayersTable& layers = model.layers;
  for (std::size_t row = 0; row < layers.row_count(); ++row) {
    const bool hides = layers.family[row] == model::Family::kOpaque ||
                       layers.family[row] == model::Family::kPlugin;
    if (hides && model.does_work(model::LayerId(row)) && layers.flops.is_null(row)) return true;
  }
  return false;
}

// The first sentence of the diagnostic that says why.
std::string failure_of(const PlanModel& model) {
  const model::DiagnosticsTable& table = model.diagnostics;
  for (std::size_t row = 0; row < table.row_count(); ++row) {
    const std::string_view code = model.text(table.code[row]);
    if (code == "build-failed" || code == "load-failed") {
      return std::string(model.text(table.message[row]));
    }
  }
  return "the build failed";
}

// What a layer's name and kernel don't show, depending on how little the files contain.
std::optional<MissingPiece> missing_details(const EngineFacts& facts) {
  const std::string_view detail = facts.detail();
  const bool rtx = facts.producer() == "tensorrt-rtx";
  const PlanModel& model = facts.model();
  if (facts.producer() == "openvino" && model.ports.row_count() == 0 &&
      model.layers.row_count() > 0) {
    return MissingPiece{
        .id = "layer-details",
        .what = "tensors, precisions, weights",
        .consequence = "counters only contain names, types, kernels and times of layers",
        .command = benchmark_command(facts)};
  }
  if (!rtx && facts.producer() != "tensorrt") return std::nullopt;
  MissingPiece piece{.id = "layer-details", .what = "types, tensors, precisions"};
  // An engine that was built with all details only has to be queried for them.
  const auto verbosity = trtexec::option_value(facts.build_words(), "profilingVerbosity");
  bool has_details = verbosity == "detailed" && !facts.is_not_saved();
  if (detail == "names-only") {
    piece.consequence = rtx || facts.has_kind("tensorrt-graph")
                            ? "only names of layers can be shown; rebuild the engine"
                            : "only names of layers can be shown: there is no layer file";
    has_details = false;
  } else if (detail == "no-layers") {
    piece.consequence = "the log lists no layers";
    if (!has_details) piece.consequence += "; rebuild the engine";
  } else if (detail == "log" && !rtx && !exports_layers(facts)) {
    piece.what = "parameters, weights, source operations";
    piece.consequence =
        "this version of TensorRT records no more about a layer than the short line in the log";
    piece.place = "with TensorRT 8.2 or newer";
    piece.command = newer_build_command(facts);
    return piece;
  } else if (detail == "log") {
    piece.what = "parameters, weights, source operations";
    piece.consequence = "a log has only a short line per layer; rebuild the engine";
    has_details = false;
  } else {
    return std::nullopt;
  }
  if (rtx) {
    piece.command = rtx_build_command(facts);
  } else if (has_details) {
    piece.command = layer_details_command(facts);
  } else {
    piece.command = rebuild_command(facts);
  }
  return piece;
}

}  // namespace

std::vector<MissingPiece> missing_pieces(const PlanModel& model) {
  std::vector<MissingPiece> missing;
  const EngineFacts facts(model);
  const bool tensorrt = facts.producer() == "tensorrt";
  const bool rtx = facts.producer() == "tensorrt-rtx";
  if (facts.detail() == "failed") {
    missing.push_back({"engine", "the engine", failure_of(model), failed_build_command(facts)});
    return missing;
  }
  if (model.is_uncompiled()) {
    for (auto& [what, command] : commands_for_model(facts)) {
      missing.push_back({"engine", std::move(what),
                         "what an engine fuses and converts, and how long it takes, is not known",
                         std::move(command)});
    }
    return missing;
  }
  auto details = missing_details(facts);
  const bool has_details = !details && facts.detail() == "full";
  if (details) missing.push_back(std::move(*details));
  if (has_details && tensorrt && exports_layers(facts) && facts.has_kind("tensorrt-log") &&
      !facts.has_kind("tensorrt-graph")) {
    missing.push_back({"layer-information", "layer information as JSON",
                       "the log has each layer's tensors and kernel; JSON adds parameters, weights "
                       "and exact layouts",
                       layer_information_command(facts), true});
  }
  // A log can be created without a GPU; times can't.
  const std::string_view place = rtx ? "on a machine with a GPU" : "";
  const std::string_view where = rtx ? "; needs a machine with a GPU" : "";
  if (!has_times(model)) {
    std::string consequence = format("no shares, no slowest layers, no potential savings{}", where);
    if (tensorrt && has_details && facts.is_not_saved()) {
      consequence += "; the run did not save the engine, so rebuild it";
    }
    if (facts.is_in_torch_module()) {
      consequence +=
          "; the engine is inside a Torch-TensorRT module: write its serialized_engine to the file "
          "first, or let torch_tensorrt.dynamo.Debugger write a profile";
    }
    missing.push_back(
        {"profile", "per-layer times", consequence, profile_command(facts), false, place});
  }
  if (model.iterations.row_count() == 0 || !measured_profile(model).is_shown) {
    std::string consequence = format("no end-to-end spread, no steady-state check{}", where);
    if (facts.has_kind("openvino-exec-graph") || facts.has_kind("openvino-counters")) {
      consequence +=
          "; benchmark_app does not write the times of single inferences, so planex builds and "
          "measures the model";
    }
    missing.push_back(
        {"times", "times of inferences", consequence, times_command(facts), false, place});
  }
  if (has_details && !facts.has_kind("onnx") && wants_source_model(model)) {
    missing.push_back({"source-model", "the source model",
                       "without it, the work of layers that hide operations is not known, and "
                       "fewer layers can be traced to the model",
                       format("planex summary {} --model {}",
                              shell_word(facts.first_file().empty() ? "PLAN" : facts.first_file()),
                              shell_word(facts.model_file())),
                       true});
  }
  return missing;
}

}  // namespace planex::analyze
