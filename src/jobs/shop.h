// Where a job runs models: a temporary folder, the program that runs them, progress, Ctrl-C.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "base/scratch_file.h"
#include "jobs/job.h"
#include "tune/data.h"

namespace planex::jobs {

// With those that it is in. Errors: kIo.
Result<void> make_folder(const std::string& folder);

class Shop {
 public:
  // The context must outlive it. Errors: kNotFound (no planex-openvino), kIo.
  static Result<std::unique_ptr<Shop>> open(const Context& context, int threads);

  const tune::Workshop& workshop() const { return workshop_; }
  void judge_as_returned() { workshop_.judges_as_returned = true; }

 private:
  explicit Shop(base::ScratchFolder folder) : folder_(std::move(folder)) {}

  base::ScratchFolder folder_;
  tune::Workshop workshop_;
};

}  // namespace planex::jobs
