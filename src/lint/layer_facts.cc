#include "lint/layer_facts.h"

#include <algorithm>
#include <array>

#include "base/numbers.h"
#include "base/text.h"
#include "lint/advice.h"

namespace planex::lint {
namespace {

using base::format;
using model::Role;

// How many work layers a round trip can have between its two changes: with more, the other layout
// belongs to that part of the network.
constexpr std::size_t kMaxBetween = 4;
// Tensors that a search visits at most: engines need some ten, a hostile file must not get more.
constexpr std::size_t kMaxSteps = 24;
constexpr std::size_t kMaxReaders = 64;

// Whether both keep a pixel's channels together, all or a vector of them.
bool is_packed(model::Order order) {
  return order == model::Order::kChannelsLast || order == model::Order::kChannelVectors;
}

// Whether a change from `from` to `to` brings back what was before a change from `before`.
bool undoes(model::Order before, model::Order from, model::Order to) {
  // The reverse, packed among linear, is what convolutions need: not a detour.
  return is_packed(before) && !is_packed(from) && is_packed(to);
}

// Whether a kernel's name contains only the codes of data movement: "__myl_TranMove_0x1f…".
bool only_moves(std::string_view name) {
  constexpr std::string_view kPrefix = "__myl_";
  constexpr std::size_t kCodeLength = 4;
  if (!name.starts_with(kPrefix)) return false;
  const std::string_view codes =
      name.substr(kPrefix.size(), name.find('_', kPrefix.size()) - kPrefix.size());
  if (codes.empty() || codes.size() % kCodeLength != 0) return false;
  for (std::size_t i = 0; i < codes.size(); i += kCodeLength) {
    const std::string_view code = codes.substr(i, kCodeLength);
    if (code != "Tran" && code != "Move" && code != "Resh") return false;
  }
  return true;
}

// The first layout change below `start` that undoes it.
std::optional<RoundTrip> find_way_back(const Context& context, const LayoutChange& start) {
  const auto& layouts = context.model().ports.layout;
  const model::Order from = layouts[start.in].order;
  const model::Order to = layouts[start.out].order;
  RoundTrip trip{start, {}, {}};
  std::vector<TensorId> steps = {context.tensor_of(start.out)};
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const auto readers = context.readers(steps[i]);
    if (readers.size() > kMaxReaders) return std::nullopt;
    for (const PortRow port : readers) {
      const LayerId layer = context.layer_of(port);
      if (const auto change = layout_change(context, layer)) {
        if (layouts[change->in].order == to && undoes(from, to, layouts[change->out].order)) {
          trip.back = *change;
          return trip;
        }
        continue;
      }
      const Role role = context.model().layers.role[layer.index()];
      if (role == Role::kWork) {
        if (std::ranges::find(trip.between, layer) != trip.between.end()) continue;
        if (trip.between.size() == kMaxBetween) return std::nullopt;
        trip.between.push_back(layer);
      } else if (role != Role::kNoOp) {
        continue;
      }
      for (const PortRow next : context.outputs(layer)) {
        const TensorId tensor = context.tensor_of(next);
        const bool seen = std::ranges::find(steps, tensor) != steps.end();
        if (!seen && steps.size() < kMaxSteps) steps.push_back(tensor);
      }
    }
  }
  return std::nullopt;
}

enum class Way : std::uint8_t { kUp, kDown };

bool meets_no_product(const Context& context, LayerId start, Way way) {
  constexpr std::size_t kMaxLayers = 256;
  constexpr std::size_t kMaxPorts = 64;
  std::vector<LayerId> steps = {start};
  for (std::size_t i = 0; i < steps.size(); ++i) {
    auto ports = way == Way::kUp ? context.inputs(steps[i]) : context.outputs(steps[i]);
    if (ports.size() > kMaxPorts) return false;
    // What is added to the product's result says nothing about what the product reads.
    if (way == Way::kUp && i == 0 && ports.size() > 1) ports.resize(1);
    for (const PortRow port : ports) {
      const TensorId tensor = context.tensor_of(port);
      const auto next = way == Way::kUp ? context.writers(tensor) : context.readers(tensor);
      if (next.size() > kMaxPorts) return false;
      for (const PortRow other : next) {
        const LayerId layer = context.layer_of(other);
        if (is_matrix_like(context, layer)) return false;
        if (std::ranges::find(steps, layer) == steps.end()) steps.push_back(layer);
      }
    }
    if (steps.size() > kMaxLayers) return false;
  }
  return true;
}

}  // namespace

