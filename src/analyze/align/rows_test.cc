#include "analyze/align/rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analyze/align/test_engine.h"

namespace planex::analyze {
namespace {

using model::PlanModel;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

// "a1 + a2 | b | - (source)"
std::vector<std::string> say(std::span<const PlanModel* const> engines) {
  std::vector<std::string> lines;
  for (const AlignedRow& row : align_rows(engines)) {
    std::string line;
    for (std::size_t engine = 0; engine < engines.size(); ++engine) {
      if (engine > 0) line += " | ";
      std::string names;
      for (const model::LayerId layer : row.layers[engine]) {
        if (!names.empty()) names += " + ";
        names += engines[engine]->text(engines[engine]->layers.name[layer.index()]);
      }
      line += names.empty() ? "-" : names;
    }
    lines.push_back(line + " (" + std::string(to_string(row.by)) + ")");
  }
  return lines;
}

TestLayer conv(const char* name, const char* in, const char* out,
               std::vector<std::string> sources) {
  return {.name = name, .in = {in}, .out = {out}, .sources = std::move(sources)};
}

TEST(AlignRows, NoEngineHasNoRows) { EXPECT_THAT(align_rows({}), IsEmpty()); }

TEST(AlignRows, OneEngineHasARowForEachLayer) {
  const PlanModel only = engine_of({conv("1", "x", "p", {}), conv("2", "p", "y", {})});
  const PlanModel* const engines[] = {&only};
  EXPECT_THAT(say(engines), ElementsAre("1 (none)", "2 (none)"));
}

TEST(AlignRows, FusionInOneEngineJoinsTheRowsOfAll) {
  const PlanModel apart = engine_of({conv("c", "x", "p", {"Conv"}), conv("r", "p", "y", {"Relu"})});
  const PlanModel fused = engine_of({conv("c+r", "x", "y", {"Conv", "Relu"})});
  const PlanModel* const engines[] = {&apart, &fused, &apart};
  EXPECT_THAT(say(engines), ElementsAre("c + r | c+r | c + r (source)"));
}

TEST(AlignRows, WhatTheFirstLacksIsAlignedWithTheOneBefore) {
  const TestLayer first = conv("1", "x", "p", {"A"}), last = conv("2", "q", "y", {"B"});
  const PlanModel without = engine_of({first, last});
  const PlanModel with = engine_of({first, reformat("copy", "p", "q"), last});
  const PlanModel* const engines[] = {&without, &with, &with};
  EXPECT_THAT(say(engines),
              ElementsAre("1 | 1 | 1 (source)", "- | copy | copy (source)", "2 | 2 | 2 (source)"));
}

}  // namespace
}  // namespace planex::analyze
