#include "ingest/openvino/layer_writer.h"

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "ingest/families.h"

namespace planex::ingest::openvino {

using base::format;
using base::Lifetime;
using base::StringId;
using model::Direction;
using model::DType;
using model::LayerId;
using model::Role;
using model::Severity;

void LayerRecord::clear() {
  name = type = primitive = runtime_precision = {};
  role = Role::kWork;
  inputs.clear();
  outputs.clear();
  dims.clear();
  weight_bytes = 0;
  has_weight_list = false;
  are_weights_known = true;
}

void set_kernel(model::ModelBuilder& builder, std::size_t layer_row, StringId primitive,
                Role role) {
  model::LayersTable& layers = builder.model().layers;
  const std::string_view name = builder.strings().view(primitive);
  if (const std::string family = family_of_primitive(name); !family.empty()) {
    layers.tactic.set(layer_row, primitive);
    layers.subtype.set(layer_row, builder.strings().intern(family));
  }
  if (role != Role::kWork) return;
  if (const auto matrix_units = uses_matrix_units(name)) {
    layers.tensor_cores.set(layer_row, *matrix_units ? 1 : 0);
  }
  layers.compute_precision.set(layer_row, type_of_primitive(name));
}

void LayerWriter::report(Severity severity, std::string_view code, std::string message) {
  builder_.add_diagnostic(
      {.code = code, .severity = severity, .message = std::move(message), .file = artefact_.path});
}

void LayerWriter::write(LayerId layer, const LayerRecord& record) {
  model::LayersTable& layers = builder_.model().layers;
  const std::size_t row = layer.index();
  layers.name.set(row, record.name);
  if (!view(record.type).empty()) {
    layers.type.set(row, record.type);
    layers.raw_type.set(row, record.type);
  }
  layers.role.set(row, record.role);
  layers.family.set(row, family_of(view(record.type)));
  set_kernel(builder_, row, record.primitive, record.role);
  // The runtime precision is the largest of what is read: for a kernel that computes in float with
  // weights stored as INT8 it is INT8. So it counts only if no kernel names its own type.
  const DType said = parse_type(view(record.runtime_precision));
  const bool kernel_says = !layers.tactic.is_null(row) && !layers.compute_precision.is_null(row);
  if (record.role == Role::kWork && said != DType::kNull && !kernel_says) {
    layers.compute_precision.set(row, said);
  }
  for (const PortRecord& port : record.inputs) add_port(layer, Direction::kInput, record, port);
  for (const PortRecord& port : record.outputs) add_port(layer, Direction::kOutput, record, port);
  set_input_bytes(row, record);
  if (record.has_weight_list && record.are_weights_known && record.role != Role::kConstant) {
    layers.weight_bytes.set(row, record.weight_bytes.value());
  }
}

void LayerWriter::add_port(LayerId layer, Direction direction, const LayerRecord& record,
                           const PortRecord& port) {
  const auto dims = record.dims_of(port);
  const FormatFacts& facts = format_facts(port, dims);
  builder_.add_port(layer, direction,
                    {.tensor = view(port.tensor),
                     .dims = dims,
                     .dims_known = port.has_dims,
                     .dtype = facts.dtype,
                     .layout = facts.tag.layout,
                     .raw_format = facts.raw},
                    Lifetime::kBorrow);
  model::PortsTable& ports = builder_.model().ports;
  const std::size_t row = ports.row_count() - 1;
  if (!port.has_dims) return;
  ports.data_bytes.set(row, model::data_bytes(dims, facts.dtype));
  // Whatever the order of whole axes, there is no padding.
  if (facts.tag.is_permutation) ports.bytes.set(row, ports.data_bytes.get(row));
}

// Constants are weights, not activations.
void LayerWriter::set_input_bytes(std::size_t layer_row, const LayerRecord& record) {
  if (std::ranges::none_of(record.inputs, &PortRecord::is_constant)) return;
  if (builder_.has_exceeded_limit()) return;  // some are missing
  const model::PortsTable& ports = builder_.model().ports;
  const std::size_t first = ports.row_count() - record.inputs.size() - record.outputs.size();
  base::CheckedInt sum = 0;
  for (std::size_t i = 0; i < record.inputs.size(); ++i) {
    if (record.inputs[i].is_constant) continue;
    const auto bytes = ports.data_bytes.get(first + i);
    if (!bytes) return;
    sum += *bytes;
  }
  builder_.model().layers.input_bytes.set(layer_row, sum.value());
}

const LayerWriter::FormatFacts& LayerWriter::format_facts(const PortRecord& port,
                                                          std::span<const std::int64_t> dims) {
  // An empty tensor may have no type; its size does not matter.
  const bool is_empty = port.has_dims && std::ranges::find(dims, 0) != dims.end();
  const std::size_t rank = port.has_dims ? dims.size() : 0;
  const auto [known, is_new] = formats_.try_emplace({port.element_type, port.tag, rank});
  FormatFacts& facts = known->second;
  if (is_new) facts = read_format(port, rank);
  if (!is_empty) report_format(facts);
  return facts;
}

LayerWriter::FormatFacts LayerWriter::read_format(const PortRecord& port, std::size_t rank) {
  const std::string_view type = view(port.element_type);
  const std::string_view tag = view(port.tag);
  FormatFacts facts{.element_type = port.element_type,
                    .tag_text = port.tag,
                    .dtype = parse_type(type),
                    .tag = parse_tag(tag)};
  // A tag of another rank says nothing about this tensor. Scalars are tagged "a".
  if (!facts.tag.fits(rank)) facts.tag = {};
  if (!type.empty() || !tag.empty()) {
    const std::string_view blank = type.empty() || tag.empty() ? "" : " ";
    facts.raw = builder_.strings().intern(format("{}{}{}", type, blank, tag));
  }
  return facts;
}

void LayerWriter::report_format(const FormatFacts& facts) {
  if (facts.dtype == DType::kNull && is_news(facts.element_type)) {
    report(Severity::kWarning, "unknown-element-type",
           format("element type {} is unknown; its tensors have no size",
                  base::quoted(view(facts.element_type))));
  }
  const std::string_view tag = view(facts.tag_text);
  if (facts.tag.is_permutation || facts.tag.layout.order != model::Order::kNull) return;
  if (tag.empty() || tag == "undef" || !is_news(facts.tag_text)) return;
  report(Severity::kInfo, "unknown-layout",
         format("layout {} is unknown, and so is the memory that its tensors take",
                base::quoted(tag)));
}

bool LayerWriter::is_news(StringId word) { return reported_.insert(word).second; }

void LayerWriter::weigh(StringId constant, std::int64_t bytes) {
  if (constant.is_null()) return;
  if (constant.index() >= is_weighed_.size()) {
    is_weighed_.resize(std::max(constant.index() + 1, is_weighed_.size() * 2));
  }
  if (is_weighed_[constant.index()]) {
    shared_bytes_ += bytes;
    ++shared_count_;
  }
  is_weighed_[constant.index()] = true;
}

bool LayerWriter::is_weighed(StringId constant) const {
  return constant.index() < is_weighed_.size() && is_weighed_[constant.index()];
}

void LayerWriter::weigh_constants() {
  model::PlanModel& model = builder_.model();
  std::int64_t weighed = 0;
  for (std::size_t row = 0; row < model.layers.row_count(); ++row) {
    weighed = (base::CheckedInt(weighed) + model.layers.weight_bytes.get(row).value_or(0))
                  .value()
                  .value_or(weighed);
  }
  for (std::size_t port = 0; port < model.ports.row_count(); ++port) {
    const std::size_t row = model.ports.layer_id[port].index();
    const bool is_constant = model.layers.role[row] == Role::kConstant &&
                             view(model.layers.type[row]) == "Const" &&
                             model.ports.direction[port] == Direction::kOutput;
    if (!is_constant) continue;
    if (is_weighed(model.tensors.name[model.ports.tensor_id[port].index()])) continue;
    model.layers.weight_bytes.set(row, model.ports.data_bytes.get(port));
  }
  // Scalars and shapes are shared all the time; that is not worth reporting.
  constexpr std::int64_t kPartWorthTelling = 1000;
  const auto shared = shared_bytes_.value();
  if (shared && *shared > weighed / kPartWorthTelling) {
    report(Severity::kInfo, "shared-weights",
           format("{} read by several layers; their {} bytes are counted at each of them",
                  shared_count_ == 1 ? "1 constant is" : format("{} constants are", shared_count_),
                  *shared));
  }
}

void LayerWriter::finish() {
  model::EngineTable& engine = builder_.model().engine;
  engine.producer.set(0, builder_.strings().intern("openvino"));
  engine.detail.set(0, builder_.strings().intern("full"));
  weigh_constants();
}

}  // namespace planex::ingest::openvino