bool is_first_product(const Context& context, LayerId layer) {
  return meets_no_product(context, layer, Way::kUp);
}

bool is_last_product(const Context& context, LayerId layer) {
  return meets_no_product(context, layer, Way::kDown);
}

bool is_tensorrt_rtx(const Context& context) {
  return context.model().text(context.model().engine.producer[0]) == "tensorrt-rtx";
}

bool has_source(const Context& context, LayerId layer, std::string_view op_type) {
  const model::RowRange sources = context.model().sources_of(layer);
  for (std::size_t row = sources.first; row < sources.end(); ++row) {
    if (context.model().text(context.model().sources.op_type[row]) == op_type) return true;
  }
  return false;
}

bool has_only_sources(const Context& context, LayerId layer,
                      std::span<const std::string_view> op_types) {
  const model::RowRange sources = context.model().sources_of(layer);
  for (std::size_t row = sources.first; row < sources.end(); ++row) {
    const std::string_view type = context.model().text(context.model().sources.op_type[row]);
    if (std::ranges::find(op_types, type) == op_types.end()) return false;
  }
  return sources.count > 0;
}

bool is_matrix_like(const Context& context, LayerId layer) {
  return context.is_matrix_layer(layer) ||
         context.type(layer).find("Convolution") != std::string_view::npos;
}

std::optional<LayoutChange> layout_change(const Context& context, LayerId layer) {
  if (!context.works(layer)) return std::nullopt;
  const bool is_reformat = context.family(layer) == Family::kReformat;
  const bool is_compilers_own =
      context.is_generated(layer) && context.model().sources_of(layer).count == 0 &&
      only_moves(context.model().text(context.model().layers.tactic[layer.index()]));
  if (!is_reformat && !is_compilers_own) return std::nullopt;
  const auto in = context.inputs(layer);
  const auto out = context.outputs(layer);
  if (in.size() != 1 || out.size() != 1) return std::nullopt;
  const auto& layouts = context.model().ports.layout;
  const model::Layout from = layouts[in[0]];
  const model::Layout to = layouts[out[0]];
  const auto is_known = [](model::Order order) {
    return order != model::Order::kNull && order != model::Order::kStrided;
  };
  if (!is_known(from.order) || !is_known(to.order) || from == to ||
      context.type_of(in[0]) != context.type_of(out[0]) || context.type_of(in[0]) == DType::kNull ||
      !std::ranges::equal(context.dims_of(in[0]), context.dims_of(out[0]))) {
    return std::nullopt;
  }
  return LayoutChange{layer, in[0], out[0]};
}

std::string layout_name(const Context& context, PortRow port) {
  const model::Layout layout = context.model().ports.layout[port];
  // A three-dimensional tensor has no height.
  if (context.dims_of(port).size() == 3 && layout.channel_vector == 1) {
    if (layout.order == model::Order::kLinear) return "NCW";
    if (layout.order == model::Order::kChannelsLast) return "NWC";
  }
  return std::string(model::to_string(layout));
}

std::string layout_text(const Context& context, PortRow from, PortRow to) {
  const auto text = [&](PortRow port) {
    std::string layout = layout_name(context, port);
    return layout.empty() ? std::string("unknown") : layout;
  };
  return format("{} → {}", text(from), text(to));
}

