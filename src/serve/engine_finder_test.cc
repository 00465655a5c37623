#include "serve/engine_finder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text.h"

namespace planex::serve {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr std::string_view kGraph = R"({"Layers": [{"Name": "a", "LayerType": "NoOp"}]})";

std::vector<std::string> engines_of(const Seen& seen) {
  std::vector<std::string> engines;
  for (const auto& folder : seen.folders) {
    engines.insert(engines.end(), folder->engines.begin(), folder->engines.end());
  }
  return engines;
}

TEST(EngineFinder, FindsEnginesAtAnyDepthAndNoneInHiddenFolders) {
  base::MemoryFiles files;
  files.add("runs/x.graph.json", kGraph);
  files.add("runs/a/b/c/x.graph.json", kGraph);
  files.add("runs/.hidden/x.graph.json", kGraph);
  files.add("runs/notes/readme.txt", "nothing");
  files.add("elsewhere/x.graph.json", kGraph);
  EXPECT_THAT(engines_of(EngineFinder(files, {"runs"}).look()), ElementsAre("runs", "runs/a/b/c"));
  // A hidden folder that is named is searched.
  EXPECT_THAT(engines_of(EngineFinder(files, {"runs/.hidden"}).look()),
              ElementsAre("runs/.hidden"));
}

TEST(EngineFinder, OfANamedFileOnlyTheFile) {
  base::MemoryFiles files;
  files.add("runs/one.graph.json", kGraph);
  files.add("runs/two.graph.json", kGraph);
  files.add("runs/deep/x.graph.json", kGraph);
  EXPECT_THAT(engines_of(EngineFinder(files, {"runs"}).look()),
              ElementsAre("runs/one.graph.json", "runs/two.graph.json", "runs/deep"));
  EXPECT_THAT(engines_of(EngineFinder(files, {"runs/two.graph.json"}).look()),
              ElementsAre("runs/two.graph.json"));
}

TEST(EngineFinder, AFolderIsAnotherObjectWhenItsFilesAreOthers) {
  base::MemoryFiles files;
  files.add("runs/a/x.graph.json", kGraph);
  files.add("runs/b/x.graph.json", kGraph);
  EngineFinder finder(files, {"runs"});
  const Seen first = finder.look();
  const Seen second = finder.look();
  ASSERT_EQ(first.folders.size(), 2U);
  EXPECT_EQ(first.folders, second.folders);
  files.add("runs/b/x.profile.json", "[]");
  const Seen third = finder.look();
  EXPECT_EQ(third.folders[0], first.folders[0]);
  EXPECT_NE(third.folders[1], first.folders[1]);
  files.add("runs/c/x.graph.json", kGraph);
  EXPECT_THAT(engines_of(finder.look()), ElementsAre("runs/a", "runs/b", "runs/c"));
}

TEST(EngineFinder, PlacesThatLieInOthersAreMetOnce) {
  base::MemoryFiles files;
  files.add("runs/a/x.graph.json", kGraph);
  EXPECT_THAT(engines_of(EngineFinder(files, {"runs", "runs/a", "runs"}).look()),
              ElementsAre("runs/a"));
}

TEST(EngineFinder, WhatIsThereAndNotLookedAtIsSaid) {
  base::MemoryFiles files;
  for (int i = 0; i < 9; ++i) files.add(base::format("runs/{}/x.graph.json", i), kGraph);
  files.add("runs/0/1/2/x.graph.json", kGraph);
  EXPECT_THAT(EngineFinder(files, {"runs"}).look().left_out, IsEmpty());

  const Seen few_folders = EngineFinder(files, {"runs"}, {.max_folders = 4}).look();
  EXPECT_THAT(few_folders.left_out, HasSubstr("the first 4 folders"));
  EXPECT_EQ(few_folders.folders.size(), 3U);  // and "runs" itself, which has no engine
  EXPECT_THAT(EngineFinder(files, {"runs"}, {.max_engines = 3}).look().left_out,
              HasSubstr("the first 4 engines"));
  EXPECT_THAT(EngineFinder(files, {"runs"}, {.max_files = 5}).look().left_out,
              HasSubstr("6 files"));
  const Seen flat = EngineFinder(files, {"runs"}, {.max_depth = 2}).look();
  EXPECT_THAT(flat.left_out, HasSubstr("more than 2 deep"));
  EXPECT_EQ(flat.folders.size(), 9U);
}

TEST(EngineFinder, EndsWhenItIsTold) {
  base::MemoryFiles files;
  for (int i = 0; i < 9; ++i) files.add(base::format("runs/{}/x.graph.json", i), kGraph);
  int asked = 0;
  const Seen seen = EngineFinder(files, {"runs"}).look([&] { return ++asked > 3; });
  EXPECT_EQ(seen.folders.size(), 2U);  // "runs", "runs/0", "runs/1"
}

}  // namespace
}  // namespace planex::serve
