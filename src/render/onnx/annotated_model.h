// The source model with what became of its nodes written into their metadata: Netron and Model
// Explorer show it beside the attributes.
#pragma once

#include <string_view>

#include "analyze/compare/operation_times.h"
#include "model/plan_model.h"
#include "onnx/model.h"
#include "planex/error.h"
#include "render/words/document_sink.h"

namespace planex::render {

struct AnnotatedModel {
  std::string_view file;         // the model's bytes
  const onnx::Model* source;     // read from them
  const model::PlanModel* plan;  // complete
  // By node of `source`.
  const analyze::OperationTimes* times;
};

// Keys start with "planex."; those that a node has of an earlier time are replaced. A node of
// several layers has the keys of the second with "planex.2." in front, and so on. The model gets
// the sums, so that what stands on nodes can be held against Σ layers.
// Errors: those of onnx::write_with_metadata.
Result<void> write_annotated(const AnnotatedModel& model, const DocumentSink& sink);

}  // namespace planex::render
