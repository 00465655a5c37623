#include "serve/engine_files.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/text.h"
#include "ingest/discover/file_names.h"

namespace planex::serve {
namespace {

SeenFolder folder_of(std::vector<base::FileEntry> files, std::vector<std::string> engines) {
  SeenFolder folder{
      .path = "r", .files = std::move(files), .engines = std::move(engines), .stems = {}};
  folder.index();
  return folder;
}

TEST(EngineFiles, AnArchiveHoldsWhatLiesInIt) {
  EXPECT_TRUE(is_or_holds("r/a.zip", "r/a.zip"));
  EXPECT_TRUE(is_or_holds("r/a.zip", "r/a.zip/x.graph.json"));
  EXPECT_FALSE(is_or_holds("r/a.zip", "r/a.zipped"));
  EXPECT_FALSE(is_or_holds("r/a.zip/x", "r/a.zip"));
}

TEST(EngineFiles, OfSeveralEnginesTheFilesOfTheirNamesAndThoseTheyWereReadFrom) {
  const std::vector<base::FileEntry> files = {{"r/log.txt", 1, 10},
                                              {"r/one.graph.json", 2, 20},
                                              {"r/one.profile.json", 4, 30},
                                              {"r/two.graph.json", 8, 40}};
  const std::vector<std::string> engines = {"r/one.graph.json", "r/two.graph.json"};
  const SeenFolder before = folder_of(files, engines);
  const auto stamp = [&](const SeenFolder& folder, const FilePaths& used) {
    return stamp_of(folder, "r/one.graph.json", used).text;
  };
  const FilePaths used = {"r/one.graph.json", "r/log.txt"};
  EXPECT_EQ(stamp_of(before, "r/one.graph.json", {}).youngest_ns, 30);
  EXPECT_EQ(stamp_of(before, "r/two.graph.json", {}).youngest_ns, 40);

  for (std::size_t i = 0; i < files.size(); ++i) {
    std::vector<base::FileEntry> changed = files;
    changed[i].modified_ns = 99;
    const SeenFolder after = folder_of(changed, engines);
    EXPECT_EQ(stamp(after, {}) != stamp(before, {}), i == 1 || i == 2) << i;
    EXPECT_EQ(stamp(after, used) != stamp(before, used), i < 3) << i;
    changed = files;
    changed[i].size_bytes = 99;
    EXPECT_EQ(stamp(folder_of(changed, engines), used) != stamp(before, used), i < 3) << i;
  }
  std::vector<base::FileEntry> more = files;
  more.push_back({"r/zzz.txt", 1, 1});
  EXPECT_EQ(stamp(folder_of(more, engines), used), stamp(before, used));
  more.push_back({"r/one.times.json", 1, 1});
  std::ranges::sort(more, {}, &base::FileEntry::path);
  EXPECT_NE(stamp(folder_of(more, engines), used), stamp(before, used));

  EXPECT_EQ(weight_of(before, "r/one.graph.json", {}).size_bytes, 2U);
  EXPECT_EQ(weight_of(before, "r/one.graph.json", used).size_bytes, 3U);
  EXPECT_EQ(weight_of(before, "r/one.graph.json", used).modified_ns, 20);
}

TEST(EngineFiles, OfTheOnlyEngineAllFiles) {
  std::vector<base::FileEntry> files = {{"r/a.json", 1, 10}, {"r/b.json", 2, 20}};
  const SeenFolder before = folder_of(files, {"r"});
  EXPECT_EQ(weight_of(before, "r", {}).size_bytes, 3U);
  files[1].modified_ns = 99;
  EXPECT_NE(stamp_of(folder_of(files, {"r"}), "r", {}).text, stamp_of(before, "r", {}).text);

  // With very many files, only names count, and more for the files it was read from.
  files.clear();
  for (int i = 100; i < 200; ++i) files.push_back({base::format("r/{}.txt", i), 1, 10});
  const SeenFolder many = folder_of(files, {"r"});
  const FilePaths used = {"r/150.txt"};
  files[0].modified_ns = 99;
  EXPECT_EQ(stamp_of(folder_of(files, {"r"}), "r", used).text, stamp_of(many, "r", used).text);
  files[50].modified_ns = 99;
  EXPECT_NE(stamp_of(folder_of(files, {"r"}), "r", used).text, stamp_of(many, "r", used).text);
  files[0] = {"r/000.txt", 1, 10};
  files[50].modified_ns = 10;
  EXPECT_NE(stamp_of(folder_of(files, {"r"}), "r", used).text, stamp_of(many, "r", used).text);
}

TEST(EngineFiles, FilesInAnArchiveAreTheArchive) {
  const SeenFolder folder =
      folder_of({{"r/a.zip", 7, 10}, {"r/b.zip", 9, 20}}, {"r/a.zip", "r/b.zip"});
  EXPECT_EQ(weight_of(folder, "r/a.zip", {"r/a.zip/run/x.graph.json"}).size_bytes, 7U);
  EXPECT_EQ(stamp_of(folder, "r/b.zip", {"r/b.zip/run/x.graph.json"}).youngest_ns, 20);
}

}  // namespace
}  // namespace planex::serve
