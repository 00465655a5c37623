// The protobuf messages that an Edit adds or rewrites as a whole.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "onnx/edit.h"
#include "planex/error.h"

namespace planex::onnx {

// Append the field `number` with the message to `out`.
void write_tensor(std::uint32_t number, const NewTensor& tensor, std::string& out);
void write_attribute(std::uint32_t number, const NewAttribute& attribute, std::string& out);
void write_node(std::uint32_t number, const NewNode& node, std::string& out);
void write_value(std::uint32_t number, const NewValue& value, std::string& out);
void write_property(std::uint32_t number, std::string_view key, std::string_view value,
                    std::string& out);

// A ValueInfoProto with another type or name. Errors: kBadInput (damaged), kUnsupported (a type
// where the value is no tensor).
Result<std::string> changed_value(std::string_view message, const Edit::ValueChange& change);

// An OperatorSetIdProto with another version. Errors: kBadInput (damaged).
Result<std::string> changed_opset(std::string_view message, std::int64_t version);

}  // namespace planex::onnx
