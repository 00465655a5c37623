#include "render/onnx/value_names.h"

#include "base/text.h"
#include "render/words/characters.h"

namespace planex::render {

std::string UniqueNames::take(std::string_view text, std::string_view fallback) {
  const std::string name = visible(text.empty() ? fallback : text);
  std::string candidate = name;
  // Another name may look like one of ours; each is tried once in all, so this ends soon. A
  // reference stays valid when other names are added.
  std::size_t& count = wanted_[name];
  while (count > 0) {
    candidate = base::format("{}.{}", name, count++);
    if (wanted_.try_emplace(candidate, 1).second) return candidate;
  }
  count = 1;
  return candidate;
}

}  // namespace planex::render
