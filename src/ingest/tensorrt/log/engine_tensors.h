// Inputs and outputs of an engine, its optimization profiles, and which layers belong to which.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "ingest/reader.h"
#include "ingest/tensorrt/log/layer_block.h"

namespace planex::ingest::tensorrt {

// If the log has no list of them: the parser's inputs and outputs.
struct NetworkBindings {
  const std::vector<std::string_view>& inputs;
  const std::vector<std::string_view>& outputs;
};

// The source of the layers that are in the builder.
enum class LayersFrom : std::uint8_t { kLog, kLayerFile };

// Fills bindings, profiles, the fields of assign_profiles, and the engine's metadata from what
// follows the layers. All layers must be in the builder. What the model already has stays. Errors:
// kUsage if the engine does not have the requested profile.
Result<void> add_engine_tensors(const Artefact& artefact, const LayerBlock& block, LayersFrom from,
                                const NetworkBindings& network, model::ModelBuilder& builder);

}  // namespace planex::ingest::tensorrt
