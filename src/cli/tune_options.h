// Shared by verbs that run models on data.
#pragma once

#include <CLI/CLI.hpp>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/scratch_file.h"
#include "cli/command.h"
#include "cli/progress_line.h"
#include "drive/interrupt.h"
#include "tune/data.h"

namespace planex::cli {

// --data, --prep, --shape, --labels, --seed, --preview.
class DataOptions {
 public:
  void add(CLI::App& app);
  bool is_given() const { return !request_.path.empty(); }
  // Errors: kUsage (an invalid shape).
  Result<tune::DataRequest> request() const;

 private:
  tune::DataRequest request_;
  std::vector<std::string> shapes_;
};

// --timed: the run that gains and costs are estimated from.
inline constexpr const char* kTimedRun =
    "A run of this model with times per layer, from planex process";

// --metric: the user's own programs.
void add_metric_option(CLI::App& app, std::vector<std::string>& metrics);
// Errors: kUsage (an empty one), kNotFound (a path that does not exist).
Result<void> check_metrics(const std::vector<std::string>& metrics);

// A temporary folder for the run, its program, its progress, and Ctrl-C. Only one at a time.
class Shop {
 public:
  // Errors: kNotFound (no planex-openvino), kIo.
  static Result<std::unique_ptr<Shop>> open(const Environment& environment, int threads);

  const tune::Workshop& workshop() const { return workshop_; }
  const drive::InterruptScope& interrupt() const { return interrupt_; }
  // Removes the progress line from the terminal.
  void finish() { line_.reset(); }

 private:
  explicit Shop(base::ScratchFolder folder) : folder_(std::move(folder)) {}

  base::ScratchFolder folder_;
  drive::InterruptScope interrupt_;
  std::optional<ProgressLine> line_;
  tune::Workshop workshop_;
};

}  // namespace planex::cli
