// Zip archives: as written by TREx and others, and malformed ones.
#include "ingest/discover/archive.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zip.h>
#include <zlib.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text.h"
#include "ingest/discover/load.h"
#include "ingest/ingest_test_support.h"
#include "support/model_dump.h"
#include "support/model_texts.h"
#include "support/test_data.h"

namespace planex::ingest {
namespace {

using model::PlanModel;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

struct Member {
  std::string name, content;
  bool is_packed = false;
  std::uint32_t mode = 0100644;
  bool is_encrypted = false;
  std::uint16_t method = 0;  // unless it is compressed
};

// Written by hand, because libzip would refuse to write most of these defects.
class ZipText {
 public:
  void add(const Member& member) {
    std::string data = member.content;
    if (member.is_packed) data = deflated(member.content);
    const std::uint16_t flags = member.is_encrypted ? 1 : 0;
    const std::uint16_t method = member.is_packed ? 8 : member.method;
    const auto crc =
        static_cast<std::uint32_t>(::crc32(0, reinterpret_cast<const Bytef*>(member.content.data()),
                                           static_cast<uInt>(member.content.size())));
    std::string shared;
    put16(shared, 20);
    put16(shared, flags);
    put16(shared, method);
    put32(shared, 0);  // time and date
    put32(shared, crc);
    put32(shared, data.size());
    put32(shared, member.content.size());
    put16(shared, member.name.size());
    put16(shared, 0);  // extra field
    const std::size_t offset = text_.size();
    text_ += "PK\x03\x04" + shared + member.name + data;
    directory_ += "PK\x01\x02";
    put16(directory_, 3 << 8 | 20);  // made on Unix
    directory_ += shared;
    put16(directory_, 0);  // comment
    put16(directory_, 0);  // disk
    put16(directory_, 0);
    put32(directory_, std::size_t{member.mode} << 16);
    put32(directory_, offset);
    directory_ += member.name;
    ++count_;
  }

  std::string take() {
    std::string end = "PK\x05\x06";
    put32(end, 0);  // disks
    const std::size_t shown = std::min<std::size_t>(count_, 0xFFFF);
    put16(end, shown);
    put16(end, shown);
    put32(end, directory_.size());
    put32(end, text_.size());
    put16(end, 0);
    return text_ + directory_ + end;
  }

 private:
  static void put16(std::string& text, std::size_t number) {
    text += static_cast<char>(number & 0xFF);
    text += static_cast<char>(number >> 8 & 0xFF);
  }
  static void put32(std::string& text, std::size_t number) {
    put16(text, number & 0xFFFF);
    put16(text, number >> 16);
  }
  static std::string deflated(const std::string& content) {
    z_stream stream{};
    EXPECT_EQ(::deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 9, Z_DEFAULT_STRATEGY), Z_OK);
    std::string data(::deflateBound(&stream, content.size()), '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(content.data()));
    stream.avail_in = static_cast<uInt>(content.size());
    stream.next_out = reinterpret_cast<Bytef*>(data.data());
    stream.avail_out = static_cast<uInt>(data.size());
    EXPECT_EQ(::deflate(&stream, Z_FINISH), Z_STREAM_END);
    data.resize(data.size() - stream.avail_out);
    ::deflateEnd(&stream);
    return data;
  }

