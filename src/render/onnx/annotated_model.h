// The source model with the fate of its nodes written into their metadata: Netron and Model
// Explorer show it next to the attributes.
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

// Keys start with "planex."; keys from an earlier run are replaced. A node of several layers has
// the keys of the second with "planex.2." in front, and so on. The model gets the sums, so that the
// values on nodes can be compared with Σ layers. Errors: those of onnx::write_with_metadata.
Result<void> write_annotated(const AnnotatedModel& model, const DocumentSink& sink);

}  // namespace planex::render
