// The body of an If, Loop or Scan as a model of its own, so that it is simplified as any other.
#pragma once

#include <string>
#include <string_view>
#include <unordered_set>

#include "clean/draft.h"
#include "onnx/model.h"
#include "planex/error.h"

namespace planex::clean {

using Names = std::unordered_set<std::string>;

struct BodyModel {
  std::string bytes;  // a model
  // Tensors of the graphs around the body that it reads: inputs of its model, or initializers.
  Names borrowed;
};

// `attribute`, with a graph, is one of a node of `around`, whose file is `file`. bytes are empty
// for a body that can't stand alone: it reads what nobody makes. Errors: kBadInput (damaged).
Result<BodyModel> body_model(std::string_view file, Draft& around,
                             const onnx::Attribute& attribute);

// The attribute's message with the graph of a simplified body, without what it borrowed. Errors:
// kBadInput.
Result<std::string> with_body(const onnx::Attribute& attribute, std::string_view simplified,
                              const Names& borrowed);

}  // namespace planex::clean
