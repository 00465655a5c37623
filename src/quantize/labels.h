// How many samples a model gets right, according to the labels of its data.
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
  // Interval of the true share, with 95 % confidence: the score interval (Wilson 1927).
  double low = 0, high = 1;
};
// `total` above 0.
RightAnswers right_answers(std::int64_t right, std::int64_t total);

// Scores a tensor with classes against the labels.
struct LabelScore {
  std::string tensor;
  RightAnswers original;
  // Null: the engine's model was not simulated; for the engine: what OpenVINO makes of the model
  // says nothing about it.
  std::optional<RightAnswers> simulated, engine;
  // The label's class is among the five largest; null for five classes or fewer.
  std::optional<RightAnswers> original_top5, simulated_top5, engine_top5;
};

// The class of each label, -1 where the label is empty: the label's own number, where all are
// numbers; else its place among the distinct labels in byte order, as torchvision numbers folders;
// there must be as many labels as classes. Errors: kUnsupported (the labels can't be mapped this
// way: says what was found).
Result<std::vector<std::int64_t>> classes_of(std::span<const std::string> labels,
                                             std::size_t class_count);

}  // namespace planex::quantize
