#include "analyze/compare/types.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <string_view>
#include <vector>

#include "model/builder.h"

namespace planex::analyze {
namespace {

using model::LayerId;
using model::PlanModel;

struct TypedLayer {
  std::string_view type;
  std::optional<double> median_ms;
  model::Role role = model::Role::kWork;
};

// Means that differ from medians show how much times spread.
PlanModel typed_engine(const std::vector<TypedLayer>& layers) {
  model::ModelBuilder builder;
  for (const TypedLayer& facts : layers) {
    const LayerId layer = builder.add_layer(builder.strings().add(facts.type));
    model::LayersTable& table = builder.model().layers;
    const std::size_t row = layer.index();
    table.type.set(row, builder.strings().intern(facts.type));
    table.role.set(row, facts.role);
    table.median_ms.set(row, facts.median_ms);
    if (facts.median_ms) table.mean_ms.set(row, *facts.median_ms * 1.001);
    table.count.set(row, 100);
  }
  return builder.finish();
}

TEST(CompareTypes, AddsUpTheLayersOfEach) {
  const PlanModel a = typed_engine({{"conv", 0.2},
                                    {"pool", 0.1},
                                    {"conv", 0.3},
                                    {"conv", 9.0, model::Role::kNoOp},
                                    {"gone", 0.01}});
  const PlanModel b = typed_engine({{"conv", 0.4}, {"new", 0.02}, {"pool", 0.1}});
  const std::vector<TypeChange> types = compare_types(a, b);
  ASSERT_EQ(types.size(), 4u);
  EXPECT_EQ(types[0].type, "conv");
  EXPECT_EQ(types[0].a_layers, 2);
  EXPECT_EQ(types[0].b_layers, 1);
  EXPECT_NEAR(*types[0].change.change_ms, -0.1, 1e-12);
  EXPECT_EQ(types[0].change.changed, Changed::kYes);
  EXPECT_EQ(types[1].type, "pool");
  EXPECT_EQ(types[1].change.changed, Changed::kNo);
  EXPECT_EQ(types[2].type, "gone");
  EXPECT_EQ(types[2].b_layers, 0);
  EXPECT_EQ(types[2].change.changed, Changed::kYes) << "whatever the noise";
  EXPECT_EQ(types[3].type, "new");
  EXPECT_NEAR(*types[3].change.change_ms, 0.02, 1e-12);
}

TEST(CompareTypes, KnowsNoSumWhereATimeIsMissing) {
  const PlanModel a = typed_engine({{"conv", 0.2}, {"conv", std::nullopt}});
  const PlanModel b = typed_engine({{"conv", 0.4}});
  const std::vector<TypeChange> types = compare_types(a, b);
  ASSERT_EQ(types.size(), 1u);
  EXPECT_FALSE(types[0].change.change_ms);
  EXPECT_EQ(types[0].change.changed, Changed::kUnknown);
}

TEST(CompareTypes, IsAntisymmetric) {
  const PlanModel a = typed_engine({{"conv", 0.2}, {"pool", 0.1}});
  const PlanModel b = typed_engine({{"pool", 0.3}, {"conv", 0.25}});
  const std::vector<TypeChange> forth = compare_types(a, b), back = compare_types(b, a);
  ASSERT_EQ(forth.size(), 2u);
  EXPECT_DOUBLE_EQ(*forth[0].change.change_ms, -*back[1].change.change_ms);
  EXPECT_DOUBLE_EQ(*forth[0].change.low_ms, -*back[1].change.high_ms);
}

}  // namespace
}  // namespace planex::analyze
