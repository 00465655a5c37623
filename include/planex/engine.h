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
  // One aspect: explain<results::ExplainMemory>(). The result says which one, whatever the topic of
  // the request is; PLANEX_EXPLAIN_RESULTS of planex/results.h lists the results. ExplainSpeed may
  // measure a CPU and keep the figures in a file: see ExplainRequest::may_measure.
  // Errors: kUsage (no such device or layer), those of files that the request names.
  template <typename T>
  Result<T> explain(ExplainRequest request = {}) const;

  // The rows of these results, for data frames: the same as in their CSV, with types. Errors: as
  // above.
  Result<ArrowTable> lint_table(const LintRequest& request = {}) const;
  Result<ArrowTable> explain_table(const ExplainRequest& request) const;

 private:
  std::string label_;
};

}  // namespace planex
