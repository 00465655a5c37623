// Words of benchmark_app's log that several readers need.
#pragma once

#include <string_view>

#include "base/text.h"

namespace planex::ingest::openvino {

inline constexpr std::string_view kFirstStep = "[Step 1/";

// A line without its tag.
inline std::string_view untagged(std::string_view line) {
  constexpr std::string_view kInfo = "[ INFO ]";
  line = base::trimmed(line);
  if (line.starts_with(kInfo)) line.remove_prefix(kInfo.size());
  return base::trimmed(line);
}

}  // namespace planex::ingest::openvino
