// The layers of two engines as the aligner sees them: everything that distinguishes layers, as
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

// A hash of content: equal in both engines where the content is equal. 0: not known.
using Key = std::uint64_t;
Key mixed(Key a, Key b);
Key key_of(std::string_view text);

struct Traits {
  model::Family family = model::Family::kNull;
  // Reformats, transposes and kernels that only move or convert: they never match a layer that
  // computes.
  bool moves_only = false;
  // 1 for layers that quantize their input, -1 for those that dequantize, 0 for all others.
  int quantizes = 0;
  Key type = 0;
  // Dims without the batch, ones left out, sorted: an engine may use a different layout or fold
  // dimensions.
  Key in = 0, out = 0;
  // Dims of every input and output as written, without the batch.
  Key dims = 0;
  // Inner size of the product, if any: distinguishes a 3×3 convolution from a 1×1.
  Key product = 0;
  // Branch of a conditional or loop that the layer is in; 0 outside of all.
  Key place = 0;
  // Name without the compiler's own numbers.
  Key name = 0;
  // The name contains a number that an exporter counted up (Conv_34), which means nothing in
  // another model.
  bool name_is_counted = false;
};

struct Side {
  explicit Side(const model::PlanModel& model);

  std::size_t size() const { return layers.size(); }

  const model::PlanModel* model;
  std::vector<model::LayerId> layers;
  std::vector<Spot> spot_of_layer;  // kNoSpot for records that do no work
  std::vector<Traits> traits;
  // What flows: a tensor and its copies made by no-ops are one. By tensor.
  std::vector<std::uint32_t> flow;
  // The same, with layers that only move or convert passed over as well.
  std::vector<std::uint32_t> far_flow;
};

// Whether a layer in one place can match one in another. Places that only one engine has (its
// compiler turned a branch into a selection) fit all.
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

// How strongly type, dims and kind suggest that the two do the same, without their surroundings: 0
// (impossible) to 1.
double likeness(const Traits& a, const Traits& b);

}  // namespace planex::analyze::matching
