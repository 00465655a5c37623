// Jumps of conditionals and loops, from the names of their targets to the layers.
#ifndef PLANEX_INGEST_TENSORRT_CONTROL_FLOW_H_
#define PLANEX_INGEST_TENSORRT_CONTROL_FLOW_H_

#include <span>
#include <string>
#include <string_view>

#include "model/builder.h"

namespace planex::ingest::tensorrt {

// One key JumpTarget, JumpTargetThen or JumpTargetElse of a record.
struct Jump {
  model::LayerId layer;
  base::StringId target;  // name of a layer
  std::string_view kind;  // of the events table: "jump", "jump-then" or "jump-else"
};

// The kind of event that a key of a record stands for; empty for other keys.
std::string_view jump_kind(std::string_view key);

// Adds an event for each jump. To be called when all layers are known. Of layers of one name the
// first after the jump is meant, else the first of all. Targets that are no layer are reported as
// `jump-without-target`. Cost: O(layers) where there are jumps.
void add_jumps(std::span<const Jump> jumps, const std::string& file, model::ModelBuilder& builder);

}  // namespace planex::ingest::tensorrt

#endif  // PLANEX_INGEST_TENSORRT_CONTROL_FLOW_H_
