#include "analyze/explain/blocks.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "analyze/explain/attention.h"
#include "analyze/work/sums.h"
#include "base/text.h"

namespace planex::analyze {
namespace {

using graph::GroupId;
using graph::GroupKind;
using graph::NodeId;
using model::LayerId;
using model::PlanModel;

std::optional<double> ratio_of(std::optional<double> part, std::optional<double> whole) {
  return part && whole && *whole > 0 ? std::optional(*part / *whole) : std::nullopt;
}

class BlockFinder {
 public:
  BlockFinder(const PlanModel& model, const graph::PlanGraph& graph, const graph::GroupTree& tree,
              const Reconciliation& time)
      : model_(model), graph_(graph), tree_(tree), basis_(time.basis) {
    blocks_.basis = time.basis;
    blocks_.layers_ms = time.layers_ms();
    blocks_.others_ms = time.others_ms();
  }

  Blocks find() {
    add_up_groups();
    list_repeated();
    add_up_layers();
    blocks_.attention = find_attention(model_, graph_);
    for (AttentionBlock& block : blocks_.attention) {
      for (const LayerId layer : block.layers) add_to(block.time_ms, time_of(layer));
      block.share = ratio_of(block.time_ms, blocks_.layers_ms);
      add_to(blocks_.attention_ms, block.time_ms);
    }
    list_opaque();
    return std::move(blocks_);
  }

 private:
  std::optional<double> time_of(LayerId layer) const {
    return layer_time(model_, layer.index(), basis_);
  }

  // Times of groups under the basis, and the outermost series around each. Groups precede those in
  // them, so one pass down and one pass up suffice.
  void add_up_groups() {
    const std::size_t count = tree_.groups.size();
    time_.resize(count);
    outer_series_.resize(count);
    for (std::size_t node = 0; node < graph_.nodes.size(); ++node) {
      const LayerId layer = graph_.nodes[node].layer;
      const GroupId group = tree_.group_of_node[node];
      if (layer.is_null() || group.is_null() || !model_.does_work(layer)) continue;
      add_to(time_[group.index()], time_of(layer));
    }
    for (std::size_t i = count; i-- > 0;) {
      const GroupId parent = tree_.groups[i].parent;
      if (!parent.is_null()) add_to(time_[parent.index()], time_[i]);
    }
    for (std::size_t i = 0; i < count; ++i) {
      const GroupId parent = tree_.groups[i].parent;
      if (!parent.is_null()) outer_series_[i] = outer_series_[parent.index()];
      if (outer_series_[i].is_null() && tree_.groups[i].kind == GroupKind::kSeries) {
        outer_series_[i] = GroupId(i);
      }
    }
  }

  void list_repeated() {
    for (std::size_t i = 0; i < tree_.groups.size(); ++i) {
      const graph::Group& group = tree_.groups[i];
      if (group.kind != GroupKind::kSeries || group.layer_count == 0) continue;
      RepeatedBlock block{.name = group.name,
                          .path = group.path,
                          .is_nested = outer_series_[i] != GroupId(i),
                          .instance_count = static_cast<std::int64_t>(group.groups.size()),
                          .layer_count = static_cast<std::int64_t>(group.layer_count),
                          .time_ms = time_[i]};
      block.instance_min_ms = group.instance_min_ms;
      block.instance_median_ms = group.instance_median_ms;
      block.instance_max_ms = group.instance_max_ms;
      if (group.instance_min_ms && group.instance_max_ms) {
        block.spread =
            ratio_of(*group.instance_max_ms - *group.instance_min_ms, group.instance_median_ms);
      }
      const std::uint32_t usual = usual_shape(group);
      for (const GroupId turn : group.outliers) {
        const graph::Group& facts = tree_.groups[turn.index()];
        block.outliers.push_back({.name = facts.name,
                                  .time_ms = facts.median_ms,
                                  .ratio = ratio_of(facts.median_ms, group.instance_median_ms),
                                  .has_other_shape = facts.shape != usual});
      }
      blocks_.repeated.push_back(std::move(block));
    }
  }

