#include "drive/cpu_caches.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "base/text.h"

namespace planex::drive {
namespace {

// A folder like /sys/devices/system/cpu.
class CpuCaches : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = testing::TempDir() + "planex_cpu_caches_" +
              testing::UnitTest::GetInstance()->current_test_info()->name();
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  void cache(int cpu, int index, const std::string& level, const std::string& type,
             const std::string& size, const std::string& shared) {
    const std::string place = base::format("{}/cpu{}/cache/index{}/", folder_, cpu, index);
    std::filesystem::create_directories(place);
    std::ofstream(place + "level") << level << '\n';
    std::ofstream(place + "type") << type << '\n';
    std::ofstream(place + "size") << size << '\n';
    std::ofstream(place + "shared_cpu_list") << shared << '\n';
  }

  std::string folder_;
};

// Ten processors that share one cache of 32 MiB have 32 MiB, not 320.
TEST_F(CpuCaches, OneThatAllShareCountsOnce) {
  for (int cpu = 0; cpu < 10; ++cpu) {
    cache(cpu, 0, "1", "Data", "32K", std::to_string(cpu));
    cache(cpu, 1, "1", "Instruction", "64K", std::to_string(cpu));
    cache(cpu, 2, "2", "Unified", "512K", std::to_string(cpu));
    cache(cpu, 3, "3", "Unified", "32768K", "0-9");
  }
  const auto found = last_level_cache(folder_);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->bytes, 32 << 20);
  EXPECT_EQ(found->all_bytes, 32 << 20);
}

// Two groups of processors with a cache each; number 1 is offline.
TEST_F(CpuCaches, OfSeveralGroupsAddUp) {
  cache(0, 0, "3", "Unified", "16M", "0");
  cache(2, 0, "3", "Unified", "16M", "2-3");
  cache(3, 0, "3", "Unified", "16M", "2-3");
  const auto found = last_level_cache(folder_);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->bytes, 16 << 20);
  EXPECT_EQ(found->all_bytes, 32 << 20);
}

TEST_F(CpuCaches, AProcessorWithoutAThirdLevelHasASecond) {
  cache(0, 0, "1", "Data", "48K", "0");
  cache(0, 1, "2", "Unified", "1280K", "0");
  EXPECT_EQ(last_level_cache(folder_).value_or(LastLevelCache()).bytes, 1280 << 10);
}

// Then the C library is asked, which may or may not know, but never returns a negative size.
TEST_F(CpuCaches, WhatCannotBeReadIsNoCache) {
  cache(0, 0, "3", "Unified", "many", "0");
  cache(1, 0, "3", "Unified", "99999999999999999999K", "1");
  cache(2, 0, "3", "Unified", "-4K", "2");
  const auto found = last_level_cache(folder_);
  const auto library = last_level_cache(folder_ + "/nothing");
  EXPECT_EQ(found.has_value(), library.has_value());
  if (found) {
    EXPECT_GT(found->bytes, 0);
    EXPECT_EQ(found->bytes, library->bytes);
  }
}

}  // namespace
}  // namespace planex::drive
