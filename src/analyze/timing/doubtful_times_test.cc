#include "analyze/timing/doubtful_times.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analyze/complete/complete.h"
#include "model/builder.h"
#include "support/test_data.h"

namespace planex::analyze {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

struct TwoLayerTimes {
  double mean_ms, median_ms;  // of each of two layers
  double inference_ms;        // 0: none
  bool is_second_layer_timed = true;
};

std::vector<std::string> codes_of(const TwoLayerTimes& times) {
  model::ModelBuilder builder;
  for (int i = 0; i < 2; ++i) {
    const model::LayerId layer = builder.add_layer(builder.strings().intern(i == 0 ? "a" : "b"));
    builder.model().layers.role.set(layer.index(), model::Role::kWork);
    if (i == 1 && !times.is_second_layer_timed) continue;
    builder.model().layers.mean_ms.set(layer.index(), times.mean_ms);
    builder.model().layers.median_ms.set(layer.index(), times.median_ms);
  }
  if (times.inference_ms > 0) {
    model::IterationsTable& table = builder.model().iterations;
    for (int i = 0; i < 20; ++i) table.compute_ms.set(table.add_row(), times.inference_ms);
  }
  model::PlanModel model = builder.finish();
  complete(model);
  return test::diagnostic_codes(model);
}

TEST(DoubtfulTimes, AreNamed) {
  EXPECT_THAT(codes_of({1.1, 1.0, 2.0}), IsEmpty());
  // Profiled layers take longer than the inference.
  EXPECT_THAT(codes_of({1.1, 1.0, 1.5}), IsEmpty());
  EXPECT_THAT(codes_of({3.1, 1.0, 2.0}), ElementsAre("means-above-medians"));
  EXPECT_THAT(codes_of({1.0, 1.0, 5.4}), ElementsAre("layers-below-end-to-end"));
  EXPECT_THAT(codes_of({3.1, 1.0, 5.4}),
              ElementsAre("means-above-medians", "layers-below-end-to-end"));
  // The layers without a time may account for the difference.
  EXPECT_THAT(codes_of({1.0, 1.0, 5.4, false}), IsEmpty());
  EXPECT_THAT(codes_of({1.0, 1.0, 0}), IsEmpty());
}

}  // namespace
}  // namespace planex::analyze
