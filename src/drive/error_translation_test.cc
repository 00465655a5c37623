#include "drive/error_translation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>

namespace planex::drive {
namespace {

using ::testing::HasSubstr;

// Messages as OpenVINO 2026.4.1 wrote them, without its source lines.
struct Case {
  const char* message;
  ErrorCode code;
  const char* expected;
};

constexpr Case kCases[] = {
    {"Check 'false' failed\nFrontEnd API failed with OpConversionFailure:\nModel wasn't fully "
     "converted.\nSummary:\n-- No conversion rule found for operations: com.acme.FancyOp",
     ErrorCode::kExternalTool, "OpenVINO has no conversion for the operation \"com.acme.FancyOp\""},
    {"Check 'false' failed\nFrontEnd API failed with OpConversionFailure:\nModel wasn't fully "
     "converted. Failed operations detailed log:\n-- MatMul-17 with a message:\nWhile validating "
     "ONNX node '<Node(MatMul): y>': Check 'DimType::merge(merged_dimension, arg0_col_dim, "
     "arg1_row_dim)' failed\nWhile validating node 'opset1::MatMul MatMul_3 (opset1::Parameter "
     "x[0]:f32[1,4], opset1::Constant w[0]:f32[3,4]) -> (dynamic[...])'",
     ErrorCode::kBadInput, "OpenVINO does not support the MatMul node \"<Node(MatMul): y>\""},
    {"Check 'false' failed\nLoading input model\nInvalid usage of method for externally stored "
     "data "
     "in file (gone.bin, offset: 0, data_length: 64)",
     ErrorCode::kBadInput, "the model's data file \"gone.bin\" is missing or too short"},
    {"Check 'm_model->ParseFromIstream(&model_file)' failed\nFrontEnd API failed with "
     "GeneralFailure:\nModel can't be parsed",
     ErrorCode::kBadInput, "the model file is damaged or cut short"},
    {"Unable to read the model: \"m/x.onnx\" Please check that model format: \".onnx\" is "
     "supported "
     "and the model is correct. Available frontends: onnx ir",
     ErrorCode::kBadInput, "OpenVINO can't read the model file"},
    {"onnx: Could not open the file: \"models/nosuch.onnx\"", ErrorCode::kNotFound,
     "OpenVINO can't open the model file"},
    {"Check 'TRShape::broadcast_merge_into(output_shape, input_shapes[1], autob)' failed\nWhile "
     "validating node 'opset1::Add enc0/add (opset1::Add enc0/out_bias[0]:f32[1,32,64]) -> "
     "(f32[1,32,64])' with friendly_name 'enc0/add':\nArgument shapes are inconsistent.",
     ErrorCode::kBadInput, "the shapes inside the model do not match at \"opset1::Add enc0/add\""},
    {"Can't set the input tensor with index: 0, because the model input (shape=[1,128,256]) and "
     "the "
     "tensor (shape=(1.64.256)) are incompatible",
     ErrorCode::kBadInput, "an input's shape does not fit the model"},
    {"to_shape was called on a dynamic shape.", ErrorCode::kBadInput,
     "an input of the model has no fixed shape"},
    {"NotFound: Unsupported property FOO by CPU plugin.", ErrorCode::kUsage,
     "OpenVINO has no property \"FOO\""},
    {"Wrong value WHATfor property key PERFORMANCE_HINT. Expected only "
     "ov::hint::PerformanceMode::LATENCY/THROUGHPUT/CUMULATIVE_THROUGHPUT.",
     ErrorCode::kUsage, "invalid value for OpenVINO's property \"PERFORMANCE_HINT\""},
    {"std::bad_alloc", ErrorCode::kExternalTool, "OpenVINO ran out of memory"},
    {"Check 'x' failed\nsomething new", ErrorCode::kExternalTool,
     "OpenVINO failed while compiling the model: \"something new\""},
};

TEST(ErrorTranslation, KnowsOpenvinosMessages) {
  for (const Case& known : kCases) {
    const Error error = translate_openvino(
        {.kind = "tool", .phase = "compile", .message = known.message}, "m.onnx");
    EXPECT_EQ(error.code, known.code) << known.message;
    EXPECT_THAT(error.message, HasSubstr(known.expected));
    EXPECT_EQ(error.message.find('\n'), std::string::npos) << error.message;
    EXPECT_THAT(error.context, HasSubstr(known.message)) << "the tool's own words are kept";
  }
}

TEST(ErrorTranslation, KeepsOurOwnErrors) {
  const auto driver_error = find_driver_error(
      "some "
      "warning\n{\"schema\":\"planex.driver-error/1\",\"kind\":\"bad-input\",\"phase\":\"read\","
      "\"message\":\"the Conv node \\\"c\\\" has 1 input\",\"hint\":\"h\",\"byte_offset\":7}\n");
  ASSERT_TRUE(driver_error.has_value());
  const Error error = translate_openvino(*driver_error, "m.onnx");
  EXPECT_EQ(error.code, ErrorCode::kBadInput);
  EXPECT_EQ(error.message, "the Conv node \"c\" has 1 input");
  EXPECT_EQ(error.file, "m.onnx");
  EXPECT_EQ(error.hint, "h");
  EXPECT_EQ(error.byte_offset, 7u);
}

TEST(ErrorTranslation, TakesTheLastDriverErrorAndNoDamagedOne) {
  EXPECT_FALSE(find_driver_error("").has_value());
  EXPECT_FALSE(find_driver_error("{\"schema\":\"planex.driver-error/1\",\"kind\":").has_value());
  EXPECT_EQ(find_driver_error("{\"schema\":\"planex.driver-error/1\",\"message\":\"a\"}\n"
                              "{\"schema\":\"planex.driver-error/1\",\"message\":\"b\"}")
                ->message,
            "b");
}

TEST(ErrorTranslation, TellsCrashesFromKills) {
  SubprocessOutcome outcome;
  outcome.ending = Ending::kSignalled;
  outcome.signal = SIGSEGV;
  Error error =
      translate_outcome(kOpenvinoWords, outcome, "planex-openvino", "read", "m.onnx", false);
  EXPECT_EQ(error.code, ErrorCode::kExternalTool);
  EXPECT_EQ(error.message, "OpenVINO crashed (SIGSEGV) while reading the model");
  outcome.signal = SIGKILL;
  error = translate_outcome(kOpenvinoWords, outcome, "planex-openvino", "compile", "m.onnx", false);
  EXPECT_EQ(error.message, "OpenVINO was killed (SIGKILL) while compiling the model");
  EXPECT_THAT(error.hint, HasSubstr("memory"));
}

TEST(ErrorTranslation, LaunchersReportSignalsAsExitCodes) {
  SubprocessOutcome outcome;
  outcome.exit_code = 139;
  EXPECT_THAT(translate_outcome(kOpenvinoWords, outcome, "ssh", "read", "m.onnx", true).message,
              HasSubstr("SIGSEGV"));
  outcome.exit_code = 255;
  outcome.stderr_tail = "ssh: Could not resolve hostname nowhere\n";
  const Error error = translate_outcome(kOpenvinoWords, outcome, "ssh", "start", "m.onnx", true);
  EXPECT_EQ(error.message, "\"ssh\" ended with exit code 255");
  EXPECT_EQ(error.context, "ssh: Could not resolve hostname nowhere");
  EXPECT_THAT(error.hint, HasSubstr("--print-only"));
}

TEST(ErrorTranslation, CancellationIsItsOwnKind) {
  SubprocessOutcome outcome;
  outcome.ending = Ending::kCancelled;
  EXPECT_EQ(translate_outcome(kOpenvinoWords, outcome, "p", "time", "m.onnx", false).code,
            ErrorCode::kCancelled);
}

}  // namespace
}  // namespace planex::drive
