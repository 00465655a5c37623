// What the documents about kernels say (analyze/explain/kernels.h).
#pragma once

#include <cstddef>
#include <vector>

#include "analyze/explain/kernels.h"
#include "record/fields.h"

namespace planex::session::kernels_topic {

// A kernel with what is known about its layer: a row of the table.
struct KernelRow {
  const analyze::LayerKernels* of = nullptr;  // null of a kernel that no layer launched
  std::size_t row = 0;                        // of `kernels`
};

// Those of layers first, in execution order.
std::vector<KernelRow> kernel_rows(const analyze::KernelExplanation& explanation);

const record::Fields<KernelRow, model::PlanModel>& kernel_row_fields();
// planex.explain-kernels/1
const record::Document<analyze::KernelExplanation, model::PlanModel>& kernels_document();

}  // namespace planex::session::kernels_topic
