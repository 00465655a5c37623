// Recipes built and measured with an engine's driver.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "analyze/optimize/outcome.h"
#include "drive/driver.h"
#include "jobs/job.h"
#include "jobs/optimize/recipe.h"
#include "planex/error.h"
#include "quantize/measured_engine.h"
#include "session/open/engine.h"

namespace planex::jobs {

class ProcessBench final : public Bench {
 public:
  // `base`: engine, shapes, threads, launcher and so on of every run. Runs are written to folders
  // of their names in `folder`. `device`: of the device table, for predictions; empty: the one
  // that it runs on. The request and the context must outlive it.
  ProcessBench(const drive::ProcessRequest& base, std::string folder, analyze::Aim aim,
               std::string device, const Context& context);

  Result<Measured> run(const Recipe& recipe, const std::string& name) override;
  // Builds and measures what its layers take.
  Result<quantize::MeasuredEngine> run_layers(const Recipe& recipe, const std::string& name);
  // The same with times of layers, into `folder`; returns the file to open.
  Result<std::string> run_fully(const Recipe& recipe, const std::string& folder);

 private:
  // How far the device's limits are.
  void add_limits(const session::Engine& engine, Measured& measured);
  drive::ProcessRequest request_of(const Recipe& recipe, const std::string& folder) const;

  const drive::ProcessRequest& base_;
  std::string folder_;
  analyze::Aim aim_;
  std::string device_;
  bool may_probe_ = true;
  // Of the first run: all that are compared last as long.
  std::optional<double> first_latency_ms_;
  // A candidate that takes much longer than any before it hangs; null: nothing was run yet.
  std::optional<std::chrono::milliseconds> patience_;
  const Context& context_;
};

}  // namespace planex::jobs
