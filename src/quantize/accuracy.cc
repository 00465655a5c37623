#include "quantize/accuracy.h"

#include <array>

namespace planex::quantize {

std::string_view to_string(Tap tap) {
  constexpr std::array<std::string_view, 4> kWords = {"verified", "disturbed", "missing", "none"};
  const auto place = static_cast<std::size_t>(tap);
  return place < kWords.size() ? kWords[place] : std::string_view();
}

}  // namespace planex::quantize
