// Inputs and outputs of an engine, its optimization profiles, and which layers belong to which.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "ingest/reader.h"
#include "ingest/tensorrt/log/layer_block.h"

namespace planex::ingest::tensorrt {

// Where the log has no list of them: the parser's inputs and outputs.
struct NetworkBindings {
  const std::vector<std::string_view>& inputs;
  const std::vector<std::string_view>& outputs;
};

// Who told of the layers that are in the builder.
enum class LayersFrom : std::uint8_t { kLog, kLayerFile };

// Fills bindings, profiles, what assign_profiles fills, and the metadata of the engine, from what
// follows the layers. All layers must be in the builder. What the model has already stays. Errors:
// kUsage where the engine has no profile such as was asked for.
Result<void> add_engine_tensors(const Artefact& artefact, const LayerBlock& block, LayersFrom from,
                                const NetworkBindings& network, model::ModelBuilder& builder);

}  // namespace planex::ingest::tensorrt
