// Chooses which layers of a quantized model stay in float: the decisions of `planex search`.
// Nothing is measured here; docs/reference/search.md describes the method.
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
};

// "20dB", "20 dB", "top1=99%", "top1=0.99". Errors: kUsage.
Result<Goal> parse_goal(std::string_view text);
std::string to_string(const Goal& goal);  // "20 dB", "top1=99%"

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

struct GreedyLimits {
  std::optional<Goal> goal;
  std::size_t most_layers = std::numeric_limits<std::size_t>::max();
  double most_cost = std::numeric_limits<double>::infinity();
};

// Starts from the ranking by what layers do alone: the first one, two, three, ... of them together.
// The smallest set that reaches the goal is taken, else the set that leaves the least noise. From
// there one layer after another is put back to float. Whether that helps is measured: in a window
// of the next few layers, and, as the noise of one can hide that of another, with the first two of
// all together. The set whose noise falls most for its cost is taken; where none helps, the next
// window is tried with the first four together, then eight: kWindows in total.
//
// Once the goal is reached, it goes back: of all models with one float layer less, the closest that
// still reaches the goal is taken, until there is none, at most kMaxBack times.
class GreedySearch {
 public:
  static constexpr std::size_t kWindow = 3;
  static constexpr std::size_t kWindows = 4;
  static constexpr std::size_t kMaxBack = 6;
  // A step that removes less than this share of the noise does not count: it could be luck.
  static constexpr double kMinGain = 0.01;

  // `effects`: for each layer, the noise of a model that has it alone in INT8. `costs`: for each
  // layer, not negative. `start`: of the model that has all in INT8.
  GreedySearch(std::span<const double> effects, std::vector<double> costs, const Score& start,
               GreedyLimits limits);

  // Sets to measure next; empty: the search has ended, because it reached its goal or its limits,
  // or because nothing helps.
  std::vector<LayerSet> next();
  // The results for what next() returned, in its order. Returns which of them was taken, if any.
  std::optional<std::size_t> report(std::span<const Score> scores);
  // Continues toward another goal from the present state.
  void set_goal(const Goal& goal);

  const LayerSet& kept() const { return kept_; }
  const Score& score() const { return score_; }
  double cost_of(const LayerSet& layers) const;

 private:
  bool fits(const LayerSet& layers) const;
  bool is_at_goal() const { return limits_.goal && is_reached(*limits_.goal, score_); }
  std::vector<LayerSet> next_first();
  std::optional<std::size_t> report_first(std::span<const Score> scores);
  std::vector<LayerSet> next_back();
  std::optional<std::size_t> report_back(std::span<const Score> scores);

  std::vector<double> costs_;
  GreedyLimits limits_;
  std::vector<std::uint32_t> rank_;
  LayerSet kept_;
  Score score_;
  std::size_t window_ = 0;  // how many windows found nothing since the last step
  enum class Phase : std::uint8_t { kFirst, kOn, kBack };
  Phase asked_in_ = Phase::kFirst;
  bool has_begun_ = false, is_back_ = false;
  std::size_t back_count_ = 0;
  std::vector<LayerSet> asked_;
};

}  // namespace planex::quantize
