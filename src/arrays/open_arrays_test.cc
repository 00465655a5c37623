#include "arrays/open_arrays.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "archive/zip_writer.h"
#include "arrays/npy.h"
#include "arrays/npz.h"
#include "base/files.h"
#include "base/scratch_file.h"

namespace planex::arrays {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Result<SavedArrays> open(const std::string& name) {
  return open_arrays(std::string(PLANEX_ARRAYS_DATA) + "/" + name, base::disk());
}

std::vector<std::string> names_of(const SavedArrays& saved) {
  std::vector<std::string> names;
  for (const NamedArray& each : saved.runs.at(0).iterations.at(0).arrays) {
    names.push_back(each.name);
  }
  return names;
}

TEST(Npz, IsMadeOfFiles) {
  const auto folder = base::ScratchFolder::create();
  ASSERT_TRUE(folder);
  const Array array{.type = ElementType::kInt32, .shape = {2}, .data = std::string(8, '\1')};
  const std::string npy = base::join_path(folder->path(), "one.npy");
  ASSERT_TRUE(base::write_file_atomically(npy, npy_text(array)));
  const std::string path = base::join_path(folder->path(), "all.npz");
  const std::vector<NpyFile> files = {{"/block.1/y:0", npy}, {"z", npy}};
  ASSERT_TRUE(write_npz(files, path));
  ASSERT_TRUE(write_npz(files, path)) << "replaces it";
  const auto saved = open_arrays(path, base::disk());
  ASSERT_TRUE(saved) << saved.error().message;
  EXPECT_THAT(names_of(*saved), ElementsAre("/block.1/y:0", "z"));
  EXPECT_EQ(saved->runs[0].iterations[0].arrays[1].array.data, array.data);
  const auto missing = write_npz(std::vector<NpyFile>{{"y", npy + "x"}}, path);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::kNotFound);
}

TEST(Npz, StoredAndPackedOnesOfNumpy) {
  const auto stored = open("stored.npz");
  ASSERT_TRUE(stored) << stored.error().message;
  EXPECT_EQ(stored->format, ArraysFormat::kNpz);
  EXPECT_THAT(names_of(*stored),
              ElementsAre("logits", "half", "ids", "mask", "scalar", "fortran", "double", "empty"));
  EXPECT_THAT(floats_of(stored->runs[0].iterations[0].arrays[5].array),
              ElementsAre(0, 1, 2, 3, 4, 5));
  const auto packed = open("packed.npz");
  ASSERT_TRUE(packed) << packed.error().message;
  EXPECT_EQ(packed->runs[0].iterations[0].arrays[1].array.data.size(), 64U * 64 * 8);
}

TEST(Npz, WhatIsWrittenIsReadAndAlwaysTheSame) {
  const std::vector<NamedArray> arrays = {
      {"a/b", {.type = ElementType::kInt8, .shape = {2}, .data = "xy"}},
      {"c", {.type = ElementType::kFloat32, .shape = {}, .data = "1234"}}};
  const auto text = npz_text(arrays, "a.npz");
  ASSERT_TRUE(text);
  EXPECT_EQ(*text, npz_text(arrays, "b.npz").value());
  EXPECT_THAT(*text, HasSubstr("1234"));
  const auto again = read_npz(*text, "a.npz");
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_THAT(names_of(*again), ElementsAre("a/b", "c"));
  EXPECT_EQ(again->runs[0].iterations[0].arrays[0].array.data, "xy");
}

TEST(Npz, DamagedAndOtherArchivesAreRefused) {
  const std::string text =
      npz_text(
          std::vector<NamedArray>{
              {"a", {.type = ElementType::kInt8, .shape = {4}, .data = "wxyz"}}},
          "a.npz")
          .value();
  for (std::size_t size = 0; size < text.size(); ++size) {
    EXPECT_FALSE(read_npz(text.substr(0, size), "a.npz")) << size;
  }
  std::string damaged = text;
  damaged[damaged.find("wxyz")] = 'v';
  const auto read = read_npz(damaged, "a.npz");
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().file, "a.npz/a.npy");
  EXPECT_THAT(read.error().message, HasSubstr("damaged"));
  EXPECT_THAT(read_npz("PK\5\6" + std::string(18, '\0'), "a.npz").error().message,
              HasSubstr("without arrays"));
}

