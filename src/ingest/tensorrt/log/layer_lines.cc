#include "ingest/tensorrt/log/layer_lines.h"

#include <algorithm>
#include <unordered_map>

#include "base/parallel.h"
#include "base/text.h"
#include "base/try.h"
#include "ingest/layer_join.h"
#include "ingest/tensorrt/control_flow.h"
#include "ingest/tensorrt/log/engine_tensors.h"
#include "ingest/tensorrt/log/log_message.h"

namespace planex::ingest::tensorrt {

using base::format;
using model::LayerId;
using model::Severity;

namespace {

constexpr std::string_view kNamesOnly = "names-only";

// What the builder says about an opaque layer: "ForeignNode <name> metadata: [ONNX Layer: a]…".
constexpr std::string_view kOrigin = "ForeignNode ";
constexpr std::string_view kOriginMark = " metadata: ";

constexpr std::string_view kModel = "ONNX IR version:";
constexpr std::string_view kNetworkInput = "Adding network input: ";
constexpr std::string_view kNetworkOutput = "Marking ";
constexpr std::string_view kConvergence = "Compiler backend convergence mode";
constexpr std::string_view kBanner = "&&&& RUNNING";

}  // namespace

void LayerLines::report(std::string_view code, Severity severity, std::string message,
                        std::optional<std::uint64_t> offset) {
  builder_.add_diagnostic({.code = code,
                           .severity = severity,
                           .message = std::move(message),
                           .file = artefact_.path,
                           .byte_offset = offset});
}

bool LayerLines::take_block(const LogLine& line) {
  LayerBlock block;
  if (!find_layer_block(log_, line, block)) return false;
  taken_until_ = block.end;
  blocks_.push_back(block);
  return true;
}

bool LayerLines::take_origin(const LogLine& line) {
  const std::size_t end = end_of_message(log_, line);
  const std::string_view text = message_text(log_, line, end);
  const std::size_t mark = text.find(kOriginMark);
  if (mark == text.npos) return false;
  origins_.insert_or_assign(text.substr(kOrigin.size(), mark - kOrigin.size()),
                            text.substr(mark + kOriginMark.size()));
  taken_until_ = end;
  return true;
}

void LayerLines::note_network_binding(const LogLine& line) {
  constexpr std::string_view kInputEnd = " with dtype: ";
  constexpr std::string_view kOutputMark = " as output: ";
  const std::string_view text = message_text(log_, line, end_of_message(log_, line));
  if (text.starts_with(kNetworkInput)) {
    const std::size_t end = text.rfind(kInputEnd);
    if (end != text.npos && end >= kNetworkInput.size()) {
      network_inputs_.push_back(text.substr(kNetworkInput.size(), end - kNetworkInput.size()));
    }
  } else {
    const std::size_t mark = text.find(kOutputMark);
    if (mark != text.npos) network_outputs_.push_back(text.substr(mark + kOutputMark.size()));
  }
}

bool LayerLines::wants(std::string_view text) {
  if (text.empty()) return false;
  switch (text.front()) {
    case 'L':
      return text.starts_with(kLayers);
    case 'E':
      return text.starts_with(kEngineLayers);
    case 'F':
      return text.starts_with("ForeignNode {");
    case 'O':
      return text.starts_with(kModel);
    case 'A':
      return text.starts_with(kNetworkInput);
    case 'M':
      return text.starts_with(kNetworkOutput);
    case 'C':
      return text.starts_with(kConvergence);
    case '&':
      return text.starts_with(kBanner);
    default:
      return false;
  }
}

bool LayerLines::take(const LogLine& line) {
  if (line.byte_offset < taken_until_) return true;
  const std::string_view text = line.text;
  if (!wants(text)) return false;
  switch (text.front()) {
    case 'L':
      return base::trimmed(text) == kLayers && take_block(line);
    case 'E':
      return take_block(line);
    case 'F':
      return line.severity == LogSeverity::kVerbose && take_origin(line);
    // The others are only noted: other readers consume them.
    case 'O':
      network_inputs_.clear();
      network_outputs_.clear();
      return false;
    case 'C':
      has_convergence_line_ = true;
      return false;
    case '&': {
      const std::string_view program = text.substr(0, text.find('#'));
      has_rtx_banner_ = has_rtx_banner_ || base::contains_ignoring_case(program, "rtx");
      has_trtexec_banner_ = has_trtexec_banner_ || program.find("trtexec") != program.npos;
      return false;
    }
    default:
      if (line.severity == LogSeverity::kVerbose) note_network_binding(line);
      return false;
  }
}

// A complete list, otherwise any; of these the most detailed one; of equal ones the last, because
// an inspector that runs an engine reports more than the builder.
const LayerBlock* LayerLines::best_block() const {
  const LayerBlock* best = nullptr;
  const auto better = [](const LayerBlock& a, const LayerBlock& b) {
    if (a.complete != b.complete) return a.complete;
    return a.detail >= b.detail;
  };
  for (const LayerBlock& block : blocks_) {
    if (best == nullptr || better(block, *best)) best = &block;
  }
  return best;
}

void LayerLines::fill(LogRecords& reader, LayerBlock::Detail detail, LayerId layer,
                      std::string_view record) const {
  switch (detail) {
    case LayerBlock::Detail::kRecords:
      reader.fill(layer, record);
      break;
    case LayerBlock::Detail::kOpaque:
      reader.fill_opaque(layer, record, origins_);
      break;
    case LayerBlock::Detail::kNames:
      reader.fill_name(layer, record);
      break;
  }
}

void LayerLines::add_layers(const LayerBlock& block, const std::vector<std::string_view>& records) {
  model::PlanModel& model = builder_.model();
  // A record has about two ports and three attributes per 300 bytes.
  const auto reserve = [&](model::ModelBuilder& builder, std::size_t parts) {
    builder.reserve({.layers = records.size() / parts,
                     .attributes = records.size() * 4 / parts,
                     .ports = block.layers.size() / 150 / parts,
                     .tensors = block.layers.size() / 300 / parts,
                     .sources = records.size() * 2 / parts,
                     .strings = block.layers.size() / 80 / parts});
  };
  reserve(builder_, 1);
  LogRecords reader(artefact_, builder_);
  // If there are many layers, the second half is read in parallel with the first, into its own
  // builder.
  constexpr std::size_t kManyRecords = 20'000;
  const bool is_halved = records.size() >= kManyRecords && base::can_run_both();
  const std::size_t middle = is_halved ? records.size() / 2 : records.size();
  model::ModelBuilder other(builder_.limits());
  if (is_halved) reserve(other, 2);
  LogRecords other_reader(artefact_, other);
  const auto read = [&](std::size_t first, std::size_t end, LogRecords& into,
                        model::ModelBuilder& builder) {
    for (std::size_t i = first; i < end; ++i) {
      fill(into, block.detail, builder.add_layer(base::StringId()), records[i]);
    }
  };
  base::run_both([&] { read(0, middle, reader, builder_); },
                 [&] { read(middle, records.size(), other_reader, other); });
  if (other.model().diagnostics.row_count() == 0 && other_reader.jumps().empty()) {
    builder_.append(std::move(other), {});
    if (is_halved) reader.note_rtx_evidence(other_reader.rtx_evidence());
  } else {
    // What is reported once per log, or refers to layers of the first half.
    read(middle, records.size(), reader, builder_);
  }
  add_control_flow(reader.jumps(), artefact_.path, builder_);
  set_producer(reader.rtx_evidence());
  std::string_view detail = "full";
  if (block.detail == LayerBlock::Detail::kOpaque) detail = "log";
  if (block.detail == LayerBlock::Detail::kNames) detail = kNamesOnly;
  model.engine.detail.set(0, builder_.strings().intern(detail));
  model.files.record_count.set(artefact_.file_row, static_cast<std::int64_t>(records.size()));
  if (block.detail == LayerBlock::Detail::kNames) {
    report("names-only", Severity::kWarning,
           "the log contains only layer names: the engine was built with profiling verbosity "
           "layer_names_only",
           block.byte_offset);
  } else if (block.detail == LayerBlock::Detail::kOpaque) {
    report("layers-without-detail", Severity::kInfo,
           "the log contains only types, tactics, inputs and outputs of layers: a region that the "
           "compiler built as one is one layer; --profilingVerbosity=detailed shows what is in it",
           block.byte_offset);
  }
}

// Layers have names, sources from these names and perhaps times; nothing else refers to them. Rows
// of a table must ascend by layer, so the sources are rebuilt. False if nothing matches.
bool LayerLines::enrich_layers(const LayerBlock& block,
                               const std::vector<std::string_view>& records) {
  model::PlanModel& model = builder_.model();
  const std::size_t layer_count = model.layers.row_count();
  RecordLine line;
  EngineLayerLine engine_line;
  std::vector<std::string_view> record_of(layer_count);
  LayerJoin join(model);
  for (const std::string_view record : records) {
    std::string_view name;
    if (block.detail == LayerBlock::Detail::kRecords) {
      line.split(record);
      name = line.value_of("Name");
    } else {
      parse_engine_layer_line(record.substr(0, record.find('\n')), engine_line);
      name = engine_line.name;
    }
    const LayerId layer = join.next(name);
    if (!layer.is_null()) record_of[layer.index()] = record;
  }
  model.files.record_count.set(artefact_.file_row, static_cast<std::int64_t>(records.size()));
  model.files.joined_count.set(artefact_.file_row, static_cast<std::int64_t>(join.joined_count()));
  if (join.joined_count() == 0) {
    report(
        "log-of-another-engine", Severity::kWarning,
        "no layer of the log has the name of a layer of the engine: the log's layers are ignored",
        block.byte_offset);
    return false;
  }
  model.sources = model::SourcesTable();
  LogRecords reader(artefact_, builder_);
  for (std::size_t row = 0; row < layer_count; ++row) {
    if (record_of[row].empty()) {
      const std::string_view name = model.text(model.layers.name[row]);
      reader.fill_name(LayerId(row), name);
    } else {
      fill(reader, block.detail, LayerId(row), record_of[row]);
    }
  }
  add_control_flow(reader.jumps(), artefact_.path, builder_);
  set_producer(reader.rtx_evidence());
  model.engine.detail.set(0, builder_.strings().intern("log"));
  const bool all = join.joined_count() == layer_count;
  report("layers-from-log", all ? Severity::kInfo : Severity::kWarning,
         format("the layer file contains only names; types, inputs and outputs of {} of {} come "
                "from the log",
                join.joined_count(), base::counted(layer_count, "layer")),
         block.byte_offset);
  return true;
}

Result<void> LayerLines::read_layers(const LayerBlock& block) {
  const std::vector<std::string_view> records =
      block.detail == LayerBlock::Detail::kNames
          ? split_lines(block.layers)
          : split_records(block.layers,
                          block.detail == LayerBlock::Detail::kRecords ? kRecordHead : kOpaqueHead);
  model::PlanModel& model = builder_.model();
  if (!block.complete) {
    report("log-ends-early", Severity::kWarning,
           "the log ends within the list of layers: layers may be missing", log_.size());
  }
  const std::size_t layer_count = model.layers.row_count();
  LayersFrom from = LayersFrom::kLayerFile;
  if (layer_count == 0) {
    add_layers(block, records);
    from = LayersFrom::kLog;
  } else if (model.text(model.engine.detail[0]) == kNamesOnly) {
    if (block.detail != LayerBlock::Detail::kNames && enrich_layers(block, records)) {
      from = LayersFrom::kLog;
    }
  } else if (block.detail == LayerBlock::Detail::kRecords && records.size() != layer_count) {
    report("log-of-another-engine", Severity::kWarning,
           format("the log lists {} but the layer file has {}: they may come from different builds",
                  base::counted(records.size(), "layer"), layer_count),
           block.byte_offset);
  }
  return add_engine_tensors(artefact_, block, from, {network_inputs_, network_outputs_}, builder_);
}

// No log says which of the two wrote it. A banner of trtexec settles it; otherwise layers whose
// kernels are left to the device's compiler, or a line that only TensorRT-RTX is known to write.
// Without any of these, the producer is left to the readers of the rest of the log.
void LayerLines::set_producer(std::string_view rtx_layer) {
  model::EngineTable& engine = builder_.model().engine;
  base::StringPool& strings = builder_.strings();
  std::string evidence;
  if (has_rtx_banner_) {
    evidence = "TensorRT-RTX by the program that wrote the log";
  } else if (has_trtexec_banner_) {
    // trtexec is TensorRT's own.
  } else if (!rtx_layer.empty()) {
    evidence = format("TensorRT-RTX by its layers of {}", rtx_layer);
  } else if (has_convergence_line_) {
    evidence = "TensorRT-RTX by the line \"Compiler backend convergence mode enabled\"";
  }
  if (evidence.empty()) return;
  engine.producer.set(0, strings.intern("tensorrt-rtx"));
  if (engine.producer_version.is_null(0)) {
    engine.version_evidence.set(0,
                                strings.intern(evidence + "; the log does not record its version"));
  }
}

Result<void> LayerLines::finish(bool has_names) {
  const LayerBlock* block = best_block();
  if (block != nullptr) {
    PLANEX_TRY(read_layers(*block));
  } else {
    set_producer({});
    if (builder_.model().layers.row_count() == 0 && !has_names) {
      report("no-layers", Severity::kWarning,
             "the log lists no layers: TensorRT lists them in a build that succeeds, with verbose "
             "messages (--verbose) and --profilingVerbosity=detailed");
    }
  }
  fill_source_types(builder_);
  return {};
}

void fill_source_types(model::ModelBuilder& builder) {
  model::PlanModel& model = builder.model();
  const model::OperationsTable& operations = model.operations;
  if (operations.row_count() == 0) return;
  std::unordered_map<std::string_view, base::StringId> type_of;
  for (std::size_t row = 0; row < operations.row_count(); ++row) {
    type_of.emplace(model.text(operations.name[row]), operations.type[row]);
  }
  for (std::size_t row = 0; row < model.sources.row_count(); ++row) {
    if (!model.sources.op_type.is_null(row)) continue;
    const auto found = type_of.find(model.text(model.sources.op_name[row]));
    if (found != type_of.end()) model.sources.op_type.set(row, found->second);
  }
}

}  // namespace planex::ingest::tensorrt
