// A float model and the quantized one against the labels of the samples: who is right more often.
#ifndef PLANEX_TUNE_LABEL_SCORES_H_
#define PLANEX_TUNE_LABEL_SCORES_H_

#include <cstddef>
#include <string>
#include <vector>

#include "planex/error.h"
#include "quantize/labels.h"
#include "tune/model_file.h"
#include "tune/runner.h"

namespace planex::tune {

struct LabelledRun {
  std::string model, quantized;      // paths
  std::vector<JudgedOutput> judged;  // those with classes are scored
  std::string samples;               // folder
  std::size_t first_sample = 0, sample_count = 0;
  bool has_engine = true;  // else it is left out
};

// Empty where no sample has a label or no output has classes, one row of them a sample. Where
// labels can't be classes, nothing is scored and `notes` says why. What the models write is kept in
// the workshop's folder: sample_count rows a model. Errors: those of Runner::run(); kIo.
Result<std::vector<quantize::LabelScore>> label_scores(const LabelledRun& run, Runner& runner,
                                                       std::vector<std::string>& notes);

}  // namespace planex::tune

#endif  // PLANEX_TUNE_LABEL_SCORES_H_
