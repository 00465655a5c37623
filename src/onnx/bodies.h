// The body of an If, Loop or Scan as a model of its own, and back.
#pragma once

#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "onnx/edit.h"
#include "onnx/model.h"
#include "planex/error.h"

namespace planex::onnx {

// What the body in `attribute`, of a node of the model `file`, reads and does not make, nor a body
// in it: it belongs to the graphs around. In the order of the file. Errors: kBadInput (damaged).
Result<std::vector<std::string>> names_from_around(std::string_view file,
                                                   const Attribute& attribute);

// The body as a model with the version, operator sets and functions of `file`. What it borrows from
// around becomes an input or an initializer. Errors: kBadInput. Cost: a copy of both.
Result<std::string> body_model(std::string_view file, const Attribute& attribute,
                               const std::vector<NewValue>& inputs,
                               const std::vector<NewTensor>& constants);

// The attribute's message with the graph of such a model, without what it borrowed. Errors:
// kBadInput.
Result<std::string> with_body(const Attribute& attribute, std::string_view model,
                              const std::unordered_set<std::string>& borrowed);

}  // namespace planex::onnx
