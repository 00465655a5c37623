// Parameters of a layer, under the names that TensorRT gives them where both mean the same, so that
// analyses have one name to ask for. Others keep their own.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "model/builder.h"

namespace planex::ingest::openvino {

struct Parameter {
  std::string_view key;  // of the file, which outlives the model's strings
  base::StringId value;
  model::ValueType type = model::ValueType::kNull;
};

// Adds them to the layer, whose family must be set. `channels` is the second dimension of its first
// output: TensorRT lists the number of output maps, here only the tensor tells it.
void add_parameters(std::span<const Parameter> parameters, std::optional<std::int64_t> channels,
                    model::LayerId layer, model::ModelBuilder& builder);

}  // namespace planex::ingest::openvino
