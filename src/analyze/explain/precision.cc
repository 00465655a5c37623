#include "analyze/explain/precision.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

#include "base/checked.h"

namespace planex::analyze {
namespace {

using graph::DataFlow;
using graph::PortRow;
using model::Direction;
using model::DType;
using model::LayerId;
using model::TensorId;

bool is_half(DType type) { return type == DType::kFp16 || type == DType::kBf16; }

bool is_narrow(IslandBase base, DType type) {
  return model::is_quantized(type) || (base == IslandBase::kHalf && is_half(type));
}

bool is_wide(IslandBase base, DType type) {
  return base != IslandBase::kNone && model::is_float(type) && !is_narrow(base, type);
}

constexpr int kQuantizedBits = 8;
constexpr int kHalfBits = 16;

// Sets of tensors, joined one after the other (union-find with path halving).
class TensorSets {
 public:
  explicit TensorSets(std::size_t count) : parents_(count) {
    std::iota(parents_.begin(), parents_.end(), std::uint32_t{0});
  }
  std::uint32_t of(std::uint32_t item) {
    while (parents_[item] != item) {
      parents_[item] = parents_[parents_[item]];
      item = parents_[item];
    }
    return item;
  }
  // The smaller of the two represents the set.
  void join(std::uint32_t a, std::uint32_t b) {
    a = of(a);
    b = of(b);
    if (a != b) parents_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<std::uint32_t> parents_;
};

void add_bytes(std::optional<std::int64_t>& sum, std::int64_t bytes) {
  const auto total = (base::CheckedInt(sum.value_or(0)) + bytes).value();
  if (total) sum = total;
}

class PrecisionExplainer {
 public:
  PrecisionExplainer(const model::PlanModel& model, const Reconciliation& time)
      : model_(model),
        flow_(model, graph::GeneratedKernels::kMayConvert),
        times_(model, time),
        sets_(model.tensors.row_count()) {}

  PrecisionExplanation run() {
    result_.basis = times_.basis();
    result_.layers_ms = times_.sum_ms();
    fill_cells();
    result_.base = base_of();
    if (result_.base != IslandBase::kNone) fill_islands();
    sort();
    return std::move(result_);
  }

 private:
  template <typename Visit>
  void for_each_layer(const Visit& visit) const {
    for (std::size_t row = 0; row < flow_.layer_count(); ++row) {
      if (flow_.works(LayerId(row))) visit(LayerId(row));
    }
  }

  DType read_type(LayerId layer) const {
    const DType type = model_.layers.precision[layer.index()];
    // A kernel that only converts weights has no data input; its scale is not data.
    return flow_.is_conversion(layer) && flow_.inputs(layer).empty() ? flow_.first_data_type(layer)
                                                                     : type;
  }

  void fill_cells() {
    std::map<std::pair<DType, DType>, std::size_t> rows;
    for_each_layer([&](LayerId layer) {
      const DType from = read_type(layer), to = model_.layers.output_precision[layer.index()];
      if (from != model_.layers.precision[layer.index()])
        result_.read_types.push_back({layer, from});
      const auto [entry, is_new] = rows.try_emplace({from, to}, result_.cells.size());
      if (is_new) result_.cells.push_back({.from = from, .to = to});
      PrecisionCell& cell = result_.cells[entry->second];
      times_.add(layer, cell.all);
      times_.add(layer, flow_.is_conversion(layer)     ? cell.conversions
                        : flow_.is_matrix_layer(layer) ? cell.matrix
                                                       : cell.others);
      times_.add(layer, result_.all);
      if (from == DType::kNull || to == DType::kNull) {
        times_.add(layer, result_.unknown);
      } else if (from != to) {
        times_.add(layer, result_.changing);
      }
    });
  }

