// The compiled model as records: the content of the graph file.
#pragma once

#include <cstdint>
#include <map>
#include <openvino/core/model.hpp>
#include <openvino/runtime/compiled_model.hpp>
#include <optional>
#include <string>
#include <vector>

#include "drive/openvino_driver/operations.h"
#include "drive/openvino_driver/source_tags.h"

namespace planex::drive {

using OptionalDims = std::optional<std::vector<std::int64_t>>;

struct PlanPort {
  std::string tensor;
  OptionalDims dims;
  std::string element_type;
  std::optional<std::string> layout;
  bool is_constant = false;
};

struct PlanWeight {
  std::string name;
  OptionalDims dims;
  std::string element_type;
  std::optional<std::int64_t> bytes;
};

struct PlanLayer {
  std::string name;
  std::string layer_type;
  std::string primitive_type;
  std::string runtime_precision;
  std::string output_precisions;
  std::string output_layouts;
  std::optional<std::int64_t> exec_order;
  std::string role;
  // OpenVINO takes a port's type and layout from the reader of the same number, so they can be
  // swapped where a layer has several outputs of different types.
  bool are_port_types_uncertain = false;
  std::vector<PlanPort> inputs;
  std::vector<PlanPort> outputs;
  LayerSources sources;
  std::vector<PlanWeight> weights;
  std::optional<SourceIndex> parameters_from;
  Parameters parameters;
  std::optional<std::int64_t> macs;
  std::string macs_note;  // Why macs is missing although the layer multiplies matrices.
  std::map<std::string, std::string> other_info;
};

struct ModelPort {
  std::vector<std::string> names;
  OptionalDims dims;
  std::string element_type;
};

struct ExecutionPlan {
  std::vector<ModelPort> inputs;
  std::vector<ModelPort> outputs;
  std::vector<PlanLayer> layers;  // In execution order.
};

// Throws OpenVINO's exceptions.
ExecutionPlan read_execution_plan(const ov::CompiledModel& compiled, const SourceTable& sources,
                                  const OperationTable& operations);

}  // namespace planex::drive
