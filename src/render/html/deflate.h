// Compresses a text that is written piece by piece, while it is written.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "planex/error.h"

namespace planex::render {

using TakePiece = std::function<void(std::string_view)>;

// What `write` produces, in zlib's format. Compressing takes about as long as writing, so it runs
// on a thread of its own where there is one. The same pieces give the same bytes, with or without
// it. Errors: kInternal if zlib has no memory.
Result<std::string> deflated(const std::function<void(const TakePiece&)>& write);

}  // namespace planex::render
