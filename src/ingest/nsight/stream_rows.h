// From launches to rows of `streams` and `stream_pairs`: how long each stream of the device ran,
// ran beside others, and waited while others ran.
#pragma once

#include "ingest/nsight/trace.h"
#include "model/builder.h"

namespace planex::ingest::nsight {

// Of the time from the first to the last work of this engine's inferences, with all that ran in it:
// of other engines, too. No rows where no work of a layer is known, or a launch has no stream.
// A stream waits where a call has given it work, it runs nothing, and another one runs. That is no
// cause yet: it may wait for an event, or for room on the device.
// At most the 32 streams that ran longest. Cost: O(launches · (log launches + streams at once²)).
void add_stream_rows(const Trace& trace, model::ModelBuilder& builder);

}  // namespace planex::ingest::nsight
