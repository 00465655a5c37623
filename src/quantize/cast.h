// A float model in mixed precision: most nodes compute in float16 or bfloat16, nodes that would
// lose too much there stay in float, and Cast nodes convert between them.
//
// TensorRT 11 and later, and TensorRT-RTX, take types from the model alone; this replaces --fp16.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "onnx/edit.h"
#include "onnx/links.h"
#include "onnx/types.h"
#include "onnx/values.h"
#include "planex/error.h"

namespace planex::quantize {

struct CastOptions {
  onnx::DataType type = onnx::DataType::kFloat16;  // or kBfloat16
  // Inputs and outputs of the model keep their type; else they also get the small type.
  bool keeps_io = true;
  // Inputs and outputs that get the small type even so.
  std::set<std::string, std::less<>> small_io;
  // Nodes that stay in float: by name, by number ("#17"), or by a name with '*' in it.
  std::vector<std::string> kept;
  std::vector<std::string> kept_op_types;
  // The same for nodes that are cast even where the rest is not.
  std::vector<std::string> only;
  bool casts_rest = true;
  // Largest |x| of tensors, as measured elsewhere; tensors that are not named are assumed to fit.
  std::map<std::string, double, std::less<>> ranges;
  // Share of the type's range that values may use: future data may be larger.
  double margin = 0.9;

  bool keeps_type_of(std::string_view input_or_output) const {
    return keeps_io && !small_io.contains(input_or_output);
  }
};

// A node that works on floats and stays in float.
struct KeptNode {
  onnx::Index node = onnx::kNoIndex;
  // "asked", "not-asked", "no-small-form", "subgraph", "weight-range", "weight-precision",
  // "value-range", "value-precision", "sizes", "island".
  std::string_view rule;
  std::string why;  // one sentence
};

struct CastPlan {
  std::vector<bool> is_small;  // by node of the main graph
  std::vector<KeptNode> kept;  // in the graph's order
  std::size_t small_nodes = 0;
};

// The opset that a model needs: that of its operators with this type. (Call onnx::upgrade(), then
// read the model again.)
std::int64_t opset_of_casts(onnx::DataType type);

// Decides which nodes get the small type. Errors: kBadInput (a named node, input or output does not
// exist; gives the nearest name), kUnsupported (opset, type), those of Values. Cost: O(nodes and
// weights).
Result<CastPlan> plan_casts(const onnx::Model& model, const onnx::Links& links,
                            const onnx::Types& types, onnx::Values& values,
                            const CastOptions& options);

struct CastCounts {
  std::size_t added_casts = 0;
  std::size_t converted_tensors = 0;
  std::uint64_t saved_bytes = 0;  // bytes of weights
};

// Adds the edits: weights in the small type, one Cast for each tensor that is needed in both types,
// no Cast where one in the model already starts from the small type. Subgraphs stay in float.
// Errors: those of Values.
Result<CastCounts> write_casts(const onnx::Model& model, const onnx::Links& links,
                               const onnx::Types& types, onnx::Values& values, const CastPlan& plan,
                               const CastOptions& options, onnx::Edit& edit);

}  // namespace planex::quantize
