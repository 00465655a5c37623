#include "ingest/tensorrt/control_flow.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/text.h"
#include "support/test_data.h"

namespace planex::ingest::tensorrt {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Records "0", "1", …; a jump is {from, target} or {from, then, else}.
struct Program {
  std::size_t records;
  std::vector<std::vector<int>> jumps;
};

model::PlanModel run(const Program& program) {
  model::ModelBuilder builder;
  std::vector<std::string> names;
  for (std::size_t i = 0; i <= program.records; ++i) names.push_back(std::to_string(i));
  for (std::size_t i = 0; i < program.records; ++i) {
    builder.add_layer(builder.strings().intern(names[i]));
  }
  std::vector<JumpRecord> jumps;
  for (const std::vector<int>& jump : program.jumps) {
    JumpRecord record{.layer = model::LayerId(static_cast<std::size_t>(jump[0]))};
    const auto name = [&](std::size_t i) {
      return std::string_view(names[static_cast<std::size_t>(jump[i])]);
    };
    if (jump.size() == 2) {
      record.target = name(1);
    } else {
      record.then_target = name(1);
      record.else_target = name(2);
    }
    jumps.push_back(record);
  }
  add_control_flow(jumps, "log", builder);
  return builder.finish();
}

// The block of each record as "kind name", and blocks with those around them.
std::vector<std::string> blocks(const model::PlanModel& model) {
  std::vector<std::string> texts;
  for (std::size_t row = 0; row < model.blocks.row_count(); ++row) {
    std::string records;
    for (std::size_t layer = 0; layer < model.layers.row_count(); ++layer) {
      const model::BlockId block = model.layers.block_id[layer];
      if (!block.is_null() && block.index() == row) records += base::format(" {}", layer);
    }
    const model::BlockId parent = model.blocks.parent_id[row];
    texts.push_back(
        base::format("{}{}{}", model.text(model.blocks.kind[row]),
                     parent.is_null() ? std::string() : base::format(" in {}", parent.index()),
                     records.empty() ? records : ":" + records));
  }
  return texts;
}

TEST(ControlFlow, Conditional) {
  const auto model = run({8, {{1, 2, 4}, {3, 6}, {5, 6}}});
  EXPECT_THAT(blocks(model), ElementsAre("conditional: 1", "branch in 0: 2 3", "branch in 0: 4 5"));
  EXPECT_EQ(model.text(model.blocks.name[1]), "then");
  EXPECT_EQ(model.text(model.blocks.name[2]), "else");
  EXPECT_THAT(test::diagnostic_codes(model), IsEmpty());
}

TEST(ControlFlow, ElseMayComeFirst) {
  const auto model = run({8, {{1, 4, 2}, {3, 6}}});
  EXPECT_THAT(blocks(model), ElementsAre("conditional: 1", "branch in 0: 2 3", "branch in 0: 4 5"));
  EXPECT_EQ(model.text(model.blocks.name[1]), "else");
  EXPECT_THAT(test::diagnostic_codes(model), IsEmpty());
}

TEST(ControlFlow, ConditionalWithoutElse) {
  const auto model = run({6, {{1, 2, 4}}});
  EXPECT_THAT(blocks(model), ElementsAre("conditional: 1", "branch in 0: 2 3"));
  EXPECT_THAT(test::diagnostic_codes(model), IsEmpty());
}

TEST(ControlFlow, NestedConditionals) {
  const auto model = run({12, {{1, 2, 8}, {3, 4, 5}, {4, 6}, {7, 10}}});
  EXPECT_THAT(blocks(model),
              ElementsAre("conditional: 1", "branch in 0: 2 6 7", "conditional in 1: 3",
                          "branch in 2: 4", "branch in 2: 5", "branch in 0: 8 9"));
  EXPECT_THAT(test::diagnostic_codes(model), IsEmpty());
}

TEST(ControlFlow, LoopThatTestsAtItsEnd) {
  const auto model = run({8, {{5, 2, 6}}});
  EXPECT_THAT(blocks(model), ElementsAre("loop: 2 3 4 5"));
  EXPECT_THAT(test::diagnostic_codes(model), IsEmpty());
}

TEST(ControlFlow, LoopThatTestsAtItsStart) {
  const auto model = run({8, {{2, 3, 6}, {5, 2}}});
  EXPECT_THAT(blocks(model), ElementsAre("loop: 2 3 4 5"));
  EXPECT_THAT(test::diagnostic_codes(model), IsEmpty());
}

TEST(ControlFlow, ConditionalInALoopInABranch) {
  const auto model = run({12, {{0, 1, 10}, {3, 4, 6}, {5, 7}, {8, 2, 9}, {9, 11}}});
  EXPECT_THAT(blocks(model), ElementsAre("conditional: 0", "branch in 0: 1 9", "loop in 1: 2 7 8",
                                         "conditional in 2: 3", "branch in 3: 4 5",
                                         "branch in 3: 6", "branch in 0: 10"));
  EXPECT_THAT(test::diagnostic_codes(model), IsEmpty());
}

TEST(ControlFlow, WhatIsNotNestedIsReported) {
  // Two loops that cross.
  const auto crossing = run({8, {{4, 1, 5}, {6, 3, 7}}});
  EXPECT_THAT(blocks(crossing), ElementsAre("loop: 1 2 3 4"));
  EXPECT_THAT(test::diagnostic_codes(crossing), ElementsAre("unstructured-jump"));
  // A conditional both of whose branches are elsewhere.
  const auto elsewhere = run({8, {{1, 3, 5}}});
  EXPECT_THAT(blocks(elsewhere), IsEmpty());
  EXPECT_THAT(test::diagnostic_codes(elsewhere), ElementsAre("unstructured-jump"));
}

TEST(ControlFlow, TargetThatIsNotThere) {
  const auto model = run({3, {{1, 3}}});
  EXPECT_THAT(blocks(model), IsEmpty());
  ASSERT_EQ(model.events.row_count(), 1u);
  EXPECT_TRUE(model.events.target_layer_id.is_null(0));
  EXPECT_THAT(test::diagnostic_codes(model), ElementsAre("jump-without-target"));
}

TEST(ControlFlow, DeepNestingIsNoRecursion) {
  // Each record opens a conditional that ends at the last.
  constexpr int kDepth = 20'000;
  Program program{kDepth + 1, {}};
  for (int i = 0; i + 1 < kDepth; ++i) program.jumps.push_back({i, i + 1, kDepth});
  const auto model = run(program);
  EXPECT_EQ(model.blocks.row_count(), 2u * (kDepth - 1));
  EXPECT_THAT(test::diagnostic_codes(model), IsEmpty());
}

}  // namespace
}  // namespace planex::ingest::tensorrt
