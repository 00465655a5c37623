// How far a model's outputs are from those of another, on samples, in OpenVINO.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "drive/inference.h"
#include "jobs/optimize/recipe.h"
#include "tune/runner.h"

namespace planex::jobs {

class OutputJudge final : public Judge {
 public:
  // `arithmetic`: of the subject; `words`: of every build. The runner must outlive this.
  OutputJudge(tune::SampleRange samples, drive::Arithmetic arithmetic,
              std::vector<std::string> words, tune::Runner& runner)
      : samples_(std::move(samples)),
        arithmetic_(arithmetic),
        words_(std::move(words)),
        runner_(runner) {}

  // The reference computes in float32. Outputs are compared where `planex quantize` compares them:
  // before a Softmax, whose zeros and ones hide errors, if both models have the tensor there.
  Result<quantize::Score> compare(const std::string& reference, const Recipe& subject) override;

 private:
  tune::SampleRange samples_;
  drive::Arithmetic arithmetic_;
  std::vector<std::string> words_;
  tune::Runner& runner_;
};

}  // namespace planex::jobs
