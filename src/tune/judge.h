// Compares models with the float model at its outputs.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "drive/inference.h"
#include "planex/error.h"
#include "quantize/outcome.h"
#include "tune/model_file.h"
#include "tune/runner.h"

namespace planex::tune {

using JudgedTensors = std::vector<quantize::JudgedTensor>;

// A model that is compared with the float one, or with a subject before it.
struct Subject {
  std::string id;  // "float" is taken
  std::string path;
  drive::Arithmetic arithmetic = drive::Arithmetic::kSimulated;
};

class Judge {
 public:
  // The file and the runner must outlive this.
  Judge(const ModelFile& file, SampleRange samples, Runner& runner)
      : path_(file.path()),
        outputs_(judged_outputs(file.model(), file.links(), runner.workshop().judges_as_returned)),
        samples_(std::move(samples)),
        runner_(runner) {}

  const SampleRange& samples() const { return samples_; }
  const std::vector<JudgedOutput>& outputs() const { return outputs_; }

  // For each pair, in their order: every judged output of the second compared with that of the
  // first; both are ids of `subjects`, or "float". All models exist at the same time.
  Result<std::vector<JudgedTensors>> compare(
      const std::vector<Subject>& subjects,
      const std::vector<std::pair<std::string, std::string>>& pairs, const std::string& step);

  // Each subject against the float model.
  Result<std::vector<JudgedTensors>> compare_with_float(const std::vector<Subject>& subjects,
                                                        const std::string& step);

 private:
  std::string path_;
  std::vector<JudgedOutput> outputs_;
  SampleRange samples_;
  Runner& runner_;
};

// Compares rows whose largest class is the same where there are classes, then the lowest SQNR.
bool is_worse(const JudgedTensors& one, const JudgedTensors& two);

}  // namespace planex::tune
