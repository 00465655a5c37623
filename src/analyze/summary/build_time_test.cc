#include "analyze/summary/build_time.h"

#include <gtest/gtest.h>

#include "model/builder.h"

namespace planex::analyze {
namespace {

TEST(BuildTime, IsEmptyWithoutALog) {
  model::ModelBuilder builder;
  const BuildTime found = find_build_time(builder.finish());
  EXPECT_FALSE(found.build_s);
  EXPECT_FALSE(found.accounted_s);
  EXPECT_TRUE(found.phases.empty());
}

TEST(BuildTime, IsOfTrtexecBeforeThatOfTheBuilder) {
  model::ModelBuilder builder;
  builder.add_metadata("build", "engine_generation_s", "2371.2", "x.log");
  builder.add_metadata("build", "engine_build_s", "2405.4", "x.log");
  builder.add_metadata("build", "tactic_selection_s", "2340", "x.log");
  const BuildTime found = find_build_time(builder.finish());
  EXPECT_DOUBLE_EQ(found.build_s.value_or(-1), 2405.4);
  ASSERT_EQ(found.phases.size(), 1u);
  EXPECT_DOUBLE_EQ(found.accounted_share.value_or(-1), 2340 / 2405.4);
}

TEST(BuildTime, DoesNotTakeOneVersionForTheWhole) {
  model::ModelBuilder builder;
  builder.add_metadata("build", "engine_generation_s", "9", "x.log");
  model::PlanModel model = builder.finish();
  const std::size_t row = model.tactic_choices.add_row();
  model.tactic_choices.version.set(row, 1);
  EXPECT_FALSE(find_build_time(model).build_s);
}

}  // namespace
}  // namespace planex::analyze
