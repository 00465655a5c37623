// Simplifies a model: what its exporter spelled out in many nodes, what does nothing, what can be
// computed once.
//
// Inputs and outputs keep their names, types and shapes, and what the model computes stays the same
// but for rounding; the list of passes says which of them round (passes.h). What engines that
// compute in integers recognize stays: nodes between a DequantizeLinear and a QuantizeLinear keep
// their form, and scales their bits. Bodies of If, Loop and Scan are simplified, too; those of the
// model's own functions stay as they are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/files.h"
#include "clean/passes.h"
#include "planex/error.h"

namespace planex::clean {

struct CleanOptions {
  std::vector<std::string> only;  // passes; empty: all
  std::vector<std::string> skipped;
  // Raises the model to this opset first; null: it stays.
  std::optional<std::int64_t> opset;
};

struct Step {
  std::string_view id, summary;  // of the pass
  Effect effect = Effect::kExact;
  std::size_t count = 0;           // places that it simplified
  std::vector<std::string> nodes;  // where: names of nodes as they were then, in their order
};

struct Cleaned {
  std::string bytes;        // of the simplified model; empty: nothing was left to simplify
  std::vector<Step> steps;  // in the order of the passes; those that did nothing are left out
  std::int64_t opset_before = 0, opset = 0;
  // Of the graph and of bodies in it, without Constant nodes.
  std::size_t nodes_before = 0, nodes = 0;
  std::size_t bytes_before = 0;
};

// `file` is the model, `folder` where its external data are; those are read, where a constant is
// folded, and never written: a constant that changes moves into the model. Same input, same bytes.
// Errors: kBadInput (damaged); kUnsupported (opsets before 9, those of onnx::upgrade()); kUsage (a
// pass that does not exist). Cost: O(nodes) for each pass and round, of which there are at most
// eight; memory for two copies of the file, without external data. Bodies: the same for each, once
// for each graph around them.
Result<Cleaned> clean_model(std::string_view file, const base::FileSource& files,
                            const std::string& folder, const CleanOptions& options);

}  // namespace planex::clean
