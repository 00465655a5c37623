// Models of a search for the layers that stay in float: how close they are, what they cost, and
// which of them no other beats.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "planex/error.h"

namespace planex::quantize {

// How close a model's outputs are to those of the float model, on some samples.
struct Score {
  // The lowest of the outputs. Infinity: no output differs; minus infinity: one has NaN or infinity
  // where the float model does not.
  double sqnr_db = std::numeric_limits<double>::infinity();
  // Rows of classes, and those whose largest class is the same; 0: the model has no classes.
  std::int64_t top1_count = 0, row_count = 0;

  std::optional<double> top1_ratio() const;
};

struct Goal {
  enum class Kind : std::uint8_t { kSqnr, kTop1 };
  Kind kind = Kind::kSqnr;
  double least = 0;  // dB, or a ratio
  // Of what the model returns; else of what a Softmax or Sigmoid at its end reads.
  bool is_of_outputs = false;
};

// "20dB", "20 dB", "outputs=20dB", "top1=99%", "top1=0.99". Errors: kUsage.
Result<Goal> parse_goal(std::string_view text);
std::string to_string(const Goal& goal);  // "20 dB", "20 dB of the outputs", "top1=99%"
// As parse_goal() reads it: "outputs=20dB".
std::string goal_word(const Goal& goal);

bool is_reached(const Goal& goal, const Score& score);
// By SQNR; for goals in top-1 by that, then by SQNR. A total order: false for equal scores.
bool is_better(Goal::Kind kind, const Score& one, const Score& two);
// 10^(-SQNR / 10): the noise's power as a share of the signal's.
double noise_ratio(const Score& score);

// What a float layer costs.
enum class CostAxis : std::uint8_t { kLayers, kMacs, kBytes, kMs };
std::string_view to_string(CostAxis axis);  // "layers", "macs", "bytes", "ms"

// Places in a list of layers, ascending, each once.
using LayerSet = std::vector<std::uint32_t>;

// A measured model: the layers that it has in float.
struct FrontPoint {
  LayerSet kept;
  double cost = 0;  // the sum of its layers'
  Score score;
};

// Places of the points that no other point beats: none is as close at less cost, or closer at the
// same cost. Ascending by cost. Of equal points the first. Cost: O(n log n).
std::vector<std::size_t> front_of(std::span<const FrontPoint> points, Goal::Kind kind);

}  // namespace planex::quantize
