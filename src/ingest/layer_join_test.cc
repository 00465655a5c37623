#include "ingest/layer_join.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace planex::ingest {
namespace {

model::PlanModel model_of(const std::vector<std::string>& names) {
  model::ModelBuilder builder;
  for (const std::string& name : names) builder.add_layer(builder.strings().add(name));
  return builder.finish();
}

// The layers that rows with these names get; -1 for none.
std::vector<int> joined(const model::PlanModel& model, const std::vector<std::string>& rows) {
  LayerJoin join(model);
  std::vector<int> result;
  for (const std::string& row : rows) {
    const model::LayerId layer = join.next(row);
    result.push_back(layer.is_null() ? -1 : static_cast<int>(layer.index()));
  }
  const auto missed = static_cast<std::size_t>(std::ranges::count(result, -1));
  EXPECT_EQ(join.joined_count(), rows.size() - missed);
  return result;
}

TEST(LayerJoin, FollowsTheOrderOfTheLayers) {
  const auto model = model_of({"a", "b", "c"});
  EXPECT_EQ(joined(model, {"a", "b", "c"}), (std::vector{0, 1, 2}));
  EXPECT_EQ(joined(model, {}), (std::vector<int>{}));
}

TEST(LayerJoin, FindsShuffledRows) {
  const auto model = model_of({"a", "b", "c", "d"});
  EXPECT_EQ(joined(model, {"d", "b", "a", "c"}), (std::vector{3, 1, 0, 2}));
  EXPECT_EQ(joined(model, {"a", "b", "d", "c"}), (std::vector{0, 1, 3, 2}));
}

TEST(LayerJoin, GivesEqualNamesInTheOrderOfTheLayers) {
  const auto model = model_of({"a", "x", "b", "x", "x"});
  EXPECT_EQ(joined(model, {"a", "x", "b", "x", "x"}), (std::vector{0, 1, 2, 3, 4}));
  EXPECT_EQ(joined(model, {"x", "x", "x", "a", "b"}), (std::vector{1, 3, 4, 0, 2}));
  EXPECT_EQ(joined(model, {"b", "x", "a", "x", "x"}), (std::vector{2, 1, 0, 3, 4}));
}

TEST(LayerJoin, HasNoLayerForExtraRows) {
  const auto model = model_of({"a", "b"});
  EXPECT_EQ(joined(model, {"data to nvm", "a", "b", "finish"}), (std::vector{-1, 0, 1, -1}));
  EXPECT_EQ(joined(model, {"a", "a", "b"}), (std::vector{0, -1, 1}));  // one row too many
  EXPECT_EQ(joined(model, {"a", "b", "a"}), (std::vector{0, 1, -1}));
  EXPECT_EQ(joined(model_of({}), {"a"}), (std::vector{-1}));
}

TEST(LayerJoin, SkipsLayersWithoutARow) {
  const auto model = model_of({"noop", "a", "noop2", "b"});
  EXPECT_EQ(joined(model, {"a", "b"}), (std::vector{1, 3}));
}

TEST(LayerJoin, JoinsALayerOnceWhenTheOrderBreaksLate) {
  // "x" at 1 is assigned while the rows are in order; the index made later must not assign it
  // again.
  const auto model = model_of({"a", "x", "b", "x"});
  EXPECT_EQ(joined(model, {"a", "x", "x", "x", "b"}), (std::vector{0, 1, 3, -1, 2}));
}

}  // namespace
}  // namespace planex::ingest
