// What a change should bring, by what an engine's layers have to do: the only figure where nothing
// can be measured, and kept beside what came of it where something can.
//
// A layer needs at least the time in which the device reads and writes its bytes, or computes its
// operations (speed.h). A prediction compares the sums of these over two builds. It knows nothing
// of how near kernels come to the device's limits, or of the time to start them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analyze/explain/speed.h"

namespace planex::analyze {

// Predictions below this are not acted on: a sum of lower limits is no better than that.
inline constexpr double kMinPredictedRatio = 0.01;

// The least time of an engine's layers, one after the other.
struct EngineBound {
  std::optional<double> bound_ms;
  std::string device;
  std::string reason;  // why it is null, without a full stop
  // The same if all layers that compute in floats of more bits read, write and computed in this
  // type. Only types for which the device has a peak.
  std::vector<std::pair<model::DType, double>> as_type_ms;
};

// Null where the device is not known, or more than a tenth of the layers have no limit.
// Cost: O(layers).
EngineBound engine_bound(const SpeedOfLight& speed);

struct Prediction {
  std::optional<double> change_ratio;  // after ÷ before − 1
  std::string reason;                  // why it is null
};

// Null also where both need the same: a change that these figures don't show is not one of nothing.
Prediction predict(const EngineBound& before, const EngineBound& after);
// Before anything is built: good enough to choose what to try first.
Prediction predict_type(const EngineBound& before, model::DType type);

}  // namespace planex::analyze
