// The result of comparing a quantized model with its float model, layer by layer: it is shown,
// written as planex.accuracy/1, and read back.
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

// Whether tapping a tensor of the engine changed the engine.
enum class Tap : std::uint8_t {
  kVerified,   // the engine's own outputs stayed identical bit for bit
  kDisturbed,  // they changed, even with this tensor alone
  kMissing,    // the engine's reader does not know this tensor
  kNone        // not tapped
};
std::string_view to_string(Tap tap);

// What causes the loss.
enum class Fault : std::uint8_t {
  kNone,    // nothing: the loss is small
  kModel,   // the quantized model's own arithmetic: scales, places of Q/DQ
  kEngine,  // the engine: it does not compute what the model says
  kBoth,
  kUnknown  // not investigated
};
std::string_view to_string(Fault fault);

// Why an engine does not compute what the model says; found by trying the cure.
enum class Cause : std::uint8_t {
  kNone,        // not the engine's fault, or not investigated
  kSaturation,  // products of 8 bits are added in 16 bits, which overflow; 7-bit weights fix it
  kSign,        // a signed tensor's Q is moved to where its sign is lost; uint8 fixes it
  kBoth,        // only both together fix it
  kUnknown      // none of the cures helps
};
std::string_view to_string(Cause cause);

// Thresholds above which a difference counts as a fault; docs/reference/accuracy.md gives the
// reasons.
inline constexpr double kModelFaultDb = 20;    // simulated SQNR below this
inline constexpr double kEngineFaultDb = 3;    // the engine is worse than the simulation by this,
                                               // at the outputs
inline constexpr double kLayerFaultDb = 6;     // the same for a layer alone
inline constexpr double kCertainFaultDb = 30;  // the same where noise can't explain it
inline constexpr double kBeyondFloatDb = 130;  // more than float32 can represent

// A tensor that both models have; in the order of the float model's nodes.
struct LayerAccuracy {
  std::string tensor, node, op_type;
  // The tensor that was tapped in the engine instead, because tapping `tensor` disturbed the
  // engine: the output of an activation or pair after it. Empty: the tensor itself.
  std::string seen_tensor;
  std::optional<arrays::Difference> simulated;  // float to simulated: the model's loss up to here
  std::optional<arrays::Difference> engine;     // float to engine
  Tap tap = Tap::kNone;
  // For the layer with all others in float: its own loss, in the file's arithmetic and the
  // engine's.
  std::optional<arrays::Difference> alone_simulated, alone_engine;
  Fault fault = Fault::kUnknown;  // fault of the layer alone
  Cause cause = Cause::kNone;
  std::optional<arrays::Difference> cured_engine;  // alone, with the cure of the cause

  // How many dB the engine is below the model's own arithmetic; null: one of them is unknown.
  std::optional<double> alone_gap_db() const;
};

// arrays::kept_db(), with infinity where there is no noise; null where nothing was compared, or the
// reference is 0.
std::optional<double> db_or_infinite(const std::optional<arrays::Difference>& difference);

// The lowest SQNR of some outputs; null where none has one.
std::optional<double> least_db(const std::vector<JudgedTensor>& outputs);

// Whether the engine computes what the model says: its lowest SQNR is at most 1.5 dB below that of
// the model's own arithmetic. False where one of them is unknown.
bool is_engine_faithful(const std::vector<JudgedTensor>& simulated,
                        const std::vector<JudgedTensor>& engine);

// What causes the loss at the outputs. kUnknown where they can't be compared.
Fault fault_of(const std::vector<JudgedTensor>& simulated, const std::vector<JudgedTensor>& engine);

// The model with the cures for the engine's faults applied.
struct CuredModel {
  std::string path;
  std::vector<std::string> narrowed;            // weights that now have 7 bits
  std::vector<std::string> unsigned_tensors;    // pairs that are now uint8
  std::vector<JudgedTensor> simulated, engine;  // float to it
};

// The result of --bisect.
struct Bisection {
  enum class Kind : std::uint8_t {
    kScale,   // a tensor whose scale does not fit its values
    kWeight,  // a weight that is far from the float model's weight
    kLayer,   // a layer that loses most, whatever its scales
    kNone
  };
  Kind kind = Kind::kNone;
  std::string tensor, node;
  std::string part;  // kScale: the joined part whose range differs; empty: the whole tensor
  // kScale: SQNR with the present scale, and with the best scale for this data.
  std::optional<double> scale, best_scale;
  std::optional<double> own_db, best_db;  // SQNR of the tensor or weight by itself
  // At the outputs: as the model is, and with the tensor, weight or layer in float.
  std::optional<double> before_db, after_db;
  std::size_t compile_count = 0;
  std::vector<std::string> steps;  // what was tried, one sentence per step
};
std::string_view to_string(Bisection::Kind kind);

// The smallest model found that still shows a fault, to hand over.
struct ExtractedModel {
  std::string path;            // the part of the quantized model, all other layers in float
  std::string reference_path;  // the same part without Q/DQ
  std::string data_path;       // its inputs, and the outputs of the part without Q/DQ
  std::string tensor, node;    // at fault
  Fault fault = Fault::kUnknown;
  std::string sample;  // the sample that the inputs come from
  std::size_t node_count = 0;
  std::vector<std::string> inputs, outputs;
  std::vector<JudgedTensor> simulated, engine;  // outputs of the part compared with float
  std::string command;                          // reproduces the fault
};

struct LayerAccuracies {
  std::string reference, subject;
  std::string engine_outputs;         // file of outputs that an engine saved elsewhere; empty:
                                      // OpenVINO ran here
  std::string engine_outputs_format;  // "Polygraphy outputs"
  std::vector<JudgedTensor> simulated, engine, engine_to_simulated;  // compared at the outputs
  std::vector<LayerAccuracy> layers;
  Fault fault = Fault::kUnknown;   // cause of the loss at the outputs
  std::vector<LabelScore> labels;  // empty: no labels, or no classes
  std::vector<MetricScore> metrics;
  std::optional<CuredModel> cured;
  std::optional<Bisection> bisection;
  std::vector<DifferenceMap> maps;  // for the tensors that lose most, worst first
  std::optional<ExtractedModel> extracted;
  std::size_t sample_count = 0;
  std::size_t compile_count = 0;  // compilations of the engine, to verify the taps
  std::string runtime_version, isa;
  bool has_vnni = false;
  std::vector<std::string> notes;
};

}  // namespace planex::quantize
