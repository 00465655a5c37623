#include "render/text/numbers.h"

namespace planex::render {

std::string or_dash(const std::optional<double>& value, std::string (*text)(double)) {
  return value ? text(*value) : "–";
}

}  // namespace planex::render
