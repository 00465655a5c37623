// What comparing a quantized model with its float one came to, layer by layer: what is shown,
// written as planex.accuracy/1, and read again.
#ifndef PLANEX_QUANTIZE_ACCURACY_H_
#define PLANEX_QUANTIZE_ACCURACY_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "arrays/difference.h"
#include "quantize/outcome.h"

namespace planex::quantize {

// Whether looking at a tensor of the engine changed the engine.
enum class Tap : std::uint8_t {
  kVerified,   // the engine's own outputs stayed bit for bit the same
  kDisturbed,  // they did not, even with this tensor alone
  kMissing,    // the engine's reader knows no such tensor
  kNone        // not looked at
};
std::string_view to_string(Tap tap);

// A tensor that both models have, in the order of the float model's nodes.
struct LayerAccuracy {
  std::string tensor, node, op_type;
  std::optional<arrays::Difference> simulated;  // float to simulated: the model's loss up to here
  std::optional<arrays::Difference> engine;     // float to engine
  Tap tap = Tap::kNone;
  // Of the layer with all others in float: its own loss, in the file's arithmetic and the engine's.
  std::optional<arrays::Difference> alone_simulated, alone_engine;
};

struct LayerAccuracies {
  std::string reference, subject;
  std::vector<JudgedTensor> simulated, engine, engine_to_simulated;  // of the outputs
  std::vector<LayerAccuracy> layers;
  std::size_t sample_count = 0;
  std::size_t compile_count = 0;  // of the engine, to verify the taps
  std::string runtime_version, isa;
  bool has_vnni = false;
  std::vector<std::string> notes;
};

}  // namespace planex::quantize

#endif  // PLANEX_QUANTIZE_ACCURACY_H_
