// Many engines, one per line: the request of `planex list`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "planex/options.h"

namespace planex {

// clang-format off
#define PLANEX_LIST_OPTIONS(OPTION)                                                               \
  OPTION(std::vector<std::string>, paths, {}, "path", "PATH",                                     \
         "Folders, searched recursively; files; archives [.]",                                    \
         .reads = true, .is_argument = true)                                                      \
  OPTION(std::string, sort, {}, "sort", "COLUMN",                                                 \
         "Sort by this column: numbers descending, text ascending [path]")                        \
  OPTION(bool, reverse, false, "reverse", "", "Reverse the order")
// clang-format on

struct ListRequest {
  PLANEX_LIST_OPTIONS(PLANEX_MEMBER)
};

struct ListResult {
  std::string document;
  std::size_t engine_count = 0;
  // Engines that can't be read; their line shows the reason.
  std::size_t failed_count = 0;
};

// One engine in a few figures. Unknown texts are empty.
struct EngineOverview {
  std::string name, producer, device;
  // Median of the inferences, without a profiler.
  std::optional<double> latency_ms;
  std::optional<double> layers_ms;
  std::int64_t layer_count = 0;
  // Errors and warnings of lint.
  std::int64_t finding_count = 0;
};

}  // namespace planex