TEST(Npz, ABombIsRefused) {
  // 128 MiB of zeros in some 130 kB.
  const std::size_t size = std::size_t{128} << 20;
  const std::string npy = npy_header_text(ElementType::kInt8, {static_cast<std::int64_t>(size)}) +
                          std::string(size, '\0');
  const std::vector<archive::ZipMember> members = {{"a.npy", base::make_bytes(npy)}};
  const auto text = archive::zip_text(members, "bomb.npz");
  ASSERT_TRUE(text);
  const auto read = read_npz(*text, "bomb.npz");
  ASSERT_FALSE(read);
  EXPECT_THAT(read.error().message, HasSubstr("too much"));
}

TEST(OpenArrays, KindsAreToldByContent) {
  EXPECT_EQ(open("polygraphy-outputs.json")->format, ArraysFormat::kPolygraphyOutputs);
  EXPECT_EQ(open("polygraphy-inputs.json")->format, ArraysFormat::kPolygraphyInputs);
  EXPECT_EQ(open("trtexec-output.json")->format, ArraysFormat::kTrtexecOutput);
  const auto npy = open("debug-tensors/bfloat.npy");
  ASSERT_TRUE(npy);
  EXPECT_THAT(names_of(*npy), ElementsAre("bfloat"));
  EXPECT_EQ(npy->runs[0].iterations[0].arrays[0].array.type, ElementType::kBfloat16);
  base::MemoryFiles files;
  files.add("x.npz", npy_text({.type = ElementType::kInt8, .shape = {1}, .data = "a"}));
  EXPECT_EQ(open_arrays("x.npz", files)->format, ArraysFormat::kNpy);
}

TEST(OpenArrays, FoldersOfTensorsAreOneInference) {
  const auto debug = open("debug-tensors");
  ASSERT_TRUE(debug) << debug.error().message;
  EXPECT_TRUE(debug->has_file_names);
  EXPECT_THAT(names_of(*debug), ElementsAre("bfloat", "logits", "swapped"));
  EXPECT_THAT(floats_of(debug->runs[0].iterations[0].arrays[2].array), ElementsAre(1, 256));
  const auto raw = open("raw-bindings");
  ASSERT_TRUE(raw) << raw.error().message;
  EXPECT_THAT(names_of(*raw), ElementsAre("half", "logits"));
}

TEST(OpenArrays, FoldersOfPolygraphyAreIterations) {
  const auto saved = open("polygraphy-folder");
  ASSERT_TRUE(saved) << saved.error().message;
  EXPECT_EQ(saved->runs.size(), 2U);
  base::MemoryFiles files;
  const auto bytes =
      base::disk().read(std::string(PLANEX_ARRAYS_DATA) + "/polygraphy-folder/0.json");
  ASSERT_TRUE(bytes);
  files.add("f/0.json", *bytes);
  files.add("f/1.json", *bytes);
  files.add("f/notes.txt", "x");
  const auto twice = open_arrays("f", files);
  ASSERT_TRUE(twice);
  ASSERT_EQ(twice->runs.size(), 1U);
  EXPECT_EQ(twice->runs[0].iterations.size(), 2U);
  EXPECT_THAT(twice->remarks, ElementsAre(HasSubstr("1 other file")));
}

TEST(OpenArrays, OtherFilesAreRefusedWithWhatIsExpected) {
  base::MemoryFiles files;
  files.add("a.bin", "hello");
  files.add("empty/x.txt", "hello");
  EXPECT_EQ(open_arrays("none", files).error().code, ErrorCode::kNotFound);
  EXPECT_THAT(open_arrays("a.bin", files).error().message, HasSubstr("begins with \"hello\""));
  EXPECT_THAT(open_arrays("empty", files).error().message, HasSubstr("no saved tensors"));
  EXPECT_THAT(open("pickle.npy").error().message, HasSubstr("runs code"));
}

}  // namespace
}  // namespace planex::arrays
