// Small models written by hand, for tests.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "onnx/model.h"
#include "onnx/test_message.h"

namespace planex::quantize {

inline std::string bytes_of_floats(const std::vector<float>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float)};
}

inline std::string tensor(std::string_view name, std::initializer_list<std::uint64_t> dims,
                          const std::vector<float>& values) {
  std::string text;
  for (const std::uint64_t dim : dims) text += onnx::varint_field(1, dim);
  return text + onnx::varint_field(2, 1) + onnx::bytes_field(8, name) +
         onnx::bytes_field(9, bytes_of_floats(values));
}

inline std::string initializer(std::string_view name, std::initializer_list<std::uint64_t> dims,
                               const std::vector<float>& values) {
  return onnx::bytes_field(5, tensor(name, dims, values));
}

inline std::string int_field(std::string_view name, std::uint64_t value) {
  return onnx::bytes_field(
      5, onnx::bytes_field(1, name) + onnx::varint_field(3, value) + onnx::varint_field(20, 2));
}

inline std::string value(unsigned role, std::string_view name, std::uint64_t type = 1) {
  return onnx::bytes_field(
      role, onnx::bytes_field(1, name) +
                onnx::bytes_field(2, onnx::bytes_field(1, onnx::varint_field(1, type))));
}
inline std::string input(std::string_view name) { return value(11, name); }
inline std::string output(std::string_view name) { return value(12, name); }

// "Op(in,in)->out" of each node.
inline std::vector<std::string> lines_of(const onnx::Model& model) {
  std::vector<std::string> lines;
  for (const onnx::Node& node : model.nodes) {
    lines.push_back(base::format("{}({})->{}", node.op_type, fmt::join(model.inputs_of(node), ","),
                                 fmt::join(model.outputs_of(node), ",")));
  }
  return lines;
}

}  // namespace planex::quantize
