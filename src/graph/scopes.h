// The scopes in names: "/model/layers.3/attn/MatMul" is in model, layers, 3, attn.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "graph/hierarchy.h"

namespace planex::graph {

// The parts of the scope of a name, outermost first; empty where it has none. Views into the name,
// of which only the first 400 bytes are read.
std::vector<std::string_view> scope_of(std::string_view name);

// All scopes as a tree, and the scope of each node of a graph.
class Scopes {
 public:
  using Id = std::uint32_t;
  static constexpr Id kNone = kNoRow;

  struct Scope {
    Id parent = kNone;
    std::uint32_t depth = 0;  // of outermost scopes: 0
    GroupKind kind = GroupKind::kScope;
    std::string part;
  };

  // `layers`: of each node, null if it is not a layer. Consecutive nodes of one layer are in one
  // scope.
  Scopes(const model::PlanModel& model, const PlanGraph& graph,
         std::span<const model::LayerId> layers);

  const Scope& scope(Id id) const { return scopes_[id]; }

  // The scope at a depth around a node, or kNone.
  Id at(std::size_t node, std::uint32_t depth) const {
    const std::size_t index = first_[node] + depth;
    return index < first_[node + 1] ? around_[index] : kNone;
  }

 private:
  Id enter(Id parent, GroupKind kind, std::string_view part, std::uint32_t key);
  Id block_scope(const model::PlanModel& model, model::BlockId block);
  void add_node(Id scope);
  Id scope_of_node(const model::PlanModel& model, const Node& node);

  // Where a scope is: `part` points into the model's texts.
  struct Place {
    Id parent = kNone;
    std::uint32_t key = 0;
    std::string_view part;

    bool operator==(const Place&) const = default;
  };
  struct PlaceHash {
    std::size_t operator()(const Place& place) const;
  };

  std::vector<Scope> scopes_;
  std::unordered_map<Place, Id, PlaceHash> id_of_;
  std::vector<Id> block_scopes_;
  std::vector<Id> around_;            // of every node, outermost first
  std::vector<std::uint32_t> first_;  // of each node in around_
};

}  // namespace planex::graph
