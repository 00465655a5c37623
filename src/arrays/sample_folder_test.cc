#include "arrays/sample_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace planex::arrays {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class SampleFolder : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "planex-samples-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
  }
  void TearDown() override { fs::remove_all(folder_); }

  void put(const std::string& name, std::string_view text) const {
    std::ofstream(folder_ + "/" + name, std::ios::binary) << text;
  }
  std::string text_of(const std::string& name) const {
    std::ifstream file(folder_ + "/" + name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  void write_two() const {
    auto writer = SampleWriter::create(
        folder_, {{.name = "x", .type = ElementType::kUint8, .shape = {1, 2}},
                  {.name = "y \"\xff", .type = ElementType::kFloat16, .shape = {}}});
    ASSERT_TRUE(writer);
    const std::string_view first[] = {"ab", "01"}, second[] = {"cd", "23"};
    ASSERT_TRUE((*writer)->add({.name = "a.png", .label = "cat"}, first));
    ASSERT_TRUE((*writer)->add({.name = "b.png", .label = {}}, second));
    ASSERT_TRUE((*writer)->finish({"resize=2x1"}));
  }

  std::string folder_;
};

TEST_F(SampleFolder, WhatIsWrittenIsRead) {
  write_two();
  EXPECT_EQ(text_of("0.bin"), "abcd");
  auto reader = SampleReader::open(folder_);
  ASSERT_TRUE(reader) << reader.error().message;
  const SampleIndex& index = (*reader)->index();
  ASSERT_EQ(index.inputs.size(), 2U);
  EXPECT_EQ(index.inputs[0].name, "x");
  EXPECT_EQ(index.inputs[0].type, ElementType::kUint8);
  EXPECT_THAT(index.inputs[0].shape, testing::ElementsAre(1, 2));
  EXPECT_EQ(index.inputs[1].name, "y \"\xEF\xBF\xBD");
  ASSERT_EQ(index.samples.size(), 2U);
  EXPECT_EQ(index.samples[0].label, "cat");
  EXPECT_EQ(index.samples[1].name, "b.png");
  EXPECT_THAT(index.preparation, testing::ElementsAre("resize=2x1"));
  std::string data(2, '\0');
  ASSERT_TRUE((*reader)->read(1, 0, data));
  EXPECT_EQ(data, "cd");
  ASSERT_TRUE((*reader)->read(0, 1, data));
  EXPECT_EQ(data, "01");
  EXPECT_FALSE((*reader)->read(2, 0, data));
  EXPECT_FALSE((*reader)->read(0, 0, std::span(data).first(1)));
}

TEST_F(SampleFolder, SamplesOfAWrongSizeAreNotWritten) {
  auto writer = SampleWriter::create(folder_, {{.name = "x", .shape = {1}}});
  ASSERT_TRUE(writer);
  const std::string_view data[] = {"abc"};
  EXPECT_FALSE((*writer)->add({}, data));
  EXPECT_FALSE((*writer)->add({}, {}));
}

TEST_F(SampleFolder, AFolderWithoutIndexIsNotWhole) {
  {
    auto writer = SampleWriter::create(folder_, {{.name = "x", .shape = {1}}});
    ASSERT_TRUE(writer);
  }
  const auto reader = SampleReader::open(folder_);
  ASSERT_FALSE(reader);
  EXPECT_EQ(reader.error().code, ErrorCode::kNotFound);
  EXPECT_TRUE(fs::is_empty(folder_));
}

TEST_F(SampleFolder, WritingAnewRemovesTheOldIndexFirst) {
  write_two();
  auto writer = SampleWriter::create(folder_, {{.name = "x", .shape = {1}}});
  ASSERT_TRUE(writer);
  EXPECT_FALSE(SampleReader::open(folder_));
}

TEST_F(SampleFolder, SizesAreChecked) {
  write_two();
  put("1.bin", "012");
  const auto reader = SampleReader::open(folder_);
  ASSERT_FALSE(reader);
  EXPECT_EQ(reader.error().code, ErrorCode::kBadInput);
  EXPECT_THAT(reader.error().message, HasSubstr("3 bytes, expected 2 samples of 2 bytes"));
}

TEST_F(SampleFolder, WrongIndexesAreToldWithTheirPlace) {
  const auto pointer_of = [&](std::string_view text) {
    put("samples.json", text);
    const auto reader = SampleReader::open(folder_);
    EXPECT_FALSE(reader);
    return reader ? "" : reader.error().json_pointer + " " + reader.error().message;
  };
  const std::string start = R"({"schema":"planex.samples/1","inputs":[)";
  EXPECT_THAT(pointer_of("{"), HasSubstr("not JSON"));
  EXPECT_THAT(pointer_of("[]"), HasSubstr("an object"));
  EXPECT_THAT(pointer_of(R"({"schema":"planex.samples/2"})"), HasSubstr("/schema"));
  EXPECT_THAT(pointer_of(start + "1]}"), HasSubstr("/inputs/0 "));
  EXPECT_THAT(pointer_of(start + R"({"name":"x","type":"float9","shape":[]}]})"),
              HasSubstr("/inputs/0/type"));
  EXPECT_THAT(pointer_of(start + R"({"name":"x","type":"int8","shape":[9223372036854775807,2]}]})"),
              HasSubstr("/inputs/0/shape"));
  EXPECT_THAT(pointer_of(start + R"({"name":"x","type":"int8","shape":[1.5]}]})"),
              HasSubstr("/inputs/0/shape/0"));
  EXPECT_THAT(pointer_of(start + R"(],"samples":[{"label":"a"}]})"), HasSubstr("/samples/0/name"));
  EXPECT_THAT(pointer_of(start + R"(],"samples":[],"preparation":[1]})"),
              HasSubstr("/preparation/0"));
  EXPECT_THAT(pointer_of(std::string(100'000, '[')), HasSubstr("not JSON"));
}

}  // namespace
}  // namespace planex::arrays
