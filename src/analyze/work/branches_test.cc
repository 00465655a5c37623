#include "analyze/work/branches.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string_view>

#include "analyze/summary/summary.h"
#include "model/builder.h"

namespace planex::analyze {
namespace {

using model::BlockId;
using model::PlanModel;

// Layers of 100, 66 and 524 flops: before a conditional, and in its branches.
class BranchesTest : public testing::Test {
 protected:
  static PlanModel make(bool has_else = true) {
    model::ModelBuilder builder;
    const BlockId conditional = builder.add_block("if", "conditional");
    const BlockId then = builder.add_block("then", "branch", conditional);
    const BlockId other = has_else ? builder.add_block("else", "branch", conditional) : BlockId();
    add(builder, "before", BlockId(), 100);
    add(builder, "small", then, 66);
    if (has_else) add(builder, "large", other, 524);
    return builder.finish();
  }

  static void add(model::ModelBuilder& builder, std::string_view name, BlockId block,
                  std::int64_t flops) {
    const model::LayerId layer = builder.add_layer(builder.strings().intern(name));
    model::LayersTable& layers = builder.model().layers;
    layers.role.set(layer.index(), model::Role::kWork);
    layers.family.set(layer.index(), model::Family::kGemm);
    if (!block.is_null()) layers.block_id.set(layer.index(), block);
    layers.flops.set(layer.index(), flops);
  }

  static void set_times(PlanModel& model, std::initializer_list<std::optional<double>> times) {
    std::size_t row = 0;
    for (const auto time : times) model.layers.median_ms.set(row++, time);
  }
};

TEST_F(BranchesTest, OneOfThemCounts) {
  const PlanModel model = make();
  const Branches branches(model);
  EXPECT_TRUE(branches.any());
  const Branches::Range flops = branches.total(model.layers.flops);
  EXPECT_EQ(flops.least, 166);
  EXPECT_EQ(flops.most, 624);
  const Summary summary = summarize(model);
  EXPECT_EQ(summary.flops, 624);
  EXPECT_EQ(summary.least_flops, 166);
  const Branches::Range nothing = branches.total(model.layers.macs);
  EXPECT_FALSE(nothing.least);
  EXPECT_FALSE(nothing.most);
}

TEST_F(BranchesTest, OneWithoutAnElseMayDoNothing) {
  const PlanModel model = make(false);
  const Branches::Range flops = Branches(model).total(model.layers.flops);
  EXPECT_EQ(flops.least, 100);
  EXPECT_EQ(flops.most, 166);
}

TEST_F(BranchesTest, TimesShowWhichRan) {
  PlanModel model = make();
  set_times(model, {1.0, std::nullopt, 2.0});
  Branches::Range flops = Branches(model).total(model.layers.flops);
  EXPECT_EQ(flops.least, 624);
  EXPECT_EQ(flops.most, 624);
  EXPECT_FALSE(Branches(model).may_run(1));
  EXPECT_TRUE(Branches(model).may_run(2));
  EXPECT_FALSE(summarize(model).least_flops);

  set_times(model, {1.0, 0.5, 0.0});
  flops = Branches(model).total(model.layers.flops);
  EXPECT_EQ(flops.least, 166);
  EXPECT_EQ(flops.most, 166);
  // Inferences of both kinds were measured.
  set_times(model, {1.0, 0.5, 2.0});
  EXPECT_EQ(Branches(model).total(model.layers.flops).least, 166);
  EXPECT_EQ(Branches(model).total(model.layers.flops).most, 624);
}

TEST_F(BranchesTest, ThoseInsideOthersAreChosenFirst) {
  model::ModelBuilder builder;
  const BlockId outer = builder.add_block("outer", "conditional");
  const BlockId first = builder.add_block("then", "branch", outer);
  const BlockId second = builder.add_block("else", "branch", outer);
  const BlockId inner = builder.add_block("inner", "conditional", first);
  const BlockId third = builder.add_block("then", "branch", inner);
  const BlockId fourth = builder.add_block("else", "branch", inner);
  add(builder, "a", first, 1);
  add(builder, "b", third, 10);
  add(builder, "c", fourth, 20);
  add(builder, "d", second, 100);
  const PlanModel model = builder.finish();
  const Branches::Range flops = Branches(model).total(model.layers.flops);
  EXPECT_EQ(flops.least, 11);
  EXPECT_EQ(flops.most, 100);
}

TEST_F(BranchesTest, AnEngineWithoutOnesIsSummedUp) {
  model::ModelBuilder builder;
  const BlockId loop = builder.add_block("loop", "loop");
  add(builder, "a", loop, 1);
  add(builder, "b", BlockId(), 2);
  const PlanModel model = builder.finish();
  EXPECT_FALSE(Branches(model).any());
  EXPECT_EQ(Branches(model).total(model.layers.flops).least, 3);
  EXPECT_EQ(Branches(model).total(model.layers.flops).most, 3);
}

}  // namespace
}  // namespace planex::analyze
