// The cells of a sweep: one request to process() for each combination of values.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "drive/driver.h"
#include "planex/error.h"

namespace planex::drive {

// What is varied: engine, precision, threads, batch (the first dimension of inputs), shape:INPUT or
// shape:A+B (of several inputs together), streams, isa, or any option of the engine's program. For
// a switch, the values are on and off.
struct GridAxis {
  std::string name;
  std::vector<std::string> values;
};

// "batch=1,2,4". Errors: kUsage.
Result<GridAxis> parse_axis(std::string_view text);

struct GridCell {
  std::string id;                   // from its values; the name of its folder
  std::vector<std::string> values;  // one per axis
  ProcessRequest request;           // without its output folder
};

inline constexpr std::size_t kMaxCells = 10'000;

// The last axis varies fastest. For `batch` the model is read.
// Errors: kUsage (an axis twice, a value twice, too many cells, an unknown shape), and those of
// reading the model.
Result<std::vector<GridCell>> grid_cells(const ProcessRequest& base,
                                         std::span<const GridAxis> axes);

}  // namespace planex::drive
