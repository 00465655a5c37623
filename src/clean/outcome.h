// The result of simplifying a model: it is shown, and written as planex.clean/1.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "clean/passes.h"

namespace planex::clean {

struct DoneStep {
  std::string pass, what;
  Effect effect = Effect::kExact;
  std::size_t count = 0;           // places that it simplified
  std::vector<std::string> nodes;  // where
};

struct CleanOutcome {
  std::string model, output;
  std::int64_t opset_before = 0, opset = 0;
  // Of the main graph, without Constant nodes.
  std::size_t node_count_before = 0, node_count = 0;
  std::size_t bytes_before = 0, bytes = 0;
  std::vector<DoneStep> steps;
};

}  // namespace planex::clean
