// Jumps between the records of an engine and the conditionals and loops that they form; signals and
// waits between its streams.
//
// The records are a linear program: cjmp goes to one of two records, jmp to one. A jump back closes
// a loop; a cjmp one of whose branches follows it opens a conditional; if a branch ends with a jump
// forward, the other branch follows and ends there.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/builder.h"

namespace planex::ingest::tensorrt {

// A jump as named in its record. Targets that the record does not have are empty.
struct JumpRecord {
  model::LayerId layer;
  std::string_view target;       // of jmp
  std::string_view then_target;  // of cjmp
  std::string_view else_target;

  bool leads_anywhere() const {
    return !target.empty() || !then_target.empty() || !else_target.empty();
  }
};

// Consumes the value of a key JumpTarget, JumpTargetThen or JumpTargetElse; ignores other keys.
void set_jump_target(JumpRecord& jump, std::string_view key, std::string_view name);

// Adds the event of a record that signals or waits, according to its role, which must be set; other
// records have none. `event_id` is null if the record's can't be read.
void add_stream_event(model::LayerId layer, std::optional<std::int64_t> event_id,
                      model::ModelBuilder& builder);

// Adds the events of the jumps (jump, jump-then, jump-else) and the resulting blocks (conditional,
// branch, loop), and sets layers.block_id. Regions that don't nest get a diagnostic instead of a
// block, as does a jump to a record that does not exist. Among records of the same name the first
// after the jump is meant, otherwise the first of all. All layers must be in the builder; `jumps`
// in their order. Cost: O(layers + jumps · log jumps); no recursion.
void add_control_flow(const std::vector<JumpRecord>& jumps, const std::string& file,
                      model::ModelBuilder& builder);

}  // namespace planex::ingest::tensorrt
