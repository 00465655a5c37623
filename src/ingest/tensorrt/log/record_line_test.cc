#include "ingest/tensorrt/log/record_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace planex::ingest::tensorrt {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::StartsWith;

std::vector<std::string> fields(std::span<const RecordField> fields) {
  std::vector<std::string> texts;
  for (const RecordField& field : fields) {
    texts.push_back(std::string(field.key) + "=" + std::string(field.value));
  }
  return texts;
}

// The fields of all tensors of a list.
std::vector<std::string> tensors(const RecordLine& line, std::string_view key) {
  std::vector<std::string> texts;
  for (const RecordField& field : line.fields()) {
    if (field.key != key) continue;
    for (const RecordObject& object : line.objects_of(field)) {
      for (const std::string& text : fields(line.fields_of(object))) texts.push_back(text);
    }
  }
  return texts;
}

TEST(RecordLine, SplitsFieldsAndTensors) {
  RecordLine line;
  ASSERT_TRUE(line.split(
      "Name: a, LayerType: kgen, Inputs: [ { Name: x, Dimensions: [1,-1], Strides: "
      "[4,1], Datatype: Half, Format: (Arbitrary) Format with stride order = [1,0] }, { "
      "Name: y, Dimensions: [] }], Constants: [], TacticName: , StreamId: 0, Metadata: "));
  EXPECT_THAT(tensors(line, "Inputs"),
              ElementsAre("Name=x", "Dimensions=[1,-1]", "Strides=[4,1]", "Datatype=Half",
                          "Format=(Arbitrary) Format with stride order = [1,0]", "Name=y",
                          "Dimensions=[]"));
  EXPECT_EQ(line.value_of("Constants"), "[]");
  EXPECT_EQ(line.value_of("TacticName"), "");
  EXPECT_EQ(line.value_of("StreamId"), "0");
  EXPECT_EQ(line.value_of("Metadata"), "");
  EXPECT_THAT(line.fields(), SizeIs(7));
  EXPECT_EQ(line.value_of("Outputs").data(), nullptr);
}

TEST(RecordLine, NamesHoldAnything) {
  const std::string_view names[] = {"a, b",
                                    "a, Foo: b",
                                    "x } ], Outputs: [ { y",
                                    "a\nb",
                                    "a\n\nName: b",
                                    "\"quoted\"",
                                    "[",
                                    "}}}}",
                                    "a -> (1)[HALF]",
                                    "é\x01\xff",
                                    "Name: nested",
                                    ",",
                                    "a, StreamId: 3"};
  RecordLine line;
  for (const std::string_view name : names) {
    SCOPED_TRACE(name);
    const std::string text =
        "Name: " + std::string(name) + ", LayerType: gemm, Inputs: [ { Name: " + std::string(name) +
        ", Dimensions: [2] }], Outputs: [], StreamId: 1, Metadata: [ONNX Layer: " +
        std::string(name) + "]\x1f[ONNX Layer: b]";
    ASSERT_TRUE(line.split(text)) << line.expected();
    EXPECT_EQ(line.value_of("Name"), name);
    EXPECT_EQ(tensors(line, "Inputs").front(), "Name=" + std::string(name));
    EXPECT_EQ(line.value_of("StreamId"), "1");
    EXPECT_EQ(line.value_of("Metadata"),
              "[ONNX Layer: " + std::string(name) + "]\x1f[ONNX Layer: b]");
  }
}

TEST(RecordLine, PlainValues) {
  RecordLine line;
  ASSERT_TRUE(line.split(
      R"(Name: a, LayerType: b, Weights: {"Type": "Half", "Count": 8}, Kernel: [5, 5], )"
      R"(Operations: ["auto const x = f(a, b);", "\"]"], Alpha: 0.5, Reshape: "nbDims=-1", )"
      R"(Flag: true)"));
  EXPECT_THAT(fields(line.fields()),
              ElementsAre("Name=a", "LayerType=b", R"(Weights={"Type": "Half", "Count": 8})",
                          "Kernel=[5, 5]", R"(Operations=["auto const x = f(a, b);", "\"]"])",
                          "Alpha=0.5", R"(Reshape="nbDims=-1")", "Flag=true"));
}

TEST(RecordLine, MetadataMayComeBeforeOtherKeys) {
  RecordLine line;
  ASSERT_TRUE(line.split("Name: a, LayerType: b, Metadata: [ONNX Layer: c, d], NewKey: 1"));
  EXPECT_EQ(line.value_of("Metadata"), "[ONNX Layer: c, d]");
  EXPECT_EQ(line.value_of("NewKey"), "1");
  ASSERT_TRUE(line.split("Name: a, LayerType: b, Metadata: , NewKey: 1"));
  EXPECT_EQ(line.value_of("Metadata"), "");
}

TEST(RecordLine, WhatAProgramPrintedAfterItIsNotPartOfIt) {
  RecordLine line;
  ASSERT_TRUE(line.split("Name: a, LayerType: b, Metadata: \nprinted text\n"));
  EXPECT_EQ(line.value_of("Metadata"), "");
}

TEST(RecordLine, KeepsWhatComesBeforeABreak) {
  const std::string_view whole =
      "Name: a, LayerType: gemm, Inputs: [ { Name: x, Dimensions: [1,2] }, { Name: y, Dimensions: "
      "[3] }], StreamId: 0, Metadata: [ONNX Layer: b]";
  RecordLine line;
  ASSERT_TRUE(line.split(whole));
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const std::string_view cut = whole.substr(0, size);
    SCOPED_TRACE(cut);
    const bool split = line.split(cut);
    EXPECT_LE(line.broken_at(), size);
    if (!split) {
      EXPECT_FALSE(line.expected().empty());
    }
    if (size > whole.find(", Inputs")) {
      EXPECT_THAT(line.value_of("LayerType"), StartsWith("gemm"));
    }
    if (size > whole.find("}, {")) {
      EXPECT_FALSE(tensors(line, "Inputs").empty());
    }
    // Only text truncated between two fields looks complete.
    if (split && size < whole.find("StreamId")) {
      EXPECT_TRUE(whole.substr(size).starts_with(",") || line.fields().size() < 4);
    }
  }
}

TEST(RecordLine, NoRecords) {
  RecordLine line;
  for (const std::string_view text :
       {"", " ", "x", ":", ",", "[", "Name", "Name:", "Name: ", "Inputs: [ {", "Inputs: [ { ]",
        "Inputs: [ {}, ]x", "Weights: {", "A: [[[[[[[[", "A: ]", "A: \"", "Metadata: ["}) {
    SCOPED_TRACE(text);
    line.split(text);
  }
}

TEST(ReadIntegers, Lists) {
  std::vector<std::int64_t> values;
  EXPECT_TRUE(read_integers("[1,-2, 3]", values));
  EXPECT_THAT(values, ElementsAre(1, -2, 3));
  EXPECT_TRUE(read_integers("[]", values));
  EXPECT_THAT(values, IsEmpty());
  for (const std::string_view text : {"", "[", "]", "1", "[1", "[,]", "[1,]", "[1 2]", "[a]",
                                      "[99999999999999999999]", "[1.5]"}) {
    EXPECT_FALSE(read_integers(text, values)) << text;
  }
}

}  // namespace
}  // namespace planex::ingest::tensorrt
