// Connects the layers of a compiled model with the operations of the model's file.
//
// OpenVINO keeps a list of names per layer (rt_info "originalLayersNames"). But it loses names when
// transformations replace operations, and separates the rest by commas, which names may contain. So
// before compilation every operation gets a tag that transformations copy and merge, and that the
// CPU device prints in place of the name: the numbers of its sources, each between two U+001F.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <openvino/core/model.hpp>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "onnx/model.h"

namespace planex::drive {

using SourceIndex = std::uint32_t;

// An operation of the model's file.
struct SourceOperation {
  std::string name;  // The ONNX node's name; its first output's if it has none.
  std::string type;
};

struct SourceTable {
  std::vector<SourceOperation> operations;
  // The sources of each operation that OpenVINO made from the file.
  std::map<const ov::Node*, std::set<SourceIndex>> of_node;
  // The same, by OpenVINO's names of those operations.
  std::unordered_map<std::string, std::set<SourceIndex>> of_name;
};

// How a source was found: by its tag, or only in OpenVINO's own list of names.
enum class SourceEvidence : std::uint8_t { kProvenance, kName };

struct SourceReference {
  SourceIndex index = 0;
  SourceEvidence evidence = SourceEvidence::kProvenance;
};

// The content of a layer's list of names.
struct LayerSources {
  std::vector<SourceReference> references;  // Each source once, in file order.
  std::vector<std::string> unresolved;      // Names that OpenVINO made up.
};

// Sources by node of the main graph of `source`. Operations without a tensor name from the file are
// helpers of the operation that reads them.
SourceTable sources_of_onnx(const ov::Model& model, const onnx::Model& source);

// Sources of a model in OpenVINO's own format: its operations.
SourceTable sources_of_ir(const ov::Model& model);

// Adds the tags. The model's operations must be those that `table` was made from.
void tag_model(const ov::Model& model, const SourceTable& table);

LayerSources decode_sources(std::string_view original_names, const SourceTable& table);

}  // namespace planex::drive
