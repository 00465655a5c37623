#include "tune/quantize.h"

#include <gtest/gtest.h>

#include <string>

namespace planex::tune {
namespace {

using quantize::NumberFormat;
using quantize::Target;

std::string note(Target target, NumberFormat format, std::string output) {
  quantize::Outcome outcome;
  outcome.target = target;
  outcome.format = format;
  outcome.output = std::move(output);
  return note_on_float_rest(outcome);
}

TEST(FloatRest, OfTensorrtIsTheFlagOrTheCast) {
  EXPECT_EQ(note(Target::kTensorrt, NumberFormat::kInt8, "a b/m.int8.onnx"),
            "operations without Q/DQ run in FP32 in the engine, unless the model is also made "
            "FP16: trtexec --onnx='a b/m.int8.onnx' --int8 --fp16 (TensorRT 8 to 10), or planex "
            "cast 'a b/m.int8.onnx' --to fp16 -o 'a b/m.int8.fp16.onnx' (which TensorRT 11 needs)");
}

// Engines of FP8 and INT4 are strongly typed, and so are all of TensorRT-RTX: no flag changes them.
TEST(FloatRest, OfStronglyTypedEnginesIsTheCast) {
  const std::string fp8 = note(Target::kTensorrt, NumberFormat::kFp8, "m.fp8");
  EXPECT_EQ(fp8.find("--fp16 "), std::string::npos);
  EXPECT_TRUE(fp8.ends_with("planex cast m.fp8 --to fp16 -o m.fp8.fp16.onnx")) << fp8;
  const std::string rtx = note(Target::kTensorrtRtx, NumberFormat::kInt8, "-");
  EXPECT_TRUE(rtx.ends_with("planex cast model.onnx --to fp16 -o model.fp16.onnx")) << rtx;
}

TEST(FloatRest, OfAProcessorIsNobodysBusiness) {
  EXPECT_EQ(note(Target::kOpenvino, NumberFormat::kInt8, "m.onnx"), "");
  EXPECT_EQ(note(Target::kOnnxruntime, NumberFormat::kInt8, "m.onnx"), "");
}

}  // namespace
}  // namespace planex::tune
