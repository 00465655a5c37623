#include "analyze/reformats/reformat_verdicts.h"

#include <algorithm>

#include "base/text.h"

namespace planex::analyze {
namespace {

using graph::PortRow;
using model::DType;
using model::Family;
using model::LayerId;
using model::TensorId;
using Reason = ReformatReason;

struct ReasonFacts {
  ReformatVerdict verdict;
  ChangedBy changed_by;
  std::string_view word;
};

ReasonFacts facts_of(Reason reason) {
  constexpr auto kModel = ChangedBy::kModel;
  constexpr auto kCaller = ChangedBy::kCaller;
  constexpr auto kNobody = ChangedBy::kNobody;
  switch (reason) {
    case Reason::kWriterCouldQuantize:
      return {ReformatVerdict::kAvoidable, kModel, "writer-could-quantize"};
    case Reason::kAddCouldQuantize:
      return {ReformatVerdict::kAvoidable, kModel, "addition-could-quantize"};
    case Reason::kBeforePool:
      return {ReformatVerdict::kAvoidable, kModel, "before-pool"};
    case Reason::kReaderCouldRead:
      return {ReformatVerdict::kAvoidable, kModel, "reader-could-read-quantized"};
    case Reason::kShared:
      return {ReformatVerdict::kAvoidable, kModel, "share-one"};
    case Reason::kRoundTrip:
      return {ReformatVerdict::kAvoidable, kModel, "round-trip"};
    case Reason::kWeightsAtRunTime:
      return {ReformatVerdict::kAvoidable, kModel, "weights-at-run-time"};
    case Reason::kFloatConvolution:
      return {ReformatVerdict::kAvoidable, kModel, "float-convolution"};
    case Reason::kBindInput:
      return {ReformatVerdict::kAvoidable, kCaller, "bind-input"};
    case Reason::kQuantizedInput:
      return {ReformatVerdict::kAvoidable, kCaller, "quantized-input"};
    case Reason::kBindOutput:
      return {ReformatVerdict::kAvoidable, kCaller, "bind-output"};
    case Reason::kQuantizedOutput:
      return {ReformatVerdict::kAvoidable, kCaller, "quantized-output"};
    case Reason::kKernelChoice:
      return {ReformatVerdict::kNeeded, kNobody, "kernel-choice"};
    case Reason::kReaderInFloat:
      return {ReformatVerdict::kNeeded, kNobody, "reader-in-float"};
    case Reason::kModelCasts:
      return {ReformatVerdict::kUnclear, kNobody, "model-casts"};
    case Reason::kFloatWriter:
      return {ReformatVerdict::kUnclear, kNobody, "float-writer"};
    case Reason::kWriterKeepsFloat:
      return {ReformatVerdict::kUnclear, kNobody, "writer-keeps-float"};
    case Reason::kFloatReader:
      return {ReformatVerdict::kUnclear, kNobody, "float-reader"};
    case Reason::kFloatPrecisions:
      return {ReformatVerdict::kUnclear, kNobody, "float-precisions"};
    case Reason::kLayoutOfNeighbour:
      return {ReformatVerdict::kUnclear, kNobody, "layout-of-neighbour"};
    case Reason::kChannels:
      return {ReformatVerdict::kUnclear, kNobody, "channels"};
    case Reason::kEdgeLayout:
      return {ReformatVerdict::kUnclear, kNobody, "edge-layout"};
    case Reason::kCopies:
      return {ReformatVerdict::kUnclear, kNobody, "copies"};
    case Reason::kTypesUnknown:
      break;
  }
  return {ReformatVerdict::kUnclear, kNobody, "types-unknown"};
}

bool any_is_quantized(const graph::DataFlow& flow, const std::vector<Neighbour>& readers) {
  return std::ranges::any_of(readers, [&](const Neighbour& reader) {
    return model::is_quantized(flow.type_of(reader.port));
  });
}

// Layers whose kernels mostly support one layout only.
bool is_fixed_in_layout(Family family) {
  switch (family) {
    case Family::kOpaque:
    case Family::kNorm:
    case Family::kShuffle:
    case Family::kPlugin:
    case Family::kOther:
      return true;
    default:
      return false;
  }
}

// The first dimension after the batch.
std::optional<std::int64_t> channels_of(const graph::DataFlow& flow, PortRow port) {
  const auto dims = flow.dims_of(port);
  return dims.size() >= 3 && dims[1] > 0 ? std::optional(dims[1]) : std::nullopt;
}

}  // namespace

std::string_view to_string(ReformatReason reason) { return facts_of(reason).word; }

std::string io_format_word(DType type, model::Layout layout) {
  std::string_view type_word;
  switch (type) {
    case DType::kFp32:
      type_word = "fp32";
      break;
    case DType::kFp16:
      type_word = "fp16";
      break;
    case DType::kBf16:
      type_word = "bf16";
      break;
    case DType::kInt8:
      type_word = "int8";
      break;
    case DType::kUint8:
      type_word = "uint8";
      break;
    case DType::kInt32:
      type_word = "int32";
      break;
    case DType::kInt64:
      type_word = "int64";
      break;
    case DType::kFp8:
      type_word = "fp8";
      break;
    case DType::kBool:
      type_word = "bool";
      break;
    default:
      return {};
  }
  struct LayoutWord {
    model::Layout layout;
    std::string_view word;
  };
  using model::Order;
  static constexpr LayoutWord kWords[] = {{{Order::kLinear, 1, false}, "chw"},
                                          {{Order::kLinear, 1, true}, "chw"},
                                          {{Order::kChannelVectors, 2, false}, "chw2"},
                                          {{Order::kChannelVectors, 4, false}, "chw4"},
                                          {{Order::kChannelVectors, 16, false}, "chw16"},
                                          {{Order::kChannelVectors, 32, false}, "chw32"},
                                          {{Order::kChannelVectors, 32, true}, "cdhw32"},
                                          {{Order::kChannelsLast, 1, false}, "hwc"},
                                          {{Order::kChannelsLast, 8, false}, "hwc8"},
                                          {{Order::kChannelsLast, 8, true}, "dhwc8"}};
  for (const LayoutWord& entry : kWords) {
    if (entry.layout == layout) return base::format("{}:{}", type_word, entry.word);
  }
  return {};
}

ReformatJudge::ReformatJudge(const graph::DataFlow& flow) : flow_(flow) {
  reads_quantized_.assign(flow.layer_count(), false);
  for (std::size_t row = 0; row < flow.layer_count(); ++row) {
    reads_quantized_[row] =
        flow.works(LayerId(row)) && model::is_quantized(flow.first_data_type(LayerId(row)));
  }
}

bool ReformatJudge::is_producer(std::string_view producer) const {
  return flow_.model().text(flow_.model().engine.producer[0]) == producer;
}

bool ReformatJudge::comes_from_quantized(TensorId tensor) const {
  for (const graph::Reach& writer : flow_.real_writers(tensor).reaches) {
    if (reads_quantized(writer.layer)) return true;
    if (flow_.is_matrix_layer(writer.layer)) continue;
    std::size_t looked_at = 0;
    for (const PortRow port : flow_.inputs(writer.layer)) {
      if (++looked_at > kMaxNeighbours) break;
      for (const graph::Reach& next : flow_.real_writers(flow_.tensor_of(port)).reaches) {
        if (reads_quantized(next.layer)) return true;
      }
    }
  }
  return false;
}

bool ReformatJudge::is_quantized_behind(LayerId layer) const {
  std::size_t looked_at = 0;
  for (const PortRow port : flow_.outputs(layer)) {
    if (++looked_at > kMaxNeighbours) break;
    if (model::is_quantized(flow_.type_of(port))) return true;
    for (const graph::Reach& reader : flow_.real_readers(flow_.tensor_of(port)).reaches) {
      if (model::is_quantized(flow_.type_of(reader.port))) return true;
    }
  }
  return false;
}

bool ReformatJudge::is_float_pool_between(LayerId layer) const {
  if (flow_.family(layer) != Family::kPool || reads_quantized(layer)) return false;
  const auto in = flow_.inputs(layer);
  return !in.empty() && comes_from_quantized(flow_.tensor_of(in[0])) && is_quantized_behind(layer);
}

ReformatJudge::Outcome ReformatJudge::at_edge(const ReformatRow& row) const {
  const bool at_input = row.at_engine_input && row.producers.empty();
  if (row.kind == ConversionKind::kQuantize && at_input) return {Reason::kQuantizedInput};
  if (row.kind == ConversionKind::kDequantize && !at_input) return {Reason::kQuantizedOutput};
  if (row.kind == ConversionKind::kCopy) return {Reason::kCopies, {}, Confidence::kLow};
  // OpenVINO can bind any type, and layouts without blocks; trtexec has words for some.
  const auto bound = at_input ? row.to : row.from;
  if (bound && is_producer("openvino") &&
      flow_.model().ports.layout[*bound].order == model::Order::kChannelVectors) {
    return {Reason::kEdgeLayout, {}, Confidence::kLow};
  }
  if (!is_producer("openvino") && row.io_format.empty()) {
    return {Reason::kEdgeLayout, {}, Confidence::kLow};
  }
  return {at_input ? Reason::kBindInput : Reason::kBindOutput};
}

ReformatJudge::Outcome ReformatJudge::quantizing(const ReformatRow& row) const {
  if (row.producers.empty()) return {Reason::kFloatWriter, {}, Confidence::kLow};
  const LayerId writer = row.producers[0].layer;
  if (is_float_pool_between(writer)) return {Reason::kBeforePool, writer, Confidence::kHigh};
  if (is_quantized_matrix(writer)) {
    return {Reason::kWriterCouldQuantize, writer, Confidence::kHigh};
  }
  if (flow_.is_matrix_layer(writer)) return {Reason::kFloatWriter, writer};
  if (reads_quantized(writer)) return {Reason::kWriterKeepsFloat, writer, Confidence::kLow};
  const Family family = flow_.family(writer);
  const bool can_be_fused = family == Family::kPointwise || family == Family::kShuffle ||
                            family == Family::kPool || flow_.type(writer) == "Subgraph";
  const auto in = flow_.inputs(writer);
  if (can_be_fused && !in.empty() && comes_from_quantized(flow_.tensor_of(in[0]))) {
    return {Reason::kAddCouldQuantize, writer};
  }
  return {Reason::kFloatWriter, writer};
}

ReformatJudge::Outcome ReformatJudge::dequantizing(const ReformatRow& row) const {
  if (row.consumers.empty()) return {Reason::kFloatReader, {}, Confidence::kLow};
  for (const Neighbour& consumer : row.consumers) {
    if (is_quantized_matrix(consumer.layer)) continue;
    if (is_float_pool_between(consumer.layer)) {
      return {Reason::kBeforePool, consumer.layer, Confidence::kHigh};
    }
    if (flow_.is_matrix_layer(consumer.layer) && is_producer("tensorrt-rtx") &&
        flow_.family(consumer.layer) == Family::kConvolution) {
      return {Reason::kFloatConvolution, consumer.layer};
    }
    const Family family = flow_.family(consumer.layer);
    const bool is_fixed = family == Family::kNorm || family == Family::kPlugin;
    return {is_fixed ? Reason::kReaderInFloat : Reason::kFloatReader, consumer.layer};
  }
  return {Reason::kReaderCouldRead, row.consumers[0].layer, Confidence::kHigh};
}

ReformatJudge::Outcome ReformatJudge::casting(const ReformatRow& row) const {
  // A float next to a quantized path: it disappears with the quantizer that its readers or its
  // writer need.
  if (model::is_float(row.from_type) && model::is_float(row.to_type)) {
    if (!row.producers.empty() && any_is_quantized(flow_, row.consumers)) {
      const Outcome outcome = quantizing(row);
      if (facts_of(outcome.reason).verdict == ReformatVerdict::kAvoidable) return outcome;
    }
    for (const Neighbour& consumer : row.consumers) {
      if (is_quantized_matrix(consumer.layer)) {
        return {Reason::kReaderCouldRead, consumer.layer, Confidence::kMedium};
      }
    }
  }
  const model::PlanModel& model = flow_.model();
  bool is_cast = model.text(model.layers.origin[row.layer.index()]) == "CAST";
  const model::RowRange sources = model.sources_of(row.layer);
  for (std::size_t source = sources.first; source < sources.end() && !is_cast; ++source) {
    is_cast = model.text(model.sources.op_type[source]) == "Cast";
  }
  if (is_cast || flow_.type(row.layer) == "MyelinReformat" || flow_.type(row.layer) == "Convert") {
    return {Reason::kModelCasts};
  }
  return {Reason::kFloatPrecisions, row.consumers.empty() ? LayerId() : row.consumers[0].layer,
          Confidence::kLow};
}

ReformatJudge::Outcome ReformatJudge::moving(const ReformatRow& row) const {
  for (const auto* side : {&row.consumers, &row.producers}) {
    for (const Neighbour& neighbour : *side) {
      if (is_float_pool_between(neighbour.layer)) {
        return {Reason::kBeforePool, neighbour.layer, Confidence::kHigh};
      }
    }
  }
  // A change of layout of a float on its way to a quantizer: it disappears with that.
  if (!row.producers.empty() && model::is_float(row.from_type) &&
      any_is_quantized(flow_, row.consumers)) {
    const Outcome outcome = quantizing(row);
    if (facts_of(outcome.reason).verdict == ReformatVerdict::kAvoidable) return outcome;
  }
  if (row.kind == ConversionKind::kCopy) return {Reason::kCopies, {}, Confidence::kLow};
  for (const auto* side : {&row.consumers, &row.producers}) {
    for (const Neighbour& neighbour : *side) {
      if (is_fixed_in_layout(flow_.family(neighbour.layer))) {
        return {Reason::kLayoutOfNeighbour, neighbour.layer, Confidence::kLow};
      }
    }
  }
  const LayerId reader = row.consumers.empty() ? LayerId() : row.consumers[0].layer;
  const auto channels = row.to ? channels_of(flow_, *row.to) : std::nullopt;
  if (channels && row.from) {
    const auto& layouts = flow_.model().ports.layout;
    const std::int64_t vector =
        std::max(layouts[*row.from].channel_vector, layouts[*row.to].channel_vector);
    if (vector > 1 && *channels % vector != 0) {
      return {Reason::kChannels, reader, Confidence::kLow};
    }
  }
  // TensorRT times kernels together with the reformats that they need; others decide by rules.
  if (is_producer("tensorrt")) return {Reason::kKernelChoice, reader};
  return {Reason::kLayoutOfNeighbour, reader, Confidence::kLow};
}

ReformatJudge::Outcome ReformatJudge::outcome_of(const ReformatRow& row, bool is_repeated) const {
  if (!row.to || row.to_type == DType::kNull || row.from_type == DType::kNull) {
    return {Reason::kTypesUnknown, {}, Confidence::kLow};
  }
  if (!row.from) {
    const LayerId reader = row.consumers.empty() ? LayerId() : row.consumers[0].layer;
    if (row.kind == ConversionKind::kDequantize) return {Reason::kWeightsAtRunTime, reader};
    return {Reason::kLayoutOfNeighbour, reader, Confidence::kLow};
  }
  if (row.kind == ConversionKind::kRoundTrip) {
    return {Reason::kRoundTrip, row.consumers.empty() ? LayerId() : row.consumers[0].layer,
            Confidence::kHigh};
  }
  if (is_repeated) return {Reason::kShared};
  const bool at_input = row.at_engine_input && row.producers.empty();
  const bool at_output = row.at_engine_output && row.consumers.empty();
  if (at_input || at_output) return at_edge(row);
  switch (row.kind) {
    case ConversionKind::kQuantize:
      return quantizing(row);
    case ConversionKind::kDequantize:
      return dequantizing(row);
    case ConversionKind::kCast:
      return casting(row);
    default:
      return moving(row);
  }
}

void ReformatJudge::advise(ReformatRow& row) const {
  const auto add = [&](PortRow port) {
    const TensorId tensor = flow_.model_tensor(flow_.tensor_of(port));
    if (row.tensors.size() < kMaxAdvisedTensors &&
        std::ranges::find(row.tensors, tensor) == row.tensors.end()) {
      row.tensors.push_back(tensor);
    }
  };
  if (row.cause_layer.is_null()) return;
  const auto float_ports = [&](const std::vector<PortRow>& ports, std::size_t first) {
    const std::size_t end = std::min(ports.size(), kMaxNeighbours);
    for (std::size_t i = first; i < end; ++i) {
      if (model::is_float(flow_.type_of(ports[i]))) add(ports[i]);
    }
  };
  switch (row.reason) {
    case Reason::kWriterCouldQuantize:
      float_ports(flow_.inputs(row.cause_layer), 1);
      break;
    case Reason::kAddCouldQuantize:
    case Reason::kBeforePool:
      float_ports(flow_.inputs(row.cause_layer), 0);
      break;
    case Reason::kReaderCouldRead:
      float_ports(flow_.inputs(row.cause_layer), 1);
      float_ports(flow_.outputs(row.cause_layer), 0);
      break;
    default:
      break;
  }
}

void ReformatJudge::judge(ReformatRow& row, bool is_repeated) const {
  if (row.from && row.to) {
    const bool at_input = row.at_engine_input && row.producers.empty();
    const PortRow wanted = at_input ? *row.to : *row.from;
    if (at_input || (row.at_engine_output && row.consumers.empty())) {
      row.io_format = io_format_word(flow_.type_of(wanted), flow_.model().ports.layout[wanted]);
    }
  }
  const Outcome outcome = outcome_of(row, is_repeated);
  const ReasonFacts facts = facts_of(outcome.reason);
  row.reason = outcome.reason;
  row.cause_layer = outcome.cause_layer;
  row.confidence = outcome.confidence;
  row.verdict = facts.verdict;
  row.changed_by = facts.changed_by;
  if (row.verdict == ReformatVerdict::kAvoidable) row.worth_ms = row.time_ms;
  advise(row);
}

}  // namespace planex::analyze
