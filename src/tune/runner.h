// Runs the jobs of one command, and remembers which program version ran them.
#pragma once

#include <cstddef>
#include <string>

#include "drive/inference.h"
#include "planex/error.h"
#include "tune/data.h"

namespace planex::tune {

// Consecutive samples of a folder (arrays/sample_folder.h).
struct SampleRange {
  std::string folder;
  std::size_t first = 0, count = 0;
};

class Runner {
 public:
  explicit Runner(const Workshop& workshop) : workshop_(workshop) {}

  const Workshop& workshop() const { return workshop_; }
  // On the workshop's threads. `step`: the progress text for the user. Errors: those of
  // drive::infer().
  Result<drive::InferenceResult> run(drive::InferenceJob job, const std::string& step);
  // The same for one pass over the samples.
  Result<drive::PassResult> run(drive::InferencePass pass, const SampleRange& samples,
                                const std::string& step);

  // Facts about the last job; empty before the first.
  const std::string& runtime_version() const { return runtime_version_; }
  const std::string& isa() const { return isa_; }
  bool has_vnni() const { return has_vnni_; }

 private:
  const Workshop& workshop_;
  std::string runtime_version_, isa_;
  bool has_vnni_ = false;
};

}  // namespace planex::tune
