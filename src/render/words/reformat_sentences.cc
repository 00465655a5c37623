#include "render/words/reformat_sentences.h"

#include <algorithm>

#include "base/text.h"
#include "render/words/explain_names.h"

namespace planex::render {
namespace {

using analyze::ReformatReason;
using analyze::ReformatRow;
using base::format;
using model::PlanModel;

std::string type_name(const PlanModel& model, model::LayerId layer) {
  return std::string(model.text(model.layers.type[layer.index()]));
}

std::string tensor_before(const PlanModel& model, const ReformatRow& row) {
  return row.from ? reported_name(model, model.ports.tensor_id[*row.from]) : "its weights";
}

// At the engine's input: the tensor that the caller passes, whatever was derived from it since.
std::string root_of(const PlanModel& model, const ReformatRow& row) {
  return row.root.is_null() ? tensor_before(model, row) : reported_name(model, row.root);
}

std::string tensor_behind(const PlanModel& model, const ReformatRow& row) {
  return row.to ? reported_name(model, model.ports.tensor_id[*row.to]) : "its result";
}

// The neighbour that the reason is about, or else the first one.
model::LayerId neighbour_of(const ReformatRow& row) {
  if (!row.cause_layer.is_null()) return row.cause_layer;
  if (!row.consumers.empty()) return row.consumers[0].layer;
  if (!row.producers.empty()) return row.producers[0].layer;
  return {};
}

bool is_openvino(const PlanModel& model) {
  return model.text(model.engine.producer[0]) == "openvino";
}

// "--inputIOFormats=int8:chw4"; TensorRT 11 takes the layout alone.
std::string io_flag(const PlanModel& model, const ReformatRow& row, std::string_view flag) {
  if (row.io_format.empty() || is_openvino(model)) return {};
  std::string_view value = row.io_format;
  if (model.text(model.engine.producer_version[0]).starts_with("11")) {
    value.remove_prefix(value.find(':') + 1);
  }
  return format(" (trtexec {}={})", flag, value);
}

std::string output_type(const PlanModel& model, model::LayerId layer) {
  return layer.is_null() ? "float" : type_text(model.layers.output_precision[layer.index()]);
}

std::string input_type(const PlanModel& model, model::LayerId layer) {
  return layer.is_null() ? "float" : type_text(model.layers.precision[layer.index()]);
}

std::string origin_text(const PlanModel& model, const ReformatRow& row) {
  const std::string_view origin = model.text(model.layers.origin[row.layer.index()]);
  if (origin == "SLICE") return "extracts a part of a tensor";
  if (origin == "CONCAT") return "copies a part to its place in a concatenated tensor";
  return "copies a tensor";
}

std::string layouts(const PlanModel& model, const ReformatRow& row) {
  if (!row.from || !row.to) return "another layout";
  const model::Layout from = model.ports.layout[*row.from], to = model.ports.layout[*row.to];
  if (from == to) return "other strides";
  return format("{} → {}", model::to_string(from), model::to_string(to));
}

int vector_of(const PlanModel& model, const ReformatRow& row) {
  return std::max(row.from ? model.ports.layout[*row.from].channel_vector : 1,
                  row.to ? model.ports.layout[*row.to].channel_vector : 1);
}

}  // namespace

std::string reformat_cause(const PlanModel& model, const ReformatRow& row) {
  const model::LayerId layer = neighbour_of(row);
  const std::string name = reported_name(model, layer);
  switch (row.reason) {
    case ReformatReason::kWriterCouldQuantize:
      if (row.tensors.empty()) {
        return format("{} reads {} and writes {}", name, input_type(model, layer),
                      output_type(model, layer));
      }
      return format("{} reads {} and writes {}, because it adds {}, a float, to its result", name,
                    input_type(model, layer), output_type(model, layer),
                    said_names(model, row.tensors));
    case ReformatReason::kAddCouldQuantize:
      return format("{} runs in {} between quantized layers", name, input_type(model, layer));
    case ReformatReason::kBeforePool:
      return format("the pooling {} runs in {} between quantized layers", name,
                    input_type(model, layer));
    case ReformatReason::kReaderCouldRead:
      return format("{} computes in {} and adds a float to its result", name,
                    input_type(model, layer));
    case ReformatReason::kShared:
      return format("an earlier layer already makes the same conversion of {}",
                    tensor_before(model, row));
    case ReformatReason::kRoundTrip:
      return format("it quantizes and dequantizes again, because {} runs in {}", name,
                    input_type(model, layer));
    case ReformatReason::kWeightsAtRunTime:
      return format("weights of {} are stored as {} and converted to {} in every inference", name,
                    type_text(row.from_type), type_text(row.to_type));
    case ReformatReason::kFloatConvolution:
      return format("TensorRT-RTX runs the convolution {} in {}", name, input_type(model, layer));
    case ReformatReason::kBindInput:
    case ReformatReason::kQuantizedInput:
      return format("the caller passes {} as {}, the engine expects {}", root_of(model, row),
                    row.from ? end_text(model, *row.from) : "?",
                    row.to ? end_text(model, *row.to) : "?");
    case ReformatReason::kBindOutput:
    case ReformatReason::kQuantizedOutput:
      return format("the engine produces {}, the caller reads {} as {}",
                    row.from ? end_text(model, *row.from) : "?", tensor_behind(model, row),
                    row.to ? end_text(model, *row.to) : "?");
    case ReformatReason::kKernelChoice:
      return format("the kernels on both sides need {}", layouts(model, row));
    case ReformatReason::kReaderInFloat:
      return format("{} ({}) computes in float", name, type_name(model, layer));
    case ReformatReason::kModelCasts:
      return format("the model casts {} → {} here", type_text(row.from_type),
                    type_text(row.to_type));
    case ReformatReason::kFloatWriter:
      return format("{} computes in {}", name, input_type(model, layer));
    case ReformatReason::kWriterKeepsFloat:
      return format("{} reads {} and writes {}", name, input_type(model, layer),
                    output_type(model, layer));
    case ReformatReason::kFloatReader:
      return format("{} reads {}", name, type_text(row.to_type));
    case ReformatReason::kFloatPrecisions:
      return format("its neighbors compute in {} and {}", type_text(row.from_type),
                    type_text(row.to_type));
    case ReformatReason::kLayoutOfNeighbour:
      if (layer.is_null()) return format("no neighboring layer is known ({})", layouts(model, row));
      return format("{} ({}) works in a different layout from its neighbors ({})", name,
                    type_name(model, layer), layouts(model, row));
    case ReformatReason::kChannels:
      return format("channels are not a multiple of {} ({})", vector_of(model, row),
                    layouts(model, row));
    case ReformatReason::kEdgeLayout:
      return format("it is at the engine's edge, where {} can't be bound",
                    row.from && row.to ? end_text(model, row.at_engine_input ? *row.to : *row.from)
                                       : "its layout");
    case ReformatReason::kCopies:
      return "it " + origin_text(model, row);
    case ReformatReason::kTypesUnknown:
      break;
  }
  return "the files do not record its types";
}

std::string reformat_advice(const PlanModel& model, const ReformatRow& row) {
  const model::LayerId layer = neighbour_of(row);
  const std::string name = reported_name(model, layer);
  const std::string small = type_text(
      model::is_quantized(row.to_type) || !model::is_quantized(row.from_type) ? row.to_type
                                                                              : row.from_type);
  switch (row.reason) {
    case ReformatReason::kWriterCouldQuantize:
      if (row.tensors.empty()) {
        return format("Put the Q/DQ pair right after {}, on {}, and leave no reader of it in float",
                      name, tensor_before(model, row));
      }
      return format(
          "Put one Q/DQ pair on {} for the addition to read (the skip path), shared with its other "
          "readers; then {} writes the quantized type itself",
          said_names(model, row.tensors), name);
    case ReformatReason::kAddCouldQuantize:
      return format(
          "Put Q/DQ on all inputs of {}{}, so that it can quantize what it writes, or "
          "run inside the layer before it",
          name, row.tensors.empty() ? "" : format(": {}", said_names(model, row.tensors)));
    case ReformatReason::kBeforePool:
      return format(
          "Put a Q/DQ pair before the pooling {}{}; for max pooling, drop the "
          "one after it",
          name, row.tensors.empty() ? "" : format(", on {}", said_names(model, row.tensors)));
    case ReformatReason::kReaderCouldRead:
      return format(
          "Put Q/DQ on {}, so that {} reads and writes the quantized type",
          row.tensors.empty() ? "its float inputs and output" : said_names(model, row.tensors),
          name);
    case ReformatReason::kShared:
      return row.kind == analyze::ConversionKind::kQuantize ||
                     row.kind == analyze::ConversionKind::kDequantize
                 ? format("Share one Q/DQ pair on {} between its readers",
                          tensor_before(model, row))
                 : format("Let the readers of {} share one copy", tensor_before(model, row));
    case ReformatReason::kRoundTrip:
      return format("Remove this Q/DQ pair, or let {} run in the quantized type", name);
    case ReformatReason::kWeightsAtRunTime:
      return format(
          "Remove Q/DQ from the weights of {}, which runs in {} anyway; the weights are then "
          "stored in that type",
          name, type_text(row.to_type));
    case ReformatReason::kFloatConvolution:
      return format("Remove the Q/DQ pair before {}", name);
    case ReformatReason::kBindInput:
      if (is_openvino(model)) {
        return row.type_differs
                   ? format("Pass {} as {}", root_of(model, row), type_text(row.to_type))
                   : format(
                         "Pass {} in the layout {} (set_layout of ov::preprocess, or benchmark_app "
                         "-il)",
                         root_of(model, row),
                         row.to ? to_string(model.ports.layout[*row.to]) : "of the engine");
      }
      return format("Bind {} as {}{}, if the caller can provide it that way", root_of(model, row),
                    row.to ? end_text(model, *row.to) : small,
                    io_flag(model, row, "--inputIOFormats"));
    case ReformatReason::kQuantizedInput:
      return format("Let the caller quantize {} with this pair's scale and pass it as {}{}",
                    root_of(model, row), row.to ? end_text(model, *row.to) : small,
                    io_flag(model, row, "--inputIOFormats"));
    case ReformatReason::kBindOutput:
      return format("Return {} as {}{}, if the caller can read it that way",
                    tensor_behind(model, row), row.from ? end_text(model, *row.from) : small,
                    io_flag(model, row, "--outputIOFormats"));
    case ReformatReason::kQuantizedOutput:
      return format("Let the caller read {} as {}{} and dequantize it", tensor_behind(model, row),
                    row.from ? end_text(model, *row.from) : small,
                    io_flag(model, row, "--outputIOFormats"));
    case ReformatReason::kKernelChoice:
      return "Nothing to change in the model: the builder timed these kernels together with their "
             "reformats; more tactics (--builderOptimizationLevel=5) can find others";
    case ReformatReason::kReaderInFloat:
      return format("Nothing to change: {} has no quantized kernel", name);
    case ReformatReason::kModelCasts:
      return "Run both sides in one precision, if accuracy allows, and remove the Cast from the "
             "model";
    case ReformatReason::kWriterKeepsFloat:
      return format(
          "Put the Q/DQ pair right after {}; whether it can then write the quantized type depends "
          "on its kernels",
          name);
    case ReformatReason::kFloatWriter:
      if (model.text(model.engine.producer[0]) == "tensorrt-rtx") {
        return format(
            "TensorRT-RTX runs convolutions in float: without the Q/DQ pair after {} this "
            "conversion disappears, and the layers that read it run in float too",
            name);
      }
      return format(
          "Quantize what {} reads, weights too, or let the layer after it run in float: measure "
          "which is better",
          name);
    case ReformatReason::kFloatReader:
      return format(
          "Let {} run quantized, with Q/DQ on all of its inputs, or leave the layer before it in "
          "float: measure which is better",
          name);
    case ReformatReason::kFloatPrecisions:
      return "Allow or force one float type for both sides (--fp16, --layerPrecisions), if "
             "accuracy "
             "allows";
    case ReformatReason::kLayoutOfNeighbour:
      return "A fused form of that layer, or one that works in its neighbors' layout, would need "
             "no reformat";
    case ReformatReason::kChannels:
      return format("Make the channels a multiple of {} in the model", vector_of(model, row));
    case ReformatReason::kEdgeLayout:
      return "Bind at least the type, with the linear layout: the reformat remains and moves fewer "
             "bytes";
    case ReformatReason::kCopies:
      return "Disappears where its neighbors can work in place; nothing in the model forces that";
    case ReformatReason::kTypesUnknown:
      break;
  }
  return "Rebuild with detailed profiling verbosity, so that types and layouts are known";
}

}  // namespace planex::render
