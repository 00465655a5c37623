// Strings as DOT has them.
#pragma once

#include <string>
#include <string_view>

namespace planex::render {

// Lines of text for a label or a tooltip, in quotes. What each line holds is made visible, and
// nothing in it is an escape of graphviz or an entity. Lines that would make the string longer than
// graphviz can read are cut. Cost: O(what it can read).
class DotText {
 public:
  DotText& line(std::string_view text);
  // "key: value"; nothing where there is no value.
  DotText& fact(std::string_view key, std::string_view value);

  std::string quoted() const { return '"' + text_ + '"'; }

 private:
  std::string text_;
};

}  // namespace planex::render
