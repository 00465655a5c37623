// Engines that are scripts in a folder.
#include "drive/availability.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "drive/test_support.h"

namespace planex::drive {
namespace {

const Availability& engine(const std::vector<Availability>& engines, std::string_view id) {
  for (const Availability& one : engines) {
    if (one.id == id) return one;
  }
  ADD_FAILURE() << "no engine " << id;
  return engines.front();
}

AvailabilityRequest request_of(const TemporaryFolder& folder) {
  return {.program_dir = folder.path(),
          .search_path = folder.path("nowhere") + "::" + folder.path(),
          .timeout = std::chrono::milliseconds(20'000)};
}

TEST(Availability, FindsNothingInAnEmptyFolder) {
  const TemporaryFolder folder;
  const auto engines = available_engines(request_of(folder), {});
  ASSERT_EQ(engines.size(), 5u);
  for (const Availability& one : engines) {
    EXPECT_FALSE(one.is_installed) << one.id;
    EXPECT_FALSE(one.install.empty() || one.looked_for.empty() || one.label.empty()) << one.id;
  }
  EXPECT_NE(engine(engines, "onnxruntime").looked_for.find("python3"), std::string::npos);
}

TEST(Availability, AsksEachForItsVersion) {
  const TemporaryFolder folder;
  folder.write_program("planex-openvino", "echo 'planex-openvino 0.1.0, OpenVINO 2026.4.1-229-x'");
  // As on a machine without a GPU: the version comes first, then everything fails.
  folder.write_program("trtexec",
                       "echo '&&&& RUNNING TensorRT.trtexec [TensorRT v101601] [b12] # trtexec "
                       "--help'; echo broken >&2; exit 1");
  folder.write_program("python3",
                       "echo 'onnxruntime-extensions 9'; echo 'onnxruntime-gpu 1.22.0'; echo "
                       "'tensorrt-rtx-cu12 1.7.1.116'; echo 'tensorrt-cu12 10.16.1'");
  const auto engines = available_engines(request_of(folder), {});
  for (const Availability& one : engines) EXPECT_TRUE(one.is_installed) << one.id;
  EXPECT_EQ(engine(engines, "openvino").version, "2026.4.1");
  EXPECT_EQ(engine(engines, "trtexec").version, "10.16.1");
  EXPECT_EQ(engine(engines, "trtexec").place, folder.path("trtexec"));
  EXPECT_EQ(engine(engines, "tensorrt-rtx").version, "1.7.1.116");
  EXPECT_EQ(engine(engines, "tensorrt").place, "tensorrt-cu12");
  EXPECT_EQ(engine(engines, "onnxruntime").version, "1.22.0");
  EXPECT_EQ(engine(engines, "onnxruntime").place, "onnxruntime-gpu");
}

// Whether or not the virtual environment is active.
TEST(Availability, ItsOwnEnvironmentComesBeforeThePath) {
  const TemporaryFolder folder;
  folder.write_program("python3", "echo 'onnxruntime 1.1.1'");
  std::filesystem::create_directories(folder.path("venv/bin"));
  folder.write_program("venv/bin/python3", "echo 'onnxruntime 1.26.0'");
  AvailabilityRequest request = request_of(folder);
  request.program_dir = folder.path("venv/bin");
  EXPECT_FALSE(own_python(request.program_dir)) << "a folder like any other";
  EXPECT_EQ(engine(available_engines(request, {}), "onnxruntime").version, "1.1.1");
  folder.write("venv/pyvenv.cfg", "home = /usr/bin\n");
  EXPECT_EQ(own_python(request.program_dir), folder.path("venv/bin/python3"));
  EXPECT_EQ(engine(available_engines(request, {}), "onnxruntime").version, "1.26.0");
}

TEST(Availability, ProgramsThatSayNothingAreThereAllTheSame) {
  const TemporaryFolder folder;
  folder.write_program("planex-openvino", "exit 3");
  folder.write_program("trtexec", "kill -9 $$");
  folder.write_program("python3", "echo no package at all; exit 1");
  const auto engines = available_engines(request_of(folder), {});
  EXPECT_TRUE(engine(engines, "openvino").is_installed);
  EXPECT_TRUE(engine(engines, "trtexec").is_installed);
  EXPECT_TRUE(engine(engines, "trtexec").version.empty());
  EXPECT_FALSE(engine(engines, "tensorrt-rtx").is_installed);
  EXPECT_FALSE(engine(engines, "onnxruntime").is_installed);
}

TEST(Availability, WaitsForNoProgramForEver) {
  const TemporaryFolder folder;
  folder.write_program("trtexec", "sleep 600");
  AvailabilityRequest request = request_of(folder);
  request.timeout = std::chrono::milliseconds(100);
  const auto engines = available_engines(request, {});
  EXPECT_TRUE(engine(engines, "trtexec").is_installed);
  EXPECT_TRUE(engine(engines, "trtexec").version.empty());
}

TEST(Availability, ReadsTheVersionOfTrtexec) {
  EXPECT_EQ(trtexec_version("&&&& RUNNING TensorRT.trtexec [TensorRT v8601] # trtexec"), "8.6.1");
  EXPECT_EQ(trtexec_version("[TensorRT v8510]"), "8.5.10");
  EXPECT_EQ(trtexec_version("[TensorRT v9100]"), "9.1.0");
  EXPECT_EQ(trtexec_version("[TensorRT v100900] [b34]"), "10.9.0");
  EXPECT_EQ(trtexec_version("[TensorRT v110000]"), "11.0.0");
  EXPECT_EQ(trtexec_version("[TensorRT v]"), "");
  EXPECT_EQ(trtexec_version("[TensorRT v99999999999]"), "");
  EXPECT_EQ(trtexec_version("usage: trtexec"), "");
}

}  // namespace
}  // namespace planex::drive
