// Reads an ONNX file.
#pragma once

#include <string_view>

#include "onnx/model.h"
#include "planex/error.h"

namespace planex::onnx {

// Protobuf libraries stop at 100 nested messages, which is 33 subgraphs: no engine reads a deeper
// model.
inline constexpr std::uint32_t kMaxSubgraphDepth = 100;
// A model of 400 layers has some 10 000 nodes, and one node takes two bytes in a hostile file.
inline constexpr std::size_t kMaxNodes = 4'000'000;
inline constexpr std::size_t kMaxSubgraphs = 100'000;
// Limit for all tables together, in bytes: the size for a million real nodes.
inline constexpr std::size_t kMaxTableBytes = std::size_t{1} << 29;

// Views point into `bytes`, which must outlive the model. Any size: data of tensors is skipped and
// never touched, so for a mapped file only the pages in between are read. Errors: kBadInput with a
// byte offset; kUnsupported beyond the limits above. Cost: O(nodes, attributes and tensors);
// nothing recurses.
Result<Model> read_model(std::string_view bytes);

}  // namespace planex::onnx
