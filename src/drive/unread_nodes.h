// Which nodes of a model OpenVINO does not support, and what to do about them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "onnx/model.h"

namespace planex::drive {

struct UnreadNodes {
  std::string message, hint;
  // True: OpenVINO lacks the operation; false: only this form of the node.
  bool is_unknown_operation = false;
};

// Whether an OpenVINO message is about nodes of an ONNX model, so that reading the model helps.
bool is_about_nodes(std::string_view message);

// The same as a sentence. OpenVINO names operations without their nodes, and nodes by what they
// write; with the model, nodes are named as in the model. Null if the message is about something
// else.
std::optional<UnreadNodes> find_unread_nodes(std::string_view message, const onnx::Model* model);

}  // namespace planex::drive
