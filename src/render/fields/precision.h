// What the documents about precision say (analyze/explain/precision.h).
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "analyze/explain/precision.h"
#include "record/fields.h"

namespace planex::render {

// A pair of types, or a layer of an island: a row of the table.
struct PrecisionRow {
  std::string_view section;
  std::optional<std::size_t> island;
  std::string_view ends, role;
  model::TensorId tensor;
  model::LayerId layer;
  model::DType from = model::DType::kNull, to = model::DType::kNull;
  analyze::LayerTotals all;
  std::optional<analyze::LayerTotals> conversions, matrix;
};

// Pairs of types first; `section` tells them apart.
std::vector<PrecisionRow> precision_rows(const model::PlanModel& model,
                                         const analyze::PrecisionExplanation& explanation);

const record::Fields<PrecisionRow, model::PlanModel>& precision_row_fields();
// What is not about single islands.
const record::Fields<analyze::PrecisionExplanation>& precision_head_fields();
// planex.explain-precision/1
const record::Document<analyze::PrecisionExplanation, model::PlanModel>& precision_document();

}  // namespace planex::render
