// Operations of the source model, numbered the same way in both engines, and which of them identify
// a layer.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "analyze/align/lists.h"
#include "analyze/align/names.h"
#include "analyze/align/sides.h"

namespace planex::analyze::matching {

using Operation = std::uint32_t;

class SourceOperations {
 public:
  SourceOperations(const Side& a, const Side& b);

  struct Facts {
    // Weight of the operation in the similarity of two layers: the layer's main purpose weighs
    // most, operations that compilers move around least.
    double weight = 1;
    bool moves_only = false, is_product = false;
    // A name with a number that an exporter counted up.
    std::optional<CountedName> counted;
    // A counted name means the same in both engines only where the numbering is the same.
    bool is_trusted = true;
  };

  std::size_t size() const { return facts_.size(); }
  const Facts& facts(Operation operation) const { return facts_[operation]; }

  // Operations of a layer, ascending and once each.
  std::span<const Operation> of_a(Spot a) const { return of_a_[a]; }
  std::span<const Operation> of_b(Spot b) const { return of_b_[b]; }
  // Layers of an operation, ascending.
  std::span<const Spot> a_of(Operation operation) const { return a_of_[operation]; }
  std::span<const Spot> b_of(Operation operation) const { return b_of_[operation]; }

  // Judges counted names by pairs that names without numbers confirm: "Conv_9" is the same in both
  // if the nearest such pair before or after it has equal numbers in both engines. Without such
  // pairs, all are trusted if most of them occur in both engines, else none.
  void judge_counted_names(std::span<const std::pair<Spot, Spot>> vouched);

 private:
  Lists number(const Side& side);
  Operation id_of(std::string_view name, std::string_view type);

  std::unordered_map<std::string_view, Operation> ids_;
  std::vector<Facts> facts_;
  Lists of_a_, of_b_, a_of_, b_of_;
};

}  // namespace planex::analyze::matching
