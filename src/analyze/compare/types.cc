#include "analyze/compare/types.h"

#include <array>
#include <cstddef>
#include <unordered_map>
#include <utility>

namespace planex::analyze {
namespace {

using model::LayerId;
using model::PlanModel;

struct TypeGroup {
  std::string_view type;
  std::array<std::vector<LayerNoise>, 2> sides;
};

class TypeGroups {
 public:
  void add(const PlanModel& model, std::size_t side) {
    const LayerNoises noises(model);
    for (std::size_t row = 0; row < model.layers.row_count(); ++row) {
      if (!model.does_work(LayerId(row))) continue;
      const std::string_view type = model.text(model.layers.type[row]);
      const auto [found, is_new] = index_.try_emplace(type, groups_.size());
      if (is_new) groups_.push_back({.type = type, .sides = {}});
      groups_[found->second].sides[side].push_back(noises.of(LayerId(row)));
    }
  }

  const std::vector<TypeGroup>& all() const { return groups_; }

 private:
  std::unordered_map<std::string_view, std::size_t> index_;
  std::vector<TypeGroup> groups_;
};

}  // namespace

std::vector<TypeChange> compare_types(const PlanModel& a, const PlanModel& b) {
  TypeGroups groups;
  groups.add(a, 0);
  groups.add(b, 1);
  std::vector<LayerChange> changes;
  for (const TypeGroup& group : groups.all()) {
    changes.push_back(layer_change(group.sides[0], group.sides[1]));
  }
  control_false_discovery(changes);
  std::vector<TypeChange> result;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    const TypeGroup& group = groups.all()[i];
    result.push_back({.type = group.type,
                      .a_layers = static_cast<std::int64_t>(group.sides[0].size()),
                      .b_layers = static_cast<std::int64_t>(group.sides[1].size()),
                      .change = changes[i]});
  }
  return result;
}

}  // namespace planex::analyze
