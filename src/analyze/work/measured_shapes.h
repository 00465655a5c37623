// The shapes and the batch that an engine was measured with, from logs and their commands.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/plan_model.h"

namespace planex::analyze {

// "4x3x64x64" to numbers; nothing where it is not such a list of sizes.
std::optional<std::vector<std::int64_t>> dims_of_text(std::string_view text);

// "input:4x3x64x64,mask:4x128" for the dynamic inputs, in trtexec's form; empty where it is not
// known. --optShapes without --shapes is what trtexec measures.
std::string measured_shapes(const model::PlanModel& model);

// The measured shape of one input or output; nothing where it is not known.
std::optional<std::vector<std::int64_t>> measured_dims(const model::PlanModel& model,
                                                       std::string_view binding);

// The --batch of an engine whose bindings don't include it (TensorRT 5 to 8), if above 1. trtexec
// then counts a query for each item of the batch.
std::optional<std::int64_t> implicit_batch(const model::PlanModel& model);

// The batch that was run according to a log: where the engine itself has no shapes, or dynamic
// ones.
std::optional<std::int64_t> measured_batch(const model::PlanModel& model);

}  // namespace planex::analyze