  std::string text_, directory_;
  std::size_t count_ = 0;
};

std::string zip(const std::vector<Member>& members) {
  ZipText text;
  for (const Member& member : members) text.add(member);
  return text.take();
}

Result<std::shared_ptr<const ArchiveFiles>> open(std::string_view bytes) {
  return ArchiveFiles::open(base::make_bytes(bytes), "dir/x.tea");
}

std::vector<std::string> listed(const base::FileSource& files, const std::string& folder) {
  const auto entries = files.list(folder);
  EXPECT_TRUE(entries) << folder;
  std::vector<std::string> names;
  for (const base::FileEntry& entry : entries.value_or(std::vector<base::FileEntry>{})) {
    names.push_back(entry.path);
  }
  return names;
}

TEST(Archive, IsAFolder) {
  const auto files =
      open(zip({{"b.txt", "text"}, {"sub/c.txt", std::string(1000, 'c'), true}, {"sub/", ""}}));
  ASSERT_TRUE(files);
  const ArchiveFiles& archive = **files;
  EXPECT_EQ(archive.kind("dir/x.tea"), base::PathKind::kFolder);
  EXPECT_EQ(archive.kind("dir/x.tea/sub"), base::PathKind::kFolder);
  EXPECT_EQ(archive.kind("dir/x.tea/b.txt"), base::PathKind::kFile);
  EXPECT_EQ(archive.kind("dir/x.tea/sub/b"), base::PathKind::kMissing);
  EXPECT_EQ(archive.kind("dir/x.t"), base::PathKind::kMissing);
  EXPECT_THAT(listed(archive, "dir/x.tea"), ElementsAre("dir/x.tea/b.txt"));
  EXPECT_THAT(listed(archive, "dir/x.tea/sub"), ElementsAre("dir/x.tea/sub/c.txt"));
  EXPECT_FALSE(archive.list("dir/x.tea/none"));
  const auto bytes = archive.read("dir/x.tea/sub/c.txt");
  ASSERT_TRUE(bytes);
  EXPECT_EQ((*bytes)->view(), std::string(1000, 'c'));
  EXPECT_EQ((*bytes)->view().data()[1000], '\0') << "padded";
  EXPECT_EQ(archive.read_head("dir/x.tea/b.txt", 3).value(), "tex");
  EXPECT_EQ(archive.read("dir/x.tea/nothing").error().code, ErrorCode::kNotFound);
  EXPECT_THAT(archive.remarks(), IsEmpty());
}

TEST(Archive, NamesThatLeadElsewhere) {
  std::vector<Member> members = {{"good.txt", "g"}};
  const std::vector<std::string> wrong = {"../up.txt",   "a/../../up.txt",
                                          "/etc/passwd", "a\\b.txt",
                                          "C:x.txt",     "c:/x.txt",
                                          "a//b.txt",    "./a.txt",
                                          "..",          std::string(kLongestMemberName + 1, 'n')};
  for (const std::string& name : wrong) members.push_back({name, "bad"});
  members.push_back({"link.txt", "/etc/passwd", false, 0120777});
  const auto files = open(zip(members));
  ASSERT_TRUE(files);
  EXPECT_THAT(listed(**files, "dir/x.tea"), ElementsAre("dir/x.tea/good.txt"));
  ASSERT_EQ((*files)->remarks().size(), wrong.size() + 1);
  for (const model::DiagnosticFacts& remark : (*files)->remarks()) {
    EXPECT_EQ(remark.code, "archive-member-left-out");
    EXPECT_EQ(remark.file, "dir/x.tea");
  }
  EXPECT_THAT((*files)->remarks().back().message, HasSubstr("it is a link"));
  for (const std::string& name : wrong) {
    EXPECT_FALSE((*files)->read("dir/x.tea/" + name)) << name;
  }
}

TEST(Archive, MemberWrittenTwice) {
  // As written by Python's zipfile in append mode, and so by TREx: the last one is meant.
  const auto files = open(zip({{"a.txt", "old"}, {"b.txt", "b"}, {"a.txt", "new"}}));
  ASSERT_TRUE(files);
  EXPECT_EQ((*(*files)->read("dir/x.tea/a.txt"))->view(), "new");
  ASSERT_EQ((*files)->remarks().size(), 1u);
  EXPECT_EQ((*files)->remarks()[0].code, "archive-member-twice");
}

TEST(Archive, TopFolder) {
  const auto top = [](const std::vector<Member>& members) {
    return (*open(zip(members)))->top_folder();
  };
  EXPECT_EQ(top({{"a.txt", ""}}), "dir/x.tea");
  EXPECT_EQ(top({{"run/a.txt", ""}, {"run/b.txt", ""}}), "dir/x.tea/run");
  EXPECT_EQ(top({{"a/b/c.txt", ""}, {"a/b/d/e.txt", ""}}), "dir/x.tea/a/b");
  EXPECT_EQ(top({{"run/a.txt", ""}, {"other/b.txt", ""}}), "dir/x.tea");
  EXPECT_EQ(top({{"run/a.txt", ""}, {"__MACOSX/run/._a.txt", ""}}), "dir/x.tea/run");
  EXPECT_EQ(top({}), "dir/x.tea");
}

TEST(Archive, Encrypted) {
  const auto all = open(zip({{"a.txt", "0123456789abcdef", false, 0100644, true}}));
  ASSERT_FALSE(all);
  EXPECT_EQ(all.error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(all.error().message, "the archive is encrypted");
  const auto some =
      open(zip({{"a.txt", "0123456789abcdef", false, 0100644, true}, {"b.txt", "b"}}));
  ASSERT_TRUE(some);
  EXPECT_EQ((*some)->read("dir/x.tea/a.txt").error().code, ErrorCode::kUnsupported);
  EXPECT_TRUE((*some)->read("dir/x.tea/b.txt"));
  ASSERT_EQ((*some)->remarks().size(), 1u);
  EXPECT_EQ((*some)->remarks()[0].code, "archive-member-not-read");
  EXPECT_THAT((*some)->remarks()[0].message, HasSubstr("a.txt"));
  EXPECT_THAT((*some)->remarks()[0].message, HasSubstr("it is encrypted"));
}

TEST(Archive, PackedInAnUnknownWay) {
  const Member odd{.name = "a.txt", .content = "0123", .method = 77};
  const auto all = open(zip({odd}));
  ASSERT_FALSE(all);
  EXPECT_EQ(all.error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(all.error().message, "no member of the archive can be read");
  EXPECT_THAT(all.error().context, HasSubstr("compression method 77"));
  const auto some = open(zip({odd, {"b.txt", "b"}}));
  ASSERT_TRUE(some);
  EXPECT_THAT((*some)->read("dir/x.tea/a.txt").error().message, HasSubstr("method 77"));
  EXPECT_EQ((*some)->remarks().size(), 1u);
}

TEST(Archive, TooManyMembers) {
  ZipText text;
  for (int i = 0; i < 60'000; ++i) text.add({base::format("{}.txt", i), ""});
  const auto files = open(text.take());
  ASSERT_FALSE(files);
  EXPECT_THAT(files.error().message, HasSubstr("60000 members"));
}

TEST(Archive, MoreMembersThanTheFirstFormatHas) {
  // More than 65535 members need another format, which libzip writes.
  zip_error_t error;
  ::zip_error_init(&error);
  zip_source_t* target = ::zip_source_buffer_create(nullptr, 0, 0, &error);
  ::zip_source_keep(target);
  zip_t* archive = ::zip_open_from_source(target, ZIP_TRUNCATE, &error);
  ASSERT_NE(archive, nullptr);
  for (int i = 0; i < 66'000; ++i) {
    zip_source_t* content = ::zip_source_buffer(archive, "x", 1, 0);
    ASSERT_GE(::zip_file_add(archive, base::format("{}.txt", i).c_str(), content, 0), 0);
  }
  ASSERT_EQ(::zip_close(archive), 0);
  ASSERT_EQ(::zip_source_open(target), 0);
  zip_stat_t info;
  ASSERT_EQ(::zip_source_stat(target, &info), 0);
  std::string bytes(info.size, '\0');
  ASSERT_EQ(::zip_source_read(target, bytes.data(), bytes.size()),
            static_cast<zip_int64_t>(bytes.size()));
  ::zip_source_close(target);
  ::zip_source_free(target);
  const auto files = open(bytes);
  ASSERT_FALSE(files);
  EXPECT_THAT(files.error().message, HasSubstr("66000 members"));
}

TEST(Archive, Bomb) {
  const auto files = open(zip({{"bomb.json", std::string(128 << 20, '0'), true}}));
  ASSERT_TRUE(files);
  EXPECT_EQ((*files)->read_head("dir/x.tea/bomb.json", 100).value().size(), 100u);
  const auto bytes = (*files)->read("dir/x.tea/bomb.json");
  ASSERT_FALSE(bytes);
  EXPECT_EQ(bytes.error().code, ErrorCode::kBadInput);
  EXPECT_THAT(bytes.error().message, HasSubstr("too large when unpacked"));
  EXPECT_EQ(bytes.error().file, "dir/x.tea/bomb.json");
}

// --- Damaged ones ---

// Opens it and reads everything that it lists; the only failures allowed are errors.
void try_archive(const std::string& bytes) {
  const auto files = open(bytes);
  if (!files) {
    EXPECT_TRUE(files.error().code == ErrorCode::kBadInput ||
                files.error().code == ErrorCode::kUnsupported);
    EXPECT_EQ(files.error().file, "dir/x.tea");
    EXPECT_FALSE(files.error().message.empty());
    return;
  }
  (*files)->top_folder();
  const auto entries = (*files)->list("dir/x.tea");
  for (const base::FileEntry& entry : entries.value_or(std::vector<base::FileEntry>{})) {
    (void)(*files)->read_head(entry.path, 4);
    const auto bytes_of = (*files)->read(entry.path);
    if (!bytes_of) {
      EXPECT_EQ(bytes_of.error().file, entry.path);
    }
  }
}

std::string small_archive() {
  return zip({{"build_cfg.json", R"({"engine_build_duration": 1.5, "DLA_core": "-1"})", true},
              {"a/b.txt", "text"},
              {"build_cfg.json", R"({"engine_build_duration": 2.5})"},
              {"plan_cfg.json", R"({"io_tensors": {}})", true}});
}

TEST(ArchiveDamaged, CutAtEveryByte) {
  const std::string whole = small_archive();
  for (std::size_t length = 0; length < whole.size(); ++length) {
    const auto files = open(whole.substr(0, length));
    ASSERT_FALSE(files) << length;
    // The list of members is at the end of the file.
    EXPECT_THAT(files.error().message, HasSubstr(length < 4 ? "not a zip" : "list of members"));
  }
}

TEST(ArchiveDamaged, EveryByteFlippedOrGone) {
  const std::string whole = small_archive();
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (const char value : {'\x00', '\x01', '\x7f', '\x80', '\xff'}) {
      std::string damaged = whole;
      damaged[at] = value;
      try_archive(damaged);
    }
    std::string damaged = whole;
    try_archive(damaged.erase(at, 1));
    damaged = whole;
    try_archive(damaged.insert(at, 1, '\0'));
  }
}

TEST(ArchiveDamaged, WrongChecksum) {
  std::string bytes = zip({{"a.txt", "original content"}});
  bytes[bytes.find("original")] = 'O';
  const auto files = open(bytes);
  ASSERT_TRUE(files);
  const auto content = (*files)->read("dir/x.tea/a.txt");
  ASSERT_FALSE(content);
  EXPECT_THAT(content.error().message, HasSubstr("can't be unpacked"));
}

// --- Opened as an engine ---

constexpr std::string_view kPlanConfig = R"json({
    "device_memory_size": "1024", "name": "Unnamed Network 0", "num_layers": "3",
    "num_optimization_profiles": "2",
    "io_tensors": {
        "x": {"mode": "TensorIOMode.INPUT", "dtype": "DataType.HALF", "shape": "(1, 3, -1, 224)",
              "location": "TensorLocation.DEVICE"},
        "s": {"mode": "TensorIOMode.INPUT", "dtype": "DataType.INT32", "shape": "()",
              "location": "TensorLocation.HOST"},
        "y": {"mode": "TensorIOMode.OUTPUT", "dtype": "DataType.NEW", "shape": "(1,)",
              "location": "TensorLocation.DEVICE"}}})json";
constexpr std::string_view kBuildConfig = R"({"engine_build_duration": 12.5,
    "avg_timing_iterations": "1", "builder_optimization_level": "3"})";

