// Scores results by data outside them: the labels of the samples, and the user's own programs.
#pragma once

#include <string>
#include <vector>

#include "drive/inference.h"
#include "planex/error.h"
#include "quantize/labels.h"
#include "quantize/metric_score.h"
#include "tune/model_file.h"
#include "tune/runner.h"

namespace planex::tune {

struct ScoreRequest {
  std::string model, quantized;      // paths
  std::vector<JudgedOutput> judged;  // those with classes are compared with labels
  SampleRange samples;
  // Programs with their arguments (drive/metric_program.h), which get the models' own outputs.
  std::vector<std::string> metrics;
  bool has_engine = true;  // else it is left out
};

struct Scores {
  std::vector<quantize::LabelScore> labels;    // empty: no labels, or no classes
  std::vector<quantize::MetricScore> metrics;  // in the order of the programs
};

// Tensors to store for each model; none: there is nothing to score. Errors: those of labels_of().
Result<std::vector<std::string>> tensors_to_score(const ScoreRequest& request);

// For what was stored of "float", "simulated" and "engine". The programs are called with FLOAT.npz
// and the .npz of each model, whose arrays are named like the outputs and have the samples as their
// first axis; samples.json next to them has the samples' names and labels. Only files grow with the
// number of samples. Errors: those of label_scores() and run_metric(); kUsage (no program).
Result<Scores> score_stored(const drive::PassResult& seen, const ScoreRequest& request,
                            Runner& runner, std::vector<std::string>& notes);

// Runs the three models where there is something to score. Errors: those of Runner::run() and of
// the above.
Result<Scores> score_models(const ScoreRequest& request, Runner& runner,
                            std::vector<std::string>& notes);

}  // namespace planex::tune
