#include "support/golden.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "support/test_data.h"

namespace planex::test {

namespace fs = std::filesystem;

void expect_golden(const std::string& path, const std::string& text) {
  if (std::getenv("PLANEX_UPDATE_GOLDEN") != nullptr) {
    fs::create_directories(fs::path(path).parent_path());
    std::ofstream file(path, std::ios::binary);
    file << text;
    EXPECT_TRUE(file.flush()) << "can't write " << path;
    return;
  }
  ASSERT_TRUE(fs::exists(path)) << path << ": run tools/golden --update and look at what it wrote";
  EXPECT_EQ(text, read_text(path))
      << path << ": if the new result is right: tools/golden --update, and look at the difference";
}

std::vector<std::string> folders_in(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    if (entry.is_directory()) names.push_back(entry.path().filename().string());
  }
  std::ranges::sort(names);
  return names;
}

}  // namespace planex::test