std::vector<std::string> files_of(const PlanModel& model) {
  std::vector<std::string> names;
  for (const base::StringId file : model.files.file.values()) names.emplace_back(model.text(file));
  return names;
}

Result<PlanModel> load_archive(const std::vector<Member>& members, LoadRequest request = {}) {
  base::MemoryFiles files;
  files.add("run/x.tea", zip(members));
  if (request.path.empty()) request.path = "run/x.tea";
  return test::load_completed(request, files);
}

TEST(ArchiveEngine, OptionsAlone) {
  const PlanModel model =
      test::must(load_archive({{"build_cfg.json", std::string(kBuildConfig), true},
                               {"plan_cfg.json", std::string(kPlanConfig), true},
                               {"engine.trt", std::string(100, '\xfe')},
                               {"timing.cache", "cache"}}));
  EXPECT_EQ(model.text(model.engine.name[0]), "x");
  EXPECT_EQ(model.text(model.engine.producer[0]), "tensorrt");
  EXPECT_EQ(model.text(model.engine.importer[0]), "trex");
  EXPECT_EQ(model.text(model.engine.detail[0]), "no-layers");
  EXPECT_EQ(model.engine.profile_count[0], 2);
  EXPECT_EQ(test::value_of(model, "builder configuration", "engine_build_duration"), "12.5");
  EXPECT_EQ(test::value_of(model, "builder configuration", "builder_optimization_level"), "3");
  EXPECT_EQ(test::value_of(model, "engine", "num_layers"), "3");
  EXPECT_EQ(test::value_of(model, "engine", "io_tensors.s.location"), "TensorLocation.HOST");
  ASSERT_EQ(model.bindings.row_count(), 3u);
  EXPECT_EQ(model.bindings.direction[0], model::Direction::kInput);
  EXPECT_EQ(model.bindings.dtype[0], model::DType::kFp16);
  EXPECT_THAT(model.bindings.dims[0], ElementsAre(1, 3, -1, 224));
  EXPECT_FALSE(model.bindings.dims.is_null(1));
  EXPECT_THAT(model.bindings.dims[1], IsEmpty()) << "a scalar";
  EXPECT_EQ(model.bindings.direction[2], model::Direction::kOutput);
  EXPECT_TRUE(model.bindings.dtype.is_null(2));
  EXPECT_THAT(model.bindings.dims[2], ElementsAre(1));
  EXPECT_THAT(test::diagnostic_codes(model), ElementsAre("no-layers", "unknown-type"));
  EXPECT_THAT(files_of(model), ElementsAre("run/x.tea/build_cfg.json", "run/x.tea/plan_cfg.json"));
}

