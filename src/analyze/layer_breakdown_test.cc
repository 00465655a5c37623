#include "analyze/layer_breakdown.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "analyze/summary/summary.h"
#include "model/builder.h"

namespace planex::analyze {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class TypesEngine {
 public:
  void add(std::string_view type, std::string_view tactic, model::DType precision,
           std::optional<double> ms, model::Role role = model::Role::kWork) {
    const auto layer = builder_.add_layer(builder_.strings().add("x"));
    model::LayersTable& layers = builder_.model().layers;
    layers.type.set(layer.index(), builder_.strings().intern(type));
    layers.tactic.set(layer.index(), builder_.strings().intern(tactic));
    layers.precision.set(layer.index(), precision);
    layers.median_ms.set(layer.index(), ms);
    layers.role.set(layer.index(), role);
  }
  model::PlanModel model() { return builder_.finish(); }

 private:
  model::ModelBuilder builder_;
};

TEST(BreakDown, AddsUpByAllKeys) {
  TypesEngine engine;
  engine.add("Convolution", "cask", model::DType::kInt8, 1);
  engine.add("Pooling", "", model::DType::kFp32, 0.5);
  engine.add("Convolution", "cask", model::DType::kFp16, 3);
  engine.add("Convolution", "cask", model::DType::kInt8, 0.5);
  engine.add("NoOp", "", model::DType::kInt8, std::nullopt, model::Role::kNoOp);
  const model::PlanModel model = engine.model();
  const Summary summary = summarize(model);
  const LayerKey by_type[] = {LayerKey::kType};
  const auto types = break_down(model, summary.time, by_type);
  ASSERT_EQ(types.size(), 2U);
  EXPECT_THAT(types[0].words, ElementsAre("Convolution"));
  EXPECT_EQ(types[0].totals.count, 3U);
  EXPECT_EQ(types[0].totals.time_ms, 4.5);
  EXPECT_EQ(types[0].totals.share, 0.9);
  EXPECT_THAT(types[1].words, ElementsAre("Pooling"));
  const LayerKey both[] = {LayerKey::kType, LayerKey::kPrecision};
  const auto parts = break_down(model, summary.time, both);
  ASSERT_EQ(parts.size(), 3U);
  EXPECT_THAT(parts[0].words, ElementsAre("Convolution", "FP16"));
  EXPECT_THAT(parts[1].words, ElementsAre("Convolution", "INT8"));
  EXPECT_EQ(parts[1].totals.time_ms, 1.5);
  EXPECT_THAT(parts[2].words, ElementsAre("Pooling", "FP32"));
}

TEST(Distribution, CountsEveryValueOnce) {
  const std::vector<double> values = {0, 1, 2.4, 2.5, 9.9, 10, NAN};
  const Distribution found = distribution_of(values, 4);
  EXPECT_EQ(found.start, 0);
  EXPECT_EQ(found.step, 2.5);
  EXPECT_THAT(found.counts, ElementsAre(3, 1, 0, 2));
  EXPECT_THAT(distribution_of(std::vector<double>{0, 0}, 4).counts, ElementsAre(2));
  EXPECT_THAT(distribution_of(std::vector<double>{}, 4).counts, IsEmpty());
  EXPECT_EQ(distribution_of(std::vector<double>{-2, 2}, 4).start, -2);
}

}  // namespace
}  // namespace planex::analyze
