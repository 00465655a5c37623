// Strings in DOT syntax.
#pragma once

#include <string>
#include <string_view>

namespace planex::render {

// Lines of text for a label or a tooltip, in quotes. The content of each line is made visible, and
// contains no escapes of graphviz and no entities. Lines that would make the string longer than
// graphviz can read are cut. Cost: O(what it can read).
class DotText {
 public:
  DotText& line(std::string_view text);
  // "key: value"; nothing if there is no value.
  DotText& fact(std::string_view key, std::string_view value);

  std::string quoted() const { return '"' + text_ + '"'; }

 private:
  std::string text_;
};

}  // namespace planex::render
