// Translates the types that an older trtexec command asked for into options of a cast.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "onnx/data_types.h"
#include "onnx/model.h"
#include "planex/error.h"
#include "quantize/cast.h"
#include "trtexec/migration.h"

namespace planex::tune {

// The small type that the command asks for, for the whole model or part of it; null: none.
std::optional<onnx::DataType> type_wanted(const trtexec::Migration& migration);

// Puts into `options` which nodes, inputs and outputs have `type`; `model` is the one that is cast,
// because nodes are named by number. Options that can't be translated are marked as lost in
// `migration`. Returns notes. Errors: kUsage (invalid layer precisions; more formats than inputs).
Result<std::vector<std::string>> take_over(trtexec::Migration& migration, const onnx::Model& model,
                                           std::optional<onnx::DataType> type,
                                           quantize::CastOptions& options);

// Reads layer precisions into `options`. Errors: kUsage.
Result<void> take_layers(const std::string& precisions, const std::string& output_types,
                         const onnx::Model& model, onnx::DataType type,
                         quantize::CastOptions& options, std::vector<std::string>& notes);

// Whether the main graph has QuantizeLinear or DequantizeLinear.
bool has_pairs(const onnx::Model& model);

}  // namespace planex::tune
