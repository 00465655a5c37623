// Logs of one engine that only the engine's file connects.
#include "ingest/discover/build_links.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <tuple>

#include "base/text.h"
#include "ingest/discover/load.h"
#include "ingest/ingest_test_support.h"
#include "support/test_data.h"

namespace planex::ingest {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string log(std::string_view command, std::string_view outcome = "PASSED",
                std::string_view digits = "8601", std::size_t filler = 0) {
  std::string text;
  for (const std::string_view word : {std::string_view("RUNNING"), outcome}) {
    text += base::format("&&&& {} TensorRT.trtexec [TensorRT v{}] # trtexec {}\n", word, digits,
                         command);
    if (word == "RUNNING") text += std::string(filler, '\n');
  }
  return text;
}

const std::string kBuild = log("--onnx=m.onnx --saveEngine=/build/e.plan --fp16 --skipInference");
const std::string kLoad = log("--loadEngine=./e.plan --exportLayerInfo=layers.json");

std::string used(const Discovery& discovery) {
  std::string paths;
  for (const FoundFile& file : discovery.files) {
    if (file.used) paths += file.path + (file.is_build_only ? "(build) " : " ");
  }
  return paths;
}

Discovery found(const LoadRequest& request, const base::FileSource& files) {
  auto discovery = discover(request, files);
  if (discovery) return std::move(*discovery);
  ADD_FAILURE() << test::to_text(discovery.error());
  return {};
}

TEST(BuildLinks, TheLogThatBuiltWhatAnotherLoads) {
  const auto files = test::memory_files(
      {{"r/layers.json", kOneLayer}, {"r/1.log", kBuild}, {"r/2.log", kLoad}, {"r/3.log", kLoad}});
  const auto one =
      test::memory_files({{"r/layers.json", kOneLayer}, {"r/1.log", kBuild}, {"r/2.log", kLoad}});
  const Discovery discovery = found({.path = "r"}, one);
  EXPECT_EQ(used(discovery), "r/layers.json r/1.log(build) r/2.log ");
  EXPECT_EQ(evidence_of(discovery, "r/1.log"), "builds e.plan, which 2.log loads");
  EXPECT_EQ(evidence_of(discovery, "r/2.log"), "wrote layers.json");
  // Logs alone, in a folder and named.
  const auto logs = test::memory_files({{"r/1.log", kBuild}, {"r/2.log", kLoad}});
  EXPECT_EQ(used(found({.path = "r"}, logs)), "r/2.log r/1.log(build) ");
  EXPECT_EQ(used(found({.path = "r/2.log"}, logs)), "r/2.log r/1.log(build) ");
  EXPECT_EQ(used(found({.path = "r/1.log"}, logs)), "r/1.log ") << "asked for the build alone";
  EXPECT_EQ(used(found({.path = "r/layers.json", .log = "r/2.log"}, files)),
            "r/layers.json r/2.log ")
      << "a named log is instead of all that would be found";
}

TEST(BuildLinks, CommandsAreOfTheBuild) {
  const auto files =
      test::memory_files({{"r/layers.json", kOneLayer}, {"r/1.log", kBuild}, {"r/2.log", kLoad}});
  const auto model = test::must(load({.path = "r"}, files));
  std::string commands;
  for (std::size_t row = 0; row < model.metadata.row_count(); ++row) {
    if (model.text(model.metadata.section[row]) != "command") continue;
    commands += base::format("{} | ", model.text(model.metadata.key[row]));
  }
  EXPECT_EQ(commands, "trtexec (build) | trtexec | ");
}

TEST(BuildLinks, OtherRunsOfTheSameEngineAreNamed) {
  const std::string other = log("--loadEngine=e.plan");
  const auto files = test::memory_files(
      {{"r/layers.json", kOneLayer}, {"r/1.log", kBuild}, {"r/2.log", kLoad}, {"r/3.log", other}});
  const Discovery discovery = found({.path = "r"}, files);
  EXPECT_EQ(used(discovery), "r/layers.json r/1.log(build) r/2.log ");
  EXPECT_EQ(evidence_of(discovery, "r/3.log"),
            "left out: another run of e.plan; name the file to see it");
  // Two runs without a layer file are two separate items; each has its own build.
  const auto logs =
      test::memory_files({{"r/1.log", kBuild}, {"r/2.log", kLoad}, {"r/3.log", other}});
  const auto several = discover({.path = "r"}, logs);
  ASSERT_FALSE(several);
  EXPECT_THAT(several.error().message, HasSubstr("2 engines"));
  EXPECT_EQ(used(found({.path = "r/3.log"}, logs)), "r/3.log r/1.log(build) ");
}

TEST(BuildLinks, OnlyWhereItIsClear) {
  const auto linked = [](std::string_view a, std::string_view b, std::string_view load = kLoad) {
    const auto files = test::memory_files(
        {{"r/layers.json", kOneLayer}, {"r/a.log", a}, {"r/b.log", b}, {"r/l.log", load}});
    return used(found({.path = "r"}, files));
  };
  const std::string_view none = "text";
  const std::string failed = log("--onnx=m.onnx --saveEngine=e.plan", "FAILED");
  const std::string failed_late =
      log("--onnx=m.onnx --saveEngine=e.plan", "FAILED", "8601", 80'000);
  EXPECT_EQ(linked(failed, none), "r/layers.json r/l.log ");
  EXPECT_EQ(linked(failed_late, none), "r/layers.json r/l.log ") << "beyond the head";
  EXPECT_EQ(linked(failed_late, kBuild), "r/layers.json r/b.log(build) r/l.log ");
  EXPECT_EQ(linked(log("--onnx=m.onnx --saveEngine=e.plan", "PASSED", "8503"), none),
            "r/layers.json r/l.log ")
      << "of another version";
  EXPECT_EQ(linked(log("--onnx=m.onnx --saveEngine=x.plan"), none), "r/layers.json r/l.log ");
  // Of two, the one with exactly this path; otherwise none.
  const std::string same_path = log("--onnx=m.onnx --saveEngine=e.plan");
  EXPECT_EQ(linked(kBuild, kBuild), "r/layers.json r/l.log ");
  EXPECT_EQ(linked(kBuild, same_path), "r/layers.json r/b.log(build) r/l.log ");
  // A log of both runs needs no other.
  EXPECT_EQ(linked(kBuild, none, same_path + kLoad), "r/layers.json r/l.log ");
}

TEST(BuildLinks, ABuildThatMeasuredCountsWhereTheRunDidNot) {
  const std::string load = log("--loadEngine=e.plan --skipInference --exportLayerInfo=layers.json");
  const auto files = test::memory_files({{"r/layers.json", kOneLayer},
                                         {"r/1.log", log("--onnx=m.onnx --saveEngine=e.plan")},
                                         {"r/2.log", load}});
  EXPECT_EQ(used(found({.path = "r"}, files)), "r/layers.json r/1.log r/2.log ");
}

TEST(BuildLinks, LogsThatLoadWhatEachOtherBuildStay) {
  const std::string a = log("--onnx=m.onnx --saveEngine=a.plan") + log("--loadEngine=b.plan");
  const std::string b = log("--onnx=m.onnx --saveEngine=b.plan") + log("--loadEngine=a.plan");
  const auto files = test::memory_files({{"r/a.log", a}, {"r/b.log", b}});
  EXPECT_EQ(discover({.path = "r"}, files).error().code, ErrorCode::kUsage);
  EXPECT_EQ(used(found({.path = "r/a.log"}, files)), "r/a.log r/b.log(build) ");
}

TEST(BuildLinks, RealLogs) {
  PLANEX_NEED_TEST_DATA(data);
  for (const auto& [name, build, load] :
       {std::tuple{"mnist-trt8.2.3-names-only", "result-FP32.txt", "result-load-FP32.txt"},
        std::tuple{"mnist-trt8.6.0-names-only", "result-02.log", "result-04.log"}}) {
    const std::string folder = base::join_path(base::join_path(data, "engines"), name);
    const Discovery discovery = found({.path = folder}, base::disk());
    EXPECT_EQ(evidence_of(discovery, base::join_path(folder, build)),
              base::format("builds model-FP32.plan, which {} loads", load));
  }
}

}  // namespace
}  // namespace planex::ingest
