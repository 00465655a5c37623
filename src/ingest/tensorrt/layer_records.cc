#include "ingest/tensorrt/layer_records.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/text.h"
#include "base/try.h"
#include "ingest/tensorrt/kept_values.h"
#include "ingest/tensorrt/optimization_profiles.h"
#include "ingest/tensorrt/source_names.h"
#include "ingest/tensorrt/weights.h"

namespace planex::ingest::tensorrt {

namespace ondemand = simdjson::ondemand;
using base::format;
using base::Lifetime;
using base::StringId;
using model::Direction;
using model::LayerId;
using model::Severity;
using model::ValueType;

using Field = LayerField;

namespace {

// Kinds of kernels that have records of their own from 10 on; before, a Myelin block was one
// record.
bool is_myelin_kernel(std::string_view layer_type) {
  return layer_type == "kgen" || layer_type == "gemm";
}

}  // namespace

LayerRecords::LayerRecords(const Artefact& artefact, model::ModelBuilder& builder)
    : artefact_(artefact),
      builder_(builder),
      keys_(builder.strings()),
      words_(builder.strings()),
      vocabulary_(builder, artefact.path),
      tensors_(artefact, builder, vocabulary_) {
  field_of_key_.fill(Field::kOther);
  for (const LayerKey& entry : layer_keys()) {
    const StringId id = builder_.strings().intern(entry.key);
    if (id.index() < kUsualKeys) field_of_key_[id.index()] = entry.field;
  }
}

Era LayerRecords::era() const {
  Era era = era_;
  era.strides_or_constants = era.strides_or_constants || tensors_.saw_strides();
  return era;
}

void LayerRecords::append(const LayerRecords& other) {
  const Era era = other.era();
  era_.dynamic_filter = era_.dynamic_filter || era.dynamic_filter;
  era_.stream_or_metadata = era_.stream_or_metadata || era.stream_or_metadata;
  era_.expanded_myelin = era_.expanded_myelin || era.expanded_myelin;
  era_.strides_or_constants = era_.strides_or_constants || era.strides_or_constants;
  object_count_ += other.object_count_;
  name_count_ += other.name_count_;
  saw_profile_mark_ = saw_profile_mark_ || other.saw_profile_mark_;
}

void LayerRecords::add_name(const JsonText& name) {
  const LayerId layer = builder_.add_layer(StringId());
  set_name(layer, name);
  add_sources_of_name(layer, builder_.model().text(builder_.model().layers.name[layer.index()]),
                      builder_);
  ++name_count_;
}

void LayerRecords::set_name(LayerId layer, const JsonText& name) {
  builder_.model().layers.name.set(layer.index(), builder_.strings().add(name.view, name.lifetime));
  saw_profile_mark_ = saw_profile_mark_ || profile_mark(name.view);
}

void LayerRecords::finish() { add_control_flow(jumps_, artefact_.path, builder_); }

Result<void> LayerRecords::read(JsonInput& input, ondemand::object& object,
                                const JsonPlace& place) {
  Record record{.layer = builder_.add_layer(StringId())};
  record.jump.layer = record.layer;
  auto read = read_fields(input, object, place, record);
  if (read) return {};
  Error error = std::move(read).error();
  const std::string_view name =
      builder_.model().text(builder_.model().layers.name[record.layer.index()]);
  if (!name.empty()) error.context = format("in layer {}", base::quoted(name));
  return fail(std::move(error));
}

Result<void> LayerRecords::read_fields(JsonInput& input, ondemand::object& object,
                                       const JsonPlace& place, Record& record) {
  tensors_.clear();
  ++record_number_;
  StringId last_key;
  for (auto entry : object) {
    ondemand::field field;
    if (const auto code = std::move(entry).get(field)) {
      return fail(input.broken(place.pointer(), code, "a key"));
    }
    const StringId key = key_of(field, last_key);
    const std::string_view key_text = builder_.strings().view(key);
    last_key = key;
    if (comes_again(key)) record.has_repeated_key = true;
    ondemand::value value = field.value();
    const Field kind = field_of(key);
    // Most keys are of this kind, so it is checked first.
    if (kind == Field::kOther) {
      PLANEX_TRY(read_attribute(input, key, key_text, value, place, record));
    } else {
      PLANEX_TRY(read_field(input, kind, key, key_text, value, place, record));
    }
  }
  if (record.has_repeated_key) PLANEX_TRY(sort_out_repeated_keys(input, object, place, record));
  finish_record(place, record);
  ++object_count_;
  return {};
}

// Most records have their keys in the same order, so the key that followed last time is tried
// first.
StringId LayerRecords::key_of(ondemand::field& field, StringId last_key) {
  const std::size_t place = last_key.is_null() ? kUsualKeys : last_key.index();
  if (place > kUsualKeys) return keys_.intern(JsonInput::key_of(field), Lifetime::kBorrow);
  StringId& next = next_key_[place];
  if (next.is_null() || !JsonInput::has_key(field, builder_.strings().view(next))) {
    next = keys_.intern(JsonInput::key_of(field), Lifetime::kBorrow);
  }
  return next;
}

Result<void> LayerRecords::read_field(JsonInput& input, Field kind, StringId key,
                                      std::string_view key_text, ondemand::value& value,
                                      const JsonPlace& place, Record& record) {
  model::LayersTable& layers = builder_.model().layers;
  const std::size_t row = record.layer.index();
  switch (kind) {
    case Field::kName: {
      PLANEX_ASSIGN(const JsonText name, read_text(input, value, place, key_text));
      set_name(record.layer, name);
      return {};
    }
    case Field::kLayerType: {
      PLANEX_ASSIGN(record.layer_type, word(input, value, place, key_text));
      return {};
    }
    case Field::kParameterType: {
      PLANEX_ASSIGN(record.parameter_type, word(input, value, place, key_text));
      return {};
    }
    case Field::kInputs:
      return tensors_.read(input, value, record.layer, Direction::kInput, key_text, place);
    case Field::kConstants:
      era_.strides_or_constants = true;
      return tensors_.read(input, value, record.layer, Direction::kConstant, key_text, place);
    case Field::kOutputs:
      return tensors_.read(input, value, record.layer, Direction::kOutput, key_text, place);
    case Field::kTacticName: {
      PLANEX_ASSIGN(const StringId tactic, word(input, value, place, key_text));
      if (!builder_.strings().view(tactic).empty()) layers.tactic.set(row, tactic);
      return {};
    }
    case Field::kStreamId: {
      PLANEX_ASSIGN(const auto stream, integer(input, value, place, key_text));
      layers.stream.set(row, stream);
      era_.stream_or_metadata = true;
      return {};
    }
    case Field::kEventId: {
      PLANEX_ASSIGN(record.event_id, integer(input, value, place, key_text));
      return {};
    }
    case Field::kJump: {
      PLANEX_ASSIGN(const JsonText target, read_text(input, value, place, key_text));
      const StringId name = builder_.strings().add(target.view, target.lifetime);
      builder_.add_attribute(record.layer, key, name, ValueType::kString);
      set_jump_target(record.jump, key_text, builder_.strings().view(name));
      return {};
    }
    case Field::kMetadata: {
      PLANEX_ASSIGN(const JsonText metadata, read_text(input, value, place, key_text));
      record.metadata = builder_.strings().add(metadata.view, metadata.lifetime);
      era_.stream_or_metadata = true;
      builder_.add_attribute(record.layer, key, record.metadata, ValueType::kString);
      return {};
    }
    case Field::kOrigin: {
      PLANEX_ASSIGN(const StringId origin, word(input, value, place, key_text));
      layers.origin.set(row, origin);
      builder_.add_attribute(record.layer, key, origin, ValueType::kString);
      return {};
    }
    case Field::kWeights:
      return read_weights(input, key, key_text, value, place, record);
    case Field::kHasDynamicFilter:
      era_.dynamic_filter = true;
      [[fallthrough]];
    case Field::kOther:
      return read_attribute(input, key, key_text, value, place, record);
  }
  return {};
}

// A text that many records share.
Result<StringId> LayerRecords::word(JsonInput& input, ondemand::value& value,
                                    const JsonPlace& place, std::string_view key) {
  PLANEX_ASSIGN(const JsonText result, read_text(input, value, place, key));
  return words_.intern(result.view, result.lifetime);
}

Result<std::optional<std::int64_t>> LayerRecords::integer(JsonInput& input, ondemand::value& value,
                                                          const JsonPlace& place,
                                                          std::string_view key) {
  std::int64_t number = 0;
  const auto code = JsonInput::integer_of(value, number);
  if (code == simdjson::SUCCESS) return std::optional(number);
  if (const auto token = base::trimmed(value.raw_json_token()); is_not_a_number(token)) {
    input.note_not_a_number(token);
    return std::optional<std::int64_t>();
  }
  return fail(input.broken(JsonPlace(place, key).pointer(), code, "an integer"));
}

Result<void> LayerRecords::read_attribute(JsonInput& input, StringId key, std::string_view key_text,
                                          ondemand::value& value, const JsonPlace& place,
                                          const Record& record) {
  PLANEX_ASSIGN(const KeptValue kept, keep_value(input, value, place, key_text, builder_));
  builder_.add_attribute(record.layer, key, kept.text, kept.type);
  return {};
}

// {"Type": "Half", "Count": 9408}. Kept as an attribute too.
Result<void> LayerRecords::read_weights(JsonInput& input, StringId key, std::string_view key_text,
                                        ondemand::value& value, const JsonPlace& place,
                                        Record& record) {
  PLANEX_ASSIGN(const KeptValue kept, keep_value(input, value, place, key_text, builder_));
  builder_.add_attribute(record.layer, key, kept.text, kept.type);
  if (kept.type == ValueType::kObject) {
    add_weights(builder_.strings().view(kept.text), key_text, place, record);
  }
  return {};
}

void LayerRecords::add_weights(std::string_view json, std::string_view key, const JsonPlace& place,
                               Record& record) {
  if (record.weights.add(json)) return;
  report("unknown-weights", "weights with an unknown type or count; their size is not counted",
         place, key);
}

bool LayerRecords::comes_again(StringId key) {
  std::uint32_t& last = key.index() < kUsualKeys
                            ? last_record_of_key_[key.index()]
                            : last_record_of_odd_key_[static_cast<std::uint32_t>(key.index())];
  return std::exchange(last, record_number_) == record_number_;
}

// Of equal keys the last one counts, as in most parsers. The others are kept as attributes after
// it. Reads the record a second time, which only such records need.
Result<void> LayerRecords::sort_out_repeated_keys(JsonInput& input, ondemand::object& object,
                                                  const JsonPlace& place, Record& record) {
  bool is_empty = false;
  if (const auto code = object.reset().get(is_empty)) {
    return fail(input.broken(place.pointer(), code, "a layer"));
  }
  std::unordered_map<std::uint32_t, std::string_view> json_of;  // the last value of each key so far
  std::unordered_map<std::uint32_t, bool> repeated;             // whether it has a field
  for (auto entry : object) {
    ondemand::field field;
    if (const auto code = std::move(entry).get(field)) {
      return fail(input.broken(place.pointer(), code, "a key"));
    }
    const std::string_view key_text = JsonInput::key_of(field);
    const StringId key = keys_.intern(key_text, Lifetime::kBorrow);
    const auto key_index = static_cast<std::uint32_t>(key.index());
    std::string_view json;
    ondemand::value value = field.value();
    if (const auto code = JsonInput::raw_of(value).get(json)) {
      return fail(input.broken(place.pointer(), code, "a value"));
    }
    const auto [seen, is_first] = json_of.try_emplace(key_index, json);
    const std::string_view earlier = std::exchange(seen->second, json);
    if (is_first) continue;
    report("duplicate-key",
           "the key is repeated in the record; the last one counts, the others are kept as "
           "attributes",
           place, key_text);
    repeated.emplace(key_index, is_attribute(field_of(key)));
    if (is_attribute(field_of(key))) continue;
    const KeptValue kept = keep_as_written(earlier, builder_);
    builder_.add_attribute(record.layer, key, kept.text, kept.type);
  }
  put_last_values_first(record.layer, repeated);
  // A sum over keys must count each key once.
  record.weights = {};
  record.jump = {.layer = record.layer};
  for (const LayerKey& name : layer_keys()) {
    if (name.field != Field::kWeights && name.field != Field::kJump) continue;
    const StringId key = keys_.intern(name.key, Lifetime::kBorrow);
    const auto found = json_of.find(static_cast<std::uint32_t>(key.index()));
    if (found == json_of.end()) continue;
    const std::string_view json = found->second;
    if (name.field == Field::kWeights) {
      if (json.starts_with('{')) add_weights(json, name.key, place, record);
    } else {
      set_jump_target(record.jump, name.key,
                      builder_.strings().view(keep_as_written(json, builder_).text));
    }
  }
  return {};
}

// For repeated keys that are attributes: readers of attributes use the first one.
void LayerRecords::put_last_values_first(LayerId layer,
                                         const std::unordered_map<std::uint32_t, bool>& repeated) {
  model::AttributesTable& attributes = builder_.model().attributes;
  struct Rows {
    std::size_t first = 0, last = 0;
  };
  std::unordered_map<std::uint32_t, Rows> rows_of;
  for (std::size_t row = attributes.row_count(); row-- > 0 && attributes.layer_id[row] == layer;) {
    const auto key = static_cast<std::uint32_t>(attributes.key[row].index());
    rows_of.try_emplace(key, Rows{row, row}).first->second.first = row;
  }
  for (const auto& [key, rows] : rows_of) {
    const auto found = repeated.find(key);
    if (found == repeated.end() || !found->second) continue;
    const StringId value = attributes.value[rows.first];
    const ValueType type = attributes.value_type[rows.first];
    attributes.value.set(rows.first, attributes.value[rows.last]);
    attributes.value_type.set(rows.first, attributes.value_type[rows.last]);
    attributes.value.set(rows.last, value);
    attributes.value_type.set(rows.last, type);
  }
}

void LayerRecords::finish_record(const JsonPlace& place, const Record& record) {
  model::LayersTable& layers = builder_.model().layers;
  const std::size_t row = record.layer.index();
  if (layers.name.is_null(row)) {
    report("layer-without-name", "the layer has no Name; it is shown without one", place, "Name");
  }
  if (record.layer_type.is_null() && record.parameter_type.is_null()) {
    report("layer-without-type", "the layer has no LayerType; its kind is unknown", place,
           "LayerType");
  }
  const TypeFacts& facts = vocabulary_.type(record.layer_type, record.parameter_type);
  vocabulary_.set_type(record.layer, facts);
  tensors_.add_ports(record.layer);
  set_weight_bytes(record.layer,
                   {.counted = record.weights,
                    .lists_constants = tensors_.lists_constants(),
                    .constant_bytes = tensors_.constant_bytes(),
                    .has_parameters = !record.parameter_type.is_null()},
                   builder_);
  if (record.event_id) {
    add_stream_event(record.layer, record.event_id, builder_);
    builder_.add_attribute(record.layer, builder_.strings().intern("EventId"),
                           builder_.strings().intern(format("{}", *record.event_id)),
                           ValueType::kNumber);
  }
  if (!era_.expanded_myelin && is_myelin_kernel(builder_.strings().view(record.layer_type))) {
    era_.expanded_myelin = true;
  }
  add_sources(record.layer, builder_.strings().view(record.metadata), builder_);
  if (record.jump.leads_anywhere()) jumps_.push_back(record.jump);
}

void LayerRecords::report(std::string_view code, std::string_view message, const JsonPlace& place,
                          std::string_view key) {
  builder_.add_diagnostic({.code = code,
                           .severity = Severity::kWarning,
                           .message = std::string(message),
                           .file = artefact_.path,
                           .json_pointer = JsonPlace(place, key).pointer()});
}

}  // namespace planex::ingest::tensorrt
