// What a layer stores with the engine, according to its record: weights that it counts, {"Type":
// "Half", "Count": 9408}, or a list of constants.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "model/builder.h"

namespace planex::ingest::tensorrt {

// Bytes of the object `json`; nothing if its type or count is missing or unknown.
std::optional<std::int64_t> weight_bytes(std::string_view json);

// The sum of the weights that one record counts.
class CountedWeights {
 public:
  // Adds those of a key with LayerField::kWeights. False if their size is unknown, which makes the
  // sum unknown too.
  bool add(std::string_view json);

  bool any() const { return any_; }
  std::optional<std::int64_t> bytes() const { return bytes_; }

 private:
  std::optional<std::int64_t> bytes_ = 0;
  bool any_ = false;
};

// The sum of constants; keeps its memory from one record to the next.
class ConstantSum {
 public:
  // Bytes of the rows [first, end) of `ports`, each tensor once: a kernel may list a constant
  // twice, but stores it once. Of views of one tensor the largest counts. Nothing if the size of
  // one is unknown.
  std::optional<std::int64_t> bytes_of(const model::PortsTable& ports, std::size_t first,
                                       std::size_t end);

 private:
  struct Size {
    model::TensorId tensor;
    std::int64_t bytes = 0;
  };
  std::vector<Size> sizes_;
};

struct StoredFacts {
  CountedWeights counted;
  bool lists_constants = false;
  std::optional<std::int64_t> constant_bytes;
  // A record with parameters would have listed weights.
  bool has_parameters = false;
};

// Sets layers.weight_bytes from the record. If it recorded nothing: 0 for layers that store none or
// would have recorded them, null for kernels that hide what they do. Family and role of the layer
// must be set.
void set_weight_bytes(model::LayerId layer, const StoredFacts& facts, model::ModelBuilder& builder);

}  // namespace planex::ingest::tensorrt
