// Which nodes of a model OpenVINO can't take, and what to do about them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "onnx/model.h"

namespace planex::drive {

struct UnreadNodes {
  std::string message, hint;
  // It is the operation that OpenVINO lacks; else one node of it.
  bool is_unknown_operation = false;
};

// Whether a message of OpenVINO is about nodes of an ONNX model, so that reading the model helps.
bool is_about_nodes(std::string_view message);

// The same as a sentence. OpenVINO names operations without their nodes, and nodes by what they
// write: with the model, nodes are named as the model does. Null where it is about something else.
std::optional<UnreadNodes> find_unread_nodes(std::string_view message, const onnx::Model* model);

}  // namespace planex::drive