  IslandBase base_of() const {
    bool any_quantized = false, any_half = false, any_full = false;
    for_each_layer([&](LayerId layer) {
      if (flow_.is_conversion(layer)) return;
      const DType type = model_.layers.precision[layer.index()];
      any_quantized = any_quantized || (flow_.is_matrix_layer(layer) && model::is_quantized(type));
      any_half = any_half || is_half(type);
      any_full = any_full || type == DType::kFp32 || type == DType::kTf32;
    });
    if (any_quantized) return IslandBase::kQuantized;
    return any_half && any_full ? IslandBase::kHalf : IslandBase::kNone;
  }

  template <typename Visit>
  void for_each_wide_port(LayerId layer, const Visit& visit) const {
    const model::RowRange ports = model_.ports_of(layer);
    for (PortRow port = ports.first; port < ports.end(); ++port) {
      if (model_.ports.direction[port] == Direction::kConstant) continue;
      if (flow_.is_constant(flow_.tensor_of(port))) continue;
      if (is_wide(result_.base, flow_.type_of(port))) visit(port);
    }
  }

  std::uint32_t set_of(PortRow port) {
    return sets_.of(static_cast<std::uint32_t>(flow_.tensor_of(port).index()));
  }

  void fill_islands() {
    const auto join = [&](LayerId layer) {
      std::optional<PortRow> first;
      for_each_wide_port(layer, [&](PortRow port) {
        if (!first) first = port;
        sets_.join(set_of(*first), set_of(port));
      });
    };
    // No-ops pass a tensor on under another name.
    for (std::size_t row = 0; row < flow_.layer_count(); ++row) {
      const bool hands_on = model_.layers.role[row] == model::Role::kNoOp;
      if (flow_.works(LayerId(row)) || hands_on) join(LayerId(row));
    }
    std::vector<bool> is_counted(model_.tensors.row_count(), false);
    for_each_layer([&](LayerId layer) { add_to_island(layer, is_counted); });
    for (PrecisionIsland& island : result_.islands) finish(island);
  }

  void add_to_island(LayerId layer, std::vector<bool>& is_counted) {
    std::optional<std::size_t> index;
    bool reads_wide = false, writes_wide = false;
    for_each_wide_port(layer, [&](PortRow port) {
      if (!index) index = island_of(port);
      PrecisionIsland& island = result_.islands[*index];
      (model_.ports.direction[port] == Direction::kOutput ? writes_wide : reads_wide) = true;
      const std::size_t tensor = flow_.tensor_of(port).index();
      if (!is_counted[tensor]) {
        is_counted[tensor] = true;
        ++island.tensor_count;
      }
      const auto bytes = model_.ports.data_bytes.get(port);
      const auto bits = model::bits_per_element(flow_.type_of(port));
      if (!bytes || !bits) return;
      const int narrow = result_.base == IslandBase::kQuantized ? kQuantizedBits : kHalfBits;
      const auto narrowed = (base::CheckedInt(*bytes) * narrow).divided_up_by(*bits).value();
      if (!narrowed) return;
      add_bytes(island.wide_bytes, *bytes);
      add_bytes(island.narrow_bytes, *narrowed);
    });
    if (!index) {
      times_.add(layer, result_.outside);
      return;
    }
    PrecisionIsland& island = result_.islands[*index];
    island.layers.push_back({layer, role_of(layer, reads_wide, writes_wide)});
    times_.add(layer, island.all);
    times_.add(layer, result_.in_islands);
    if (flow_.is_conversion(layer)) times_.add(layer, island.conversions);
  }

  IslandRole role_of(LayerId layer, bool reads_wide, bool writes_wide) const {
    if (flow_.is_conversion(layer)) return IslandRole::kConverts;
    const bool computes_narrow = is_narrow(result_.base, read_type(layer));
    if (computes_narrow && writes_wide) return IslandRole::kWritesWide;
    if (computes_narrow && reads_wide) return IslandRole::kReadsWide;
    return IslandRole::kRunsWide;
  }

