#include "ingest/tensorrt/format.h"

#include <gtest/gtest.h>

#include <string>

namespace planex::ingest::tensorrt {
namespace {

using model::DType;

struct Sentence {
  const char* text;
  DType dtype;
  const char* layout;
};

// Every distinct Format/Datatype of 60 real layer files, 8.2 to 10.16.
constexpr Sentence kReal[] = {
    {"Channel major FP16 format where channel % 8 == 0", DType::kFp16, "NHWC8"},
    {"Row major linear FP32", DType::kFp32, "NCHW"},
    {"Thirty-two wide channel vectorized row major Int8 format", DType::kInt8, "NC/32HW32"},
    {"Row major linear FP16 format", DType::kFp16, "NCHW"},
    {"Float", DType::kFp32, ""},
    {"Channel major FP16 format where channel % 16 == 0", DType::kFp16, "NHWC16"},
    {"Half", DType::kFp16, ""},
    {"Channel major FP32 format where channel % 4 == 0", DType::kFp32, "NHWC4"},
    {"Channel major FP32 format", DType::kFp32, "NHWC"},
    {"Channel major FP16 format where channel % 2 == 0", DType::kFp16, "NHWC2"},
    {"Int8", DType::kInt8, ""},
    {"Channel major FP16 format where channel % 4 == 0", DType::kFp16, "NHWC4"},
    {"Four wide channel vectorized row major Int8 format", DType::kInt8, "NC/4HW4"},
    {"Four wide channel vectorized row major FP32 format", DType::kFp32, "NC/4HW4"},
    {"Thirty-two wide channel vectorized row major FP16 format", DType::kFp16, "NC/32HW32"},
    {"Thirty-two wide channel vectorized row major FP32 format", DType::kFp32, "NC/32HW32"},
    {"Row major Int8 format", DType::kInt8, "NCHW"},
    {"Two wide channel vectorized row major FP16 format", DType::kFp16, "NC/2HW2"},
    {"Int32", DType::kInt32, ""},
    {"Row major linear Int32", DType::kInt32, "NCHW"},
    {"Int64", DType::kInt64, ""},
};
static_assert(std::size(kReal) == 21);

// Documented, or in the manner of the others, but in none of our files.
constexpr Sentence kOther[] = {
    {"Sixteen wide channel vectorized row major FP16 format", DType::kFp16, "NC/16HW16"},
    {"Sixty-four wide channel vectorized row major Int8 format", DType::kInt8, "NC/64HW64"},
    {"Eight wide channel vectorized row major FP16 format", DType::kFp16, "NC/8HW8"},
    {"Channel major Int8 format where channel % 32 == 0", DType::kInt8, "NHWC32"},
    {"Row major linear BFloat16 format", DType::kBf16, "NCHW"},
    {"Row major linear BF16 format", DType::kBf16, "NCHW"},
    {"Row major linear FP8 format", DType::kFp8, "NCHW"},
    {"Row major linear FP4 format", DType::kFp4, "NCHW"},
    {"Row major linear Bool", DType::kBool, "NCHW"},
    {"Row major linear UInt8", DType::kUint8, "NCHW"},
    {"ROW MAJOR LINEAR fp32", DType::kFp32, "NCHW"},
    {"Bool", DType::kBool, ""},
    {"UInt64", DType::kUint64, ""},
    {"INT4", DType::kInt4, ""},
    // What is not understood stays null, and takes nothing else with it.
    {"N/A due to dynamic shapes", DType::kNull, ""},
    {"", DType::kNull, ""},
    {"Floaty", DType::kNull, ""},
    {"Row major linear Complex64", DType::kNull, "NCHW"},
    {"Channel major FP16 format where channel % 7 == 0", DType::kFp16, ""},
    {"Channel major FP16 format where channel % 99999999999 == 0", DType::kFp16, "NHWC"},
    {"Channel major FP16 format where channel % x == 0", DType::kFp16, "NHWC"},
    {"Five wide channel vectorized FP16 format", DType::kFp16, ""},
};

TEST(ParseFormat, ReadsEverySentenceOfRealFiles) {
  for (const Sentence& sentence : kReal) {
    const Format format = parse_format(sentence.text);
    EXPECT_EQ(format.dtype, sentence.dtype) << sentence.text;
    EXPECT_EQ(to_string(format.layout), sentence.layout) << sentence.text;
  }
}

TEST(ParseFormat, ReadsWhatMayCome) {
  for (const Sentence& sentence : kOther) {
    const Format format = parse_format(sentence.text);
    EXPECT_EQ(format.dtype, sentence.dtype) << sentence.text;
    EXPECT_EQ(to_string(format.layout), sentence.layout) << sentence.text;
  }
}

TEST(ParseType, ReadsWordsOfWeights) {
  EXPECT_EQ(parse_type("Half"), DType::kFp16);
  EXPECT_EQ(parse_type("Float"), DType::kFp32);
  EXPECT_EQ(parse_type("Int8"), DType::kInt8);
  EXPECT_EQ(parse_type("FP8"), DType::kFp8);
  EXPECT_EQ(parse_type("BFloat16"), DType::kBf16);
  EXPECT_EQ(parse_type("Quaternion"), DType::kNull);
  EXPECT_EQ(parse_type(""), DType::kNull);
}

}  // namespace
}  // namespace planex::ingest::tensorrt
