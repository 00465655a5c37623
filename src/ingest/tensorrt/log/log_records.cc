#include "ingest/tensorrt/log/log_records.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "base/text.h"
#include "ingest/json_input.h"
#include "ingest/tensorrt/log/stored_weights.h"
#include "ingest/tensorrt/source_names.h"

namespace planex::ingest::tensorrt {
namespace {

using base::format;
using base::Lifetime;
using base::StringId;
using model::Direction;
using model::LayerId;
using model::Severity;
using model::ValueType;

// TensorRT-RTX leaves these to the compiler of the device that runs the engine.
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
  return value.front() == '[' ? ValueType::kArray : ValueType::kObject;
}

// "(Arbitrary) Format with stride order = [2,0,1]" and "(Transposed) Transposed format" say that
// the strides tell; for all others the words do.
model::Layout layout_of_words(std::string_view words) {
  if (words.starts_with("(Arbitrary)") || words.starts_with("(Transposed)")) {
    return {model::Order::kStrided, 1, false};
  }
  return parse_format(words).layout;
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

void LogRecords::add_weights(std::string_view value, Pending& pending) {
  const auto bytes = stored_weight_bytes(value);
  pending.any_weights = true;
  if (!bytes) {
    report("unknown-weights",
           "weights of a type or count that is not known; their size is not counted", value);
  }
  pending.weights_known =
      pending.weights_known && bytes &&
      !__builtin_add_overflow(pending.weight_bytes, *bytes, &pending.weight_bytes);
}

void LogRecords::read_field(LayerId layer, const RecordField& field, Pending& pending) {
  model::LayersTable& layers = builder_.model().layers;
  const std::size_t row = layer.index();
  const std::string_view key = field.key;
  const std::string_view value = field.value;
  if (key == "Name") {
    if (layers.name.is_null(row)) {
      layers.name.set(row, builder_.strings().add(value, Lifetime::kBorrow));
    }
  } else if (key == "LayerType") {
    // A comma is there only where the log is cut before the next key's end.
    const std::string_view type = value.substr(0, value.find(','));
    pending.layer_type = words_.intern(type, Lifetime::kBorrow);
    note_rtx(type);
  } else if (key == "ParameterType") {
    pending.parameter_type = words_.intern(value, Lifetime::kBorrow);
  } else if (key == "Inputs") {
    pending.inputs = &field;
  } else if (key == "Constants") {
    pending.constants = &field;
  } else if (key == "Outputs") {
    pending.outputs = &field;
  } else if (key == "TacticName") {
    if (value.empty()) return;
    layers.tactic.set(row, words_.intern(value, Lifetime::kBorrow));
    note_rtx(value);
  } else if (key == "StreamId") {
    const auto stream = integer(value);
    if (!stream) {
      report("log-value-unreadable",
             format("StreamId is {}, expected an integer; the layer has no stream",
                    base::quoted(value, 40)),
             value);
    }
    layers.stream.set(row, stream);
  } else if (key == "Metadata") {
    pending.metadata = value;
    add_attribute(layer, field);
  } else if (key == "Origin") {
    layers.origin.set(row, words_.intern(value, Lifetime::kBorrow));
    add_attribute(layer, field);
  } else {
    if (is_weights_key(key) && value.starts_with('{')) add_weights(value, pending);
    if (key == "EventId") pending.event_id = value;
    if (key == "JumpTarget") pending.jump.target = value;
    if (key == "JumpTargetThen") pending.jump.then_target = value;
    if (key == "JumpTargetElse") pending.jump.else_target = value;
    add_attribute(layer, field);
  }
}

LogRecords::PortFormat LogRecords::format_of(std::string_view datatype, std::string_view layout) {
  // The two stand side by side in the log, so one view of both is the key.
  constexpr std::size_t kLongestGap = 32;
  std::string_view key;
  if (layout.data() > datatype.data() &&
      layout.data() < datatype.data() + datatype.size() + kLongestGap) {
    key = std::string_view(
        datatype.data(), static_cast<std::size_t>(layout.data() + layout.size() - datatype.data()));
    if (const auto known = formats_.find(key); known != formats_.end()) return known->second;
  }
  PortFormat result;
  result.dtype = parse_type(datatype);
  result.layout = layout_of_words(layout);
  result.raw = builder_.strings().intern(layout.empty() ? std::string(datatype)
                                                        : format("{}, {}", datatype, layout));
  const bool unknown_type = result.dtype == model::DType::kNull;
  if ((unknown_type && !datatype.empty()) ||
      (result.layout.order == model::Order::kNull && !layout.empty())) {
    report("unknown-format",
           format("the {} {} is not known; tensors of it have no size{}",
                  unknown_type ? "type" : "layout", base::quoted(unknown_type ? datatype : layout),
                  unknown_type ? "" : " in memory"),
           unknown_type ? datatype : layout);
  }
  if (!key.empty()) formats_.emplace(key, result);
  return result;
}

void LogRecords::add_ports(LayerId layer, Direction direction, const RecordField* field,
                           Pending& pending) {
  if (field == nullptr) return;
  for (const RecordObject& object : line_.objects_of(*field)) {
    model::PortFacts facts{.dims_known = false};
    std::string_view datatype, layout;
    bool has_name = false;
    dims_.clear();
    strides_.clear();
    for (const RecordField& member : line_.fields_of(object)) {
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
      } else if (member.key == "Datatype") {
        datatype = member.value;
      } else if (member.key == "Format") {
        layout = member.value;
      } else if (member.key == "Location") {
        facts.location = words_.intern(member.value, Lifetime::kBorrow);
      } else if (member.key == "Format/Datatype") {
        facts.raw_format = words_.intern(member.value, Lifetime::kBorrow);
        const Format& known = vocabulary_.format(facts.raw_format);
        facts.dtype = known.dtype;
        facts.layout = known.layout;
      } else if (member.key != "StrideOrder") {  // the strides tell it
        report("unknown-key", format("the tensor's key {} is not read", base::quoted(member.key)),
               member.key, Severity::kInfo);
      }
    }
    if (!has_name) {
      report("tensor-without-name", "a tensor has no Name; all such tensors are shown as one",
             field->value);
    }
    if (!datatype.empty() || !layout.empty()) {
      const PortFormat known = format_of(datatype, layout);
      facts.dtype = known.dtype;
      facts.layout = known.layout;
      facts.raw_format = known.raw;
    }
    for (std::int64_t& dim : dims_) dim = std::max<std::int64_t>(dim, -1);
    facts.dims = dims_;
    // As many strides as dimensions, or they say nothing.
    if (strides_.size() == dims_.size()) facts.strides = strides_;
    const model::PortsTable& ports = builder_.model().ports;
    builder_.add_port(layer, direction, facts, Lifetime::kBorrow);
    if (direction != Direction::kConstant) continue;
    // A constant that a layer lists twice is stored once.
    const model::TensorId tensor = ports.tensor_id[ports.row_count() - 1];
    if (counted_for_.size() <= tensor.index()) {
      counted_for_.resize(std::max(tensor.index() + 1, counted_for_.size() * 2));
    }
    if (counted_for_[tensor.index()] == layer) continue;
    counted_for_[tensor.index()] = layer;
    const auto bytes = facts.dims_known ? model::data_bytes(facts.dims, facts.dtype) : std::nullopt;
    pending.weights_known =
        pending.weights_known && bytes &&
        !__builtin_add_overflow(pending.weight_bytes, *bytes, &pending.weight_bytes);
  }
}

// As in layer files: kernels that hide what they do tell their weights only where the record lists
// them; all others would have said.
void LogRecords::set_weight_bytes(LayerId layer, const Pending& pending) {
  model::LayersTable& layers = builder_.model().layers;
  const std::size_t row = layer.index();
  bool tells = pending.any_weights || pending.constants != nullptr ||
               !pending.parameter_type.is_null() || layers.role[row] != model::Role::kWork;
  switch (layers.family[row]) {
    case model::Family::kReformat:
    case model::Family::kPool:
    case model::Family::kShuffle:
      tells = true;
      break;
    default:
      break;
  }
  if (tells && pending.weights_known) layers.weight_bytes.set(row, pending.weight_bytes);
}

void LogRecords::add_sources(LayerId layer, std::string_view metadata, const TypeFacts& facts) {
  if (!metadata.empty()) {
    add_sources_of_metadata(layer, metadata, builder_);
  } else if (facts.family != model::Family::kReformat && facts.role == model::Role::kWork) {
    add_sources_of_name(layer, builder_.strings().view(builder_.model().layers.name[layer.index()]),
                        builder_);
  }
}

void LogRecords::add_event(LayerId layer, std::string_view event_id) {
  const model::Role role = builder_.model().layers.role[layer.index()];
  if (role != model::Role::kSignal && role != model::Role::kWait) return;
  const auto id = integer(event_id);
  if (!id) {
    report("log-value-unreadable",
           format("EventId is {}, expected an integer; nobody is known to wait for it",
                  base::quoted(event_id, 40)),
           event_id);
  }
  builder_.add_event(layer, role == model::Role::kSignal ? "signal" : "wait", id);
}

void LogRecords::fill(LayerId layer, std::string_view record) {
  if (!line_.split(record)) {
    report("log-record-broken",
           format("a layer's record breaks off: expected {}; what comes after that is missing",
                  line_.expected()),
           record.substr(std::min(line_.broken_at(), record.size())));
  }
  Pending pending;
  pending.jump.layer = layer;
  for (const RecordField& field : line_.fields()) read_field(layer, field, pending);
  model::LayersTable& layers = builder_.model().layers;
  if (layers.name.is_null(layer.index())) {
    report("layer-without-name", "the layer has no Name; it is shown without one", record);
  }
  if (pending.layer_type.is_null() && pending.parameter_type.is_null()) {
    report("layer-without-type", "the layer has no LayerType; its kind is not known", record);
  }
  const TypeFacts facts = vocabulary_.type(pending.layer_type, pending.parameter_type);
  vocabulary_.set_type(layer, facts);
  add_ports(layer, Direction::kInput, pending.inputs, pending);
  add_ports(layer, Direction::kConstant, pending.constants, pending);
  add_ports(layer, Direction::kOutput, pending.outputs, pending);
  set_weight_bytes(layer, pending);
  add_sources(layer, pending.metadata, facts);
  if (!pending.event_id.empty()) add_event(layer, pending.event_id);
  const JumpRecord& jump = pending.jump;
  if (!jump.target.empty() || !jump.then_target.empty() || !jump.else_target.empty()) {
    jumps_.push_back(jump);
  }
}

void LogRecords::fill_opaque(LayerId layer, std::string_view record, const Origins& origins) {
  // What a program printed after the last layer is not part of it; a name with a line break is.
  const std::string_view first_line = record.substr(0, record.find('\n'));
  if (!parse_engine_layer_line(first_line, engine_line_) &&
      (first_line.size() == record.size() || !parse_engine_layer_line(record, engine_line_))) {
    report("log-record-broken",
           "a line of the engine layer information breaks off or is not understood; ends of the "
           "layer are missing",
           record);
  }
  model::LayersTable& layers = builder_.model().layers;
  const std::size_t row = layer.index();
  if (layers.name.is_null(row)) {
    layers.name.set(row, builder_.strings().add(engine_line_.name, Lifetime::kBorrow));
  }
  const TypeFacts facts =
      vocabulary_.type(words_.intern(engine_line_.type, Lifetime::kBorrow), StringId());
  vocabulary_.set_type(layer, facts);
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
  add_sources(layer, origin == origins.end() ? std::string_view{} : origin->second, facts);
}

void LogRecords::fill_name(LayerId layer, std::string_view record) {
  model::LayersTable& layers = builder_.model().layers;
  if (layers.name.is_null(layer.index())) {
    layers.name.set(layer.index(), builder_.strings().add(record, Lifetime::kBorrow));
  }
  add_sources_of_name(layer, record, builder_);
}

}  // namespace planex::ingest::tensorrt
