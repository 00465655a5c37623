// Unique names: ONNX requires each value, and Netron each node, to have its own.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>

namespace planex::render {

class UniqueNames {
 public:
  // The text in its printable form (visible()), or `fallback` if it is empty; if that name was
  // already given, "name.1", "name.2", ... Cost: O(length), amortised.
  std::string take(std::string_view text, std::string_view fallback);

 private:
  // How often each name was requested.
  std::unordered_map<std::string, std::size_t> wanted_;
};

}  // namespace planex::render