std::string layout_text(const Context& context, const LayoutChange& change) {
  return layout_text(context, change.in, change.out);
}

std::vector<RoundTrip> round_trips(const Context& context) {
  std::vector<RoundTrip> trips;
  // A change back does not start another trip: it returns to where the network was.
  std::vector<bool> is_back(context.layer_count());
  for (std::size_t row = 0; row < context.layer_count(); ++row) {
    const auto change = layout_change(context, LayerId(row));
    if (!change || is_back[row]) continue;
    if (auto trip = find_way_back(context, *change)) {
      is_back[trip->back.layer.index()] = true;
      trips.push_back(*std::move(trip));
    }
  }
  return trips;
}

bool reads_whole(const Context& context, PortRow reader) {
  constexpr std::size_t kMaxWriters = 64;
  const auto dims = context.dims_of(reader);
  if (dims.empty()) return false;
  const TensorId tensor = context.tensor_of(reader);
  const auto writers = context.writers(tensor);
  if (writers.size() == 1) return std::ranges::equal(context.dims_of(writers[0]), dims);
  if (writers.size() > kMaxWriters) return false;
  if (!writers.empty()) {
    // Each wrote its part of a concatenation: all of it is their sum.
    double written = 0;
    for (const PortRow writer : writers) {
      const auto count = element_count(context.dims_of(writer));
      if (!count || context.dims_of(writer).empty()) return false;
      written += *count;
    }
    return element_count(dims) == written;
  }
  // The caller writes it: use the engine's binding, or else what all readers agree on.
  const model::PlanModel& model = context.model();
  const std::string_view name = model.text(model.tensors.name[tensor.index()]);
  constexpr std::size_t kMaxBindings = 64;  // with more, what the readers agree on is enough
  const std::size_t bindings = std::min(model.bindings.row_count(), kMaxBindings);
  for (std::size_t row = 0; row < bindings; ++row) {
    if (model.text(model.bindings.name[row]) != name || model.bindings.dims.is_null(row)) continue;
    return std::ranges::equal(model.bindings.dims[row], dims);
  }
  return true;
}

bool stays_in_caches(const Context& context, PortRow port) {
  // docs/design/0063-advice-that-was-followed.md: 3.2 MB gained nothing, 6.4 MB did.
  constexpr double kMaxBytes = 4e6;
  const Producer producer = producer_of(context);
  if (producer != Producer::kOpenVino && producer != Producer::kOnnxRuntime) return false;
  const auto bytes = port_bytes(context, port);
  return bytes && *bytes < kMaxBytes;
}

std::vector<std::int64_t> without_ones(std::span<const std::int64_t> dims) {
  std::vector<std::int64_t> result;
  std::ranges::copy_if(dims, std::back_inserter(result), [](std::int64_t d) { return d != 1; });
  return result;
}

std::optional<double> element_count(std::span<const std::int64_t> dims) {
  double count = 1;
  for (const std::int64_t dim : dims) {
    if (dim < 0) return std::nullopt;
    count *= static_cast<double>(dim);
  }
  return base::finite(count);
}

std::string_view metadata(const Context& context, std::string_view key) {
  const model::PlanModel& model = context.model();
  for (std::size_t row = 0; row < model.metadata.row_count(); ++row) {
    if (model.text(model.metadata.key[row]) == key) return model.text(model.metadata.value[row]);
  }
  return {};
}

std::string names_or(const Context& context, const Walk& walk, std::string_view edge) {
  std::vector<std::string> names;
  for (const Reach& reach : walk.reaches) names.push_back(context.name(reach.layer));
  return names.empty() ? std::string(edge) : listed(names, 2);
}

std::string share_text(const Context& context, double ms) {
  const double total = context.total_ms().value_or(0);
  if (!(total > 0)) return {};
  return format("{:.1f} % of the layer time", 100 * ms / total);
}

}  // namespace planex::lint
