#include "render/drawing/paint.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>
#include <unordered_map>

#include "base/text.h"
#include "render/words/characters.h"
#include "render/words/numbers.h"

namespace planex::render {
namespace {

using base::format;
using graph::NodeKind;
using model::DType;
using model::LayerId;
using model::PlanModel;

bool is_of_operations(const graph::PlanGraph& graph) {
  return std::ranges::any_of(
      graph.nodes, [](const graph::Node& node) { return node.kind == NodeKind::kOperation; });
}

// The first shown layer that each operation became; null if there is none, or if several operations
// share a name. One value per operation.
std::vector<LayerId> layers_of_operations(const PlanModel& model) {
  struct Named {
    LayerId layer;
    std::size_t operations = 0;
  };
  std::unordered_map<std::string_view, Named> by_name;
  const std::size_t count = model.operations.row_count();
  by_name.reserve(count);
  for (std::size_t row = 0; row < count; ++row) {
    ++by_name[model.text(model.operations.name[row])].operations;
  }
  for (std::size_t row = 0; row < model.sources.row_count(); ++row) {
    const LayerId layer = model.sources.layer_id[row];
    const auto found = by_name.find(model.text(model.sources.op_name[row]));
    if (found == by_name.end() || !found->second.layer.is_null() || !model.is_shown(layer))
      continue;
    found->second.layer = layer;
  }
  std::vector<LayerId> layers(count);
  for (std::size_t row = 0; row < count; ++row) {
    const Named& named = by_name[model.text(model.operations.name[row])];
    if (named.operations == 1) layers[row] = named.layer;
  }
  return layers;
}

// Hues of families, in an order in which neighbours differ most; with more streams they repeat.
std::string_view stream_colour(const Palette& palette, std::int64_t stream) {
  constexpr model::Family kHues[] = {
      model::Family::kConvolution, model::Family::kReformat, model::Family::kPointwise,
      model::Family::kNorm,        model::Family::kPool,     model::Family::kPlugin,
      model::Family::kGemm,        model::Family::kOpaque,
  };
  constexpr auto kCount = static_cast<std::int64_t>(std::size(kHues));
  const auto hue = static_cast<std::size_t>((stream % kCount + kCount) % kCount);
  return Palette(palette.theme(), PaletteName::kPlanex).layer(kHues[hue], {});
}

// "36.9 – 61.4 µs", or one number where both are the same text.
std::string step_range_text(double low, double high, ColourMode mode) {
  const auto text = [mode](double value) {
    return mode == ColourMode::kHeat ? short_time_text(value) : bytes_text(value);
  };
  const std::string first = text(low);
  const std::string last = text(high);
  if (first == last) return last;
  // The unit once, where it is the same.
  const std::size_t blank = first.rfind(' ');
  const bool same_unit = last.ends_with(std::string_view(first).substr(blank));
  return format("{} – {}", same_unit ? first.substr(0, blank) : first, last);
}

std::string unknown_label(ColourMode mode) {
  switch (mode) {
    case ColourMode::kType:
      return "type not known";
    case ColourMode::kPrecision:
      return "precision not known";
    case ColourMode::kHeat:
      return "time not known";
    case ColourMode::kMemory:
      return "bytes not known";
    case ColourMode::kStream:
      return "stream not known";
  }
  return {};
}

}  // namespace

std::size_t HeatScale::step(double value) const {
  return static_cast<std::size_t>(std::ranges::upper_bound(bounds, value) - bounds.begin());
}

std::optional<HeatScale> heat_scale(std::vector<double> values) {
  std::erase_if(values, [](double value) { return !std::isfinite(value); });
  if (values.empty()) return std::nullopt;
  std::ranges::sort(values);
  HeatScale scale{.least = values.front(), .greatest = values.back()};
  const auto first = std::ranges::upper_bound(values, 0.0);
  const auto count = static_cast<std::size_t>(values.end() - first);
  if (count == 0) {  // All is zero, so nothing is hot.
    scale.bounds.fill(std::numeric_limits<double>::infinity());
    return scale;
  }
  auto below = values.end();
  for (std::size_t i = 0; i < scale.bounds.size(); ++i) {
    auto bound = first + static_cast<std::ptrdiff_t>((i + 1) * count / kHeatSteps);
    if (below != values.end() && *bound <= *below) {
      bound = std::upper_bound(bound, values.end(), *below);
      if (bound == values.end()) bound = below;
    }
    scale.bounds[i] = *bound;
    below = bound;
  }
  return scale;
}

Paint::Paint(const PlanModel& model, const graph::PlanGraph& graph, ColourMode mode,
             Palette palette)
    : model_(&model), graph_(&graph), mode_(mode), palette_(palette) {
  if (is_of_operations(graph)) layer_of_operation_ = layers_of_operations(model);
  if (mode != ColourMode::kHeat && mode != ColourMode::kMemory) return;
  std::vector<double> values;
  for (const graph::Node& node : graph.nodes) {
    const LayerId layer = layer_of(node);
    if (layer.is_null()) continue;
    if (const auto value = value_of(layer)) values.push_back(*value);
  }
  scale_ = heat_scale(std::move(values));
}

LayerId Paint::layer_of(const graph::Node& node) const {
  // The node of an operation that only `sources` knows contains its layer.
  const bool is_listed = node.kind == NodeKind::kOperation && !node.operation.is_null();
  return is_listed ? layer_of_operation_[node.operation.index()] : node.layer;
}

std::optional<double> Paint::value_of(LayerId layer) const {
  const model::LayersTable& layers = model_->layers;
  const std::size_t row = layer.index();
  if (mode_ == ColourMode::kMemory) {
    const auto bytes = layers.footprint_bytes.get(row);
    return bytes ? std::optional(static_cast<double>(*bytes)) : std::nullopt;
  }
  return model_->time_ms(layer);
}

std::string_view Paint::layer_fill(LayerId layer) const {
  const model::LayersTable& layers = model_->layers;
  const std::size_t row = layer.index();
  switch (mode_) {
    case ColourMode::kType:
      return palette_.layer(layers.family[row], model_->text(layers.type[row]));
    case ColourMode::kPrecision:
      return palette_.precision(layers.precision[row]);
    case ColourMode::kHeat:
    case ColourMode::kMemory:
      return heat(value_of(layer));
    case ColourMode::kStream:
      return layers.stream.is_null(row) ? std::string_view()
                                        : stream_colour(palette_, layers.stream[row]);
  }
  return {};
}

// For the contents of a node that is not a layer.
DType Paint::dtype_of(const graph::Node& node) const {
  if (node.binding != graph::kNoRow) return model_->bindings.dtype[node.binding];
  const auto layer = node.tensor.is_null()
                         ? std::nullopt
                         : model_->tensors.first_layer_id.get(node.tensor.index());
  if (!layer) return DType::kNull;
  const model::RowRange ports = model_->ports_of(*layer);
  for (std::size_t row = ports.first; row < ports.end(); ++row) {
    if (model_->ports.tensor_id[row] == node.tensor) return model_->ports.dtype[row];
  }
  return DType::kNull;
}

std::string_view Paint::fill(const graph::Node& node) const {
  const LayerId layer = layer_of(node);
  if (!layer.is_null()) return layer_fill(layer);
  if (node.kind == NodeKind::kOperation) return {};
  if (mode_ == ColourMode::kPrecision) return palette_.precision(dtype_of(node));
  return palette_.ui(UiColour::kSurface2);
}

std::string_view Paint::heat(std::optional<double> value) const {
  if (!value || !scale_) return {};
  return palette_.heat(scale_->step(*value));
}

std::vector<LegendEntry> Paint::legend() const {
  std::vector<LegendEntry> entries;
  switch (mode_) {
    case ColourMode::kType:
      entries = type_legend();
      break;
    case ColourMode::kPrecision:
      entries = precision_legend();
      break;
    case ColourMode::kHeat:
    case ColourMode::kMemory:
      entries = heat_legend();
      break;
    case ColourMode::kStream:
      entries = stream_legend();
      break;
  }
  const bool has_unknown = std::ranges::any_of(
      graph_->nodes, [this](const graph::Node& node) { return fill(node).empty(); });
  if (has_unknown) entries.push_back({.label = unknown_label(mode_), .fill = {}});
  return entries;
}

namespace {

// Layers that share a type or a colour.
struct Group {
  double ms = 0;
  std::size_t count = 0;
};

// The longest time first, then the highest count; stable otherwise.
bool is_before(const Group& a, const Group& b) {
  return std::tuple(b.ms, b.count) < std::tuple(a.ms, a.count);
}

struct ColourOfTypes {
  Group group;
  std::vector<std::pair<std::string_view, Group>> types;
  bool is_reformat = false;
};

// "Shuffle, Slice, Gather and 3 more".
std::string label_of(ColourOfTypes& colour) {
  constexpr std::size_t kMaxNames = 3;
  std::ranges::stable_sort(colour.types, is_before, [](const auto& item) { return item.second; });
  std::string label;
  for (std::size_t i = 0; i < std::min(kMaxNames, colour.types.size()); ++i) {
    const std::string_view type = colour.types[i].first;
    if (i > 0) label += ", ";
    label += type.empty() ? "no type" : visible(type);
  }
  if (colour.types.size() > kMaxNames) {
    label += format(" and {} more", colour.types.size() - kMaxNames);
  }
  return label;
}

}  // namespace

std::vector<LegendEntry> Paint::type_legend() const {
  const model::LayersTable& layers = model_->layers;
  // By fill and type: in the order of their texts, so that ties always fall the same way.
  std::map<std::pair<std::string_view, std::string_view>, Group> groups;
  std::map<std::string_view, ColourOfTypes> colours;
  for (const graph::Node& node : graph_->nodes) {
    const LayerId layer = layer_of(node);
    if (layer.is_null()) continue;
    const std::size_t row = layer.index();
    const std::string_view colour = layer_fill(layer);
    Group& group = groups[{colour, model_->text(layers.type[row])}];
    ++group.count;
    group.ms += model_->time_ms(layer).value_or(0);
    if (layers.family[row] == model::Family::kReformat) colours[colour].is_reformat = true;
  }
  for (const auto& [key, group] : groups) {
    ColourOfTypes& colour = colours[key.first];
    colour.group.ms += group.ms;
    colour.group.count += group.count;
    colour.types.emplace_back(key.second, group);
  }
  std::vector<std::pair<std::string_view, ColourOfTypes>> sorted(colours.begin(), colours.end());
  std::ranges::stable_sort(sorted, is_before, [](const auto& item) { return item.second.group; });
  std::vector<LegendEntry> entries;
  for (auto& [fill, colour] : sorted) {
    entries.push_back({.label = label_of(colour), .fill = fill, .is_hatched = colour.is_reformat});
  }
  return entries;
}

std::vector<LegendEntry> Paint::precision_legend() const {
  std::vector<bool> is_there(static_cast<std::size_t>(DType::kNull) + 1);
  for (const graph::Node& node : graph_->nodes) {
    const LayerId layer = layer_of(node);
    const DType type = layer.is_null() ? dtype_of(node) : model_->layers.precision[layer.index()];
    is_there[static_cast<std::size_t>(type)] = true;
  }
  std::vector<LegendEntry> entries;
  for (std::size_t i = 0; i < is_there.size(); ++i) {
    const auto type = static_cast<DType>(i);
    const std::string_view fill = palette_.precision(type);
    if (!is_there[i] || fill.empty()) continue;
    const auto same = std::ranges::find(entries, fill, &LegendEntry::fill);
    if (same == entries.end()) {
      entries.push_back({.label = std::string(to_string(type)), .fill = fill});
    } else {
      same->label.append(", ").append(to_string(type));
    }
  }
  return entries;
}

std::vector<LegendEntry> Paint::heat_legend() const {
  if (!scale_) return {};
  std::vector<LegendEntry> entries;
  double low = scale_->least;
  for (std::size_t step = 0; step < kHeatSteps; ++step) {
    const bool is_last = step + 1 == kHeatSteps;
    const double high =
        is_last ? scale_->greatest : std::min(scale_->bounds[step], scale_->greatest);
    const bool is_empty =
        is_last ? scale_->step(scale_->greatest) != step : scale_->step(low) != step;
    if (!is_empty) {
      entries.push_back({.label = step_range_text(low, high, mode_), .fill = palette_.heat(step)});
    }
    low = std::max(low, high);
  }
  return entries;
}

std::vector<LegendEntry> Paint::stream_legend() const {
  std::map<std::int64_t, std::string_view> streams;
  for (const graph::Node& node : graph_->nodes) {
    const LayerId layer = layer_of(node);
    if (layer.is_null()) continue;
    if (const auto stream = model_->layers.stream.get(layer.index())) {
      streams.emplace(*stream, layer_fill(layer));
    }
  }
  std::vector<LegendEntry> entries;
  for (const auto& [stream, fill] : streams) {
    const auto same = std::ranges::find(entries, fill, &LegendEntry::fill);
    if (same == entries.end()) {
      entries.push_back({.label = format("stream {}", stream), .fill = fill});
    } else {
      same->label += format(", {}", stream);
    }
  }
  return entries;
}

}  // namespace planex::render
