#include "render/words/exact_time_text.h"

#include <cstdint>

#include "base/text.h"

namespace planex::render {
namespace {

// `decimals` is how many the unit has.
std::string in_unit(analyze::Femtoseconds time, int decimals) {
  std::uint64_t unit = 1;
  for (int i = 0; i < decimals; ++i) unit *= 10;
  // The smallest integer has no positive counterpart.
  const auto size = time < 0 ? std::uint64_t{0} - static_cast<std::uint64_t>(time)
                             : static_cast<std::uint64_t>(time);
  std::string text = base::format("{}{}", time < 0 ? "-" : "", size / unit);
  if (const std::uint64_t rest = size % unit; rest != 0) {
    std::string fraction = base::format(".{:0{}}", rest, decimals);
    fraction.erase(fraction.find_last_not_of('0') + 1);
    text += fraction;
  }
  return text;
}

}  // namespace

std::string microseconds_text(analyze::Femtoseconds time) { return in_unit(time, 9); }
std::string milliseconds_text(analyze::Femtoseconds time) { return in_unit(time, 12); }

}  // namespace planex::render
