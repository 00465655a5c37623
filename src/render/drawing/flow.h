// What flows: dims, type and layout of a tensor, as a layer, an operation or a binding has it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "graph/plan_graph.h"
#include "model/plan_model.h"

namespace planex::render {

// Along an edge, as one of its ends sees it.
struct Flow {
  std::string_view tensor;
  std::optional<std::span<const std::int64_t>> dims;
  model::DType dtype = model::DType::kNull;
  model::Layout layout;
  std::optional<std::int64_t> bytes;
};

// Rows of `ports`, or of `operation_ports` in the source view. kNoRow returns an empty flow.
Flow flow_at(const model::PlanModel& model, graph::View view, std::uint32_t port);

// Both ends; an end that is not a layer sees what the other one sees.
struct Ends {
  Flow from, to;
};
Ends ends_of(const model::PlanModel& model, graph::View view, const graph::Edge& edge);

// A row of `bindings`, without its name.
Flow flow_of_binding(const model::PlanModel& model, std::size_t binding);

// "1×64×56×56 FP16 NHWC8", as far as it is known.
std::string flow_text(const Flow& flow);

}  // namespace planex::render
