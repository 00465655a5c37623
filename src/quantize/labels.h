// How many samples a model gets right, by the labels of its data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "planex/error.h"

namespace planex::quantize {

struct RightAnswers {
  std::int64_t right = 0, total = 0;
  // Of the true share, with 95 % confidence: the score interval (Wilson 1927).
  double low = 0, high = 1;
};
// `total` above 0.
RightAnswers right_answers(std::int64_t right, std::int64_t total);

// Of a tensor with classes, against the labels.
struct LabelScore {
  std::string tensor;
  RightAnswers original;
  // Null: there is no simulation of the engine's model; the engine's, that what OpenVINO makes of
  // the model tells nothing.
  std::optional<RightAnswers> simulated, engine;
  // The label's class is among the five largest; null of five classes or fewer.
  std::optional<RightAnswers> original_top5, simulated_top5, engine_top5;
};

// The class of each label, -1 where the label is empty: the number that it is, where all are
// numbers; else its place among the different labels in the order of their bytes, as torchvision
// numbers folders, which must be as many as the classes.
// Errors: kUnsupported (they can't be told apart so: says what was found).
Result<std::vector<std::int64_t>> classes_of(std::span<const std::string> labels,
                                             std::size_t class_count);

}  // namespace planex::quantize
