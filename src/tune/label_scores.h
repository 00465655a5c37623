// Compares results with the labels of the samples: which model is right more often.
#pragma once

#include <string>
#include <vector>

#include "drive/inference.h"
#include "planex/error.h"
#include "quantize/labels.h"
#include "tune/model_file.h"
#include "tune/runner.h"

namespace planex::tune {

// For each sample of the range; empty where it has no label. Errors: those of reading its index.
Result<std::vector<std::string>> labels_of(const SampleRange& samples);

// Whether labels can be used: a sample has one, and an output has classes.
bool has_labelled_classes(const std::vector<std::string>& labels,
                          const std::vector<JudgedOutput>& judged);

// For the outputs with classes that `seen` stored of "float", "simulated" and "engine", one row per
// sample, in the order of `labels`. Where labels can't be classes, nothing is scored and `notes`
// says why. Errors: kIo.
Result<std::vector<quantize::LabelScore>> label_scores(const drive::PassResult& seen,
                                                       const std::vector<JudgedOutput>& judged,
                                                       const std::vector<std::string>& labels,
                                                       std::vector<std::string>& notes);

}  // namespace planex::tune
