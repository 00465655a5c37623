// Writes protobuf messages by hand, for tests.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace planex::onnx {

inline std::string varint(std::uint64_t value) {
  std::string bytes;
  for (; value >= 0x80; value >>= 7) bytes += static_cast<char>(0x80 | (value & 0x7F));
  bytes += static_cast<char>(value);
  return bytes;
}

inline std::string bytes_field(unsigned number, std::string_view content) {
  return varint(number << 3 | 2) + varint(content.size()) + std::string(content);
}

inline std::string varint_field(unsigned number, std::uint64_t value) {
  return varint(number << 3) + varint(value);
}

// A node of a graph (field 1); `more` are raw fields of it.
inline std::string node_field(std::string_view type, std::initializer_list<std::string_view> inputs,
                              std::string_view output, std::string_view name,
                              std::string_view more = {}) {
  std::string content;
  for (const auto input : inputs) content += bytes_field(1, input);
  content += bytes_field(2, output) + bytes_field(3, name) + bytes_field(4, type);
  return bytes_field(1, content + std::string(more));
}

// A model of one graph; `graph` are its fields.
inline std::string model_message(std::string_view graph, std::uint64_t opset = 17) {
  return varint_field(1, 8) + bytes_field(7, graph) +
         bytes_field(8, bytes_field(1, "") + varint_field(2, opset));
}

}  // namespace planex::onnx