TEST(ArchiveEngine, LayersInsideAndTimesBeside) {
  const PlanModel model = test::must(
      load_archive({{"x.graph.json", std::string(kOneLayer)},
                    {"plan_cfg.json", std::string(kPlanConfig)},
                    {"x.build.metadata.json", R"({"build_options": {"Precision": "FP32"}})"}}));
  EXPECT_EQ(model.layers.row_count(), 1u);
  EXPECT_EQ(model.text(model.engine.detail[0]), "full");
  EXPECT_EQ(test::value_of(model, "build_options", "Precision"), "FP32");
  EXPECT_THAT(test::diagnostic_codes(model), testing::Not(Contains("no-layers")));
  // One of its files, or a common prefix, can also be named; so can files elsewhere.
  for (const std::string path : {"run/x.tea/x.graph.json", "run/x.tea/x", "run/x.tea/"}) {
    EXPECT_EQ(test::must(load_archive({{"x.graph.json", std::string(kOneLayer)}}, {.path = path}))
                  .layers.row_count(),
              1u)
        << path;
  }
  base::MemoryFiles files;
  files.add("run/x.tea",
            zip({{"top/x.graph.json", std::string(kOneLayer)}, {"top/other.txt", ""}}));
  files.add("t.json", R"({"schema": "planex.times/1", "columns": {"latency_ms": [1]}})");
  const PlanModel timed =
      test::must(test::load_completed({.path = "run/x.tea", .times = "t.json"}, files));
  EXPECT_EQ(timed.iterations.row_count(), 1u);
  EXPECT_EQ(timed.text(timed.files.file[0]), "run/x.tea/top/x.graph.json");
}

