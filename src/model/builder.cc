#include "model/builder.h"

#include <algorithm>
#include <utility>

#include "base/text.h"

namespace planex::model {
namespace {

// `layer_of` must ascend; returns the first row of each layer, and the end.
std::vector<std::uint32_t> first_rows(const Column<LayerId>& layer_of, std::size_t layer_count) {
  std::vector<std::uint32_t> firsts(layer_count + 1, 0);
  for (const LayerId layer : layer_of.values()) ++firsts[layer.index() + 1];
  for (std::size_t i = 0; i < layer_count; ++i) firsts[i + 1] += firsts[i];
  return firsts;
}

}  // namespace

Error too_many(std::string_view what, std::size_t limit, const std::string& file) {
  return {.code = ErrorCode::kUnsupported,
          .message = base::format("has more than {} {}; planex reads no more", limit, what),
          .file = file};
}

ModelBuilder::ModelBuilder(const BuilderLimits& limits) : limits_(limits) {
  model_.engine.add_row();
}

std::optional<Error> ModelBuilder::exceeded_limit(const std::string& file) const {
  if (has_too_many_layers_) return too_many("layers", limits_.layers, file);
  if (has_too_many_ports_) return too_many("inputs and outputs of layers", limits_.ports, file);
  return std::nullopt;
}

void ModelBuilder::reserve(const ExpectedRows& expected) {
  model_.layers.reserve(expected.layers);
  model_.attributes.reserve(expected.attributes);
  model_.ports.reserve(expected.ports);
  model_.tensors.reserve(expected.tensors);
  model_.sources.reserve(expected.sources);
  model_.strings.reserve(expected.strings);
}

LayerId ModelBuilder::add_layer(base::StringId name) {
  LayersTable& layers = model_.layers;
  if (layers.row_count() >= limits_.layers) {
    has_too_many_layers_ = true;
    return LayerId(layers.row_count() - 1);
  }
  const LayerId layer(layers.add_row());
  layers.layer_id.set(layer.index(), layer);
  layers.name.set(layer.index(), name);
  layers.role.set(layer.index(), Role::kWork);
  return layer;
}

TensorId ModelBuilder::tensor(std::string_view name, base::Lifetime lifetime) {
  return tensor_named(model_.strings.intern(name, lifetime));
}

TensorId ModelBuilder::tensor_named(base::StringId id) {
  if (id.index() >= tensor_of_string_.size()) {
    tensor_of_string_.resize(std::max(id.index() + 1, tensor_of_string_.size() * 2));
  }
  TensorId& tensor = tensor_of_string_[id.index()];
  if (tensor.is_null()) {
    TensorsTable& tensors = model_.tensors;
    tensor = TensorId(tensors.add_row());
    tensors.tensor_id.set(tensor.index(), tensor);
    tensors.name.set(tensor.index(), id);
    tensors.producers.set(tensor.index(), 0);
    tensors.consumers.set(tensor.index(), 0);
  }
  return tensor;
}

TensorId ModelBuilder::find_tensor(std::string_view name) const {
  const base::StringId id = model_.strings.find(name);
  return id.is_null() || id.index() >= tensor_of_string_.size() ? TensorId()
                                                                : tensor_of_string_[id.index()];
}

void ModelBuilder::add_port(LayerId layer, Direction direction, const PortFacts& facts,
                            base::Lifetime lifetime) {
  PortsTable& ports = model_.ports;
  if (ports.row_count() >= limits_.ports) {
    has_too_many_ports_ = true;
    return;
  }
  const std::size_t row = ports.add_row();
  const TensorId id = tensor(facts.tensor, lifetime);
  const bool follows =
      row > 0 && ports.layer_id[row - 1] == layer && ports.direction[row - 1] == direction;
  ports.layer_id.set(row, layer);
  ports.direction.set(row, direction);
  ports.index.set(row, follows ? ports.index[row - 1] + 1 : 0);
  ports.tensor_id.set(row, id);
  if (facts.dims_known) ports.dims.set(row, facts.dims);
  ports.dtype.set(row, facts.dtype);
  Layout layout = facts.layout;
  constexpr std::size_t kVolumeRank = 5;
  layout.is_volume = layout.order != Order::kNull && facts.dims.size() == kVolumeRank;
  ports.layout.set(row, layout);
  ports.raw_format.set(row, facts.raw_format);
  if (!facts.strides.empty()) ports.strides.set(row, facts.strides);
  ports.location.set(row, facts.location);
  Int& uses = direction == Direction::kOutput ? model_.tensors.producers : model_.tensors.consumers;
  uses.set(id.index(), uses[id.index()] + 1);
}

PortsTable ModelBuilder::take_ports() {
  tensor_of_string_.clear();
  std::ranges::fill(tensor_of_binding_, TensorId());
  model_.tensors = {};
  return std::exchange(model_.ports, {});
}

void ModelBuilder::add_attribute(LayerId layer, base::StringId key, base::StringId value,
                                 ValueType type) {
  AttributesTable& attributes = model_.attributes;
  const std::size_t row = attributes.add_row();
  attributes.layer_id.set(row, layer);
  attributes.key.set(row, key);
  attributes.value.set(row, value);
  attributes.value_type.set(row, type);
}

void ModelBuilder::add_source(LayerId layer, std::string_view op_name, std::string_view op_type,
                              Evidence evidence, base::Lifetime lifetime) {
  SourcesTable& sources = model_.sources;
  const std::size_t row = sources.add_row();
  sources.layer_id.set(row, layer);
  // Few operations occur twice, so deduplicating only pays where it saves a copy.
  sources.op_name.set(row, lifetime == base::Lifetime::kBorrow ? strings().add(op_name, lifetime)
                                                               : strings().intern(op_name));
  if (!op_type.empty()) sources.op_type.set(row, strings().intern(op_type));
  sources.evidence.set(row, evidence);
}

void ModelBuilder::add_metadata(std::string_view section, std::string_view key,
                                std::string_view value, std::string_view file) {
  MetadataTable& metadata = model_.metadata;
  const std::size_t row = metadata.add_row();
  metadata.section.set(row, strings().intern(section));
  metadata.key.set(row, strings().intern(key));
  metadata.value.set(row, strings().add(value));
  metadata.file.set(row, strings().intern(file));
}

std::size_t ModelBuilder::add_file(std::string_view file, std::string_view kind,
                                   std::string_view evidence, std::uint64_t size_bytes) {
  FilesTable& files = model_.files;
  const std::size_t row = files.add_row();
  files.file.set(row, strings().intern(file));
  files.kind.set(row, strings().intern(kind));
  files.evidence.set(row, strings().intern(evidence));
  files.size_bytes.set(row, static_cast<std::int64_t>(size_bytes));
  return row;
}

void ModelBuilder::add_diagnostic(const DiagnosticFacts& facts) {
  const base::StringId code = strings().intern(facts.code);
  auto count = std::ranges::find(diagnostic_counts_, code, &DiagnosticCount::code);
  if (count == diagnostic_counts_.end()) {
    count = diagnostic_counts_.insert(diagnostic_counts_.end(), {code, 0, facts.severity});
  }
  if (++count->count > kMaxDiagnosticsOfACode) return;
  DiagnosticsTable& diagnostics = model_.diagnostics;
  const std::size_t row = diagnostics.add_row();
  diagnostics.code.set(row, code);
  diagnostics.severity.set(row, facts.severity);
  diagnostics.message.set(row, strings().intern(facts.message));
  if (!facts.file.empty()) diagnostics.file.set(row, strings().intern(facts.file));
  if (!facts.json_pointer.empty()) {
    diagnostics.json_pointer.set(row, strings().intern(facts.json_pointer));
  }
  if (facts.byte_offset) {
    diagnostics.byte_offset.set(row, static_cast<std::int64_t>(*facts.byte_offset));
  }
}

void ModelBuilder::flush_suppressed_diagnostics() {
  for (const DiagnosticCount& entry : diagnostic_counts_) {
    if (entry.count <= kMaxDiagnosticsOfACode) continue;
    DiagnosticsTable& diagnostics = model_.diagnostics;
    const std::size_t row = diagnostics.add_row();
    diagnostics.code.set(row, entry.code);
    diagnostics.severity.set(row, entry.severity);
    diagnostics.message.set(row, strings().add(base::format("{} more of this kind are not listed",
                                                            entry.count - kMaxDiagnosticsOfACode)));
  }
}

OperationId ModelBuilder::add_operation(const OperationFacts& facts, base::Lifetime lifetime) {
  OperationsTable& operations = model_.operations;
  const std::size_t row = operations.add_row();
  const OperationId id(row);
  operations.operation_id.set(row, id);
  operations.name.set(row, strings().intern(facts.name, lifetime));
  operations.type.set(row, strings().intern(facts.type, lifetime));
  if (!facts.domain.empty()) operations.domain.set(row, strings().intern(facts.domain, lifetime));
  if (!facts.subgraph.empty()) operations.subgraph.set(row, strings().intern(facts.subgraph));
  if (!facts.parameters.empty()) operations.parameters.set(row, strings().add(facts.parameters));
  return id;
}

void ModelBuilder::add_operation_port(OperationId operation, Direction direction,
                                      const OperationPortFacts& facts, base::Lifetime lifetime) {
  OperationPortsTable& ports = model_.operation_ports;
  const std::size_t row = ports.add_row();
  const bool follows =
      row > 0 && ports.operation_id[row - 1] == operation && ports.direction[row - 1] == direction;
  ports.operation_id.set(row, operation);
  ports.direction.set(row, direction);
  ports.index.set(row, follows ? ports.index[row - 1] + 1 : 0);
  if (facts.tensor.data() != nullptr) {
    ports.tensor.set(row, strings().intern(facts.tensor, lifetime));
  }
  if (facts.dims_known) ports.dims.set(row, facts.dims);
  ports.dtype.set(row, facts.dtype);
  ports.stored_bytes.set(row, facts.stored_bytes);
}

void ModelBuilder::add_event(LayerId layer, std::string_view kind,
                             std::optional<std::int64_t> event_id, LayerId target) {
  EventsTable& events = model_.events;
  const std::size_t row = events.add_row();
  events.event_id.set(row, event_id);
  events.layer_id.set(row, layer);
  events.stream.set(row, model_.layers.stream.get(layer.index()));
  events.kind.set(row, strings().intern(kind));
  events.target_layer_id.set(row, target);
}

BlockId ModelBuilder::add_block(std::string_view name, std::string_view kind, BlockId parent) {
  BlocksTable& blocks = model_.blocks;
  const std::size_t row = blocks.add_row();
  const BlockId id(row);
  blocks.block_id.set(row, id);
  blocks.name.set(row, strings().intern(name));
  blocks.kind.set(row, strings().intern(kind));
  blocks.parent_id.set(row, parent);
  return id;
}

void ModelBuilder::add_profile(const ProfileFacts& facts) {
  ProfilesTable& profiles = model_.profiles;
  const std::size_t row = profiles.add_row();
  profiles.profile_index.set(row, facts.profile_index);
  profiles.binding.set(row, strings().intern(facts.binding));
  if (facts.min_dims) profiles.min_dims.set(row, *facts.min_dims);
  if (facts.opt_dims) profiles.opt_dims.set(row, *facts.opt_dims);
  if (facts.max_dims) profiles.max_dims.set(row, *facts.max_dims);
  if (!facts.raw_format.empty()) profiles.raw_format.set(row, strings().intern(facts.raw_format));
}

namespace {

// Maps the values of another builder to this one: ids of rows are shifted by the existing rows, ids
// of texts and tensors looked up.
struct MovedValues {
  std::span<const base::StringId> strings;
  std::span<const TensorId> tensors;
  std::size_t layers = 0, operations = 0, blocks = 0, regions = 0, choices = 0;

