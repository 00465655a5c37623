#include "analyze/work/layer_operations.h"

#include <algorithm>
#include <string_view>
#include <tuple>
#include <unordered_map>

#include "analyze/work/operation_kinds.h"
#include "analyze/work/work.h"
#include "base/checked.h"

namespace planex::analyze {
namespace {

using base::CheckedInt;
using model::Family;
using model::LayerId;
using model::PlanModel;

constexpr std::uint32_t kAmbiguousName = static_cast<std::uint32_t>(-1);

void sum_or_unknown(std::optional<std::int64_t>& sum, std::optional<std::int64_t> value) {
  sum = sum && value ? (CheckedInt(*sum) + *value).value() : std::nullopt;
}

// A compiler may distribute a recurrent network over many layers, one of which keeps its name, so
// only a layer that represents it as a whole is assumed to compute it.
bool can_be_whole_network(const PlanModel& model, LayerId layer) {
  const Family family = model.layers.family[layer.index()];
  if (family == Family::kGemm) {
    const std::string_view type = model.text(model.layers.type[layer.index()]);
    return type != "gemm" && type != "MatMul" && type != "MatrixMultiply" &&
           type != "FullyConnected";
  }
  return (family == Family::kOpaque || family == Family::kPlugin || family == Family::kOther) &&
         named_product(model.text(model.layers.name[layer.index()])) == NamedProduct::kNotGenerated;
}

// "{ForeignNode[a...b]}" computes the operations between the two as well. Where the source model
// shows them, they are among the sources (src/ingest/tensorrt/foreign_nodes.h); a and b alone say
// little.
bool names_ends_only(const PlanModel& model, LayerId layer) {
  if (!model.text(model.layers.name[layer.index()]).starts_with("{ForeignNode[")) return false;
  const model::RowRange sources = model.sources_of(layer);
  if (sources.count > 2) return false;
  for (std::size_t row = sources.first; row < sources.end(); ++row) {
    if (model.sources.evidence[row] != model::Evidence::kName) return false;
  }
  return true;
}

}  // namespace

LayerOperations::LayerOperations(const PlanModel& model, const std::vector<Claim>& claims)
    : of_layer_(model.layers.row_count()) {
  std::vector<Entry> sources = entries(model);
  const auto key = [](const Entry& entry) {
    return std::tuple(entry.operation, entry.profile, entry.layer);
  };
  std::ranges::sort(sources, {}, key);
  const auto repeated = std::ranges::unique(sources, {}, key);
  sources.erase(repeated.begin(), repeated.end());
  for (auto first = sources.begin(); first != sources.end();) {
    const auto end = std::find_if(first, sources.end(), [&](const Entry& entry) {
      return entry.operation != first->operation || entry.profile != first->profile;
    });
    share_out(model, claims, {first, end});
    first = end;
  }
}

std::vector<LayerOperations::Entry> LayerOperations::entries(const PlanModel& model) {
  const model::OperationsTable& operations = model.operations;
  std::unordered_map<std::string_view, std::uint32_t> by_name;
  by_name.reserve(operations.row_count());
  for (std::size_t row = 0; row < operations.row_count(); ++row) {
    const auto [found, is_new] =
        by_name.emplace(model.text(operations.name[row]), static_cast<std::uint32_t>(row));
    if (!is_new) found->second = kAmbiguousName;
  }
  for (std::size_t row = 0; row < of_layer_.size(); ++row) {
    of_layer_[row].may_hide_products = names_ends_only(model, LayerId(row));
  }
  std::vector<Entry> result;
  result.reserve(model.sources.row_count());
  for (std::size_t row = 0; row < model.sources.row_count(); ++row) {
    const std::size_t layer = model.sources.layer_id[row].index();
    const auto found = by_name.find(model.text(model.sources.op_name[row]));
    if (found == by_name.end() || found->second == kAmbiguousName) {
      of_layer_[layer].may_hide_products = true;
      of_layer_[layer].only_pointwise = false;
      continue;
    }
    constexpr std::int64_t kAllProfiles = -1;
    result.push_back({found->second, model.layers.profile_index.get(layer).value_or(kAllProfiles),
                      static_cast<std::uint32_t>(layer)});
  }
  return result;
}

void LayerOperations::share_out(const PlanModel& model, const std::vector<Claim>& claims,
                                std::span<const Entry> candidates) {
  const std::size_t operation = candidates.front().operation;
  const OperationKind kind = operation_kind(model.text(model.operations.domain[operation]),
                                            model.text(model.operations.type[operation]));
  switch (kind) {
    case OperationKind::kPointwise:
      for (const Entry& entry : candidates) {
        Sum& sum = of_layer_[entry.layer];
        sum.has_pointwise = true;
        if (candidates.size() > 1) {
          sum.only_pointwise = false;
        } else {
          sum_or_unknown(sum.flops, model.operations.flops.get(operation));
        }
      }
      return;
    case OperationKind::kMovement:
      return;
    case OperationKind::kOther:
      for (const Entry& entry : candidates) of_layer_[entry.layer].only_pointwise = false;
      return;
    case OperationKind::kUnknown:
      for (const Entry& entry : candidates) {
        of_layer_[entry.layer].only_pointwise = false;
        of_layer_[entry.layer].may_hide_products = true;
      }
      return;
    case OperationKind::kProduct:
    case OperationKind::kRecurrent:
      break;
  }
  const auto claim_of = [&](const Entry& entry) {
    const Claim claim = claims[entry.layer];
    const bool whole = kind != OperationKind::kRecurrent || claim == Claim::kMeasured ||
                       can_be_whole_network(model, LayerId(entry.layer));
    return whole ? claim : Claim::kNone;
  };
  const Entry* owner = nullptr;
  std::size_t rivals = 0;
  for (const Entry& entry : candidates) {
    of_layer_[entry.layer].only_pointwise = false;
    const Claim claim = claim_of(entry);
    if (claim >= Claim::kMust) ++rivals;
    if (claim == Claim::kNone) continue;
    if (owner == nullptr || claim > claim_of(*owner)) owner = &entry;
  }
  if (rivals > 1) {
    for (const Entry& entry : candidates) of_layer_[entry.layer].contested = true;
  }
  if (owner == nullptr) return;
  Sum& sum = of_layer_[owner->layer];
  sum.has_products = true;
  sum_or_unknown(sum.macs, model.operations.macs.get(operation));
}

std::optional<std::int64_t> LayerOperations::macs(LayerId layer) const {
  const Sum& sum = of_layer_[layer.index()];
  return sum.has_products && !sum.may_hide_products ? sum.macs : std::nullopt;
}

std::optional<std::int64_t> LayerOperations::pointwise_flops(LayerId layer) const {
  const Sum& sum = of_layer_[layer.index()];
  return sum.has_pointwise && sum.only_pointwise ? sum.flops : std::nullopt;
}

}  // namespace planex::analyze
