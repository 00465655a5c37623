// The keys of a layer's record in all releases.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace planex::ingest::tensorrt {

// Where a key's value goes.
enum class LayerField : std::uint8_t {
  kOther,  // becomes an attribute
  kName,
  kLayerType,
  kParameterType,
  kInputs,
  kConstants,
  kOutputs,
  kTacticName,
  kStreamId,
  kEventId,
  kJump,
  kMetadata,
  kOrigin,
  kWeights,
  kHasDynamicFilter,
};

struct LayerKey {
  std::string_view key;
  LayerField field;
};

// Keys with a field first, then the others found in real files. Static storage.
std::span<const LayerKey> layer_keys();

// kOther for unknown keys. Compares with about twenty keys.
LayerField layer_field(std::string_view key);

// Whether a key of this field adds an attribute each time it occurs.
bool is_attribute(LayerField field);

}  // namespace planex::ingest::tensorrt
