// Predictions from sums of limits, worked out by hand.
#include "analyze/optimize/predict.h"

#include <gtest/gtest.h>

#include <vector>

namespace planex::analyze {
namespace {

SpeedOfLight speed(const std::vector<std::optional<double>>& bounds_ms) {
  SpeedOfLight speed;
  speed.device.limits = DeviceLimits{.name = "L4"};
  for (const auto& bound_ms : bounds_ms) speed.rows.push_back({.bound_ms = bound_ms});
  return speed;
}

TEST(Predict, TheChangeIsThatOfTheSums) {
  const EngineBound before = engine_bound(speed({1, 2, 1})), after = engine_bound(speed({1, 2}));
  EXPECT_EQ(before.bound_ms, 4);
  EXPECT_EQ(before.device, "L4");
  EXPECT_NEAR(*predict(before, after).change_ratio, -0.25, 1e-12);
}

TEST(Predict, WhatTheFiguresDoNotShowIsNotZero) {
  const EngineBound bound = engine_bound(speed({1, 2, 1}));
  const Prediction same = predict(bound, bound);
  EXPECT_FALSE(same.change_ratio);
  EXPECT_EQ(same.reason, "its layers read, write and compute as much as before");
}

TEST(Predict, ATypeIsPredictedBeforeAnythingIsBuilt) {
  SpeedOfLight engine = speed({4, 2});
  engine.rows[0] = {
      .memory_ms = 1, .compute_ms = 4, .bound_ms = 4, .rate_type = model::DType::kFp32};
  engine.rows[1] = {.memory_ms = 2, .bound_ms = 2, .rate_type = model::DType::kInt8};
  model::Rates& peaks = engine.device.limits->matrix_flops_per_s;
  peaks.set(model::DType::kFp32, 10);
  peaks.set(model::DType::kInt8, 80);
  // 4 / 8 of computing, which is more than 1 / 4 of memory; what is INT8 already stays.
  const EngineBound bound = engine_bound(engine);
  EXPECT_NEAR(*predict_type(bound, model::DType::kInt8).change_ratio, 2.5 / 6 - 1, 1e-12);
  EXPECT_FALSE(predict_type(bound, model::DType::kFp16).change_ratio);
}

TEST(Predict, LayersWithoutALimitCouldHideAnything) {
  const EngineBound known = engine_bound(speed({1, 2, 1}));
  const EngineBound unknown = engine_bound(speed({1, 2, std::nullopt}));
  EXPECT_FALSE(unknown.bound_ms);
  EXPECT_EQ(predict(known, unknown).reason,
            "1 of 3 layers tell neither their bytes nor their operations");
  SpeedOfLight nowhere = speed({1});
  nowhere.device = {.problem = "the files don't name the device"};
  EXPECT_EQ(predict(known, engine_bound(nowhere)).reason, "the files don't name the device");
}

}  // namespace
}  // namespace planex::analyze
