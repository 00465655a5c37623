#include "lint/context.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "base/utf8.h"

namespace planex::lint {
namespace {

using base::format;
using graph::is_type_change;

// "layer1.0.add", "/block/Add_1", "Add_36": the last part of the name starts with "add".
bool is_addition(std::string_view op_type, std::string_view op_name) {
  if (op_type == "Add" || op_type == "Sum") return true;
  const std::size_t separator = op_name.find_last_of("./");
  const std::string_view last =
      separator == std::string_view::npos ? op_name : op_name.substr(separator + 1);
  return base::lower(last.substr(0, 3)) == "add" &&
         (last.size() == 3 || last[3] == '_' || (last[3] >= '0' && last[3] <= '9'));
}

// Long names are joined from many parts: their ends say more than their middle.
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
    case Need::kLinks:
      return "which layer reads what another writes";
  }
  return {};
}

Context::Context(const model::PlanModel& model, const model::Judgements* judgements)
    : DataFlow(model),
      speeds_(*this),
      judgements_(judgements != nullptr ? *judgements : none_),
      is_calibrated_(find_calibrated()) {
  names_are_layers_ = model.text(model.engine.producer[0]) == "openvino";
  double total = 0;
  bool any = false;
  for (std::size_t row = 0; row < layer_count(); ++row) {
    if (!model.is_shown(LayerId(row))) continue;
    if (const auto time = time_ms(LayerId(row))) {
      total += *time;
      any = true;
    }
  }
  if (any) total_ms_ = total;
}

bool Context::is_head(LayerId layer) const {
  const std::vector<PortRow> out = outputs(layer);
  return std::ranges::all_of(
      out, [&](PortRow port) { return real_readers(tensor_of(port)).reaches.empty(); });
}

std::optional<double> Context::time_ms(LayerId layer) const { return model().time_ms(layer); }

std::optional<double> Context::worth_ms(LayerId layer) const {
  if (judgements_.no_measure) return std::nullopt;
  const auto corrected = model().layers.corrected_ms.get(layer.index());
  return corrected ? corrected : time_ms(layer);
}

std::optional<model::ReformatJudgement> Context::reformat(LayerId layer) const {
  if (layer.index() >= judgements_.reformats.size()) return std::nullopt;
  return judgements_.reformats[layer.index()];
}

std::optional<model::FallbackJudgement> Context::fallback(LayerId layer) const {
  if (layer.index() >= judgements_.fallbacks.size()) return std::nullopt;
  return judgements_.fallbacks[layer.index()];
}

const engines::EngineRule* Context::engine_rule(engines::Condition condition) const {
  return engines::find_engine_rule(model().text(model().engine.producer[0]), condition);
}

bool Context::is_generated(LayerId layer) const {
  return model().text(model().layers.raw_type[layer.index()]) == "kgen";
}

bool Context::is_needed(LayerId layer) const {
  const auto judgement = reformat(layer);
  return judgement && judgement->verdict == model::ReformatVerdict::kNeeded;
}

// Only TensorRT before 11 calibrates. Quantizers leave their names in layers, sources or weights.
bool Context::find_calibrated() const {
  if (model().text(model().engine.producer[0]) != "tensorrt") return false;
  const auto tells_quantizer = [&](base::StringId text) {
    return base::contains_ignoring_case(model().text(text), "quant");
  };
  bool any_quantized = false;
  for (std::size_t row = 0; row < layer_count(); ++row) {
    if (tells_quantizer(model().layers.name[row]) ||
        model().text(model().layers.origin[row]) == "QDQ") {
      return false;
    }
    const LayerId layer(row);
    any_quantized = any_quantized || (works(layer) && is_matrix_layer(layer) &&
                                      first_data_type(layer) == DType::kInt8);
  }
  if (!any_quantized) return false;
  const auto& sources = model().sources;
  for (std::size_t row = 0; row < sources.row_count(); ++row) {
    if (tells_quantizer(sources.op_type[row]) || tells_quantizer(sources.op_name[row])) {
      return false;
    }
  }
  const auto& operations = model().operations;
  for (std::size_t row = 0; row < operations.row_count(); ++row) {
    if (tells_quantizer(operations.type[row])) return false;
  }
  const auto& tensors = model().tensors;
  for (std::size_t row = 0; row < tensors.row_count(); ++row) {
    if (tells_quantizer(tensors.name[row])) return false;
  }
  return true;
}

std::string Context::name(LayerId layer) const {
  const std::string_view own = model().text(model().layers.name[layer.index()]);
  std::string result = quoted_name(own);
  std::vector<std::string> others;
  const model::RowRange sources = model().sources_of(layer);
  for (std::size_t row = sources.first; row < sources.end(); ++row) {
    const std::string_view op = model().text(model().sources.op_name[row]);
    if (op.empty() || own.find(op) != std::string_view::npos) continue;
    std::string text = quoted_name(op);
    if (std::ranges::find(others, text) == others.end()) others.push_back(std::move(text));
  }
  // A name that is not that of any source is the compiler's own; if it names one of many, the
  // others would only make it longer.
  if (!others.empty() && others.size() == sources.count) result += " (" + listed(others) + ")";
  return result;
}

std::string Context::name(TensorId tensor) const {
  const TensorId own = model_tensor(tensor);
  const std::string_view text = model().text(model().tensors.name[own.index()]);
  std::string result = quoted_name(text);
  if (!names_are_layers_ || writers(own).size() != 1) return result;
  const model::RowRange sources = model().sources_of(layer_of(writers(own).front()));
  // Sources are in the order of the model's file, so the last one that computes is the one that
  // produces this result, quantized or not.
  for (std::size_t row = sources.end(); row-- > sources.first;) {
    const std::string_view op = model().text(model().sources.op_name[row]);
    if (op.empty() || is_type_change(model().text(model().sources.op_type[row]), op)) continue;
    if (text != op) result += format(" (result of {})", quoted_name(op));
    break;
  }
  return result;
}

std::string Context::port_text(PortRow port) const {
  std::string result = quoted_name(model().text(model().tensors.name[tensor_of(port).index()]));
  if (!model().ports.dims.is_null(port)) {
    result += format(" [{}]", fmt::join(dims_of(port), ","));
  }
  const std::string_view dtype = model::to_string(type_of(port));
  result += format(" {}", dtype.empty() ? "of unknown type" : dtype);
  const std::string_view layout = model::to_string(model().ports.layout[port]);
  if (!layout.empty()) result += format(" {}", layout);
  return result;
}

std::optional<std::string> Context::addition_of(LayerId layer) const {
  const model::RowRange sources = model().sources_of(layer);
  for (std::size_t row = sources.first; row < sources.end(); ++row) {
    const std::string_view op = model().text(model().sources.op_name[row]);
    if (is_addition(model().text(model().sources.op_type[row]), op)) return quoted_name(op);
  }
  return std::nullopt;
}

std::string Context::addition_name(LayerId layer) const {
  return addition_of(layer).value_or(name(layer));
}

std::string Context::reader_name(LayerId layer) const {
  const auto addition = addition_of(layer);
  return addition ? format("the addition {}", *addition) : name(layer);
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
