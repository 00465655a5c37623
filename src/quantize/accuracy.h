// What comparing a quantized model with its float one came to, layer by layer: what is shown,
// written as planex.accuracy/1, and read again.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "arrays/difference.h"
#include "quantize/difference_map.h"
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

// Who loses what is lost.
enum class Fault : std::uint8_t {
  kNone,    // nobody: what is lost is little
  kModel,   // the quantized model's own arithmetic does: scales, places of Q/DQ
  kEngine,  // the engine does, as it does not compute what the model says
  kBoth,
  kUnknown  // not looked into
};
std::string_view to_string(Fault fault);

// Why an engine does not compute what the model says: found by trying the cure.
enum class Cause : std::uint8_t {
  kNone,        // no engine's fault, or not looked into
  kSaturation,  // products of 8 bits are added in 16, which overflow; weights on 7 bits cure it
  kSign,        // a signed tensor's Q is moved to where its sign is lost; uint8 cures it
  kBoth,        // only both together cure it
  kUnknown      // none of the cures helps
};
std::string_view to_string(Cause cause);

// From which difference on someone is at fault: docs/reference/accuracy.md says why.
inline constexpr double kModelFaultDb = 20;    // less than this SQNR, simulated
inline constexpr double kEngineFaultDb = 3;    // so much less in the engine, at the outputs
inline constexpr double kLayerFaultDb = 6;     // the same of a layer alone
inline constexpr double kCertainFaultDb = 30;  // the same, where noise can't explain it
inline constexpr double kBeyondFloatDb = 130;  // more than any float32 can tell

// A tensor that both models have, in the order of the float model's nodes.
struct LayerAccuracy {
  std::string tensor, node, op_type;
  // What was looked at in the engine in its place, as looking at `tensor` disturbed it: what an
  // activation or a pair behind it writes. Empty: the tensor itself.
  std::string seen_tensor;
  std::optional<arrays::Difference> simulated;  // float to simulated: the model's loss up to here
  std::optional<arrays::Difference> engine;     // float to engine
  Tap tap = Tap::kNone;
  // Of the layer with all others in float: its own loss, in the file's arithmetic and the engine's.
  std::optional<arrays::Difference> alone_simulated, alone_engine;
  Fault fault = Fault::kUnknown;  // of the layer alone
  Cause cause = Cause::kNone;
  std::optional<arrays::Difference> cured_engine;  // alone with the cure of the cause

  // How much less the engine has than the model's own arithmetic, in dB; null: not both known.
  std::optional<double> alone_gap_db() const;
};

// arrays::kept_db(): with what has no noise as infinitely many dB; null where nothing was compared,
// or the reference is 0.
std::optional<double> db_or_infinite(const std::optional<arrays::Difference>& difference);

// The least SQNR of some outputs; null where there is none.
std::optional<double> least_db(const std::vector<JudgedTensor>& outputs);

// Whether the engine computes what the model says: its least SQNR is 1.5 dB below that of the
// model's own arithmetic at most. False where one of them is not known.
bool is_engine_faithful(const std::vector<JudgedTensor>& simulated,
                        const std::vector<JudgedTensor>& engine);

// Who is at fault for what the outputs lost. kUnknown where they can't be compared.
Fault fault_of(const std::vector<JudgedTensor>& simulated, const std::vector<JudgedTensor>& engine);

// The model with the cures of the engine's faults.
struct CuredModel {
  std::string path;
  std::vector<std::string> narrowed;            // weights that are on 7 bits now
  std::vector<std::string> unsigned_tensors;    // those that are uint8 now
  std::vector<JudgedTensor> simulated, engine;  // float to it
};

// What --bisect found.
struct Bisection {
  enum class Kind : std::uint8_t {
    kScale,   // a tensor whose scale does not fit its values
    kWeight,  // a weight that is far from the float model's
    kLayer,   // a layer that loses most, whatever its scales
    kNone
  };
  Kind kind = Kind::kNone;
  std::string tensor, node;
  std::string part;  // kScale: what is joined in the tensor and has other ranges; empty: all of it
  // kScale: of the scale that is there, and of the one with the least error on this data.
  std::optional<double> scale, best_scale;
  std::optional<double> own_db, best_db;  // of the tensor or weight by itself
  // At the outputs: as it is, and with the tensor, weight or layer in float.
  std::optional<double> before_db, after_db;
  std::size_t compile_count = 0;
  std::vector<std::string> steps;  // what was tried, a sentence each
};
std::string_view to_string(Bisection::Kind kind);

// The smallest model found that still shows a fault, to hand over.
struct ExtractedModel {
  std::string path;            // the part of the quantized model, all other layers in float
  std::string reference_path;  // the same part without Q/DQ
  std::string data_path;       // its inputs, and the outputs of the part without Q/DQ
  std::string tensor, node;    // at fault
  Fault fault = Fault::kUnknown;
  std::string sample;  // that the inputs are of
  std::size_t node_count = 0;
  std::vector<std::string> inputs, outputs;
  std::vector<JudgedTensor> simulated, engine;  // of the part: float to it
  std::string command;                          // shows the fault again
};

struct LayerAccuracies {
  std::string reference, subject;
  std::string engine_outputs;         // that an engine saved elsewhere; empty: OpenVINO's ran here
  std::string engine_outputs_format;  // "Polygraphy outputs"
  std::vector<JudgedTensor> simulated, engine, engine_to_simulated;  // of the outputs
  std::vector<LayerAccuracy> layers;
  Fault fault = Fault::kUnknown;   // of what the outputs lost
  std::vector<LabelScore> labels;  // empty: no labels, or no classes
  std::vector<MetricScore> metrics;
  std::optional<CuredModel> cured;
  std::optional<Bisection> bisection;
  std::vector<DifferenceMap> maps;  // of the tensors that lose most, the worst first
  std::optional<ExtractedModel> extracted;
  std::size_t sample_count = 0;
  std::size_t compile_count = 0;  // of the engine, to verify the taps
  std::string runtime_version, isa;
  bool has_vnni = false;
  std::vector<std::string> notes;
};

}  // namespace planex::quantize
