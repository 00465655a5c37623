// Feeds every file of fuzz/corpus to the target of its folder, as libFuzzer would.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "base/files.h"
#include "fuzz_targets.h"

namespace planex::fuzz {
namespace {

namespace fs = std::filesystem;

std::string folder_of(std::string_view target) {
  return std::string(PLANEX_CORPUS_FOLDER "/").append(target);
}

std::vector<std::string> files_in(const std::string& folder) {
  std::vector<std::string> paths;
  std::error_code missing;
  for (const auto& entry : fs::directory_iterator(folder, missing)) {
    if (entry.is_regular_file()) paths.push_back(entry.path().string());
  }
  std::ranges::sort(paths);
  return paths;
}

TEST(Corpus, EveryFolderIsOfATarget) {
  for (const auto& entry : fs::directory_iterator(PLANEX_CORPUS_FOLDER)) {
    if (!entry.is_directory()) continue;
    EXPECT_TRUE(has_target(entry.path().filename().string())) << entry.path();
  }
}

// Files of the repository: they are fetched with each copy of it.
TEST(Corpus, FilesAreSmall) {
  constexpr std::uintmax_t kMaxFileBytes = 20'000, kMaxBytes = 1'000'000;
  std::uintmax_t sum = 0;
  for (const std::string_view target : target_names()) {
    for (const std::string& path : files_in(folder_of(target))) {
      const std::uintmax_t size = fs::file_size(path);
      EXPECT_LE(size, kMaxFileBytes) << path;
      sum += size;
    }
  }
  EXPECT_LE(sum, kMaxBytes);
}

class Replay : public ::testing::TestWithParam<std::string_view> {};

TEST_P(Replay, HoldsForEveryFile) {
  const std::vector<std::string> paths = files_in(folder_of(GetParam()));
  // A reader without seeds is not really fuzzed: cut some from real files, see fuzz/corpus.
  EXPECT_FALSE(paths.empty()) << "no corpus for " << GetParam();
  for (const std::string& path : paths) {
    const auto bytes = base::disk().read(path);
    ASSERT_TRUE(bytes) << path;
    // A sanitizer's report does not say which file it was.
    std::printf("%s\n", path.c_str());
    std::fflush(stdout);
    EXPECT_EQ(run_target(GetParam(), (*bytes)->view()), "") << path;
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, Replay, ::testing::ValuesIn(target_names()),
                         [](const ::testing::TestParamInfo<std::string_view>& target) {
                           std::string name(target.param);
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace planex::fuzz
