// Multiply-accumulates of each layer, and which layer runs which matrix product of the model.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "drive/openvino_driver/execution_plan.h"
#include "drive/openvino_driver/operations.h"
#include "drive/openvino_driver/source_tags.h"

namespace planex::drive {

// The kind of operation that a layer of this type runs, if it is one of these kinds.
std::optional<OperationKind> operation_kind(std::string_view layer_type);

// Sets macs and macs_note. Layers that are a product count from their own shapes; fused blocks
// count the products among their sources that no such layer runs.
//
// Tags spread to neighbours when transformations merge operations (the K projection of an attention
// block carries the tag of Q·K once the scale is folded into its weights). A product runs in only
// one place, so if that place is known, the other layers lose that source.
void count_macs(std::vector<PlanLayer>& layers, const SourceTable& sources,
                const OperationTable& operations);

}  // namespace planex::drive
