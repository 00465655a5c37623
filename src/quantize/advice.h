// Edits that make the Q/DQ of a model suit a target: the difference between the Q/DQ that it has
// and those that the rules ask for.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "onnx/edit.h"
#include "onnx/links.h"
#include "onnx/model.h"
#include "onnx/values.h"
#include "planex/error.h"
#include "quantize/existing.h"
#include "quantize/placement.h"

namespace planex::quantize {

enum class Action : std::uint8_t {
  kAdd,          // readers read an existing pair, or a new one
  kMove,         // pairs go before nodes that only move values
  kMerge,        // several pairs of one tensor become one
  kRemove,       // readers read the float tensor
  kShareScale,   // pairs share one scale
  kUnsigned,     // int8 becomes uint8 with zero point 128, or 0 where no value is below it
  kScalarScale,  // a scale that is a list of one value becomes a scalar
  kSymmetric,    // uint8, or another zero point, becomes int8 with zero point 0
  kFloatBias     // a bias of INT32 becomes float
};
// "add", "move", "merge", "remove", "share-scale", "unsigned", "scalar-scale", "symmetric",
// "float-bias".
std::string_view to_string(Action action);

// Where the scale comes from: "none", "kept", "data".
enum class ScaleSource : std::uint8_t {
  kNone,     // nothing is quantized: kRemove
  kKept,     // the scale of existing pairs; the largest where they differ
  kFromData  // unknown: the tensor has to be calibrated
};

std::string_view to_string(ScaleSource source);

struct Advice {
  Action action = Action::kAdd;
  std::string_view rule;              // id
  std::string_view tensor;            // tensor with the pair afterwards; kRemove: tensor that is
                                      // read in float
  onnx::Index node = onnx::kNoIndex;  // the first of `readers`
  std::vector<onnx::Reader> readers;  // readers of the pair afterwards, or of the float tensor
  std::vector<std::size_t> pairs;     // Existing::pairs that it takes the scale from, or removes
  std::vector<std::size_t> weights;   // Existing::weights that it changes
  ScaleSource scale = ScaleSource::kNone;
  // A new pair is of uint8 with zero point 128, or is_from_zero with 0.
  bool is_unsigned = false, is_from_zero = false;
  // Copied scales become those of int8 around 0, as the target accepts no others.
  bool is_symmetric = false;
  // The new pair takes over the name of the tensor, which is an output of the model: PlacedTensor.
  bool takes_name = false;
  std::string sentence;
};

// In the order of the tensors; for one tensor in the order of Action. Placement: from place() with
// ignores_pairs. Pairs about which no rule says anything are left alone.
std::vector<Advice> advise(const onnx::Model& model, const onnx::Links& links,
                           const Existing& existing, const Placement& wanted, Target target);

// The edit as an order: "move the pair from \"t\" before \"MaxPool_3\"".
std::string edit_text(const onnx::Model& model, const Existing& existing, const Advice& advice);

// Adds the edits of all advice to `edit`. Trained scales are copied bit for bit. `scales` has the
// scales of tensors that need data; advice without one is left out. Returns how many pieces of
// advice were applied. Errors: those of `values`.
Result<std::size_t> apply_advice(const onnx::Model& model, const onnx::Links& links,
                                 const Existing& existing, const std::vector<Advice>& advice,
                                 const std::map<std::string, float, std::less<>>& scales,
                                 onnx::Values& values, onnx::Edit& edit);

}  // namespace planex::quantize
