#include "drive/clock_lock.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <thread>

#include "drive/test_support.h"

namespace planex::drive {
namespace {

using testing::HasSubstr;

class ClockLockTest : public testing::Test {
 protected:
  ClockLockTest() {
    for (const char* cpu : {"cpu0", "cpu1"}) {
      set(cpu, "scaling_governor", "schedutil");
      set(cpu, "scaling_min_freq", "800000");
      set(cpu, "scaling_max_freq", "3500000");
      set(cpu, "cpuinfo_max_freq", "3500000");
      set(cpu, "base_frequency", "2400000");
    }
    const std::string replay = folder_.write("replay", "1410 6251 60 149000 99 0 1\n");
    ::setenv("PLANEX_NVML_REPLAY", replay.c_str(), 1);
    ::setenv("PLANEX_NVML_CALLS", folder_.path("calls").c_str(), 1);
  }
  ~ClockLockTest() override {
    for (const char* name : {"PLANEX_NVML_REPLAY", "PLANEX_NVML_CALLS", "PLANEX_NVML_FAIL"}) {
      ::unsetenv(name);
    }
  }

  std::string file(const char* cpu, const char* name) const {
    return folder_.path(std::string("sys/devices/system/cpu/") + cpu + "/cpufreq/" + name);
  }
  void set(const char* cpu, const char* name, const char* value) const {
    std::filesystem::create_directories(std::filesystem::path(file(cpu, name)).parent_path());
    std::ofstream(file(cpu, name)) << value << "\n";
  }
  std::string get(const char* cpu, const char* name) const {
    std::string text = read_file(file(cpu, name));
    while (text.ends_with('\n')) text.pop_back();
    return text;
  }
  std::string calls() const { return read_file(folder_.path("calls")); }
  ClockRequest both(std::optional<std::int64_t> mhz = {}) const {
    return {
        .cpu = true,
        .gpu = true,
        .mhz = mhz,
        .sources = {
            .root = folder_.path(), .nvml_library = PLANEX_NVML_STAND_IN, .gpu = "", .period = {}}};
  }
  void expect_restored() const {
    for (const char* cpu : {"cpu0", "cpu1"}) {
      EXPECT_EQ(get(cpu, "scaling_governor"), "schedutil");
      EXPECT_EQ(get(cpu, "scaling_min_freq"), "800000");
      EXPECT_EQ(get(cpu, "scaling_max_freq"), "3500000");
    }
    EXPECT_THAT(calls(), testing::EndsWith("reset 0\n"));
  }

  TemporaryFolder folder_;
};

TEST_F(ClockLockTest, LocksAndRestores) {
  auto lock = ClockLock::lock(both());
  ASSERT_TRUE(lock) << lock.error().message;
  EXPECT_EQ(lock->locked().gpu_mhz, 1410);
  EXPECT_EQ(lock->locked().cpu_mhz, 2400);
  EXPECT_EQ(get("cpu1", "scaling_governor"), "performance");
  EXPECT_EQ(get("cpu1", "scaling_min_freq"), "2400000");
  EXPECT_EQ(get("cpu1", "scaling_max_freq"), "2400000");
  EXPECT_EQ(calls(), "lock 1410\n");
  EXPECT_EQ(lock->release(), "");
  expect_restored();
  EXPECT_EQ(lock->release(), "");
}

TEST_F(ClockLockTest, RestoresWhenItGoes) {
  {
    ASSERT_TRUE(ClockLock::lock(both(1200)));
  }
  EXPECT_EQ(calls(), "lock 1200\nreset 0\n");
  expect_restored();
}

// The owner of the locks is killed by a signal that can't be caught.
TEST_F(ClockLockTest, RestoresAfterAKill) {
  int ready[2];
  ASSERT_EQ(::pipe(ready), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const auto lock = ClockLock::lock(both());
    if (!lock || ::write(ready[1], "x", 1) != 1) ::_exit(1);
    while (true) ::pause();
  }
  ::close(ready[1]);
  char byte = 0;
  ASSERT_EQ(::read(ready[0], &byte, 1), 1);
  ::close(ready[0]);
  EXPECT_EQ(get("cpu0", "scaling_min_freq"), "2400000");
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  for (int i = 0; i < 1000 && get("cpu1", "scaling_governor") != "schedutil"; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  expect_restored();
}

TEST_F(ClockLockTest, NoRights) {
  ::setenv("PLANEX_NVML_FAIL", "lock", 1);
  const auto lock = ClockLock::lock(both(1300));
  ASSERT_FALSE(lock);
  EXPECT_EQ(lock.error().code, ErrorCode::kIo);
  EXPECT_EQ(lock.error().message, "can't lock the GPU's clock: Insufficient Permissions");
  EXPECT_THAT(lock.error().hint, HasSubstr("sudo nvidia-smi --lock-gpu-clocks=1300"));
  EXPECT_EQ(get("cpu0", "scaling_min_freq"), "800000");
}

// The first processor's clock is already locked when locking the second one's fails.
TEST_F(ClockLockTest, WhatIsLockedInPartIsRestored) {
  std::filesystem::remove(file("cpu1", "scaling_max_freq"));
  std::filesystem::create_directory(file("cpu1", "scaling_max_freq"));
  const auto lock = ClockLock::lock(both());
  ASSERT_FALSE(lock);
  EXPECT_THAT(lock.error().message, HasSubstr("cpu1/cpufreq/scaling_max_freq: Is a directory"));
  EXPECT_EQ(get("cpu0", "scaling_min_freq"), "800000");
  EXPECT_EQ(get("cpu0", "scaling_governor"), "schedutil");
  EXPECT_EQ(calls(), "lock 1410\nreset 0\n");
}

TEST_F(ClockLockTest, SaysWhatIsLeftLocked) {
  ::setenv("PLANEX_NVML_FAIL", "reset", 1);
  auto lock = ClockLock::lock(both());
  ASSERT_TRUE(lock);
  EXPECT_EQ(lock->release(),
            "the clocks are still locked: the GPU's clock: Insufficient Permissions; run sudo "
            "nvidia-smi --reset-gpu-clocks");
  EXPECT_EQ(get("cpu0", "scaling_min_freq"), "800000");
}

TEST_F(ClockLockTest, TooHigh) {
  const auto lock = ClockLock::lock(both(9999));
  ASSERT_FALSE(lock);
  EXPECT_EQ(lock.error().message,
            "the GPU's clock reaches at most 1695 MHz, but 9999 was requested");
}

TEST_F(ClockLockTest, NothingToLock) {
  ClockRequest request = both();
  request.sources.root = folder_.path("empty");
  request.sources.nvml_library = "libthere-is-none.so";
  const auto lock = ClockLock::lock(request);
  ASSERT_FALSE(lock);
  EXPECT_EQ(lock.error().code, ErrorCode::kUnsupported);
  EXPECT_THAT(lock.error().message, HasSubstr("no clocks that can be locked"));
}

}  // namespace
}  // namespace planex::drive
