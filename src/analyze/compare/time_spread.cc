#include "analyze/compare/time_spread.h"

#include <algorithm>
#include <array>
#include <unordered_set>

#include "analyze/work/operation_kinds.h"
#include "analyze/work/shapes.h"
#include "base/checked.h"
#include "base/text.h"

namespace planex::analyze {
namespace {

using base::CheckedInt;
using model::Direction;
using model::LayerId;
using model::PlanModel;

// The part after the last . / : _ in the names of weights.
bool is_parameter_name(std::string_view name) {
  static constexpr auto kWords = std::to_array<std::string_view>(
      {"weight", "weights", "bias", "biases", "kernel", "gamma", "beta", "mean", "var"});
  const std::size_t start = name.find_last_of("./:_");
  if (start == name.npos) return false;
  return std::ranges::find(kWords, base::lower(name.substr(start + 1))) != kWords.end();
}

std::string_view without_number(std::string_view name) {
  const std::size_t end = name.find_last_not_of("0123456789");
  if (end == name.npos || end + 1 == name.size() || name[end] != '_') return name;
  return name.substr(0, end);
}

// "Conv" of "Conv_9" and "/layer1/conv1/Conv_2"; empty where the word is not an operator.
std::string_view type_of_name(std::string_view name) {
  name.remove_prefix(std::min(name.find_last_of('/') + 1, name.size()));
  name = without_number(name);
  return operation_kind({}, name) == OperationKind::kUnknown ? std::string_view{} : name;
}

bool is_quantizer(std::string_view type) {
  return type == "QuantizeLinear" || type == "DequantizeLinear";
}

// X of "Reformatting CopyNode for Output Tensor 0 to X"; empty for other names.
std::string_view served_layer(std::string_view name) {
  constexpr std::string_view kPrefix = "Reformatting CopyNode for ";
  if (!name.starts_with(kPrefix)) return {};
  name.remove_prefix(kPrefix.size());
  if (!name.starts_with("Input Tensor ") && !name.starts_with("Output Tensor ")) return {};
  constexpr std::string_view kTo = " to ";
  const std::size_t to = name.find(kTo);
  return to == name.npos ? std::string_view{} : name.substr(to + kTo.size());
}

}  // namespace

std::string_view to_string(ShareRule rule) {
  switch (rule) {
    case ShareRule::kSole:
      return "sole";
    case ShareRule::kFlops:
      return "flops";
    case ShareRule::kBytes:
      return "bytes";
    case ShareRule::kEven:
      break;
  }
  return "even";
}

struct TimeSpread::Source {
  SpreadPart part;
  OperationKind kind = OperationKind::kUnknown;
  std::optional<std::int64_t> flops, bytes;
  bool is_parameter = false;
  bool has_weights_only = false;
};

TimeSpread::TimeSpread(const PlanModel& model)
    : model_(model),
      window_(model.strings.find("WindowSize")),
      pooling_window_(model.strings.find("PoolingWindowSize")) {
  read_operations();
  for (std::size_t row = 0; row < model.layers.row_count(); ++row) {
    if (!model.is_shown(LayerId(row))) continue;
    const auto [found, is_new] =
        layer_of_name_.emplace(model.text(model.layers.name[row]), LayerId(row));
    if (!is_new) found->second = LayerId();
  }
}

void TimeSpread::read_operations() {
  const model::OperationsTable& operations = model_.operations;
  const model::OperationPortsTable& ports = model_.operation_ports;
  // Tensors that are known when the engine is built.
  std::unordered_set<std::string_view> constants;
  operations_.reserve(operations.row_count());
  std::size_t port = 0;
  for (std::size_t row = 0; row < operations.row_count(); ++row) {
    Operation operation{.type = model_.text(operations.type[row]),
                        .domain = model_.text(operations.domain[row]),
                        .flops = operations.flops.get(row)};
    if (operation_kind(operation.domain, operation.type) == OperationKind::kMovement) {
      operation.flops = 0;
    }
    std::optional<CheckedInt> bytes = CheckedInt(0);
    bool any_input = false, only_weights = true;
    const std::size_t first = port;
    for (; port < ports.row_count() && ports.operation_id[port].index() == row; ++port) {
      const std::string_view tensor = model_.text(ports.tensor[port]);
      if (tensor.empty()) continue;
      auto size = ports.stored_bytes.get(port);
      if (ports.direction[port] == Direction::kInput) {
        any_input = true;
        only_weights = only_weights && (size || constants.contains(tensor));
      }
      if (!size && !ports.dims.is_null(port)) {
        size = model::data_bytes(ports.dims[port], ports.dtype[port]);
      }
      bytes = bytes && size ? std::optional(*bytes + CheckedInt(*size)) : std::nullopt;
    }
    operation.has_weights_only = any_input && only_weights;
    if (bytes && port > first) operation.bytes = bytes->value();
    for (std::size_t i = first; i < port && operation.has_weights_only; ++i) {
      if (ports.direction[i] == Direction::kOutput) constants.insert(model_.text(ports.tensor[i]));
    }
    const auto [found, is_new] = operations_.emplace(model_.text(operations.name[row]), operation);
    if (!is_new) found->second.is_ambiguous = true;
  }
}

std::vector<TimeSpread::Source> TimeSpread::sources_of(LayerId layer) const {
  std::vector<Source> sources;
  std::string_view parameter;
  bool follows_weights = false;
  const model::RowRange rows = model_.sources_of(layer);
  for (std::size_t row = rows.first; row < rows.end(); ++row) {
    Source source;
    source.part.name = model_.text(model_.sources.op_name[row]);
    if (source.part.name.empty()) continue;
    source.part.type = model_.text(model_.sources.op_type[row]);
    const auto known = operations_.find(source.part.name);
    if (known != operations_.end() && !known->second.is_ambiguous) {
      const Operation& operation = known->second;
      source.part.type = operation.type;
      source.kind = operation_kind(operation.domain, operation.type);
      source.flops = operation.flops;
      source.bytes = operation.bytes;
      source.has_weights_only = operation.has_weights_only;
      source.part.parameter = parameter;
    } else {
      source.is_parameter = source.part.type.empty() && is_parameter_name(source.part.name);
      if (source.is_parameter) {
        parameter = source.part.name;
      } else {
        if (source.part.type.empty()) source.part.type = type_of_name(source.part.name);
        source.kind = operation_kind({}, source.part.type);
        source.has_weights_only = follows_weights && is_quantizer(source.part.type);
        source.part.parameter = parameter;
      }
    }
    follows_weights = source.is_parameter || source.has_weights_only;
    sources.push_back(source);
  }
  return sources;
}

// For a pooling layer: one for each element of the window of each output element.
std::optional<std::int64_t> TimeSpread::pooling_flops(LayerId layer) const {
  std::string_view text = model_.attribute(layer, window_);
  if (text.empty()) text = model_.attribute(layer, pooling_window_);
  const auto window = parse_int_list(text);
  const model::RowRange ports = model_.ports_of(layer);
  for (std::size_t port = ports.first; window && port < ports.end(); ++port) {
    if (model_.ports.direction[port] != Direction::kOutput) continue;
    if (model_.ports.dims.is_null(port)) return std::nullopt;
    const auto elements = product(model_.ports.dims[port]);
    const auto size = product(*window);
    return elements && size ? (*elements * *size).value() : std::nullopt;
  }
  return std::nullopt;
}

void TimeSpread::derive_flops(LayerId layer, std::vector<Source>& sources) const {
  const auto products = std::ranges::count_if(sources, [](const Source& source) {
    return source.kind == OperationKind::kProduct || source.kind == OperationKind::kRecurrent ||
           (source.kind == OperationKind::kUnknown && !source.is_parameter);
  });
  std::optional<std::int64_t> elements;
  const model::RowRange ports = model_.ports_of(layer);
  for (std::size_t port = ports.first; port < ports.end() && !elements; ++port) {
    if (model_.ports.direction[port] != Direction::kOutput) continue;
    if (!model_.ports.dims.is_null(port)) elements = element_count(model_.ports.dims[port]);
  }
  const auto macs = model_.layers.macs.get(layer.index());
  for (Source& source : sources) {
    if (source.flops || operations_.contains(source.part.name)) continue;
    switch (source.kind) {
      case OperationKind::kProduct:
        if (products == 1 && macs) source.flops = (CheckedInt(*macs) * 2).value();
        break;
      case OperationKind::kPointwise:
        source.flops = elements;
        break;
      case OperationKind::kMovement:
        source.flops = 0;
        break;
      case OperationKind::kOther:
        if (source.part.type.ends_with("Pool")) source.flops = pooling_flops(layer);
        break;
      case OperationKind::kRecurrent:
      case OperationKind::kUnknown:
        break;
    }
  }
}

Spread TimeSpread::spread(LayerId layer) const {
  std::vector<Source> sources = sources_of(layer);
  derive_flops(layer, sources);
  const auto keep = [&](auto&& is_wanted) {
    if (std::ranges::none_of(sources, is_wanted)) return;
    std::erase_if(sources, [&](const Source& source) { return !is_wanted(source); });
  };
  keep([](const Source& source) { return !source.is_parameter; });
  keep([](const Source& source) { return !source.is_parameter && !source.has_weights_only; });
  // The same operation may be listed several times.
  std::unordered_set<std::string_view> seen;
  std::erase_if(sources, [&](const Source& s) { return !seen.insert(s.part.name).second; });
  Spread result;
  const auto weigh = [&](ShareRule rule, std::optional<std::int64_t> Source::* weight) {
    const bool all_known =
        std::ranges::all_of(sources, [&](const Source& s) { return (s.*weight).has_value(); });
    const bool any_work =
        std::ranges::any_of(sources, [&](const Source& s) { return (s.*weight).value_or(0) > 0; });
    if (!all_known || !any_work) return false;
    for (Source& source : sources) source.part.weight = *(source.*weight);
    result.rule = rule;
    return true;
  };
  if (sources.size() == 1) {
    result.rule = ShareRule::kSole;
    sources[0].part.weight = 1;
  } else if (!weigh(ShareRule::kFlops, &Source::flops) &&
             !weigh(ShareRule::kBytes, &Source::bytes)) {
    for (Source& source : sources) source.part.weight = 1;
  }
  for (const Source& source : sources) result.parts.push_back(source.part);
  return result;
}

Spread TimeSpread::of(LayerId layer) const {
  if (model_.sources_of(layer).count > 0) return spread(layer);
  const std::string_view name = model_.text(model_.layers.name[layer.index()]);
  if (model_.text(model_.layers.origin[layer.index()]) == "QDQ" &&
      is_quantizer(type_of_name(name))) {
    return {ShareRule::kSole, {{name, type_of_name(name), {}, 1}}, false};
  }
  const std::string_view served_name = served_layer(name);
  const auto served = layer_of_name_.find(served_name);
  if (served_name.empty() || served == layer_of_name_.end() || served->second.is_null()) return {};
  Spread result = spread(served->second);
  result.is_reformat_for_them = !result.parts.empty();
  return result;
}

}  // namespace planex::analyze
