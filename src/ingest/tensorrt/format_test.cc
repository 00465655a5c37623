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

// Documented, or formed like the others, but in none of our files.
constexpr Sentence kOther[] = {
    {"Thirty-two wide channel vectorized row major Int8 format.", DType::kInt8, "NC/32HW32"},
    {"Channel major Int8 format where channel % 4 == 0", DType::kInt8, "NHWC4"},
    {"Row major linear BOOL", DType::kBool, "NCHW"},
    {"Row major linear FP8E4M3 format", DType::kFp8, "NCHW"},
    {"Row major linear Float8 (E5M2) format", DType::kFp8, "NCHW"},
    {"Row major linear fp8_e4m3 format", DType::kFp8, "NCHW"},
    {"Channel major BFloat16 format where channel % 8 == 0", DType::kBf16, "NHWC8"},
    {"Row major linear FP4 (E2M1) format", DType::kFp4, "NCHW"},
    {"Row major linear INT4 format", DType::kInt4, "NCHW"},
    {"UInt8", DType::kUint8, ""},
    {"FP4", DType::kFp4, ""},
    {"E4M3", DType::kFp8, ""},
    {"Double", DType::kFp64, ""},
    // 11.x.
    {"Row major linear FP32 format (kLINEAR)", DType::kFp32, "NCHW"},
    {"Row major linear BF16 format (kLINEAR)", DType::kBf16, "NCHW"},
    {"Eight wide something FP16 format (kHWC8)", DType::kFp16, "NHWC8"},
    {"(Linear) Row major linear format", DType::kNull, "NCHW"},
    {"(NHWC) Channel major format", DType::kNull, "NHWC"},
    {"(NHWC8) Channel major format", DType::kNull, "NHWC8"},
    {"(NC/32HW32) Thirty-two wide channel vectorized format", DType::kNull, "NC/32HW32"},
    {"(Arbitrary) Format with stride order = [4,1,0,3,2]", DType::kNull, "strided"},
    {"(Transposed) Transposed format", DType::kNull, "strided"},
    // The enumeration of formats, as tools print it.
    {"kCHW2", DType::kNull, "NC/2HW2"},
    {"CHW4", DType::kNull, "NC/4HW4"},
    {"kCHW16", DType::kNull, "NC/16HW16"},
    {"TensorFormat.CHW32", DType::kNull, "NC/32HW32"},
    {"kCDHW32", DType::kNull, "NC/32HW32"},
    {"kHWC", DType::kNull, "NHWC"},
    {"kHWC16", DType::kNull, "NHWC16"},
    {"kDHWC", DType::kNull, "NHWC"},
    {"kDHWC8", DType::kNull, "NHWC8"},
    {"kDLA_LINEAR", DType::kNull, "strided"},
    {"kDLA_HWC4", DType::kNull, "strided"},
    // Volumes; the rank shows that they are.
    {"Thirty-two wide channel vectorized row major Int8 format with 3 spatial dimensions",
     DType::kInt8, "NC/32HW32"},
    {"Channel major FP16 format where channel % 8 == 0 with 3 spatial dimensions", DType::kFp16,
     "NHWC8"},
    // DLA: rows are longer than their elements.
    {"Channel major FP16 format where channel == 4 and column stride % 32 == 0", DType::kFp16,
     "strided"},
    {"Row major INT8 format where column stride % 64 == 0", DType::kInt8, "strided"},
    {"Channel major FP16 format where C % 8 == 0 and H Stride % 32 == 0", DType::kFp16, "strided"},
    {"Channel major FP16 format where C % 8 == 0", DType::kFp16, "NHWC8"},
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
    // Anything not understood stays null, and affects nothing else.
    {"N/A due to dynamic shapes", DType::kNull, ""},
    {"", DType::kNull, ""},
    {"Floaty", DType::kNull, ""},
    {"E8M0", DType::kNull, ""},
    {"Row major linear Complex64", DType::kNull, "NCHW"},
    {"Channel minor FP16 format where channel % 8 == 0", DType::kFp16, ""},
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
