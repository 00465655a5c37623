// Names that are told apart: ONNX wants each value, and Netron each node, to have its own.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>

namespace planex::render {

class UniqueNames {
 public:
  // The text as it may be shown (visible()), or `fallback` where it is empty; where that name was
  // given before, "name.1", "name.2", ... Cost: O(length), amortised.
  std::string take(std::string_view text, std::string_view fallback);

 private:
  // How often each name was wanted.
  std::unordered_map<std::string, std::size_t> wanted_;
};

}  // namespace planex::render
