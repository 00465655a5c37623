// What layers of a measured engine tell of one another: how long one would take in another type.
// Every answer is a range of which both ends are seen in that engine.
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
  // Cost: O(layers · log layers); each question O(log layers).
  explicit LayerTimes(const MeasuredEngine& engine);

  // What a product in float gains in INT8: its time less that of the INT8 products of this engine
  // that are nearest to it in multiply-accumulates and bytes. Negative: INT8 takes longer. Null:
  // its time or work is not known, or no INT8 product is like it.
  std::optional<TimeRange> int8_gain(const MeasuredLayer& layer) const;

  // The same where no INT8 product is like it: from nothing to what a vector of INT8 gains, which
  // holds four values for each of FP32, in half as many instructions. Null: its time is not known.
  static std::optional<TimeRange> width_gain(const MeasuredLayer& layer);

  // What a layer gains where it reads and writes so many bytes less: at most their part of its
  // time. And no more than as many bytes take the engine's slowest mover of their size, twice where
  // it is no product: who computes hides what moving takes. Null: its time or size is not known.
  std::optional<TimeRange> bytes_gain(const MeasuredLayer& layer, std::int64_t saved_bytes) const;

  // What an INT8 product gains that writes INT8 in place of float: its time less that of the
  // engine's products of the same work that do. Where there is none, as for fewer bytes.
  std::optional<TimeRange> writing_gain(const MeasuredLayer& layer, std::int64_t saved_bytes) const;

  // At most what a conversion of so many bytes takes: as long as the slowest of those of this
  // engine that are nearest in size, in proportion. Null: the engine has none.
  std::optional<double> conversion_ms(std::int64_t moved_bytes) const;

 private:
  // How much work took how long.
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

  // By work: multiply-accumulates, or bytes.
  std::vector<Rate> int8_products_, conversions_;
  std::vector<Rate> movers_;  // conversions and pointwise layers
  std::vector<Twin> twins_;   // by multiply-accumulates
};

}  // namespace planex::quantize
