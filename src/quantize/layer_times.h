// Estimates from the layers of a measured engine how long a layer would take in another type. Every
// answer is a range, and both ends were seen in that engine.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "quantize/measured_engine.h"

namespace planex::quantize {

struct TimeRange {
  double low_ms = 0, high_ms = 0;
};

class LayerTimes {
 public:
  // Cost: O(layers · log layers); O(log layers) per query.
  explicit LayerTimes(const MeasuredEngine& engine);

  // What a float product gains in INT8: its time less that of this engine's INT8 products that are
  // nearest to it in multiply-accumulates and bytes. Negative: INT8 takes longer. Null: its time or
  // work is unknown, or no INT8 product is similar.
  std::optional<TimeRange> int8_gain(const MeasuredLayer& layer) const;

  // The same where no INT8 product is similar: from nothing to the gain of an INT8 vector, which
  // contains four values for one of FP32, in half as many instructions. Null: its time is unknown.
  static std::optional<TimeRange> width_gain(const MeasuredLayer& layer);

  // What a layer gains from reading and writing this many bytes less: at most their share of its
  // time. At most also the time that the engine's slowest mover of that size takes for as many
  // bytes, or twice that where the layer is not a product: computation hides the time of moving.
  // Null: its time or size is unknown.
  std::optional<TimeRange> bytes_gain(const MeasuredLayer& layer, std::int64_t saved_bytes) const;

  // What an INT8 product gains by writing INT8 instead of float: its time less that of the engine's
  // products with the same work that do. Where there are none, the same as for fewer bytes.
  std::optional<TimeRange> writing_gain(const MeasuredLayer& layer, std::int64_t saved_bytes) const;

  // Upper limit for a conversion of this many bytes: the time of the slowest of this engine's
  // conversions nearest in size, in proportion. Null: the engine has none.
  std::optional<double> conversion_ms(std::int64_t moved_bytes) const;

 private:
  // How long how much work took.
  struct Rate {
    double work = 0, bytes = 0, ms = 0;
  };

  // A product that reads and writes INT8.
  struct Twin {
    std::int64_t macs = 0, written = 0;
    double ms = 0;
  };

  static std::vector<Rate> nearest(std::span<const Rate> rates, double work, double bytes);
  static TimeRange ends(std::span<const Rate> rates);

  // Sorted by work: multiply-accumulates, or bytes.
  std::vector<Rate> int8_products_, conversions_;
  std::vector<Rate> movers_;  // conversions and pointwise layers
  std::vector<Twin> twins_;   // by multiply-accumulates
};

}  // namespace planex::quantize
