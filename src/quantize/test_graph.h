// Small ONNX models for tests, written node by node.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "onnx/links.h"
#include "onnx/read.h"
#include "onnx/test_message.h"

namespace planex::quantize {

class TestGraph {
 public:
  // A float tensor without data, or of another type if given (TensorProto.DataType).
  TestGraph& weight(std::string_view name, std::initializer_list<std::uint64_t> dims,
                    std::uint64_t type = 1) {
    std::string content;
    for (const std::uint64_t dim : dims) content += onnx::varint_field(1, dim);
    content += onnx::varint_field(2, type) + onnx::bytes_field(8, name);
    constants_ += onnx::bytes_field(5, content);
    return *this;
  }
  TestGraph& node(std::string_view type, std::initializer_list<std::string_view> inputs,
                  std::string_view output, std::string_view name, std::string_view more = {}) {
    nodes_ += onnx::node_field(type, inputs, output, name, more);
    return *this;
  }
  // With an integer attribute.
  TestGraph& node_with(std::string_view type, std::initializer_list<std::string_view> inputs,
                       std::string_view output, std::string_view name, std::string_view attribute,
                       std::uint64_t value) {
    const std::string content =
        onnx::bytes_field(1, attribute) + onnx::varint_field(3, value) + onnx::varint_field(20, 2);
    return node(type, inputs, output, name, onnx::bytes_field(5, content));
  }
  // A Conv with a weight of its own, "NAME.weight".
  TestGraph& conv(std::string_view input, std::string_view name, std::uint64_t channels = 32) {
    const std::string weight_name = std::string(name) + ".weight";
    weight(weight_name, {channels, channels, 3, 3});
    return node("Conv", {input, weight_name}, name, name);
  }
  // Q/DQ with "scale" and "zero", which write "OF.f".
  TestGraph& pair(const std::string& of) {
    node("QuantizeLinear", {of, "scale", "zero"}, of + ".i", of + ".Q");
    return node("DequantizeLinear", {of + ".i", "scale", "zero"}, of + ".f", of + ".DQ");
  }
  // A Conv whose weight is int8 with a DQ.
  TestGraph& small_conv(std::string_view input, const std::string& name) {
    const std::string small = name + ".weight";
    weight(small, {32, 32, 3, 3}, 3);
    node("DequantizeLinear", {small, "scale", "zero"}, small + ".f", small + ".DQ");
    return node("Conv", {input, small + ".f"}, name, name);
  }
  TestGraph& input(std::string_view name, std::uint64_t type = 1) { return value(11, name, type); }
  TestGraph& output(std::string_view name, std::uint64_t type = 1) { return value(12, name, type); }
  TestGraph& info(std::string_view name, std::uint64_t type) { return value(13, name, type); }

  // Raw fields of the graph.
  TestGraph& more(std::string_view fields) {
    constants_ += fields;
    return *this;
  }

  std::string bytes() const { return onnx::model_message(nodes_ + constants_ + values_); }

 private:
  TestGraph& value(unsigned field, std::string_view name, std::uint64_t type) {
    const std::string tensor = onnx::bytes_field(1, onnx::varint_field(1, type));
    values_ += onnx::bytes_field(field, onnx::bytes_field(1, name) + onnx::bytes_field(2, tensor));
    return *this;
  }

  std::string nodes_, constants_, values_;
};

// A scalar float of 4 bytes, or a zero point; with `dims` a list.
inline const std::string kOneValue = onnx::varint_field(1, 1);
inline std::string scalar_constant(std::string_view name, float value,
                                   const std::string& dims = {}) {
  std::string raw(4, '\0');
  const auto bits = std::bit_cast<std::uint32_t>(value);
  for (std::size_t i = 0; i < 4; ++i) raw[i] = static_cast<char>(bits >> (8 * i) & 0xFFU);
  return onnx::bytes_field(
      5, dims + onnx::varint_field(2, 1) + onnx::bytes_field(8, name) + onnx::bytes_field(9, raw));
}
inline std::string zero_point(std::string_view name, const std::string& dims = {}) {
  return onnx::bytes_field(5, dims + onnx::varint_field(2, 3) + onnx::bytes_field(8, name) +
                                  onnx::bytes_field(9, std::string(1, '\0')));
}

// A model that was read, with the objects that it points into.
struct ReadModel {
  explicit ReadModel(std::string text) : bytes(std::move(text)), model(read()), links(model) {}
  ReadModel(const ReadModel&) = delete;
  ReadModel& operator=(const ReadModel&) = delete;

  std::string bytes;
  onnx::Model model;
  onnx::Links links;

 private:
  onnx::Model read() const { return onnx::read_model(bytes).value(); }
};

}  // namespace planex::quantize
