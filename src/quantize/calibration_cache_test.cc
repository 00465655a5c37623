#include "quantize/calibration_cache.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>
#include <string_view>

namespace planex::quantize {
namespace {

// As TensorRT 7.0, 7.2 and 8.5 wrote them: lines that users posted from their caches.
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

// Writes the same text from its names and bits.
std::string written(std::string_view text) {
  std::istringstream lines{std::string(text)};
  std::string line;
  CalibrationCache cache;
  std::getline(lines, line);
  const std::size_t dash = line.find('-', 4);
  cache.version = line.substr(4, dash - 4);
  cache.algorithm = line.substr(dash + 1);
  while (std::getline(lines, line)) {
    const std::size_t colon = line.rfind(": ");
    const auto bits = static_cast<std::uint32_t>(std::stoul(line.substr(colon + 2), nullptr, 16));
    cache.entries.push_back({.tensor = line.substr(0, colon), .scale = std::bit_cast<float>(bits)});
  }
  return write_calibration_cache(cache);
}

TEST(CalibrationCache, IsWrittenAsTensorrtWritesIt) {
  for (const std::string_view text : {kTensorrt70, kTensorrt72, kTensorrt85}) {
    EXPECT_EQ(written(text), text);
  }
}

TEST(CalibrationCache, KeepsNamesAndScalesAsTheyAre) {
  const CalibrationCache cache = {.version = "8601",
                                  .algorithm = "MinMaxCalibration",
                                  .entries = {{"a: b:0", 0.0F},
                                              {" spaced name ", -1.0F},
                                              {"::", std::bit_cast<float>(0x7fc00001U)},
                                              {"::", std::bit_cast<float>(0x7f800000U)}}};
  EXPECT_EQ(write_calibration_cache(cache),
            "TRT-8601-MinMaxCalibration\n"
            "a: b:0: 00000000\n"
            " spaced name : bf800000\n"
            "::: 7fc00001\n"
            "::: 7f800000\n");
}

}  // namespace
}  // namespace planex::quantize
