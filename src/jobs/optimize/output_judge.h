// How far a model's outputs are from those of another, on samples, in OpenVINO.
#pragma once

#include <string>

#include "drive/inference.h"
#include "jobs/optimize/recipe.h"
#include "tune/runner.h"

namespace planex::jobs {

class OutputJudge final : public Judge {
 public:
  // `arithmetic`: of the subject. The runner must outlive this.
  OutputJudge(tune::SampleRange samples, drive::Arithmetic arithmetic, tune::Runner& runner)
      : samples_(std::move(samples)), arithmetic_(arithmetic), runner_(runner) {}

  Result<quantize::Score> compare(const std::string& reference,
                                  const std::string& subject) override;

 private:
  tune::SampleRange samples_;
  drive::Arithmetic arithmetic_;
  tune::Runner& runner_;
};

}  // namespace planex::jobs
