#include "graph/data_flow.h"

#include <algorithm>
#include <array>

#include "base/text.h"

namespace planex::graph {
namespace {

using base::contains_ignoring_case;
using model::Direction;
using model::DType;
using model::Family;
using model::LayerId;
using model::Role;
using model::TensorId;
using model::TensorRole;

// Ends of one walk. Real chains of conversions are two or three layers long and real tensors have
// a dozen readers; the limits keep a hostile file from making a walk per layer quadratic.
constexpr std::size_t kMaxSteps = 64;
constexpr std::size_t kMaxReaches = 64;
// Maximum number of ports that one walk visits.
constexpr std::size_t kMaxPorts = 4096;

// Rows of one direction, grouped by tensor in row order.
void group_by_tensor(const model::PlanModel& model, Direction direction,
                     std::vector<std::uint32_t>& rows, std::vector<std::uint32_t>& firsts) {
  const model::PortsTable& ports = model.ports;
  firsts.assign(model.tensors.row_count() + 1, 0);
  for (std::size_t row = 0; row < ports.row_count(); ++row) {
    if (ports.direction[row] == direction) ++firsts[ports.tensor_id[row].index() + 1];
  }
  for (std::size_t i = 1; i < firsts.size(); ++i) firsts[i] += firsts[i - 1];
  rows.resize(firsts.back());
  std::vector<std::uint32_t> next(firsts.begin(), firsts.end() - 1);
  for (std::size_t row = 0; row < ports.row_count(); ++row) {
    if (ports.direction[row] != direction) continue;
    rows[next[ports.tensor_id[row].index()]++] = static_cast<std::uint32_t>(row);
  }
}

constexpr std::string_view kGeneratedPrefix = "__myl_";

}  // namespace

bool is_type_change(std::string_view op_type, std::string_view op_name) {
  for (const std::string_view word : {"quantize", "convert", "cast"}) {
    if (contains_ignoring_case(op_type.empty() ? op_name : op_type, word)) return true;
  }
  return false;
}

GeneratedConversion generated_conversion(std::string_view name, DType from, DType to) {
  if (!name.starts_with(kGeneratedPrefix)) return GeneratedConversion::kNone;
  name.remove_prefix(kGeneratedPrefix.size());
  name = name.substr(0, name.find('_'));
  constexpr std::array<std::string_view, 4> kMoves = {"Cast", "Tran", "Move", "Resh"};
  // A quantizer scales, clips, rounds and casts; a dequantizer casts and scales.
  constexpr std::array<std::string_view, 8> kScales = {"Mul", "Div", "Add",  "Sub",
                                                       "Min", "Max", "Roun", "Clip"};
  bool only_moves = !name.empty(), rounds = false, casts = false;
  while (!name.empty()) {
    std::size_t end = 1;
    while (end < name.size() && name[end] >= 'a' && name[end] <= 'z') ++end;
    const std::string_view word = name.substr(0, end);
    name.remove_prefix(end);
    casts = casts || word == "Cast";
    rounds = rounds || word == "Roun";
    if (std::ranges::find(kMoves, word) != kMoves.end()) continue;
    only_moves = false;
    if (std::ranges::find(kScales, word) == kScales.end()) return GeneratedConversion::kNone;
  }
  if (only_moves) return GeneratedConversion::kMoves;
  if (!casts) return GeneratedConversion::kNone;
  const bool small_in = model::is_quantized(from), small_out = model::is_quantized(to);
  if (model::is_float(from) && small_out) return GeneratedConversion::kQuantizes;
  if (small_in && model::is_float(to)) return GeneratedConversion::kDequantizes;
  if (rounds && model::is_float(from) && model::is_float(to)) {
    return GeneratedConversion::kRoundTrip;
  }
  return GeneratedConversion::kNone;
}

DataFlow::DataFlow(const model::PlanModel& model, GeneratedKernels generated) : model_(model) {
  index_ports();
  find_constants();
  find_conversions(generated);
}

void DataFlow::index_ports() {
  group_by_tensor(model_, Direction::kOutput, writer_ports_, first_writer_);
  group_by_tensor(model_, Direction::kInput, reader_ports_, first_reader_);
}

void DataFlow::find_constants() {
  const std::size_t count = model_.tensors.row_count();
  is_constant_.assign(count, false);
  // A file without bindings can't tell its inputs from its constants.
  const bool inputs_known = model_.bindings.row_count() > 0;
  for (std::size_t tensor = 0; tensor < count; ++tensor) {
    const TensorRole role = model_.tensors.role[tensor];
    const bool written = !writers(TensorId(tensor)).empty();
    is_constant_[tensor] =
        role == TensorRole::kShape || (role == TensorRole::kConstant && (written || inputs_known));
  }
  // Producers come before their readers, so one pass in execution order is enough.
  for (std::size_t row = 0; row < layer_count(); ++row) {
    const model::RowRange ports = model_.ports_of(LayerId(row));
    bool has_input = false;
    bool all_constant = true;
    for (PortRow port = ports.first; port < ports.end() && all_constant; ++port) {
      if (model_.ports.direction[port] != Direction::kInput) continue;
      has_input = true;
      all_constant = is_constant_[tensor_of(port).index()];
    }
    if (!has_input || !all_constant) continue;
    for (PortRow port = ports.first; port < ports.end(); ++port) {
      if (model_.ports.direction[port] == Direction::kOutput &&
          writers(tensor_of(port)).size() == 1) {
        is_constant_[tensor_of(port).index()] = true;
      }
    }
  }
}

void DataFlow::find_conversions(GeneratedKernels generated) {
  is_conversion_.assign(layer_count(), false);
  for (std::size_t row = 0; row < layer_count(); ++row) {
    const LayerId layer(row);
    if (!works(layer)) continue;
    is_conversion_[row] = only_converts(layer) || (generated == GeneratedKernels::kMayConvert &&
                                                   is_generated_conversion(layer));
  }
}

bool DataFlow::is_generated_conversion(LayerId layer) const {
  const std::string_view name = model_.text(model_.layers.name[layer.index()]);
  if (!name.starts_with(kGeneratedPrefix)) return false;
  const std::vector<PortRow> out = outputs(layer);
  if (out.empty()) return false;
  return generated_conversion(name, first_data_type(layer), type_of(out[0])) !=
         GeneratedConversion::kNone;
}

DType DataFlow::first_data_type(LayerId layer) const {
  const std::vector<PortRow> in = inputs(layer);
  if (!in.empty()) return type_of(in[0]);
  // Weights that are converted again in every inference: the smallest type among the constants.
  DType type = DType::kNull;
  const model::RowRange ports = model_.ports_of(layer);
  for (PortRow port = ports.first; port < ports.end(); ++port) {
    if (model_.ports.direction[port] == Direction::kOutput) continue;
    if (model::is_quantized(type_of(port))) return type_of(port);
    if (type == DType::kNull) type = type_of(port);
  }
  return type;
}

bool DataFlow::only_converts(LayerId layer) const {
  const std::vector<PortRow> in = inputs(layer);
  const std::vector<PortRow> out = outputs(layer);
  if (family(layer) == Family::kReformat) return !in.empty();
  if (in.size() != 1 || out.size() != 1) return false;
  const DType from = type_of(in[0]);
  const DType to = type_of(out[0]);
  if (from == to || from == DType::kNull || to == DType::kNull) return false;
  if (type(layer) == "Scale") return model::is_quantized(from) != model::is_quantized(to);
  if (type(layer) != "Subgraph" && type(layer) != "Eltwise") return false;
  if (!std::ranges::equal(dims_of(in[0]), dims_of(out[0]))) return false;
  const std::vector<base::StringId> before = sources_before(in[0]);
  const model::RowRange sources = model_.sources_of(layer);
  for (std::size_t row = sources.first; row < sources.end(); ++row) {
    const base::StringId op = model_.sources.op_name[row];
    if (std::ranges::find(before, op) != before.end()) continue;
    if (!is_type_change(model_.text(model_.sources.op_type[row]), model_.text(op))) return false;
  }
  return true;
}

std::vector<base::StringId> DataFlow::sources_before(PortRow input) const {
  constexpr int kMaxHops = 6;  // addition, pooling, reorder, reshape, and two to spare
  std::vector<base::StringId> result;
  PortRow port = input;
  for (int hop = 0; hop < kMaxHops; ++hop) {
    const auto ports = writers(tensor_of(port));
    if (ports.size() != 1) break;
    const LayerId writer = layer_of(ports[0]);
    const model::RowRange sources = model_.sources_of(writer);
    for (std::size_t row = sources.first; row < sources.end(); ++row) {
      result.push_back(model_.sources.op_name[row]);
    }
    const std::vector<PortRow> in = inputs(writer);
    if (in.size() != 1) break;
    port = in[0];
  }
  return result;
}

std::vector<PortRow> DataFlow::inputs(LayerId layer) const {
  std::vector<PortRow> result;
  const model::RowRange ports = model_.ports_of(layer);
  for (PortRow port = ports.first; port < ports.end(); ++port) {
    if (model_.ports.direction[port] == Direction::kInput &&
        !is_constant_[tensor_of(port).index()]) {
      result.push_back(port);
    }
  }
  return result;
}

std::vector<PortRow> DataFlow::outputs(LayerId layer) const {
  std::vector<PortRow> result;
  const model::RowRange ports = model_.ports_of(layer);
  for (PortRow port = ports.first; port < ports.end(); ++port) {
    if (model_.ports.direction[port] == Direction::kOutput &&
        !is_constant_[tensor_of(port).index()]) {
      result.push_back(port);
    }
  }
  return result;
}

bool DataFlow::only_reshapes(LayerId layer) const {
  for (const std::string_view word : {"Reshape", "Squeeze", "Unsqueeze", "Flatten"}) {
    if (type(layer) == word) return true;
  }
  return false;
}

bool DataFlow::carries_value(PortRow port) const {
  const LayerId layer = layer_of(port);
  const std::string_view kind = type(layer);
  if (kind.ends_with("QuantizeLinear") || kind.ends_with("DequantizeLinear")) {
    return model_.ports.index.get(port).value_or(0) == 0;
  }
  if (!is_conversion(layer) || model_.ports.direction[port] != Direction::kInput) return true;
  const std::vector<PortRow> in = inputs(layer);
  return in.empty() || in.front() == port || std::ranges::find(in, port) == in.end();
}

bool DataFlow::passes(LayerId layer, Through through) const {
  if (model_.layers.role[layer.index()] == Role::kNoOp) return true;
  if (!works(layer)) return false;
  if (is_conversion(layer) || only_reshapes(layer)) return true;
  return through == Through::kConversionsAndPools && family(layer) == Family::kPool;
}

Walk DataFlow::walk(TensorId start, Way way, Through through) const {
  constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  struct Step {
    TensorId tensor;
    LayerId via;  // the last layer passed on the way
    std::size_t before = kNone;
  };
  Walk result;
  std::vector<Step> steps = {{start, LayerId(), kNone}};
  std::size_t ports_left = kMaxPorts;
  const auto end_at_edge = [&](std::size_t step) {
    result.ends_at_engine_edge = true;
    for (; !steps[step].via.is_null(); step = steps[step].before) {
      const LayerId via = steps[step].via;
      if (is_conversion(via) &&
          std::ranges::find(result.edge_conversions, via) == result.edge_conversions.end()) {
        result.edge_conversions.push_back(via);
      }
    }
  };
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const TensorId tensor = steps[i].tensor;
    const auto ports = way == Way::kDown ? readers(tensor) : writers(tensor);
    if (ports.empty() || (way == Way::kDown ? is_engine_output(tensor) : is_engine_input(tensor))) {
      end_at_edge(i);
    }
    for (const PortRow port : ports) {
      if (ports_left-- == 0) return result;
      const LayerId layer = layer_of(port);
      const Role role = model_.layers.role[layer.index()];
      if (role == Role::kInput || role == Role::kOutput) {
        end_at_edge(i);
        continue;
      }
      if (passes(layer, through)) {
        if (!carries_value(port)) continue;
        for (const PortRow next : way == Way::kDown ? outputs(layer) : inputs(layer)) {
          if (!carries_value(next)) continue;
          const bool seen = std::ranges::find(steps, tensor_of(next), &Step::tensor) != steps.end();
          if (!seen && steps.size() < kMaxSteps) steps.push_back({tensor_of(next), layer, i});
        }
        continue;
      }
      if (role != Role::kWork || result.reaches.size() == kMaxReaches) continue;
      Reach reach{layer, port, {}, {}};
      for (std::size_t step = i; !steps[step].via.is_null(); step = steps[step].before) {
        const LayerId via = steps[step].via;
        if (is_conversion(via)) reach.conversions.push_back(via);
        if (family(via) == Family::kPool) reach.pools.push_back(via);
      }
      std::ranges::reverse(reach.conversions);
      std::ranges::reverse(reach.pools);
      result.reaches.push_back(std::move(reach));
    }
  }
  return result;
}

Walk DataFlow::real_readers(TensorId tensor, Through through) const {
  return walk(tensor, Way::kDown, through);
}

Walk DataFlow::real_writers(TensorId tensor) const {
  return walk(tensor, Way::kUp, Through::kConversions);
}

TensorId DataFlow::model_tensor(TensorId tensor) const {
  constexpr int kMaxHops = 4;  // a reformat before a reformat is rare already
  for (int hop = 0; hop < kMaxHops; ++hop) {
    const std::string_view text = model_.text(model_.tensors.name[tensor.index()]);
    const bool is_input = text.starts_with("Reformatted Input Tensor ");
    if (!is_input && !text.starts_with("Reformatted Output Tensor ")) return tensor;
    // The copy of an input is written by its reformat; that of an output is read by it.
    const auto ports = is_input ? writers(tensor) : readers(tensor);
    TensorId next = tensor;
    for (const std::uint32_t port : ports) {
      const LayerId layer = layer_of(port);
      if (family(layer) != Family::kReformat) continue;
      const auto others = is_input ? inputs(layer) : outputs(layer);
      if (!others.empty()) next = tensor_of(others[0]);
    }
    if (next == tensor) return tensor;
    tensor = next;
  }
  return tensor;
}

}  // namespace planex::graph
