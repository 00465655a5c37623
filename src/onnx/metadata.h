// Adds metadata to a model and its nodes, in the file's own bytes: everything else stays as it is,
// known or not, and weights are copied without being read.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "planex/error.h"

namespace planex::onnx {

// Offset for the model itself; a node has Node::byte_offset.
inline constexpr std::uint64_t kModelOffset = 0;

struct AddedMetadata {
  std::uint64_t byte_offset = kModelOffset;
  // Whole fields: metadata_props of that message.
  std::string fields;
};

// Writes the file with `added` to `sink`; `added` must be in the order of byte_offset, without
// duplicate offsets. Metadata whose key starts with `replaced` is left out, wherever it was, so
// that adding twice is the same as adding once. Only the lengths of the messages around a change
// are rewritten. Errors: kBadInput (damaged), kUnsupported (the result would have more than the 2
// GB of a protobuf message), those of `sink`. Cost: O(nodes and attributes) steps, O(changes)
// memory, and one pass over the file.
Result<void> write_with_metadata(std::string_view file, std::span<const AddedMetadata> added,
                                 std::string_view replaced,
                                 const std::function<Result<void>(std::string_view piece)>& sink);

}  // namespace planex::onnx
