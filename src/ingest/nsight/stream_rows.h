// Turns launches into rows of `streams` and `stream_pairs`: how long each stream of the device ran,
// ran beside others, and waited while others ran.
#pragma once

#include "ingest/nsight/trace.h"
#include "model/builder.h"

namespace planex::ingest::nsight {

// They cover the time from the first to the last work of this engine's inferences, including
// everything that ran in it, even of other engines. There are no rows if no work of a layer is
// known, or a launch has no stream. A stream waits when a call has submitted work to it, it runs
// nothing, and another stream runs. That alone is not a cause: it may wait for an event, or for
// free resources on the device. At most the 32 streams that ran longest. Cost: O(launches · (log
// launches + streams at once²)).
void add_stream_rows(const Trace& trace, model::ModelBuilder& builder);

}  // namespace planex::ingest::nsight
