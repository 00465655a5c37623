#include "ingest/json_place.h"

#include <algorithm>
#include <vector>

#include "base/text.h"

namespace planex::ingest {

using base::format;

std::string JsonPlace::pointer() const {
  std::vector<const JsonPlace*> steps;
  for (const JsonPlace* place = this; place->parent_ != nullptr; place = place->parent_) {
    steps.push_back(place);
  }
  std::string pointer;
  std::ranges::for_each(steps.rbegin(), steps.rend(), [&](const JsonPlace* step) {
    pointer += '/';
    pointer += step->index_ ? format("{}", *step->index_) : pointer_token(step->key_);
  });
  return pointer;
}

std::string pointer_token(std::string_view key) {
  std::string token;
  for (const char c : key) {
    if (c == '~') {
      token += "~0";
    } else if (c == '/') {
      token += "~1";
    } else {
      token += c;
    }
  }
  return token;
}

}  // namespace planex::ingest