  // The shape that most instances have; with several, the first.
  std::uint32_t usual_shape(const graph::Group& series) const {
    std::map<std::uint32_t, std::size_t> counts;
    for (const GroupId turn : series.groups) ++counts[tree_.groups[turn.index()].shape];
    std::uint32_t usual = 0;
    std::size_t most = 0;
    for (const GroupId turn : series.groups) {
      const std::uint32_t shape = tree_.groups[turn.index()].shape;
      if (counts[shape] > most) {
        most = counts[shape];
        usual = shape;
      }
    }
    return usual;
  }

  void add_up_layers() {
    for (std::size_t row = 0; row < model_.layers.row_count(); ++row) {
      const LayerId layer(row);
      if (!model_.does_work(layer)) continue;
      ++blocks_.layer_count;
      const auto time = time_of(layer);
      add_to(blocks_.time_ms, time);
      const NodeId node = graph_.node_of_layer[row];
      const GroupId group = node.is_null() ? GroupId() : tree_.group_of_node[node.index()];
      const bool is_in_block = !group.is_null() && !outer_series_[group.index()].is_null();
      add_to(is_in_block ? blocks_.in_blocks_ms : blocks_.rest_ms, time);
      ++(is_in_block ? blocks_.layers_in_blocks : blocks_.rest_count);
    }
    for (RepeatedBlock& block : blocks_.repeated) {
      block.share = ratio_of(block.time_ms, blocks_.layers_ms);
    }
  }

  // "{ForeignNode[a...b]}": TensorRT's name for a stretch that another compiler took.
  static bool take_stretch(std::string_view name, OpaqueBlock& block) {
    constexpr std::string_view kBegin = "ForeignNode[", kBetween = "...";
    const std::size_t begin = name.find(kBegin);
    const std::size_t end = name.rfind(']');
    if (begin == name.npos || end == name.npos || end < begin + kBegin.size()) return false;
    const std::string_view stretch =
        name.substr(begin + kBegin.size(), end - begin - kBegin.size());
    const std::size_t between = stretch.find(kBetween);
    if (between == stretch.npos) return false;
    block.first = stretch.substr(0, between);
    block.last = stretch.substr(between + kBetween.size());
    return true;
  }

  void list_opaque() {
    for (std::size_t row = 0; row < model_.layers.row_count(); ++row) {
      const LayerId layer(row);
      if (!model_.does_work(layer) || model_.layers.family[row] != model::Family::kOpaque) continue;
      OpaqueBlock block{.layer = layer, .time_ms = time_of(layer)};
      block.share = ratio_of(block.time_ms, blocks_.layers_ms);
      if (take_stretch(model_.text(model_.layers.name[row]), block)) {
        add_to(blocks_.opaque_ms, block.time_ms);
        blocks_.opaque.push_back(std::move(block));
        continue;
      }
      std::map<std::string_view, std::int64_t> counts;
      const model::RowRange sources = model_.sources_of(layer);
      for (std::size_t source = sources.first; source < sources.end(); ++source) {
        ++counts[operation_type(model_, source)];
      }
      block.operation_count = static_cast<std::int64_t>(sources.count);
      for (const auto& [type, count] : counts) block.parts.push_back({std::string(type), count});
      std::ranges::stable_sort(block.parts, std::ranges::greater(), &OpaqueBlock::Part::count);
      add_to(blocks_.opaque_ms, block.time_ms);
      blocks_.opaque.push_back(std::move(block));
    }
    std::ranges::stable_sort(blocks_.opaque, std::ranges::greater(), [](const OpaqueBlock& block) {
      return block.time_ms.value_or(std::numeric_limits<double>::lowest());
    });
  }

  const PlanModel& model_;
  const graph::PlanGraph& graph_;
  const graph::GroupTree& tree_;
  const TimeBasis basis_;
  Blocks blocks_;
  std::vector<std::optional<double>> time_;
  std::vector<GroupId> outer_series_;  // null: not in a block
};

}  // namespace

std::string_view to_string(AttentionEvidence evidence) {
  switch (evidence) {
    case AttentionEvidence::kKernel:
      return "kernel";
    case AttentionEvidence::kSources:
      return "sources";
    case AttentionEvidence::kGraph:
      break;
  }
  return "graph";
}

Blocks find_blocks(const PlanModel& model, const graph::PlanGraph& graph,
                   const graph::GroupTree& tree, const Reconciliation& time) {
  return BlockFinder(model, graph, tree, time).find();
}

}  // namespace planex::analyze
