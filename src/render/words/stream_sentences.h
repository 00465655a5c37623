// Streams of the device in words: their names, and how they delay one another.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analyze/timing/streams.h"

namespace planex::render {

// "stream 7"; with its context, device or process where several have streams.
std::vector<std::string> stream_names(const analyze::StreamUses& uses);

// Which stream waits longest while which one runs. Null if there is only one stream.
std::optional<std::string> stream_sentence(const analyze::StreamUses& uses);

}  // namespace planex::render
