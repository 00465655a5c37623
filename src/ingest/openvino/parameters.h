// Parameters of a layer, under TensorRT's names if both mean the same, so that analyses look up one
// name. Others keep their own names.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "model/builder.h"

namespace planex::ingest::openvino {

struct Parameter {
  std::string_view key;  // from the file, which outlives the model's strings
  base::StringId value;
  model::ValueType type = model::ValueType::kNull;
};

// Adds them to the layer, whose family must be set. `channels` is the second dimension of its first
// output: TensorRT lists the number of output maps, here only the tensor has it.
void add_parameters(std::span<const Parameter> parameters, std::optional<std::int64_t> channels,
                    model::LayerId layer, model::ModelBuilder& builder);

}  // namespace planex::ingest::openvino
