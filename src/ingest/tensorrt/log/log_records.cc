#include "ingest/tensorrt/log/log_records.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "base/text.h"
#include "ingest/json_input.h"
#include "ingest/tensorrt/layer_keys.h"
#include "ingest/tensorrt/source_names.h"
#include "ingest/tensorrt/tensor_records.h"

namespace planex::ingest::tensorrt {
namespace {

using base::format;
using base::Lifetime;
using base::StringId;
using model::Direction;
using model::LayerId;
using model::Severity;
using model::ValueType;

// TensorRT-RTX leaves these to the compiler on the device that runs the engine.
constexpr std::array<std::string_view, 3> kRtxWords = {"runtime_fusion", "runtime_function",
                                                       "__myelin_CASK_STUB"};

std::optional<std::int64_t> integer(std::string_view text) {
  std::int64_t value = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
  if (parsed.ec != std::errc() || parsed.ptr != text.data() + text.size()) return std::nullopt;
  return value;
}

ValueType type_of(std::string_view value) {
  if (value == "true" || value == "false") return ValueType::kBoolean;
  if (is_json_number(value)) return ValueType::kNumber;
  if (!value.starts_with('[') && !value.starts_with('{')) return ValueType::kString;
  const bool plain =
      std::ranges::none_of(value, [](char c) { return static_cast<unsigned char>(c) < ' '; });
  if (!plain || !simdjson::validate_utf8(value.data(), value.size()) || !check_json_value(value))
    return ValueType::kString;
  return json_type_of(value);
}

}  // namespace

LogRecords::LogRecords(const Artefact& artefact, model::ModelBuilder& builder)
    : artefact_(artefact),
      builder_(builder),
      words_(builder.strings()),
      keys_(builder.strings()),
      vocabulary_(builder, artefact.path) {}

std::uint64_t LogRecords::offset_of(std::string_view at) const {
  return static_cast<std::uint64_t>(at.data() - artefact_.bytes->view().data());
}

void LogRecords::report(std::string_view code, std::string message, std::string_view at,
                        Severity severity) {
  builder_.add_diagnostic({.code = code,
                           .severity = severity,
                           .message = std::move(message),
                           .file = artefact_.path,
                           .byte_offset = offset_of(at)});
}

void LogRecords::note_rtx(std::string_view word) {
  if (!rtx_evidence_.empty()) return;
  const auto found = std::ranges::find(kRtxWords, word);
  if (found != kRtxWords.end()) rtx_evidence_ = *found;
}

void LogRecords::add_attribute(LayerId layer, const RecordField& field) {
  builder_.add_attribute(layer, keys_.intern(field.key, Lifetime::kBorrow),
                         builder_.strings().add(field.value, Lifetime::kBorrow),
                         type_of(field.value));
}

std::optional<std::int64_t> LogRecords::read_integer(const RecordField& field,
                                                     std::string_view consequence) {
  const auto value = integer(field.value);
  if (!value) {
    report("log-value-unreadable",
           format("{} is {}, expected an integer; {}", field.key, base::quoted(field.value, 40),
                  consequence),
           field.value);
  }
  return value;
}

void LogRecords::read_field(LayerId layer, const RecordField& field, Pending& pending) {
  model::LayersTable& layers = builder_.model().layers;
  const std::size_t row = layer.index();
  const std::string_view value = field.value;
  switch (layer_field(field.key)) {
    case LayerField::kName:
      if (layers.name.is_null(row)) {
        layers.name.set(row, builder_.strings().add(value, Lifetime::kBorrow));
      }
      return;
    case LayerField::kLayerType: {
      // A comma only occurs here if the log is truncated before the end of the next key.
      const std::string_view type = value.substr(0, value.find(','));
      pending.layer_type = words_.intern(type, Lifetime::kBorrow);
      note_rtx(type);
      return;
    }
    case LayerField::kParameterType:
      pending.parameter_type = words_.intern(value, Lifetime::kBorrow);
      return;
    case LayerField::kInputs:
      pending.inputs = &field;
      return;
    case LayerField::kConstants:
      pending.constants = &field;
      return;
    case LayerField::kOutputs:
      pending.outputs = &field;
      return;
    case LayerField::kTacticName:
      if (value.empty()) return;
      layers.tactic.set(row, words_.intern(value, Lifetime::kBorrow));
      note_rtx(value);
      return;
    case LayerField::kStreamId:
      layers.stream.set(row, read_integer(field, "the layer has no stream"));
      return;
    case LayerField::kMetadata:
      pending.metadata = value;
      break;
    case LayerField::kOrigin:
      layers.origin.set(row, words_.intern(value, Lifetime::kBorrow));
      break;
    case LayerField::kWeights:
      if (value.starts_with('{') && !pending.weights.add(value)) {
        report("unknown-weights",
               "weights with an unknown type or count; their size is not counted", value);
      }
      break;
    case LayerField::kEventId:
      pending.event_id = &field;
      break;
    case LayerField::kJump:
      set_jump_target(pending.jump, field.key, value);
      break;
    case LayerField::kHasDynamicFilter:
    case LayerField::kOther:
      break;
  }
  add_attribute(layer, field);
}

void LogRecords::add_port(LayerId layer, Direction direction, const RecordField& list,
                          std::size_t index) {
  model::PortFacts facts{.dims_known = false};
  StringId datatype, layout;
  std::string_view stride_order;
  bool has_name = false;
  dims_.clear();
  strides_.clear();
  for (const RecordField& member : line_.fields_of(line_.objects_of(list)[index])) {
    if (member.key == "Name") {
      facts.tensor = member.value;
      has_name = true;
    } else if (member.key == "Dimensions") {
      facts.dims_known =
          read_integers(member.value, dims_) && dims_.size() < model::IntList::kNullLength;
      if (!facts.dims_known) {
        report("log-value-unreadable",
               format("Dimensions is {}, expected a list of integers; the tensor has no size",
                      base::quoted(member.value, 40)),
               member.value);
        dims_.clear();
      }
    } else if (member.key == "Strides") {
      if (!read_integers(member.value, strides_) ||
          strides_.size() >= model::IntList::kNullLength) {
        strides_.clear();
      }
    } else if (member.key == "StrideOrder") {
      stride_order = member.value;
    } else if (member.key == "Datatype" || member.key == "Format/Datatype") {
      datatype = words_.intern(member.value, Lifetime::kBorrow);
    } else if (member.key == "Format") {
      layout = words_.intern(member.value, Lifetime::kBorrow);
    } else if (member.key == "Location") {
      facts.location = words_.intern(member.value, Lifetime::kBorrow);
    } else {
      report("unknown-key",
             format("the tensor's key {} is unknown; kept as an attribute of its layer",
                    base::quoted(member.key)),
             member.key, Severity::kInfo);
      add_tensor_attribute(layer, list.key, index, member);
    }
  }
  if (!has_name) {
    report("tensor-without-name", "a tensor has no Name; all such tensors are shown as one",
           list.value);
  }
  const FormatFacts& known = vocabulary_.format(datatype, layout);
  facts.dtype = known.format.dtype;
  facts.layout = known.format.layout;
  facts.raw_format = known.raw;
  for (std::int64_t& dim : dims_) dim = std::max<std::int64_t>(dim, -1);
  facts.dims = dims_;
  // As many strides as dimensions, otherwise they are meaningless.
  if (strides_.size() == dims_.size()) facts.strides = strides_;
  add_tensor_port(layer, direction, facts, Lifetime::kBorrow, builder_);
  if (stride_order.empty()) return;
  if (read_integers(stride_order, stride_order_) && follows_from_strides(stride_order_, strides_)) {
    return;
  }
  add_tensor_attribute(layer, list.key, index, {.key = "StrideOrder", .value = stride_order});
}

// Under the same key as in layer files.
void LogRecords::add_tensor_attribute(LayerId layer, std::string_view list, std::size_t index,
                                      const RecordField& member) {
  builder_.add_attribute(
      layer, builder_.strings().intern(format("{}/{}/{}", list, index, member.key)),
      builder_.strings().add(member.value, Lifetime::kBorrow), type_of(member.value));
}

void LogRecords::add_ports(LayerId layer, Direction direction, const RecordField* list) {
  if (list == nullptr) return;
  for (std::size_t index = 0; index < list->object_count; ++index) {
    add_port(layer, direction, *list, index);
  }
}

void LogRecords::fill(LayerId layer, std::string_view record) {
  if (!line_.split(record)) {
    report("log-record-broken",
           format("a layer's record breaks off: expected {}; what comes after that is missing",
                  line_.expected()),
           record.substr(std::min(line_.broken_at(), record.size())));
  }
  vocabulary_.set_place(offset_of(record));
  Pending pending;
  pending.jump.layer = layer;
  for (const RecordField& field : line_.fields()) read_field(layer, field, pending);
  model::LayersTable& layers = builder_.model().layers;
  if (layers.name.is_null(layer.index())) {
    report("layer-without-name", "the layer has no Name; it is shown without one", record);
  }
  if (pending.layer_type.is_null() && pending.parameter_type.is_null()) {
    report("layer-without-type", "the layer has no LayerType; its kind is unknown", record);
  }
  vocabulary_.set_type(layer, vocabulary_.type(pending.layer_type, pending.parameter_type));
  const model::PortsTable& ports = builder_.model().ports;
  add_ports(layer, Direction::kInput, pending.inputs);
  const std::size_t first_constant = ports.row_count();
  add_ports(layer, Direction::kConstant, pending.constants);
  const std::size_t end_constant = ports.row_count();
  add_ports(layer, Direction::kOutput, pending.outputs);
  set_weight_bytes(layer,
                   {.counted = pending.weights,
                    .lists_constants = pending.constants != nullptr,
                    .constant_bytes = constant_sum_.bytes_of(ports, first_constant, end_constant),
                    .has_parameters = !pending.parameter_type.is_null()},
                   builder_);
  add_sources(layer, pending.metadata, builder_);
  if (pending.event_id != nullptr) {
    add_stream_event(layer, read_integer(*pending.event_id, "its waiting layers are unknown"),
                     builder_);
  }
  if (pending.jump.leads_anywhere()) jumps_.push_back(pending.jump);
}

void LogRecords::fill_opaque(LayerId layer, std::string_view record, const Origins& origins) {
  // A program's output after the last layer is not part of it; a name with a line break is.
  const std::string_view first_line = record.substr(0, record.find('\n'));
  if (!parse_engine_layer_line(first_line, engine_line_) &&
      (first_line.size() == record.size() || !parse_engine_layer_line(record, engine_line_))) {
    report("log-record-broken",
           "a line of the engine layer information breaks off or is not understood; inputs or "
           "outputs of the layer are missing",
           record);
  }
  model::LayersTable& layers = builder_.model().layers;
  const std::size_t row = layer.index();
  if (layers.name.is_null(row)) {
    layers.name.set(row, builder_.strings().add(engine_line_.name, Lifetime::kBorrow));
  }
  vocabulary_.set_type(
      layer, vocabulary_.type(words_.intern(engine_line_.type, Lifetime::kBorrow), StringId()));
  if (!engine_line_.tactic.empty()) {
    builder_.add_attribute(layer, keys_.intern("TacticValue", Lifetime::kBorrow),
                           builder_.strings().add(engine_line_.tactic, Lifetime::kBorrow),
                           ValueType::kString);
  }
  for (const EngineLayerPort& port : engine_line_.ports) {
    const bool whole = port.vector_width == 1;
    builder_.add_port(
        layer, port.direction,
        {.tensor = port.tensor,
         .dims = port.dims,
         .dims_known = port.dims.size() < model::IntList::kNullLength,
         .dtype = parse_type(port.type),
         .layout = layout_of(port),
         .raw_format = words_.intern(whole ? port.type : port.format, Lifetime::kBorrow)},
        Lifetime::kBorrow);
  }
  const auto origin = origins.find(engine_line_.name);
  add_sources(layer, origin == origins.end() ? std::string_view{} : origin->second, builder_);
}

void LogRecords::fill_name(LayerId layer, std::string_view record) {
  model::LayersTable& layers = builder_.model().layers;
  if (layers.name.is_null(layer.index())) {
    layers.name.set(layer.index(), builder_.strings().add(record, Lifetime::kBorrow));
  }
  add_sources_of_name(layer, record, builder_);
}

}  // namespace planex::ingest::tensorrt