TEST(ArchiveEngine, RemarksBecomeDiagnostics) {
  const PlanModel model = test::must(load_archive({{"x.graph.json", "{"},
                                                   {"../x.profile.json", "[]"},
                                                   {"x.graph.json", std::string(kOneLayer)}}));
  EXPECT_THAT(test::diagnostic_codes(model),
              ElementsAre("archive-member-left-out", "archive-member-twice"));
}

TEST(ArchiveEngine, ADamagedMemberIsAnError) {
  std::string bytes = zip({{"x.graph.json", std::string(kOneLayer)},
                           {"x.profile.json", R"([{"count": 12345}])"},
                           {"photo.png", "a picture that nobody needs"}});
  const auto load_bytes = [](const std::string& text) {
    return test::load_completed({.path = "run/x.tea"}, test::memory_files({{"run/x.tea", text}}));
  };
  ASSERT_TRUE(load_bytes(bytes));
  std::string damaged = bytes;
  damaged[damaged.find("12345")] = '2';
  const auto model = load_bytes(damaged);
  ASSERT_FALSE(model) << "the checksum is wrong";
  EXPECT_EQ(model.error().file, "run/x.tea/x.profile.json");
  EXPECT_THAT(model.error().message, HasSubstr("damaged"));
  damaged = bytes;
  damaged[damaged.find("picture")] = 'P';
  EXPECT_THAT(test::diagnostic_codes(test::must(load_bytes(damaged))),
              testing::Contains("file-not-read"));
}