  template <typename T>
  T operator()(T value) const {
    return value;
  }
  base::StringId operator()(base::StringId id) const {
    return id.is_null() ? id : strings[id.index()];
  }
  TensorId operator()(TensorId id) const { return id.is_null() ? id : tensors[id.index()]; }
  LayerId operator()(LayerId id) const { return moved(id, layers); }
  OperationId operator()(OperationId id) const { return moved(id, operations); }
  BlockId operator()(BlockId id) const { return moved(id, blocks); }
  RegionId operator()(RegionId id) const { return moved(id, regions); }
  ChoiceId operator()(ChoiceId id) const { return moved(id, choices); }

  template <typename Id>
  static Id moved(Id id, std::size_t by) {
    return id.is_null() ? id : Id(id.index() + by);
  }
};

}  // namespace

std::vector<TensorId> ModelBuilder::append_tensors(const TensorsTable& tensors,
                                                   std::span<const base::StringId> strings) {
  std::vector<TensorId> ids;
  ids.reserve(tensors.row_count());
  TensorsTable& mine = model_.tensors;
  for (std::size_t row = 0; row < tensors.row_count(); ++row) {
    const TensorId id = tensor_named(strings[tensors.name[row].index()]);
    mine.producers.set(id.index(), mine.producers[id.index()] + tensors.producers[row]);
    mine.consumers.set(id.index(), mine.consumers[id.index()] + tensors.consumers[row]);
    ids.push_back(id);
  }
  return ids;
}

ModelBuilder::Diagnostics ModelBuilder::take_diagnostics() {
  return {std::exchange(model_.diagnostics, {}), std::exchange(diagnostic_counts_, {})};
}

template <typename Map>
void ModelBuilder::add_diagnostics(const Diagnostics& diagnostics, const Map& map,
                                   const MovedPointer& moved_pointer) {
  const DiagnosticsTable& listed = diagnostics.listed;
  const auto text = [&](base::StringId id) { return std::string(strings().view(map(id))); };
  for (std::size_t row = 0; row < listed.row_count(); ++row) {
    const std::string code = text(listed.code[row]);
    DiagnosticFacts facts{.code = code,
                          .severity = listed.severity[row],
                          .message = text(listed.message[row]),
                          .file = text(listed.file[row]),
                          .json_pointer = text(listed.json_pointer[row])};
    if (moved_pointer) facts.json_pointer = moved_pointer(facts.json_pointer);
    if (const auto offset = listed.byte_offset.get(row)) {
      facts.byte_offset = static_cast<std::uint64_t>(*offset);
    }
    add_diagnostic(facts);
  }
  for (const DiagnosticCount& entry : diagnostics.counts) {
    if (entry.count <= kMaxDiagnosticsOfACode) continue;
    std::ranges::find(diagnostic_counts_, map(entry.code), &DiagnosticCount::code)->count +=
        entry.count - kMaxDiagnosticsOfACode;
  }
}

void ModelBuilder::append(ModelBuilder&& other, const MovedPointer& moved_pointer) {
  const std::vector<base::StringId> strings_here =
      model_.strings.append(std::move(other.model_.strings));
  const std::vector<TensorId> tensors_here = append_tensors(other.model_.tensors, strings_here);
  const MovedValues map{.strings = strings_here,
                        .tensors = tensors_here,
                        .layers = model_.layers.row_count(),
                        .operations = model_.operations.row_count(),
                        .blocks = model_.blocks.row_count(),
                        .regions = model_.regions.row_count(),
                        .choices = model_.tactic_choices.row_count()};
  add_diagnostics(other.take_diagnostics(), map, moved_pointer);
  other.model_.tensors = {};
  other.model_.engine = {};
  // One by one, so that the memory of each added builder is free for the next.
#define PLANEX_APPEND_TABLE(Struct, table, COLUMNS, description) \
  model_.table.append(other.model_.table, map);                  \
  other.model_.table = {};
  PLANEX_TABLES(PLANEX_APPEND_TABLE)
#undef PLANEX_APPEND_TABLE
  for (const TensorId tensor : other.tensor_of_binding_) tensor_of_binding_.push_back(map(tensor));
  for (auto& bytes : other.model_.kept_) model_.kept_.push_back(std::move(bytes));
  has_too_many_layers_ |= other.has_too_many_layers_ || model_.layers.row_count() > limits_.layers;
  has_too_many_ports_ |= other.has_too_many_ports_ || model_.ports.row_count() > limits_.ports;
  other = ModelBuilder();
}

void ModelBuilder::prepend(ModelBuilder&& other) {
  const std::vector<base::StringId> strings_here =
      model_.strings.append(std::move(other.model_.strings));
  const MovedValues map{.strings = strings_here, .tensors = {}};
  const auto as_it_is = [](auto value) { return value; };
  const Diagnostics mine = take_diagnostics();
  add_diagnostics(other.take_diagnostics(), map, {});
  add_diagnostics(mine, as_it_is, {});
  model_.engine = {};
#define PLANEX_PREPEND_TABLE(Struct, table, COLUMNS, description) \
  if (other.model_.table.row_count() > 0) {                       \
    Struct table;                                                 \
    table.append(other.model_.table, map);                        \
    table.append(model_.table, as_it_is);                         \
    model_.table = std::move(table);                              \
  }
  PLANEX_TABLES(PLANEX_PREPEND_TABLE)
#undef PLANEX_PREPEND_TABLE
  std::vector<TensorId> tensors(other.tensor_of_binding_.size());
  tensor_of_binding_.insert(tensor_of_binding_.begin(), tensors.begin(), tensors.end());
  for (auto& bytes : other.model_.kept_) model_.kept_.push_back(std::move(bytes));
  other = ModelBuilder();
}

// Records of each block, without those of blocks inside it.
void ModelBuilder::count_blocks() {
  BlocksTable& blocks = model_.blocks;
  for (std::size_t row = 0; row < blocks.row_count(); ++row) blocks.layer_count.set(row, 0);
  for (const BlockId block : model_.layers.block_id.values()) {
    if (block.is_null()) continue;
    blocks.layer_count.set(block.index(), blocks.layer_count[block.index()] + 1);
  }
}

void ModelBuilder::add_binding(std::string_view name, Direction direction, TensorId tensor) {
  BindingsTable& bindings = model_.bindings;
  const std::size_t row = bindings.add_row();
  bindings.name.set(row, strings().intern(name));
  bindings.direction.set(row, direction);
  set_binding_tensor(row, tensor);
}

void ModelBuilder::set_binding_tensor(std::size_t binding, TensorId tensor) {
  if (tensor_of_binding_.size() <= binding) tensor_of_binding_.resize(binding + 1);
  tensor_of_binding_[binding] = tensor;
}

void ModelBuilder::resolve_bindings() {
  // Each binding takes its facts from the first port of its tensor, as seen from outside the
  // engine: an input is what its first reader reads, an output what its last writer writes.
  const PortsTable& ports = model_.ports;
  const TensorsTable& tensors = model_.tensors;
  BindingsTable& bindings = model_.bindings;
  constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  std::vector<std::size_t> binding_of(tensors.row_count(), kNone);
  for (std::size_t row = 0; row < bindings.row_count(); ++row) {
    const base::StringId name = bindings.name[row];
    TensorId id = row < tensor_of_binding_.size() ? tensor_of_binding_[row] : TensorId();
    if (id.is_null() && name.index() < tensor_of_string_.size()) {
      id = tensor_of_string_[name.index()];
    }
    if (id.is_null()) continue;
    binding_of[id.index()] = row;
    if (bindings.direction.is_null(row)) {
      // A tensor that no layer writes must come from outside. An output can have readers inside
      // too.
      bindings.direction.set(
          row, tensors.producers[id.index()] == 0 ? Direction::kInput : Direction::kOutput);
    }
    model_.tensors.role.set(id.index(), bindings.direction[row] == Direction::kInput
                                            ? TensorRole::kInput
                                            : TensorRole::kOutput);
  }
  std::vector<bool> seen(bindings.row_count(), false);
  for (std::size_t port = 0; port < ports.row_count(); ++port) {
    const std::size_t row = binding_of[ports.tensor_id[port].index()];
    if (row == kNone || ports.direction[port] != bindings.direction[row] || seen[row]) continue;
    seen[row] = true;
    if (bindings.dims.is_null(row) && !ports.dims.is_null(port)) {
      bindings.dims.set(row, ports.dims[port]);
    }
    if (bindings.dtype.is_null(row)) bindings.dtype.set(row, ports.dtype[port]);
    if (bindings.layout.is_null(row)) bindings.layout.set(row, ports.layout[port]);
  }
}

namespace {

// Myelin's names for what it made of weights: __mye519_dconst, fc_bias_constantHalf, _alpha.
bool is_name_of_constant(std::string_view name) {
  return name.find("_dconst") != name.npos || name.find("_constant") != name.npos ||
         name.ends_with("_alpha") || name.ends_with("_beta");
}

}  // namespace

void ModelBuilder::resolve_tensor_roles() {
  const PortsTable& ports = model_.ports;
  TensorsTable& tensors = model_.tensors;
  for (std::size_t port = 0; port < ports.row_count(); ++port) {
    const std::size_t tensor = ports.tensor_id[port].index();
    if (!tensors.role.is_null(tensor)) continue;
    if (ports.direction[port] == Direction::kConstant && tensors.producers[tensor] == 0) {
      tensors.role.set(tensor, TensorRole::kConstant);
    }
    if (ports.direction[port] != Direction::kOutput) continue;
    switch (model_.layers.role[ports.layer_id[port].index()]) {
      case Role::kConstant:
        tensors.role.set(tensor, TensorRole::kConstant);
        break;
      case Role::kShape:
        tensors.role.set(tensor, TensorRole::kShape);
        break;
      default:
        tensors.role.set(tensor, TensorRole::kActivation);
        break;
    }
  }
  // Whether layers read or write every input and output: a truncated list lacks some.
  const BindingsTable& bindings = model_.bindings;
  bool is_whole = bindings.row_count() > 0;
  for (std::size_t row = 0; row < bindings.row_count() && is_whole; ++row) {
    const bool is_tied = row < tensor_of_binding_.size() && !tensor_of_binding_[row].is_null();
    is_whole = is_tied || !find_tensor(model_.text(bindings.name[row])).is_null();
  }
  for (std::size_t tensor = 0; tensor < tensors.row_count(); ++tensor) {
    if (!tensors.role.is_null(tensor)) continue;
    // No layer writes it and it is not a binding: a constant of an opaque region, unless the list
    // of layers is truncated and its writer is missing.
    const bool is_constant = tensors.producers[tensor] == 0 &&
                             (is_whole || is_name_of_constant(model_.text(tensors.name[tensor])));
    tensors.role.set(tensor, is_constant ? TensorRole::kConstant : TensorRole::kActivation);
  }
}

PlanModel ModelBuilder::finish() {
  flush_suppressed_diagnostics();
  resolve_bindings();
  resolve_tensor_roles();
  count_blocks();
  const std::size_t layer_count = model_.layers.row_count();
  model_.first_port_ = first_rows(model_.ports.layer_id, layer_count);
  model_.first_attribute_ = first_rows(model_.attributes.layer_id, layer_count);
  model_.first_source_ = first_rows(model_.sources.layer_id, layer_count);
  return std::move(model_);
}

}  // namespace planex::model
