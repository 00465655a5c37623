// The layers of two engines as the aligner sees them: everything that tells one from another, as
// hashes that mean the same in both engines.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

#include "model/plan_model.h"

namespace planex::analyze::matching {

// Position among the layers that do work, in execution order.
using Spot = std::uint32_t;
inline constexpr Spot kNoSpot = std::numeric_limits<Spot>::max();

// A hash of content: equal in both engines where the content is. 0 is "not known".
using Key = std::uint64_t;
Key mixed(Key a, Key b);
Key key_of(std::string_view text);

struct Traits {
  model::Family family = model::Family::kNull;
  // Reformats, transposes and kernels that only move or convert: they never stand for what
  // computes.
  bool moves_only = false;
  // 1 for what quantizes its input, -1 for what does the reverse, 0 for all else.
  int quantizes = 0;
  Key type = 0;
  // Dims without the batch, numbers of 1 left out and sorted: an engine may lay a tensor out
  // otherwise, or fold dimensions.
  Key in = 0, out = 0;
  // Dims of every input and output as written, without the batch.
  Key dims = 0;
  // Inner size of the product, where it has one: tells a 3×3 convolution from a 1×1.
  Key product = 0;
  // Branch of a conditional or loop that the layer is in; 0 outside of all.
  Key place = 0;
  // Name without the compiler's own numbers.
  Key name = 0;
  // The name has a number that an exporter counted up (Conv_34), which says nothing in another
  // model.
  bool name_is_counted = false;
};

struct Side {
  explicit Side(const model::PlanModel& model);

  std::size_t size() const { return layers.size(); }

  const model::PlanModel* model;
  std::vector<model::LayerId> layers;
  std::vector<Spot> spot_of_layer;  // kNoSpot for records that do no work
  std::vector<Traits> traits;
  // What flows: tensors that no-ops pass on are one. By tensor.
  std::vector<std::uint32_t> flow;
  // The same with layers that only move or convert passed over as well.
  std::vector<std::uint32_t> far_flow;
};

// Whether a layer in one place may stand for one in another. Places that only one engine has (its
// compiler made a selection of a branch) fit all.
class Places {
 public:
  Places(const Side& a, const Side& b);
  bool fit(Key a, Key b) const;
  // The place, or 0 where only one engine has it.
  Key common(Key place) const;

 private:
  bool is_common(Key place) const;
  std::vector<Key> common_;
};

// How much type, dims and kind speak for the two doing the same, without their surroundings:
// 0 (can't be) to 1.
double likeness(const Traits& a, const Traits& b);

}  // namespace planex::analyze::matching
