#include "quantize/calibration_cache.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <string>

namespace planex::quantize {
namespace {

using ::testing::HasSubstr;

// As TensorRT 7.0, 7.2 and 8.5 wrote them: lines that users have shown of their caches.
constexpr std::string_view kTensorrt70 =
    "TRT-7000-EntropyCalibration2\n"
    "data: 3c008912\n"
    "conv1: 3c88edfc\n"
    "pool1: 3c88edfc\n"
    "conv2: 3ddc858b\n"
    "pool2: 3ddc858b\n"
    "ip1: 3db6bd6e\n"
    "ip2: 3e691968\n"
    "prob: 3c010a14\n";
constexpr std::string_view kTensorrt72 =
    "TRT-7202-EntropyCalibration2\n"
    "data: 3c008912\n"
    "conv1: 3c60dd38\n"
    "pool1: 3c60dd38\n"
    "conv2: 3d895e44\n"
    "pool2: 3d895e44\n"
    "(Unnamed Layer* 4) [Fully Connected]_output: 3d65992f\n"
    "ip1: 3d65ff18\n"
    "ip2: 3e11094c\n"
    "prob: 3c083ffd\n";
constexpr std::string_view kTensorrt85 =
    "TRT-8510-EntropyCalibration2\n"
    "x: 4000890a\n"
    "/conv1/Conv_output_0: 3f9db09c\n"
    "/relu1/Relu_output_0: 3fb6163c\n"
    "/bn1/BatchNormalization_output_0: 3fb61601\n"
    "/mp1/MaxPool_output_0: 3fb61601\n"
    "/conv2/Conv_output_0: 3f6fc9d8\n"
    "/relu2/Relu_output_0: 3f553ff1\n"
    "/mp2/MaxPool_output_0: 3f553ff1\n"
    "/Reshape_output_0: 3f6fc9d8\n"
    "(Unnamed Layer* 8) [Constant]_output: 39137939\n"
    "(Unnamed Layer* 9) [Matrix Multiply]_output: 3e74c2e0\n"
    "(Unnamed Layer* 10) [Constant]_output: 39133ad3\n"
    "(Unnamed Layer* 11) [Shuffle]_output: 39133ad3\n"
    "/fc1/Gemm_output_0: 3e5312f6\n"
    "/relu3/Relu_output_0: 3e9e7a74\n"
    "(Unnamed Layer* 14) [Constant]_output: 398109de\n"
    "(Unnamed Layer* 15) [Matrix Multiply]_output: 3e132edf\n"
    "(Unnamed Layer* 16) [Constant]_output: 395944c4\n"
    "(Unnamed Layer* 17) [Shuffle]_output: 395944c4\n"
    "y: 3e1338d5\n"
    "(Unnamed Layer* 25) [Softmax]_output: 3a58d0d6\n"
    "(Unnamed Layer* 28) [TopK]_output_1: 3be6d87f\n";

std::string round_trip(std::string_view text) {
  const auto cache = read_calibration_cache(text);
  EXPECT_TRUE(cache) << cache.error().message;
  return cache ? write_calibration_cache(*cache) : std::string();
}

TEST(CalibrationCache, ComesBackByteForByte) {
  for (const std::string_view text : {kTensorrt70, kTensorrt72, kTensorrt85}) {
    EXPECT_EQ(round_trip(text), text);
  }
  const auto cache = read_calibration_cache(kTensorrt85);
  ASSERT_TRUE(cache);
  EXPECT_EQ(cache->version, "8510");
  EXPECT_EQ(cache->algorithm, "EntropyCalibration2");
  ASSERT_EQ(cache->entries.size(), 22U);
  EXPECT_EQ(cache->entries[9].tensor, "(Unnamed Layer* 8) [Constant]_output");
  EXPECT_FLOAT_EQ(cache->entries[0].scale * 127, 255.06226F);
}

TEST(CalibrationCache, SplitsAtTheLastColon) {
  const std::string_view text =
      "TRT-100300-MinMaxCalibration\n"
      "a: b:0: 3c010a14\n"
      "::: 3f800000\n"
      " spaced name : 40000000\n";
  const auto cache = read_calibration_cache(text);
  ASSERT_TRUE(cache);
  EXPECT_EQ(cache->algorithm, "MinMaxCalibration");
  EXPECT_EQ(cache->entries[0].tensor, "a: b:0");
  EXPECT_FLOAT_EQ(cache->entries[0].scale * 127, 1.0002441F);
  EXPECT_EQ(cache->entries[1].tensor, "::");
  EXPECT_EQ(cache->entries[2].tensor, " spaced name ");
  EXPECT_EQ(round_trip(text), text);
}

TEST(CalibrationCache, KeepsLineEndsAndOddScales) {
  const std::string_view text =
      "TRT-8601-EntropyCalibration2\r\n"
      "zero: 00000000\r\n"
      "minus: bf800000\r\n"
      "nan: 7fc00001\r\n"
      "infinity: 7f800000\r\n";
  const auto cache = read_calibration_cache(text);
  ASSERT_TRUE(cache);
  EXPECT_EQ(cache->entries[0].tensor, "zero");
  EXPECT_EQ(cache->entries[1].scale, -1);
  EXPECT_TRUE(std::isnan(cache->entries[2].scale));
  EXPECT_EQ(round_trip(text), text);
  // No line end at the end, and empty lines: read, and written as TensorRT does.
  EXPECT_EQ(round_trip("TRT-1-A\n\nx: 3f800000"), "TRT-1-A\nx: 3f800000\n");
  EXPECT_EQ(round_trip("TRT-1-A"), "TRT-1-A\n");
}

TEST(CalibrationCache, NamesTheLineThatIsWrong) {
  struct Wrong {
    std::string_view text, part;
  };
  for (const Wrong& wrong :
       {Wrong{"", "line 1"}, Wrong{"x: 3f800000\n", "line 1"}, Wrong{"TRT-8510\n", "line 1"},
        Wrong{"TRT--Entropy\n", "line 1"}, Wrong{"TRT-1-\n", "line 1"},
        Wrong{"TRT-1-A\nx: 3f80000\n", "line 2"}, Wrong{"TRT-1-A\nx: 3f8000000\n", "line 2"},
        Wrong{"TRT-1-A\nx: 3f800000\ny 3f800000\n", "line 3"},
        Wrong{"TRT-1-A\nx: 3f80000g\n", "line 2"}, Wrong{"TRT-1-A\nx: 0x3f8000\n", "line 2"},
        Wrong{"TRT-1-A\nx: -f800000\n", "line 2"}, Wrong{"TRT-1-A\n: 3f800000\n", "line 2"},
        Wrong{"TRT-1-A\nx: 1.5\n", "line 2"}}) {
    const auto cache = read_calibration_cache(wrong.text);
    ASSERT_FALSE(cache) << wrong.text;
    EXPECT_EQ(cache.error().code, ErrorCode::kBadInput);
    EXPECT_THAT(cache.error().message, HasSubstr(wrong.part));
    EXPECT_FALSE(cache.error().hint.empty());
  }
}

}  // namespace
}  // namespace planex::quantize
