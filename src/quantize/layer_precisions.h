// What trtexec's --layerPrecisions and --layerOutputTypes say, for models that carry their types
// themselves: TensorRT from 11 on no longer has the options.
//
// Grammar (8.4 to 10.16): items with commas between, each NAME:TYPE, or 'NAME':TYPE where the name
// has a colon; TYPE+TYPE for several outputs. The comma parts first, so no name can have one. One
// '*' in a name stands for anything.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "onnx/data_types.h"
#include "onnx/model.h"
#include "planex/error.h"

namespace planex::quantize {

struct LayerPrecision {
  std::string pattern;                // a name, or one with a '*'
  std::vector<onnx::DataType> types;  // one, or one an output
};

// Errors: kUsage with the item, and what it should be.
Result<std::vector<LayerPrecision>> parse_layer_precisions(std::string_view text);

struct MatchedPrecisions {
  // Nodes of the main graph that are told to be float32, for CastOptions::kept ("#17").
  std::vector<std::string> kept;
  // Those that are told to be float16 or bfloat16, in the same way.
  std::vector<std::string> half, bfloat16;
  // Patterns that no node has: of layers that are named otherwise in TensorRT ("(Unnamed Layer* 3)
  // [Convolution]").
  std::vector<std::string> unmatched;
  // Told types that a cast does not give: int8, int32.
  std::vector<std::string> ignored;
};

// As TensorRT finds them: a name that is given exactly wins, then the first pattern that fits;
// patterns leave out constants and what works on shapes. A node is float32 where the precisions say
// so, or where those say nothing and an output type does.
// Cost: O(nodes * patterns).
MatchedPrecisions match_layer_precisions(const onnx::Model& model,
                                         const std::vector<LayerPrecision>& precisions,
                                         const std::vector<LayerPrecision>& output_types);

struct WrittenPrecisions {
  // "--precisionConstraints=obey --layerPrecisions=... --layerOutputTypes=...", each value between
  // quotes where a shell needs them; empty: no node can be named.
  std::string text;
  std::vector<std::string> notes;  // nodes that can't be named, or only with others
};

// The options of trtexec (8.4 to 10.16; 11 has none) that hold `nodes` of the main graph, by name
// or number ("#17"), at `type`: kFloat or kFloat16. A name with a comma is written with a '*' in
// place of what is around the comma; other nodes that fit are said. TensorRT names what has no name
// itself, so such nodes are left out, and said.
// Cost: O(nodes * nodes of the graph).
WrittenPrecisions write_layer_precisions(const onnx::Model& model,
                                         const std::vector<std::string>& nodes,
                                         onnx::DataType type);

}  // namespace planex::quantize
