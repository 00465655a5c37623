// Which layer computes which operation of the source model, and the resulting work.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/plan_model.h"

namespace planex::analyze {

// How certainly a layer computes the products of the operations it stems from, least first.
enum class Claim : std::uint8_t {
  kNone,      // only moves, converts or post-processes their data
  kMay,       // an opaque layer, or a kernel whose name contains a product
  kMust,      // a layer for convolutions or matrix products
  kMeasured,  // its own multiply-accumulates are known
};

// Distributes the operations among the layers that stem from them: an operation counts once per
// optimization profile, at the layer with the strongest claim, the first among equals. So the sum
// over layers is the sum over the operations that have a layer.
class LayerOperations {
 public:
  // `claims` has one entry per layer. Operations must be completed. Sources find their operation by
  // its name; a name shared by several operations refers to none. Cost: O(S log S) for S sources,
  // and O(operations).
  LayerOperations(const model::PlanModel& model, const std::vector<Claim>& claims);

  // For the products that the layer computes for its operations. Null where it has none, one of
  // them is not known, or the layer stems from an operation that may compute hidden products.
  std::optional<std::int64_t> macs(model::LayerId layer) const;

  // Whether another layer for products also claims one of these operations, so that each may
  // compute only a part.
  bool is_contested(model::LayerId layer) const { return of_layer_[layer.index()].contested; }

  // Where everything that the layer stems from is pointwise, or moves data: one operation per
  // element. Null for all others, and where another layer stems from the same operation.
  std::optional<std::int64_t> pointwise_flops(model::LayerId layer) const;

 private:
  struct Sum {
    std::optional<std::int64_t> macs = 0, flops = 0;
    bool has_products = false, has_pointwise = false;
    bool may_hide_products = false;  // an operation that is not known, or not in the table
    bool only_pointwise = true;
    bool contested = false;
  };
  struct Entry {
    std::uint32_t operation = 0;
    std::int64_t profile = 0;
    std::uint32_t layer = 0;
  };

  std::vector<Entry> entries(const model::PlanModel& model);
  void share_out(const model::PlanModel& model, const std::vector<Claim>& claims,
                 std::span<const Entry> candidates);

  std::vector<Sum> of_layer_;
};

}  // namespace planex::analyze
