// What verbs that run models on data share.
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
  // Errors: kUsage (a shape that is none).
  Result<tune::DataRequest> request() const;

 private:
  tune::DataRequest request_;
  std::vector<std::string> shapes_;
};

// --metric: programs of the user's own.
void add_metric_option(CLI::App& app, std::vector<std::string>& metrics);
// Errors: kUsage (one without a word), kNotFound (a path that is not there).
Result<void> check_metrics(const std::vector<std::string>& metrics);

// A folder for the run, its program, its progress, its end by Ctrl-C. One at a time.
class Shop {
 public:
  // Errors: kNotFound (no planex-openvino), kIo.
  static Result<std::unique_ptr<Shop>> open(const Environment& environment, int threads);

  const tune::Workshop& workshop() const { return workshop_; }
  const drive::InterruptScope& interrupt() const { return interrupt_; }
  // Takes the line of progress off the terminal.
  void finish() { line_.reset(); }

 private:
  explicit Shop(base::ScratchFolder folder) : folder_(std::move(folder)) {}

  base::ScratchFolder folder_;
  drive::InterruptScope interrupt_;
  std::optional<ProgressLine> line_;
  tune::Workshop workshop_;
};

}  // namespace planex::cli
