// Which colour each node has, in each of the ways to colour a graph, and the legend that says so.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graph/plan_graph.h"
#include "render/words/palette.h"

namespace planex::render {

enum class ColourMode : std::uint8_t {
  kType,
  kPrecision,  // type of the first data input
  kHeat,       // median time (mean where there are none)
  kMemory,     // bytes moved
  kStream,
};

// Edges of the six steps: quantiles of the values above 0, so that one slow layer does not whiten
// the rest. Values below bounds[i] and not below bounds[i - 1] are step i. Two bounds are the same
// only if no larger value is left, so that a value that most layers have is not the hottest.
struct HeatScale {
  std::array<double, kHeatSteps - 1> bounds{};
  double least = 0, greatest = 0;
  std::size_t step(double value) const;
};
// Nothing if no value is known.
std::optional<HeatScale> heat_scale(std::vector<double> values);

struct LegendEntry {
  std::string label;      // "Convolution", "FP16", "36.9 – 61.4 µs", "stream 2"
  std::string_view fill;  // empty: unknown, a dashed outline
  bool is_hatched = false;
};

class Paint {
 public:
  // Only nodes of `graph` count for the heat's quantiles and the legend.
  Paint(const model::PlanModel& model, const graph::PlanGraph& graph, ColourMode mode,
        Palette palette);

  const Palette& palette() const { return palette_; }
  ColourMode mode() const { return mode_; }
  // Bindings and memory are not layers: a neutral colour, or that of their type with kPrecision. An
  // operation has the colour of the layer that it became. Empty: unknown.
  std::string_view fill(const graph::Node& node) const;
  // The colour of a time or size that is not a layer's own: a folded group. Empty: unknown, or the
  // mode has no heat.
  std::string_view heat(std::optional<double> value) const;
  // One entry per colour. Types in order of their time (then count), those that share a colour
  // together; precisions and streams in order of their number.
  std::vector<LegendEntry> legend() const;

 private:
  model::LayerId layer_of(const graph::Node& node) const;
  std::optional<double> value_of(model::LayerId layer) const;
  std::string_view layer_fill(model::LayerId layer) const;
  model::DType dtype_of(const graph::Node& node) const;
  std::vector<LegendEntry> type_legend() const;
  std::vector<LegendEntry> precision_legend() const;
  std::vector<LegendEntry> heat_legend() const;
  std::vector<LegendEntry> stream_legend() const;

  const model::PlanModel* model_;
  const graph::PlanGraph* graph_;
  ColourMode mode_;
  Palette palette_;
  std::optional<HeatScale> scale_;
  // The source view only.
  std::vector<model::LayerId> layer_of_operation_;
};

}  // namespace planex::render
