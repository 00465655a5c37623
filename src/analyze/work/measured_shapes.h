// With which shapes and which batch an engine was measured, as logs and their commands tell.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/plan_model.h"

namespace planex::analyze {

// "4x3x64x64" to numbers; nothing where it is no such list of sizes.
std::optional<std::vector<std::int64_t>> dims_of_text(std::string_view text);

// "input:4x3x64x64,mask:4x128" of the dynamic inputs, in trtexec's form; empty where it is not
// known. --optShapes without --shapes is what trtexec measures.
std::string measured_shapes(const model::PlanModel& model);

// What the measured shape of one input or output is; nothing where it is not known.
std::optional<std::vector<std::int64_t>> measured_dims(const model::PlanModel& model,
                                                       std::string_view binding);

// The --batch of an engine whose bindings don't have it (TensorRT 5 to 8), where it is above 1.
// trtexec then counts a query for each item of the batch.
std::optional<std::int64_t> implicit_batch(const model::PlanModel& model);

// The batch that a log says was run: where the engine itself has no shapes, or dynamic ones.
std::optional<std::int64_t> measured_batch(const model::PlanModel& model);

}  // namespace planex::analyze
