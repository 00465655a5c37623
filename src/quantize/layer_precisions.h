// What trtexec's --layerPrecisions and --layerOutputTypes ask for, for models that carry their
// types themselves: TensorRT 11 and later no longer has these options.
//
// Grammar (8.4 to 10.16): items separated by commas, each NAME:TYPE, or 'NAME':TYPE where the name
// contains a colon; TYPE+TYPE for several outputs. The comma separates first, so no name can
// contain one. One '*' in a name matches anything.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "onnx/data_types.h"
#include "onnx/model.h"
#include "planex/error.h"

namespace planex::quantize {

struct LayerPrecision {
  std::string pattern;                // a name, or a pattern with one '*'
  std::vector<onnx::DataType> types;  // one, or one per output
};

// Errors: kUsage with the item and what was expected.
Result<std::vector<LayerPrecision>> parse_layer_precisions(std::string_view text);

struct MatchedPrecisions {
  // Nodes of the main graph that the options set to float32, for CastOptions::kept ("#17").
  std::vector<std::string> kept;
  // Those that the options set to float16 or bfloat16, in the same form.
  std::vector<std::string> half, bfloat16;
  // Patterns that match no node: layers that have other names in TensorRT ("(Unnamed Layer* 3)
  // [Convolution]").
  std::vector<std::string> unmatched;
  // Requested types that a cast does not produce: int8, int32.
  std::vector<std::string> ignored;
};

// As TensorRT finds them: an exact name wins, then the first pattern that matches; patterns skip
// constants and operators on shapes. A node is float32 where the precisions say so, or where they
// say nothing and an output type does. Cost: O(nodes * patterns).
MatchedPrecisions match_layer_precisions(const onnx::Model& model,
                                         const std::vector<LayerPrecision>& precisions,
                                         const std::vector<LayerPrecision>& output_types);

struct WrittenPrecisions {
  // "--precisionConstraints=obey --layerPrecisions=... --layerOutputTypes=...", each value quoted
  // where a shell needs it; empty: no node can be named.
  std::string text;
  std::vector<std::string> notes;  // nodes that can't be named, or only together with others
};

// The options of trtexec (8.4 to 10.16; 11 has none) that keep `nodes` of the main graph, by name
// or number ("#17"), at `type`: kFloat or kFloat16. A name with a comma is written with a '*' in
// place of the part around the comma; a note lists other nodes that match. TensorRT generates names
// for nodes without one, so those are left out, with a note. Cost: O(nodes * nodes of the graph).
WrittenPrecisions write_layer_precisions(const onnx::Model& model,
                                         const std::vector<std::string>& nodes,
                                         onnx::DataType type);

}  // namespace planex::quantize
