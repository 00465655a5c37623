// A sweep: builds of one model over a grid, as `planex sweep MODEL -o DIR` leaves them in a folder.
//
//   auto sweep = planex::Sweep::open("out/");
//   for (const auto& cell : sweep->data().cells) std::cout << *cell.latency_ms << '\n';
#pragma once

#include <memory>
#include <string>

#include "planex/arrow.h"
#include "planex/error.h"
#include "planex/results.h"
#include "planex/session.h"
#include "planex/visibility.h"

namespace planex {

// Whether the folder contains a sweep.
PLANEX_EXPORT bool is_sweep(const std::string& folder);

// Threads: all functions can be called from many at once.
class PLANEX_EXPORT Sweep {
 public:
  // Opens the engine of every run that is finished; a run that can't be read is the error of its
  // cell. Errors: kNotFound (no sweep there), kBadInput with file and pointer.
  // Cost: that of opening them.
  static Result<Sweep> open(const std::string& folder);

  Sweep(Sweep&&) noexcept;
  Sweep& operator=(Sweep&&) noexcept;
  ~Sweep();

  results::Sweep data() const;
  // One row per cell: its value on each axis, then its figures.
  ArrowTable cells() const;
  // Text, JSON (planex.sweep/1), CSV or Markdown (one row per cell). Errors: kUsage for another
  // format.
  Result<std::string> document(const View& view) const;
  // The report: the sweep, and the engines of its most interesting cells side by side. Errors: as
  // Session::report().
  Result<std::string> report(const ReportRequest& request) const;

 private:
  class State;
  explicit Sweep(std::shared_ptr<const State> state);

  std::shared_ptr<const State> state_;
};

}  // namespace planex
