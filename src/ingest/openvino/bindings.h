// Inputs and outputs of the model, and the records of the graph that represent them.
#pragma once

#include <cstdint>
#include <vector>

#include "model/builder.h"

namespace planex::ingest::openvino {

struct ModelPort {
  base::StringId name;
  std::vector<base::StringId> names;  // with `name`; all interned
  std::vector<std::int64_t> dims;
  bool has_dims = false;
  base::StringId element_type;
  // Row of `ports` of the record that represents it; set by add_bindings.
  std::size_t port_row = kNone;

  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
};

// Adds one binding for each, connected to the tensor that its record reads or writes, which often
// has another name. All layers must be in the builder.
void add_bindings(std::vector<ModelPort>& ports, model::Direction direction,
                  model::ModelBuilder& builder);

}  // namespace planex::ingest::openvino
