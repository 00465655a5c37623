// The keys of a layer's record, of all releases.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace planex::ingest::tensorrt {

// Where the value of a key goes.
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

// Those with a field first, then the others that real files have. Static storage.
std::span<const LayerKey> layer_keys();

// kOther for keys that are not known. Compares with some twenty keys.
LayerField layer_field(std::string_view key);

// Whether a key of this field adds an attribute each time it comes.
bool is_attribute(LayerField field);

}  // namespace planex::ingest::tensorrt
