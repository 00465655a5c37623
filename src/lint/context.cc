#include "lint/context.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "base/utf8.h"

namespace planex::lint {
namespace {

using base::contains_ignoring_case;
using base::format;
using model::Direction;
using model::Role;
using model::TensorRole;

// Ends of one walk. Real chains of conversions are two or three layers long and real tensors have
// a dozen readers; the limits keep a hostile file from making a walk per layer quadratic.
constexpr std::size_t kMaxSteps = 64;
constexpr std::size_t kMaxReaches = 64;

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

// A source operation that only changes type.
bool is_type_change(std::string_view op_type, std::string_view op_name) {
  for (const std::string_view word : {"quantize", "convert", "cast"}) {
    if (contains_ignoring_case(op_type.empty() ? op_name : op_type, word)) return true;
  }
  return false;
}

// "layer1.0.add", "/block/Add_1", "Add_36": the last part of the name starts with "add".
bool is_addition(std::string_view op_type, std::string_view op_name) {
  if (op_type == "Add" || op_type == "Sum") return true;
  const std::size_t separator = op_name.find_last_of("./");
  const std::string_view last =
      separator == std::string_view::npos ? op_name : op_name.substr(separator + 1);
  return base::lower(last.substr(0, 3)) == "add" &&
         (last.size() == 3 || last[3] == '_' || (last[3] >= '0' && last[3] <= '9'));
}

// Long names are joined from many parts: their ends tell more than their middle.
std::string quoted_name(std::string_view name) {
  constexpr std::size_t kLongest = 160;
  constexpr std::size_t kHead = 100;
  constexpr std::size_t kTail = 50;
  if (name.size() <= kLongest) return base::quoted(name, 4 * kLongest + 2);
  std::size_t head = kHead;
  while (head > 0 && base::is_inside_character(name, head)) --head;
  std::size_t tail = name.size() - kTail;
  while (base::is_inside_character(name, tail)) ++tail;
  return base::quoted(format("{}…{}", name.substr(0, head), name.substr(tail)), 4 * kLongest);
}

}  // namespace

std::string_view to_string(Need need) {
  switch (need) {
    case Need::kTypes:
      return "element types of inputs and outputs";
    case Need::kDims:
      return "dimensions of inputs and outputs";
    case Need::kTactics:
      return "names of kernels";
    case Need::kTimes:
      return "layer times";
  }
  return {};
}

Context::Context(const model::PlanModel& model) : model_(model) {
  index_ports();
  find_constants();
  find_conversions();
  names_are_layers_ = model.text(model.engine.producer[0]) == "openvino";
  double total = 0;
  bool any = false;
  for (std::size_t row = 0; row < layer_count(); ++row) {
    if (const auto time = time_ms(LayerId(row))) {
      total += *time;
      any = true;
    }
  }
  if (any) total_ms_ = total;
}

void Context::index_ports() {
  group_by_tensor(model_, Direction::kOutput, writer_ports_, first_writer_);
  group_by_tensor(model_, Direction::kInput, reader_ports_, first_reader_);
}

void Context::find_constants() {
  const std::size_t count = model_.tensors.row_count();
  is_constant_.assign(count, false);
  // A file without bindings does not tell its inputs from its constants.
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

void Context::find_conversions() {
  is_conversion_.assign(layer_count(), false);
  for (std::size_t row = 0; row < layer_count(); ++row) {
    is_conversion_[row] = works(LayerId(row)) && only_converts(LayerId(row));
  }
}

bool Context::only_converts(LayerId layer) const {
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

std::vector<base::StringId> Context::sources_before(PortRow input) const {
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

std::vector<PortRow> Context::inputs(LayerId layer) const {
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

std::vector<PortRow> Context::outputs(LayerId layer) const {
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

bool Context::is_head(LayerId layer) const {
  const std::vector<PortRow> out = outputs(layer);
  return std::ranges::all_of(
      out, [&](PortRow port) { return real_readers(tensor_of(port)).reaches.empty(); });
}

std::optional<double> Context::time_ms(LayerId layer) const { return model_.time_ms(layer); }

bool Context::only_reshapes(LayerId layer) const {
  for (const std::string_view word : {"Reshape", "Squeeze", "Unsqueeze", "Flatten"}) {
    if (type(layer) == word) return true;
  }
  return false;
}

bool Context::passes(LayerId layer, Through through) const {
  if (model_.layers.role[layer.index()] == Role::kNoOp) return true;
  if (!works(layer)) return false;
  if (is_conversion(layer) || only_reshapes(layer)) return true;
  return through == Through::kConversionsAndPools && family(layer) == Family::kPool;
}

Walk Context::walk(TensorId start, Way way, Through through) const {
  constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  struct Step {
    TensorId tensor;
    LayerId via;  // the layer that was passed to get here
    std::size_t before = kNone;
  };
  Walk result;
  std::vector<Step> steps = {{start, LayerId(), kNone}};
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const TensorId tensor = steps[i].tensor;
    const auto ports = way == Way::kDown ? readers(tensor) : writers(tensor);
    if (ports.empty() || (way == Way::kDown ? is_engine_output(tensor) : is_engine_input(tensor))) {
      result.ends_at_engine_edge = true;
    }
    for (const PortRow port : ports) {
      const LayerId layer = layer_of(port);
      const Role role = model_.layers.role[layer.index()];
      if (role == Role::kInput || role == Role::kOutput) {
        result.ends_at_engine_edge = true;
        continue;
      }
      if (passes(layer, through)) {
        for (const PortRow next : way == Way::kDown ? outputs(layer) : inputs(layer)) {
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

Walk Context::real_readers(TensorId tensor, Through through) const {
  return walk(tensor, Way::kDown, through);
}

Walk Context::real_writers(TensorId tensor) const {
  return walk(tensor, Way::kUp, Through::kConversions);
}

std::string Context::name(LayerId layer) const {
  const std::string_view own = model_.text(model_.layers.name[layer.index()]);
  std::string result = quoted_name(own);
  std::vector<std::string> others;
  const model::RowRange sources = model_.sources_of(layer);
  for (std::size_t row = sources.first; row < sources.end(); ++row) {
    const std::string_view op = model_.text(model_.sources.op_name[row]);
    if (op.empty() || own.find(op) != std::string_view::npos) continue;
    std::string text = quoted_name(op);
    if (std::ranges::find(others, text) == others.end()) others.push_back(std::move(text));
  }
  // A name that stands for none of its sources is the compiler's own; where it tells one of many,
  // the others would only make it longer.
  if (!others.empty() && others.size() == sources.count) result += " (" + listed(others) + ")";
  return result;
}

TensorId Context::model_tensor(TensorId tensor) const {
  constexpr int kMaxHops = 4;  // a reformat before a reformat is rare already
  for (int hop = 0; hop < kMaxHops; ++hop) {
    const std::string_view text = model_.text(model_.tensors.name[tensor.index()]);
    const bool is_input = text.starts_with("Reformatted Input Tensor ");
    if (!is_input && !text.starts_with("Reformatted Output Tensor ")) return tensor;
    // The copy of an input is written by its reformat, that of an output is read by it.
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

std::string Context::name(TensorId tensor) const {
  const TensorId own = model_tensor(tensor);
  const std::string_view text = model_.text(model_.tensors.name[own.index()]);
  std::string result = quoted_name(text);
  if (!names_are_layers_ || writers(own).size() != 1) return result;
  const model::RowRange sources = model_.sources_of(layer_of(writers(own).front()));
  // Sources stand in the order of the model's file, so the last one that computes is the one whose
  // result this is, quantized or not.
  for (std::size_t row = sources.end(); row-- > sources.first;) {
    const std::string_view op = model_.text(model_.sources.op_name[row]);
    if (op.empty() || is_type_change(model_.text(model_.sources.op_type[row]), op)) continue;
    if (text != op) result += format(" (result of {})", quoted_name(op));
    break;
  }
  return result;
}

std::string Context::port_text(PortRow port) const {
  std::string result = quoted_name(model_.text(model_.tensors.name[tensor_of(port).index()]));
  if (!model_.ports.dims.is_null(port)) {
    result += format(" [{}]", fmt::join(dims_of(port), ","));
  }
  const std::string_view dtype = model::to_string(type_of(port));
  result += format(" {}", dtype.empty() ? "of unknown type" : dtype);
  const std::string_view layout = model::to_string(model_.ports.layout[port]);
  if (!layout.empty()) result += format(" {}", layout);
  return result;
}

std::string Context::addition_name(LayerId layer) const {
  const model::RowRange sources = model_.sources_of(layer);
  for (std::size_t row = sources.first; row < sources.end(); ++row) {
    const std::string_view op = model_.text(model_.sources.op_name[row]);
    if (is_addition(model_.text(model_.sources.op_type[row]), op)) return quoted_name(op);
  }
  return name(layer);
}

std::optional<Ends> typed_ends(const Context& context, LayerId layer, FindingSink& sink) {
  Ends ends{context.inputs(layer), context.outputs(layer)};
  if (ends.in.empty() || ends.out.empty()) return std::nullopt;
  if (context.type_of(ends.in[0]) == DType::kNull || context.type_of(ends.out[0]) == DType::kNull) {
    sink.could_not_judge("their types are not known");
    return std::nullopt;
  }
  sink.looked_at();
  return ends;
}

std::string microseconds(double ms) {
  const double us = ms * 1000;
  if (!(us > 0)) return "0 µs (too short for the profiler)";
  const int digits = static_cast<int>(std::floor(std::log10(us)));
  return format("{:.{}f} µs", us, std::clamp(2 - digits, 0, 4));
}

std::string time_text(const Context& context, LayerId layer) {
  const auto time = context.time_ms(layer);
  return time ? microseconds(*time) : "time not measured";
}

std::string conversion_text(DType from, DType to) {
  return format("{} → {}", model::to_string(from), model::to_string(to));
}

std::string listed(std::span<const std::string> items, std::size_t limit) {
  const std::size_t shown = items.size() > limit + 1 ? limit : items.size();
  std::vector<std::string> parts(items.begin(), items.begin() + static_cast<std::ptrdiff_t>(shown));
  if (shown < items.size()) parts.push_back(format("{} more", items.size() - shown));
  const std::vector<std::string_view> words(parts.begin(), parts.end());
  return base::join_words(words);
}

std::optional<double> port_bytes(const Context& context, PortRow port) {
  if (context.model().ports.dims.is_null(port)) return std::nullopt;
  const auto bytes = model::data_bytes(context.dims_of(port), context.type_of(port));
  return bytes ? std::optional(static_cast<double>(*bytes)) : std::nullopt;
}

}  // namespace planex::lint
