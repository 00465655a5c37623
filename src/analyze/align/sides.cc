#include "analyze/align/sides.h"

#include <algorithm>
#include <cctype>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "analyze/align/names.h"
#include "analyze/work/shapes.h"
#include "base/checked.h"

namespace planex::analyze::matching {
namespace {

using model::Direction;
using model::Family;
using model::LayerId;
using model::PlanModel;

// Disjoint sets, joined to the smaller root; finding halves the path.
class Sets {
 public:
  explicit Sets(std::size_t count) : parent_(count) {
    std::iota(parent_.begin(), parent_.end(), 0U);
  }
  std::uint32_t find(std::uint32_t item) {
    while (parent_[item] != item) {
      parent_[item] = parent_[parent_[item]];
      item = parent_[item];
    }
    return item;
  }
  void join(std::uint32_t a, std::uint32_t b) {
    a = find(a);
    b = find(b);
    if (a != b) parent_[std::max(a, b)] = std::min(a, b);
  }
  std::vector<std::uint32_t> roots() {
    std::vector<std::uint32_t> all(parent_.size());
    for (std::uint32_t item = 0; item < all.size(); ++item) all[item] = find(item);
    return all;
  }

 private:
  std::vector<std::uint32_t> parent_;
};

// Joins all inputs and outputs of the layer.
void join_ports(const PlanModel& model, LayerId layer, Sets& sets) {
  std::uint32_t first = model::TensorId::kNullValue;
  const model::RowRange ports = model.ports_of(layer);
  for (std::size_t port = ports.first; port < ports.end(); ++port) {
    const model::TensorId tensor = model.ports.tensor_id[port];
    if (tensor.is_null() || model.ports.direction[port] == Direction::kConstant) continue;
    // A constant that many no-ops read does not join them.
    if (model.tensors.role[tensor.index()] == model::TensorRole::kConstant) continue;
    const auto item = static_cast<std::uint32_t>(tensor.index());
    if (first == model::TensorId::kNullValue) {
      first = item;
    } else {
      sets.join(first, item);
    }
  }
}

// Dims without the batch, sorted, without ones.
Key loose_dims(std::span<const std::int64_t> dims) {
  std::vector<std::int64_t> kept;
  kept.reserve(dims.size());
  for (const std::int64_t dim : dims.subspan(dims.empty() ? 0 : 1)) {
    if (dim != 1) kept.push_back(dim);
  }
  std::ranges::sort(kept);
  Key key = key_of("dims");
  for (const std::int64_t dim : kept) key = mixed(key, static_cast<Key>(dim));
  return key;
}

Key written_dims(std::span<const std::int64_t> dims) {
  Key key = dims.size();
  for (const std::int64_t dim : dims.subspan(dims.empty() ? 0 : 1)) {
    key = mixed(key, static_cast<Key>(dim));
  }
  return key;
}

void set_dims(const PlanModel& model, LayerId layer, Traits& traits) {
  Key in = 0, out = 0;
  bool has_in = false, has_out = false;
  Key written = 0;
  const model::RowRange ports = model.ports_of(layer);
  for (std::size_t port = ports.first; port < ports.end(); ++port) {
    const Direction direction = model.ports.direction[port];
    if (direction == Direction::kConstant || model.ports.dims.is_null(port)) continue;
    const model::TensorId tensor = model.ports.tensor_id[port];
    if (!tensor.is_null() && model.tensors.role[tensor.index()] == model::TensorRole::kConstant) {
      continue;
    }
    const auto dims = model.ports.dims[port];
    written = mixed(mixed(written, static_cast<Key>(direction)), written_dims(dims));
    // Only the first input: a fused residual adds inputs without changing what the layer does.
    if (direction == Direction::kInput && !has_in) {
      in = loose_dims(dims);
      has_in = true;
    }
    if (direction == Direction::kOutput && !has_out) {
      out = loose_dims(dims);
      has_out = true;
    }
  }
  traits.in = in;
  traits.out = out;
  traits.dims = written;
}

// Multiply-accumulates of one output element: the inner size of a matrix product, input channels of
// a group times the kernel of a convolution. Does not depend on the batch.
std::optional<std::int64_t> inner_size(const PlanModel& model, LayerId layer) {
  if (const auto k = model.layers.gemm_k.get(layer.index())) return k;
  const auto macs = model.layers.macs.get(layer.index());
  if (!macs || *macs <= 0) return std::nullopt;
  base::CheckedInt elements = 0;
  const model::RowRange ports = model.ports_of(layer);
  for (std::size_t port = ports.first; port < ports.end(); ++port) {
    if (model.ports.direction[port] != Direction::kOutput) continue;
    const auto count = product(model.ports.dims[port]);
    if (!count || model.ports.dims.is_null(port)) return std::nullopt;
    elements = elements + *count;
  }
  const auto all = elements.value();
  if (!all || *all <= 0 || *macs % *all != 0) return std::nullopt;
  return *macs / *all;
}

// Innermost first: each includes the places around it.
std::vector<Key> recorded_places(const PlanModel& model) {
  const model::BlocksTable& blocks = model.blocks;
  std::vector<Key> places(blocks.row_count(), 0);
  for (std::size_t row = 0; row < places.size(); ++row) {
    const model::BlockId parent = blocks.parent_id[row];
    // Blocks are listed outermost first; a block that is not has no place around it.
    const Key around = !parent.is_null() && parent.index() < row ? places[parent.index()] : 0;
    const std::string_view kind = model.text(blocks.kind[row]);
    if (kind == "branch") {
      places[row] = mixed(around, mixed(key_of(kind), key_of(model.text(blocks.name[row]))));
    } else if (kind == "conditional" || kind == "loop") {
      places[row] = kind == "loop" ? mixed(around, key_of(kind)) : around;
    } else {
      places[row] = around;
    }
  }
  return places;
}

Traits traits_of(const PlanModel& model, LayerId layer, std::span<const Key> places) {
  const model::LayersTable& layers = model.layers;
  const std::size_t row = layer.index();
  const std::string_view name = model.text(layers.name[row]);
  Traits traits;
  traits.family = layers.family[row];
  traits.moves_only = traits.family == Family::kReformat || traits.family == Family::kShuffle ||
                      is_moving_kernel(name);
  const model::DType from = layers.precision[row], to = layers.output_precision[row];
  if (traits.moves_only && from != model::DType::kNull && to != model::DType::kNull) {
    traits.quantizes = (is_quantized(to) ? 1 : 0) - (is_quantized(from) ? 1 : 0);
  }
  traits.type = key_of(model.text(layers.type[row]));
  set_dims(model, layer, traits);
  const auto inner = inner_size(model, layer);
  if (inner) traits.product = mixed(key_of("inner"), static_cast<Key>(*inner));
  const model::BlockId block = layers.block_id[row];
  if (!block.is_null() && block.index() < places.size()) traits.place = places[block.index()];
  std::string cleaned;
  traits.name_is_counted = clean_name(name, cleaned);
  traits.name = cleaned.empty() ? 0 : key_of(cleaned);
  return traits;
}

}  // namespace

Key mixed(Key a, Key b) {
  // splitmix64's finaliser over both.
  Key h = (a ^ (b + 0x9E3779B97F4A7C15ULL + (a << 6U) + (a >> 2U))) + 0x9E3779B97F4A7C15ULL;
  h = (h ^ (h >> 30U)) * 0xBF58476D1CE4E5B9ULL;
  h = (h ^ (h >> 27U)) * 0x94D049BB133111EBULL;
  return h ^ (h >> 31U);
}

Key key_of(std::string_view text) {
  // FNV-1a; the bits are mixed where keys are combined.
  Key key = 0xCBF29CE484222325ULL;
  for (const char c : text) {
    key = (key ^ static_cast<unsigned char>(c)) * 0x100000001B3ULL;
  }
  return key;
}

Side::Side(const PlanModel& engine) : model(&engine) {
  const model::LayersTable& table = engine.layers;
  const std::vector<Key> places = recorded_places(engine);
  Sets near_sets(engine.tensors.row_count());
  Sets far_sets(engine.tensors.row_count());
  spot_of_layer.assign(table.row_count(), kNoSpot);
  for (std::size_t row = 0; row < table.row_count(); ++row) {
    const LayerId layer(row);
    if (!engine.is_shown(layer)) continue;
    if (engine.does_work(layer)) {
      spot_of_layer[row] = static_cast<Spot>(layers.size());
      layers.push_back(layer);
      traits.push_back(traits_of(engine, layer, places));
      if (traits.back().moves_only) join_ports(engine, layer, far_sets);
    } else if (table.role[row] == model::Role::kNoOp) {
      join_ports(engine, layer, near_sets);
      join_ports(engine, layer, far_sets);
    }
  }
  flow = near_sets.roots();
  far_flow = far_sets.roots();
}

Places::Places(const Side& a, const Side& b) {
  const auto places_in = [](const Side& side) {
    std::vector<Key> places;
    for (const Traits& traits : side.traits) {
      if (traits.place != 0) places.push_back(traits.place);
    }
    std::ranges::sort(places);
    places.erase(std::ranges::unique(places).begin(), places.end());
    return places;
  };
  std::ranges::set_intersection(places_in(a), places_in(b), std::back_inserter(common_));
}

bool Places::is_common(Key place) const {
  return place == 0 || std::ranges::binary_search(common_, place);
}

Key Places::common(Key place) const { return is_common(place) ? place : 0; }

bool Places::fit(Key a, Key b) const { return a == b || !is_common(a) || !is_common(b); }

double likeness(const Traits& a, const Traits& b) {
  constexpr double kMaxLike = 1;
  if (a.moves_only != b.moves_only) return 0;
  double like = 0;
  if (a.type == b.type) {
    like = 0.35;
  } else if (a.family == b.family) {
    like = 0.3;
  } else {
    const auto is_vague = [](Family family) {
      return family == Family::kOpaque || family == Family::kOther || family == Family::kNull ||
             family == Family::kPlugin;
    };
    const auto is_product = [](Family family) {
      return family == Family::kConvolution || family == Family::kGemm;
    };
    if (a.moves_only || (is_product(a.family) && is_product(b.family))) {
      like = 0.2;
    } else if (is_vague(a.family) || is_vague(b.family)) {
      like = 0.15;
    } else {
      return 0;
    }
  }
  const auto compare = [&like](Key x, Key y, double equal, double other) {
    if (x != 0 && y != 0) like += x == y ? equal : other;
  };
  compare(a.out, b.out, 0.25, -0.1);
  // Where neither engine records dims, only the type is known.
  if (a.out == 0 && b.out == 0) like += 0.1;
  compare(a.in, b.in, 0.2, -0.05);
  compare(a.product, b.product, 0.1, -0.45);
  // The same number of inputs of the same dims: with or without the addition that was fused.
  if (a.dims != 0 && a.dims == b.dims) like += 0.05;
  if (a.name != 0 && a.name == b.name && !a.name_is_counted) like += 0.05;
  return std::clamp(like, 0.0, kMaxLike);
}

}  // namespace planex::analyze::matching
