// Files beside an engine that can't be read: for those that belong to it this is an error, like a
// damaged file (docs/design/0006); the others are only reported.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <utility>

#include "ingest/discover/discover.h"
#include "ingest/discover/load.h"
#include "ingest/ingest_test_support.h"
#include "support/test_data.h"

namespace planex::ingest {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

// Files, some of which can't be opened.
class LockedFiles final : public base::FileSource {
 public:
  LockedFiles(base::MemoryFiles files, std::set<std::string> locked)
      : files_(std::move(files)), locked_(std::move(locked)) {}

  base::PathKind kind(const std::string& path) const override { return files_.kind(path); }
  Result<std::shared_ptr<const base::Bytes>> read(const std::string& path,
                                                  base::Access access) const override {
    if (locked_.contains(path)) return denied(path);
    return files_.read(path, access);
  }
  Result<std::string> read_head(const std::string& path, std::size_t limit) const override {
    if (locked_.contains(path)) return denied(path);
    return files_.read_head(path, limit);
  }
  Result<std::vector<base::FileEntry>> list(const std::string& folder) const override {
    return files_.list(folder);
  }

 private:
  static Failure denied(const std::string& path) {
    return fail({.code = ErrorCode::kNotFound,
                 .message = "can't open the file: Permission denied",
                 .file = path});
  }

  base::MemoryFiles files_;
  std::set<std::string> locked_;
};

Result<model::PlanModel> load_locked(const std::string& path, const std::string& locked) {
  const LockedFiles files(test::memory_files({{"run/x.graph.json", kOneLayer},
                                              {"run/x.profile.json", kOneLayerProfile},
                                              {"run/times.json", "[]"},
                                              {"run/y.plan.json", "{}"},
                                              {"run/notes.md", "text"}}),
                          {locked});
  return load({.path = path}, files);
}

TEST(UnreadableFiles, OnesOfTheEngineAreErrors) {
  for (const std::string path : {"run", "run/x.graph.json", "run/x"}) {
    const auto model = load_locked(path, "run/x.profile.json");
    ASSERT_FALSE(model) << path;
    EXPECT_EQ(model.error().file, "run/x.profile.json");
    EXPECT_THAT(model.error().message, HasSubstr("Permission denied"));
    EXPECT_THAT(model.error().hint, HasSubstr("away"));
  }
  const auto model = load_locked("run", "run/times.json");
  ASSERT_FALSE(model) << "the folder is the engine's";
  EXPECT_EQ(model.error().file, "run/times.json");
}

TEST(UnreadableFiles, OthersAreSaid) {
  const model::PlanModel beside = test::must(load_locked("run/x.graph.json", "run/y.plan.json"));
  EXPECT_THAT(test::diagnostic_codes(beside), Contains("file-not-read"));
  const model::PlanModel notes = test::must(load_locked("run", "run/notes.md"));
  EXPECT_THAT(test::diagnostic_codes(notes), Contains("file-not-read"));
  const model::PlanModel all = test::must(load_locked("run", "none"));
  EXPECT_THAT(test::diagnostic_codes(all), Not(Contains("file-not-read")));
}

TEST(UnreadableFiles, WhereNothingElseIsThere) {
  const LockedFiles files(test::memory_files({{"run/x.graph.json", kOneLayer}}),
                          {"run/x.graph.json"});
  const auto model = load({.path = "run"}, files);
  ASSERT_FALSE(model);
  EXPECT_THAT(model.error().context, HasSubstr("run/x.graph.json: can't open"));
}

TEST(UnreadableFiles, PackedAndDamaged) {
  const std::string damaged = "\x1f\x8b\x08\x00 and not what gzip writes";
  const auto model = load(
      {.path = "run"},
      test::memory_files({{"run/x.graph.json", kOneLayer}, {"run/x.profile.json.gz", damaged}}));
  ASSERT_FALSE(model);
  EXPECT_EQ(model.error().file, "run/x.profile.json.gz");
  EXPECT_THAT(model.error().message, HasSubstr("the gzip file"));
}

TEST(UnreadableFiles, WhatWasLeftOutIsSaidWhereNothingIsFound) {
  base::MemoryFiles files;
  for (std::size_t i = 0; i <= kMaxFolderFiles; ++i) {
    files.add("run/" + std::to_string(i) + ".txt", "x");
  }
  const auto model = load({.path = "run"}, files);
  ASSERT_FALSE(model);
  EXPECT_THAT(model.error().context,
              HasSubstr("only the first 2000 files of the folder were read"));
}

TEST(UnreadableFiles, AFirstLineLongerThanAHead) {
  const std::string log = "&&&& RUNNING TensorRT.trtexec [TensorRT v8601] # trtexec --shapes=" +
                          std::string(70'000, 'x') +
                          "\n[11/23/2026-10:00:00] [I] === Model Options ===\n";
  const auto found = discover({.path = "run/a.log"}, test::memory_files({{"run/a.log", log}}));
  ASSERT_TRUE(found) << test::to_text(found.error());
  ASSERT_NE(found->files.front().reader, nullptr);
  EXPECT_EQ(found->files.front().reader->id, "tensorrt-log");
}

TEST(UnreadableFiles, ALogWithColorCodes) {
  const std::string log =
      "\x1b[32m&&&& RUNNING TensorRT.trtexec [TensorRT v8601] # trtexec\x1b[0m\n";
  const auto found = discover({.path = "run/a.log"}, test::memory_files({{"run/a.log", log}}));
  ASSERT_TRUE(found) << test::to_text(found.error());
  ASSERT_NE(found->files.front().reader, nullptr);
  EXPECT_EQ(found->files.front().reader->id, "tensorrt-log");
}

}  // namespace
}  // namespace planex::ingest