  // Layers come in execution order, so the port that opens an island is its root.
  std::size_t island_of(PortRow port) {
    const auto [entry, is_new] = islands_.try_emplace(set_of(port), result_.islands.size());
    if (is_new) {
      PrecisionIsland island;
      island.root = flow_.model_tensor(flow_.tensor_of(port));
      island.root_type = flow_.type_of(port);
      if (model_.ports.direction[port] == Direction::kOutput) {
        island.root_writer = flow_.layer_of(port);
      }
      result_.islands.push_back(std::move(island));
    }
    return entry->second;
  }

  void finish(PrecisionIsland& island) const {
    bool begins = false, ends = false;
    for (const IslandLayer& entry : island.layers) {
      bool reads_wide = false, writes_wide = false, writes_narrow = false;
      const model::RowRange ports = model_.ports_of(entry.layer);
      for (PortRow port = ports.first; port < ports.end(); ++port) {
        const DType type = flow_.type_of(port);
        if (model_.ports.direction[port] == Direction::kInput) {
          reads_wide = reads_wide || is_wide(result_.base, type);
        } else if (model_.ports.direction[port] == Direction::kOutput) {
          writes_wide = writes_wide || is_wide(result_.base, type);
          writes_narrow = writes_narrow || (is_narrow(result_.base, type) &&
                                            !flow_.readers(flow_.tensor_of(port)).empty());
        }
      }
      begins = begins || (writes_wide && is_narrow(result_.base, read_type(entry.layer)));
      ends = ends || (reads_wide && writes_narrow);
    }
    island.ends = begins && ends ? IslandEnds::kBetween
                  : begins       ? IslandEnds::kHead
                  : ends         ? IslandEnds::kStem
                                 : IslandEnds::kAlone;
  }

  void sort() {
    const auto cost = [](const LayerTotals& totals) {
      return std::tuple(totals.time_ms.value_or(-1), totals.io_bytes.value_or(-1));
    };
    std::ranges::stable_sort(result_.cells, [&](const PrecisionCell& a, const PrecisionCell& b) {
      return std::tuple_cat(cost(b.all), std::tuple(a.from, a.to)) <
             std::tuple_cat(cost(a.all), std::tuple(b.from, b.to));
    });
    std::ranges::stable_sort(result_.islands,
                             [&](const PrecisionIsland& a, const PrecisionIsland& b) {
                               const bool a_between = a.ends == IslandEnds::kBetween;
                               const bool b_between = b.ends == IslandEnds::kBetween;
                               return std::tuple_cat(std::tuple(!a_between), cost(b.all)) <
                                      std::tuple_cat(std::tuple(!b_between), cost(a.all));
                             });
  }

  const model::PlanModel& model_;
  DataFlow flow_;
  LayerTimes times_;
  TensorSets sets_;
  std::map<std::uint32_t, std::size_t> islands_;
  PrecisionExplanation result_;
};

}  // namespace

std::string_view to_string(IslandBase base) {
  switch (base) {
    case IslandBase::kQuantized:
      return "quantized";
    case IslandBase::kHalf:
      return "half";
    case IslandBase::kNone:
      break;
  }
  return "none";
}

std::string_view to_string(IslandEnds ends) {
  switch (ends) {
    case IslandEnds::kBetween:
      return "between";
    case IslandEnds::kHead:
      return "head";
    case IslandEnds::kStem:
      return "stem";
    case IslandEnds::kAlone:
      break;
  }
  return "alone";
}

std::string_view to_string(IslandRole role) {
  switch (role) {
    case IslandRole::kWritesWide:
      return "writes-wide";
    case IslandRole::kRunsWide:
      return "runs-wide";
    case IslandRole::kReadsWide:
      return "reads-wide";
    case IslandRole::kConverts:
      break;
  }
  return "converts";
}

PrecisionExplanation explain_precision(const model::PlanModel& model, const Reconciliation& time) {
  return PrecisionExplainer(model, time).run();
}

}  // namespace planex::analyze
