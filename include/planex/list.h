// Many engines, a line each: what `planex list` asks for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace planex {

struct ListRequest {
  // Folders, at any depth; files and archives.
  std::vector<std::string> paths = {};
  // A column; numbers sort from the largest, texts from A. Empty: by path.
  std::string sort = {};
  bool reverse = false;
};

struct ListResult {
  std::string document;
  std::size_t engine_count = 0;
  // Engines that can't be read: their line says why.
  std::size_t failed_count = 0;
};

// One engine in a few figures. Texts are empty where they are not known.
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
