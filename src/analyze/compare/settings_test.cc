#include "analyze/compare/settings.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "analyze/align/test_engine.h"

namespace planex::analyze {
namespace {

model::PlanModel engine_with(std::int64_t batch, const char* threads, const char* precision) {
  model::ModelBuilder builder;
  builder.model().engine.add_row();
  builder.model().engine.batch_size.set(0, batch);
  builder.add_metadata("engine", "precision_used", precision, "x.graph.json");
  if (threads != nullptr) builder.add_metadata("engine", "threads", threads, "x.graph.json");
  return builder.finish();
}

TEST(Settings, ThatDifferAreTold) {
  const model::PlanModel one = engine_with(1, "1", "f32"), other = engine_with(8, "4", "f32");
  const auto differences = setting_differences(one, other);
  ASSERT_EQ(differences.size(), 2U);
  EXPECT_EQ(differences[0].key, "batch");
  EXPECT_EQ(differences[0].a, "1");
  EXPECT_EQ(differences[0].b, "8");
  EXPECT_EQ(differences[1].key, "threads");
  EXPECT_EQ(differences[1].b, "4");
  EXPECT_TRUE(setting_differences(one, one).empty());
  // A setting that one of them doesn't record is not a difference.
  EXPECT_TRUE(setting_differences(one, engine_with(1, nullptr, "f32")).empty());
}

TEST(Settings, ThePrecisionThatWasAskedForMayNotBeTheOneUsed) {
  const auto engine = [](const char* asked, const char* used) {
    model::ModelBuilder builder;
    if (asked != nullptr) builder.add_metadata("engine", "precision", asked, "x.graph.json");
    if (used != nullptr) builder.add_metadata("engine", "precision_used", used, "x.graph.json");
    return builder.finish();
  };
  const model::PlanModel fallen_back = engine("bf16", "f32");
  const auto unmet = unmet_precision(fallen_back);
  ASSERT_TRUE(unmet.has_value());
  EXPECT_EQ(unmet->asked, "bf16");
  EXPECT_EQ(unmet->used, "f32");
  for (const auto& [asked, used] :
       {std::pair{"f32", "f32"}, {"f32", nullptr}, {nullptr, "f32"}, {nullptr, nullptr}}) {
    EXPECT_FALSE(unmet_precision(engine(asked, used)).has_value());
  }
}

std::vector<TestLayer> chain(const char* prefix, std::int64_t channels, const char* type,
                             model::Family family) {
  std::vector<TestLayer> layers;
  for (int i = 0; i < 20; ++i) {
    layers.push_back({.name = prefix + std::to_string(i),
                      .in = {"t" + std::to_string(i)},
                      .out = {"t" + std::to_string(i + 1)},
                      .sources = {},
                      .type = type,
                      .family = family,
                      .dims = {1, channels + i, 8, 8}});
  }
  return layers;
}

TEST(Settings, EnginesOfDifferentModelsAreUnrelated) {
  const auto convolutions = chain("conv", 64, "Convolution", model::Family::kConvolution);
  const model::PlanModel a = engine_of(convolutions);
  const model::PlanModel renamed =
      engine_of(chain("other", 64, "Convolution", model::Family::kConvolution));
  const model::PlanModel pooling = engine_of(chain("pool", 7, "Pooling", model::Family::kPool));
  EXPECT_FALSE(are_unrelated(align(a, a)));
  EXPECT_FALSE(are_unrelated(align(a, renamed)));
  EXPECT_TRUE(are_unrelated(align(a, pooling)));
  EXPECT_FALSE(are_unrelated(Alignment{}));
}

// It is open which layer matches which, but clear that they come from one model.
TEST(Settings, WhatIsLeftOpenIsNoStranger) {
  const auto links = [](const char* prefix, int count) {
    std::vector<TestLayer> layers;
    for (int i = 0; i < count; ++i) {
      layers.push_back({.name = prefix + std::string(static_cast<std::size_t>(i) + 1, 'x'),
                        .in = {"t" + std::to_string(i)},
                        .out = {"t" + std::to_string(i + 1)},
                        .sources = {},
                        .type = "Convolution",
                        .family = model::Family::kConvolution,
                        .dims = {1, 64, 8, 8}});
    }
    return layers;
  };
  const model::PlanModel a = engine_of(links("a", 40)), b = engine_of(links("b", 37));
  const Alignment alignment = align(a, b);
  EXPECT_GT(alignment.undecided_a, 20U);
  EXPECT_EQ(align(b, a).undecided_b, alignment.undecided_a);
  EXPECT_FALSE(are_unrelated(alignment));
}

}  // namespace
}  // namespace planex::analyze
