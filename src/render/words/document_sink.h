// Destinations of documents that are written piece by piece.
#pragma once

#include <cstddef>
#include <functional>
#include <string_view>

#include "planex/error.h"

namespace planex::render {

// Takes the next piece of a document; an error ends the writing.
using DocumentSink = std::function<Result<void>(std::string_view piece)>;

// How much is gathered before it is passed on: large enough that the cost of a write does not
// matter, small enough that the memory does not.
inline constexpr std::size_t kPieceBytes = std::size_t{256} * 1024;

}  // namespace planex::render
