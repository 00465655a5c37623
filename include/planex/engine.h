// One open engine as data: its tables as typed columns, and the results of planex as structs.
//
//   auto session = planex::Session::open("run/");
//   const planex::Engine engine = session->engine();
//   for (const auto& finding : engine.lint()->findings) std::cout << finding.message << '\n';
//
// Shapes, units: those of the members of planex/results.h and of the columns of planex/tables.h.
// Threads: all functions can be called from many at once.
// Owns: an Engine and its copies keep the data alive, even when the session is closed.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "planex/arrow.h"
#include "planex/error.h"
#include "planex/explain.h"
#include "planex/lint.h"
#include "planex/results.h"
#include "planex/tables.h"
#include "planex/visibility.h"

namespace planex {

class PLANEX_EXPORT Engine : public EngineTables {
 public:
  // For planex's own parts; use Session::engine() instead.
  Engine(std::shared_ptr<const session::Engine> engine, std::string_view label);

  // Distinguishes it from the engines that were opened with it.
  std::string_view label() const { return label_; }
  // The path it was opened with, as the caller wrote it.
  std::string_view path() const;

  // The engine in figures: layers, memory, times, where the time goes.
  // Cost: O(layers); for times of many inferences see timing().
  results::Summary summary() const;
  // Whether the times of inferences are steady, and which to trust. Cost: O(n log n) samples.
  results::Timing timing() const;
  // What is worth changing. Options that write files are ignored. The rows of findings() are those
  // of all rules. Errors: kUsage (no such rule, pack or severity), those of files that the request
  // names.
  Result<results::Lint> lint(const LintRequest& request = {}) const;
  // How near each layer comes to the device's limits; ignores the topic. May measure a CPU and keep
  // the figures in a file: see ExplainRequest::may_measure. Errors: kUsage (no such device), those
  // of the device table that the request names.
  Result<results::ExplainSpeed> explain_speed(const ExplainRequest& request = {}) const;
  // Which producer and consumer disagree, what it costs, whether it is avoidable.
  results::ExplainReformats explain_reformats() const;
  // Which tensors are live when, and which of them make up the peak.
  results::ExplainMemory explain_memory() const;
  // Where precision changes, and what forces it.
  results::ExplainPrecision explain_precision() const;
  // Repeated blocks, and the odd one out.
  results::ExplainBlocks explain_blocks() const;
  // What each layer launches, from a trace of the device.
  results::ExplainKernels explain_kernels() const;
  // What the model quantizes, what runs quantized, what fell back and why.
  results::ExplainQuantization explain_quantization() const;
  results::ExplainTactics explain_tactics() const;

  // The rows of these results, for data frames: the same as in their CSV, with types. Errors: as
  // above.
  Result<ArrowTable> lint_table(const LintRequest& request = {}) const;
  Result<ArrowTable> explain_table(const ExplainRequest& request) const;

 private:
  std::string label_;
};

}  // namespace planex
