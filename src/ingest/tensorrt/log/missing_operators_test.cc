// Operators that the ONNX parser does not have, as reported in complete logs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "ingest/tensorrt/log/log_test_support.h"
#include "support/model_texts.h"

namespace planex::ingest::tensorrt {
namespace {

using base::format;
using model::PlanModel;
using test::messages_of;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::string_view kRunningParser =
    "&&&& RUNNING TensorRT.trtexec [TensorRT v101600] # trtexec --onnx=m.onnx\n";

// "Plugin not found" ends logs with three different causes.
TEST(LogFailure, TellsOperatorsFromPlugins) {
  const auto failure_of = [](const std::vector<std::string>& operators, std::string_view head) {
    std::string log = std::string(kRunningParser) + std::string(head);
    for (const std::string& name : operators) {
      log += format(
          "[E] [TRT] ModelImporter.cpp:138: While parsing node number 0 [{} -> \"y\"]:\n"
          "[E] [TRT] ModelImporter.cpp:140: --- Begin node ---\ninput: \"x\"\n"
          "op_type: \"{}\"\n\n[E] [TRT] ModelImporter.cpp:141: --- End node ---\n"
          "[E] [TRT] ModelImporter.cpp:149: ERROR: onnxOpCheckers.cpp:923 In function "
          "checkFallbackPluginImporter:\n[6] creator && \"Plugin not found, are the plugin "
          "name, version, and namespace correct?\"\n",
          name, name);
    }
    const PlanModel model = load_log(log +
                                     "[E] Failed to parse onnx file\n[E] Engine set up failed\n"
                                     "&&&& FAILED TensorRT.trtexec [TensorRT v101600] # trtexec\n");
    const auto messages = messages_of(model, "build-failed");
    return messages.empty() ? std::string() : messages.front();
  };
  EXPECT_THAT(failure_of({"DynamicQuantizeLinear", "ConvInteger"}, ""),
              AllOf(HasSubstr("does not support the operators DynamicQuantizeLinear, ConvInteger"),
                    Not(HasSubstr("load its library"))));
  EXPECT_THAT(failure_of({"AddScalar"}, ""),
              AllOf(HasSubstr("needs a plugin for AddScalar"), HasSubstr("--staticPlugins")));
  EXPECT_THAT(failure_of({"AddScalar"}, "[I] Loading supplied plugin library: ./AddScalar.so\n"),
              AllOf(HasSubstr("./AddScalar.so was loaded but has no creator for AddScalar"),
                    Not(HasSubstr("load its library"))));
}

// TensorRT-RTX 1.7 on a model with two operators that it lacks. Its builder prints nothing before
// the parser does; TensorRT's prints its memory.
TEST(LogFailure, AParserOfTensorRtRtxIsCalledSo) {
  constexpr std::string_view kParser =
      "[TRT] [I] ----------------------------------------------------------------\n"
      "[TRT] [I] Input filename:   dq.onnx\n[TRT] [I] ONNX IR version:  0.0.8\n"
      "[TRT] [I] ----------------------------------------------------------------\n"
      "[TRT] [V] Adding network input: x with dtype: float32, dimensions: (1, 3, 8, 8)\n"
      "[TRT] [V] Static check for parsing node: dql [DynamicQuantizeLinear]\n"
      "[TRT] [V] Static check for parsing node: ci [ConvInteger]\n"
      "[TRT] [E] ModelImporter.cpp:140: While parsing node number 0 [DynamicQuantizeLinear -> "
      "\"q\"]:\n[TRT] [E] ModelImporter.cpp:142: --- Begin node ---\nNode name: dql\n"
      "[TRT] [E] ModelImporter.cpp:143: --- End node ---\n"
      "[TRT] [E] ModelImporter.cpp:151: ERROR: onnxOpCheckers.cpp:1278 In function "
      "checkDynamicQuantizeLinear:\n[8] false\n"
      "[TRT] [E] ModelImporter.cpp:140: While parsing node number 1 [ConvInteger -> \"y\"]:\n"
      "[TRT] [E] ModelImporter.cpp:142: --- Begin node ---\nNode name: ci\n"
      "[TRT] [E] ModelImporter.cpp:143: --- End node ---\n"
      "[TRT] [E] ModelImporter.cpp:151: ERROR: onnxOpCheckers.cpp:1125 In function "
      "checkConvInteger:\n[8] false\n";
  const PlanModel rtx = load_log(kParser);
  EXPECT_EQ(rtx.text(rtx.engine.producer[0]), "tensorrt-rtx");
  EXPECT_EQ(detail_of(rtx), "failed");
  EXPECT_THAT(messages_of(rtx, "build-failed"),
              ElementsAre(HasSubstr("does not support the operators DynamicQuantizeLinear, "
                                    "ConvInteger")));
  const PlanModel tensorrt = load_log(
      "[TRT] [I] [MemUsageChange] Init CUDA: CPU +1, GPU +0, now: CPU 30, GPU 1918 (MiB)\n" +
      std::string(kParser));
  EXPECT_EQ(tensorrt.text(tensorrt.engine.producer[0]), "tensorrt");
}

}  // namespace
}  // namespace planex::ingest::tensorrt