TEST(ArchiveEngine, AnEncryptedMemberIsAnError) {
  const Member graph{"x.graph.json", std::string(kOneLayer)};
  const auto model =
      load_archive({graph, {"x.profile.json", "0123456789abcdef", false, 0100644, true}});
  ASSERT_FALSE(model);
  EXPECT_EQ(model.error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(model.error().file, "run/x.tea/x.profile.json");
  const PlanModel other =
      test::must(load_archive({graph, {"secret.bin", "0123456789abcdef", false, 0100644, true}}));
  EXPECT_THAT(test::diagnostic_codes(other), ElementsAre("archive-member-not-read"));
}

TEST(ArchiveEngine, WhatWasLeftOutIsSaidWhereNothingIsFound) {
  const auto none = load_archive({{"../x.graph.json", std::string(kOneLayer)}, {"a.txt", "text"}});
  ASSERT_FALSE(none);
  EXPECT_THAT(none.error().context, HasSubstr("points outside the archive"));
}

TEST(ArchiveEngine, NothingInside) {
  const auto none = load_archive({{"photo.png", "\x89PNG"}});
  ASSERT_FALSE(none);
  EXPECT_THAT(none.error().message, HasSubstr("no layer information"));
  EXPECT_FALSE(load_archive({}));
  const auto several = load_archive(
      {{"a.graph.json", std::string(kOneLayer)}, {"b.graph.json", std::string(kOneLayer)}});
  ASSERT_FALSE(several);
  EXPECT_EQ(several.error().code, ErrorCode::kUsage);
  EXPECT_THAT(several.error().context, HasSubstr("run/x.tea/a.graph.json"));
  const auto missing =
      load_archive({{"a.graph.json", std::string(kOneLayer)}}, {.path = "run/x.tea/none.json"});
  EXPECT_EQ(missing.error().code, ErrorCode::kNotFound);
}

TEST(ArchiveInAFolder, IsDescribed) {
  const std::string engine = zip({{"x.graph.json", std::string(kOneLayer)}, {"a.txt", ""}});
  const std::string cut = engine.substr(0, 60);
  const std::string arrays = zip({{"a.npy", "1"}});
  const auto files = test::memory_files({{"run/a.graph.json", kOneLayer},
                                         {"run/x y.zip", engine},
                                         {"run/cut.tea", cut},
                                         {"run/w.npz", arrays}});
  const auto found = discover({.path = "run"}, files);
  ASSERT_TRUE(found);
  EXPECT_EQ(evidence_of(*found, "run/x y.zip"),
            "archive with 2 files; `planex summary 'run/x y.zip'` opens it");
  EXPECT_THAT(evidence_of(*found, "run/cut.tea"), HasSubstr("archive that can't be opened: "));
  EXPECT_EQ(evidence_of(*found, "run/w.npz"), "archive with 1 file");
}

TEST(ArchiveInAFolder, IsOpenedWhereNothingElseIsThere) {
  const std::string engine = zip({{"x.graph.json", std::string(kOneLayer)}});
  const std::string arrays = zip({{"a.npy", "1"}});
  constexpr std::string_view kTimes = R"([{"startEnqMs": 1, "computeMs": 2, "latencyMs": 2}])";
  auto files =
      test::memory_files({{"run/x.zip", engine}, {"run/w.npz", arrays}, {"run/t.json", kTimes}});
  const auto found = discover({.path = "run"}, files);
  ASSERT_TRUE(found) << test::to_text(found.error());
  EXPECT_EQ(found->files[0].path, "run/x.zip/x.graph.json");
  EXPECT_EQ(evidence_of(*found, "run/t.json"),
            "left out: files beside an archive are not used; name this one with --times");
  const PlanModel model = test::must(test::load_completed({.path = "run"}, files));
  EXPECT_EQ(model.layers.row_count(), 1u);
  EXPECT_THAT(test::diagnostic_codes(model), Contains("archive-opened"));
  // A file that is named is used, and an archive that is named reports its neighbours in the same
  // way.
  const PlanModel timed =
      test::must(test::load_completed({.path = "run", .times = "run/t.json"}, files));
  EXPECT_EQ(timed.iterations.row_count(), 1u);
  EXPECT_THAT(evidence_of(*discover({.path = "run/x.zip"}, files), "run/t.json"),
              HasSubstr("left out: files beside an archive"));

  files.add("run/y.zip", engine);
  const auto several = discover({.path = "run"}, files);
  ASSERT_FALSE(several);
  EXPECT_THAT(several.error().context,
              HasSubstr("run/y.zip: archive with 1 file; `planex summary run/y.zip` opens it"));
  const auto empty = test::memory_files({{"run/w.npz", arrays}});
  EXPECT_THAT(discover({.path = "run"}, empty).error().message, HasSubstr("no layer information"));
  const std::string within = zip({{"z.zip", engine}});
  const auto nested = test::memory_files({{"run/n.zip", within}});
  EXPECT_FALSE(discover({.path = "run"}, nested)) << "archives in archives stay closed";
}

TEST(ArchiveEngine, OptionsBrokenAtEveryByte) {
  for (const std::string_view text : {kPlanConfig, kBuildConfig}) {
    for (std::size_t length = 0; length < text.size(); ++length) {
      base::MemoryFiles files;
      files.add("e/plan_cfg.json", text.substr(0, length));
      const auto model = test::load_completed({.path = "e"}, files);
      EXPECT_FALSE(model);
    }
    for (std::size_t at = 0; at < text.size(); ++at) {
      for (const char c : {'"', '{', '9', '\\', '\xff', ')'}) {
        std::string damaged(text);
        damaged[at] = c;
        base::MemoryFiles files;
        files.add("e/plan_cfg.json", damaged);
        const auto model = test::load_completed({.path = "e"}, files);
        if (model) {
          EXPECT_FALSE(test::dump(*model).empty());
        }
      }
    }
  }
}

TEST(DevicesOfMetadata, OneKindIsTheEngines) {
  const auto device = [](std::string_view list) {
    const PlanModel model = test::must(test::load_texts(kOneLayer, list));
    return std::string(model.text(model.engine.device[0]));
  };
  EXPECT_EQ(device(R"([{"Name": "A100", "ComputeCapability": [8, 0]}])"), "A100");
  EXPECT_EQ(device(R"([{"Name": "A100", "ComputeCapability": [8, 0]},
                       {"Name": "A100", "ComputeCapability": [8, 0]}])"),
            "A100");
  EXPECT_EQ(device(R"([{"Name": "A100", "ComputeCapability": [8, 0]},
                       {"Name": "T4", "ComputeCapability": [7, 5]}])"),
            "");
}

