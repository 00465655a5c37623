// Jumps between the records of an engine, and the conditionals and loops they make.
//
// The records are a linear program: cjmp goes to one of two records, jmp to one. A jump back closes
// a loop; a cjmp whose one branch follows it opens a conditional; where a branch ends with a jump
// forward, the other branch follows and ends there.
#ifndef PLANEX_INGEST_TENSORRT_LOG_CONTROL_FLOW_H_
#define PLANEX_INGEST_TENSORRT_LOG_CONTROL_FLOW_H_

#include <string>
#include <string_view>
#include <vector>

#include "model/builder.h"

namespace planex::ingest::tensorrt {

// A jump as its record names it. Empty targets are those the record does not have.
struct JumpRecord {
  model::LayerId layer;
  std::string_view target;       // of jmp
  std::string_view then_target;  // of cjmp
  std::string_view else_target;
};

// Adds the events of the jumps (jump, jump-then, jump-else) and the blocks (conditional, branch,
// loop) that follow from them, and sets layers.block_id. What is not nested gets no block but a
// diagnostic, as does a jump to a record that is not there. All layers must be in the builder;
// `jumps` in their order. Cost: O(layers + jumps · log jumps); no recursion.
void add_control_flow(const std::vector<JumpRecord>& jumps, const std::string& file,
                      model::ModelBuilder& builder);

}  // namespace planex::ingest::tensorrt

#endif  // PLANEX_INGEST_TENSORRT_LOG_CONTROL_FLOW_H_
