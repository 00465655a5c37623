#include "quantize/passing.h"

#include <array>

namespace planex::quantize {
namespace {

constexpr std::array<std::string_view, 7> kMovingOperators = {
    "MaxPool", "Reshape", "Squeeze", "Unsqueeze", "Flatten", "Identity", "Transpose"};
constexpr std::array<std::string_view, 2> kAverages = {"GlobalAveragePool", "AveragePool"};

}  // namespace

std::span<const std::string_view> moving_operators() { return kMovingOperators; }

std::span<const std::string_view> passable(Target target) {
  const std::span every(kMovingOperators);
  return target == Target::kOpenvino ? every.first(every.size() - 1) : every;
}

bool needs_both_sides(Target target, std::string_view op) {
  return target == Target::kOnnxruntime && op == "Flatten";
}

std::span<const std::string_view> averages(Target target) {
  const std::span every(kAverages);
  return target == Target::kOnnxruntime ? every.first(1) : every;
}

}  // namespace planex::quantize