TEST(DevicesOfMetadata, RealEngines) {
  PLANEX_NEED_TEST_DATA(data);
  for (const auto& [name, expected] :
       {std::pair("resnet18-a100-fp16", "NVIDIA A100 80GB PCIe"),
        std::pair("mobilenet-titanrtx-qat-trt8.2", "NVIDIA TITAN RTX")}) {
    const PlanModel model = test::must(test::load_engine(data, name));
    EXPECT_EQ(model.text(model.engine.device[0]), expected) << name;
  }
}

TEST(ArchivedEngine, EnginesOfAFolderAndOfItsArchives) {
  const std::string graph(kOneLayer);
  const auto files = test::memory_files(
      {{"run/x.graph.json", graph},
       {"run/one.tea", zip({{"top/y.graph.json", graph}, {"top/other.txt", ""}})},
       {"run/two.zip", zip({{"a.graph.json", graph}, {"b.graph.json", graph}})},
       {"run/photos.zip", zip({{"a.jpg", "jpg"}})},
       {"run/broken.zip", zip({{"a.graph.json", graph}}).substr(0, 60)},
       {"run/readme.docx", zip({{"a.graph.json", graph}})}});
  const auto paths = engine_paths("run", files);
  ASSERT_TRUE(paths);
  EXPECT_THAT(*paths, ElementsAre("run", "run/one.tea", "run/two.zip/a.graph.json",
                                  "run/two.zip/b.graph.json"));
  for (const std::string& path : *paths) EXPECT_TRUE(discover({.path = path}, files)) << path;
  EXPECT_THAT(*engine_paths("run/one.tea", files), ElementsAre("run/one.tea"));
  EXPECT_FALSE(engine_paths("run/broken.zip", files));
}

// A file that is stored without compression can be read in the archive's own bytes.
TEST(ArchivedEngine, AnArchiveIsNotTheFileItHolds) {
  const auto files =
      test::memory_files({{"run/one.zip", zip({{"a.graph.json", std::string(kOneLayer)}})}});
  EXPECT_THAT(*engine_paths("run", files), ElementsAre("run/one.zip"));
  for (const std::string path : {"run", "run/one.zip"}) {
    const auto found = discover({.path = path}, files);
    ASSERT_TRUE(found) << path;
    EXPECT_EQ(found->files.front().path, "run/one.zip/a.graph.json") << path;
  }
}

}  // namespace
}  // namespace planex::ingest
