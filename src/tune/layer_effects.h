// What each layer of a quantized model loses alone, with all others in float: measured in one
// compilation, by a model whose layers are switched while it runs (quantize/switches.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "planex/error.h"
#include "quantize/front.h"
#include "quantize/layer_errors.h"
#include "tune/model_file.h"
#include "tune/runner.h"

namespace planex::tune {

struct EffectsRequest {
  std::string quantized;            // a model that write_quantized() made of the float one
  std::vector<onnx::Index> layers;  // nodes of the float model
  std::vector<JudgedOutput> outputs;
  SampleRange samples;
  // How much all layers multiply for one sample; 0: unknown. Large models run on fewer samples.
  std::int64_t macs = 0;
};

struct LayerEffects {
  std::vector<quantize::Score> alone;  // for the layers, in their order
  quantize::LayerErrors errors{0};
  std::size_t sample_count = 0;  // how many they were measured on
};

// Errors: kUnsupported (the model can't be switched: says why; outputs whose shapes change), those
// of Runner::run(), kIo. Cost: one compilation; for each sample as many inferences as there are
// layers, each of twice the model's work. Disk: at most 1 GB, or one sample per layer; removed.
Result<LayerEffects> layer_effects(ModelFile& file, const EffectsRequest& request, Runner& runner);

}  // namespace planex::tune
