#include "trtexec/known_messages.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "ingest/tensorrt/log/log_test_support.h"

namespace planex::ingest::tensorrt {
namespace {

using model::PlanModel;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

std::vector<std::string> said_of(const PlanModel& model, std::string_view code) {
  std::vector<std::string> messages;
  for (std::size_t row = 0; row < model.diagnostics.row_count(); ++row) {
    if (model.text(model.diagnostics.code[row]) == code) {
      messages.emplace_back(model.text(model.diagnostics.message[row]));
    }
  }
  return messages;
}

// "key=value" of a section.
std::vector<std::string> section_of(const PlanModel& model, std::string_view section) {
  std::vector<std::string> rows;
  for (std::size_t row = 0; row < model.metadata.row_count(); ++row) {
    if (model.text(model.metadata.section[row]) != section) continue;
    rows.push_back(std::string(model.text(model.metadata.key[row])) + "=" +
                   std::string(model.text(model.metadata.value[row])));
  }
  return rows;
}

std::string run_with(std::string_view lines, std::string_view options = "--onnx=m.onnx",
                     std::string_view outcome = "PASSED") {
  const std::string banner =
      " TensorRT.trtexec [TensorRT v8502] # trtexec " + std::string(options) + "\n";
  return "&&&& RUNNING" + banner + std::string(lines) + "&&&& " + std::string(outcome) + banner;
}

std::vector<std::string> layers_of(const PlanModel& model) {
  std::vector<std::string> layers;
  for (std::size_t row = 0; row < model.layers.row_count(); ++row) {
    layers.push_back(std::string(model.text(model.layers.type[row])) + " " +
                     std::string(model.text(model.layers.name[row])));
  }
  return layers;
}

TEST(DlaLog, ListsPartsAndGpuLayers) {
  const PlanModel model = load_log(run_with(
      "[W] [TRT] /b/Pow: DLA cores do not support POW ElementWise operation.\n"
      "[W] [TRT] Layer '/b/Pow' (ELEMENTWISE): Unsupported on DLA. Switching this layer's device "
      "type to GPU.\n"
      "[W] [TRT] Layer '(Unnamed Layer* 2) [Shuffle]' (SHUFFLE): Unsupported on DLA. Switching "
      "this "
      "layer's device type to GPU.\n"
      "[W] [TRT] Validation failed for DLA layer: up. Switching to GPU fallback.\n"
      "[I] [TRT] ---------- Layers Running on DLA ----------\n"
      "[I] [TRT] [DlaLayer] {ForeignNode[a...b]}\n"
      "[I] [TRT] ---------- Layers Running on GPU ----------\n"
      "[I] [TRT] [GpuLayer] RESIZE: up\n"
      "[I] [TRT] [GpuLayer] ELEMENTWISE: /b/Pow\n",
      "--onnx=m.onnx --fp16 --useDLACore=0 --allowGPUFallback"));
  EXPECT_THAT(layers_of(model),
              ElementsAre("DLA {ForeignNode[a...b]}", "RESIZE up", "ELEMENTWISE /b/Pow"));
  EXPECT_THAT(section_of(model, "dla_fallbacks"),
              ElementsAre("/b/Pow=DLA cores do not support POW ElementWise operation",
                          "(Unnamed Layer* 2) [Shuffle]=", "up=the DLA's compiler refused it"));
  EXPECT_THAT(
      section_of(model, "dla_fallback_types"),
      ElementsAre("/b/Pow=ELEMENTWISE", "(Unnamed Layer* 2) [Shuffle]=SHUFFLE", "up=RESIZE"));
  EXPECT_THAT(said_of(model, "trt-warning"), IsEmpty());
  EXPECT_THAT(said_of(model, "no-layers"), IsEmpty());
}

TEST(DlaLog, ReadsTheFormsOfOlderVersions) {
  const PlanModel model = load_log(run_with(
      "[E] [TRT] leaky_1: ActivationLayer (with ActivationType = LEAKY_RELU) not supported for "
      "DLA.\n"
      "[W] [TRT] Default DLA is enabled but layer leaky_1 is not supported on DLA, falling back to "
      "GPU.\n"
      "[W] [TRT] DLA only supports FP16 and Int8 precision type. Switching gather device type to "
      "GPU.\n"
      "[W] [TRT] DLA Layer c/Relu does not support dynamic shapes in any dimension.\n"
      "[W] [TRT] Default DLA is enabled but layer c/Relu is not supported on DLA, falling back to "
      "GPU.\n"
      "[W] [TRT] DLA supports only 8 subgraphs per DLA core. Switching to GPU for layer conv_6\n"
      "[I] [TRT] --------------- Layers running on DLA: \n"
      "[I] [TRT] {conv_1,batch_norm_1}, {conv_2,batch_norm_2}, \n"
      "[I] [TRT] --------------- Layers running on GPU: \n"
      "[I] [TRT] leaky_1, gather, \n"));
  EXPECT_THAT(layers_of(model), ElementsAre("DLA {conv_1,batch_norm_1}",
                                            "DLA {conv_2,batch_norm_2}", " leaky_1", " gather"));
  EXPECT_THAT(
      section_of(model, "dla_fallbacks"),
      ElementsAre(
          "leaky_1=ActivationLayer (with ActivationType = LEAKY_RELU) not supported for DLA",
          "gather=DLA only supports FP16 and Int8 precision type",
          "c/Relu=DLA Layer does not support dynamic shapes in any dimension",
          "conv_6=DLA supports only 8 subgraphs per DLA core"));
  EXPECT_THAT(said_of(model, "trt-error"), IsEmpty());
}

// All builds of TensorRT 8 print the lists.
TEST(DlaLog, AGpuBuildIsNotAboutADla) {
  const PlanModel model = load_log(
      run_with("[I] [TRT] ---------- Layers Running on DLA ----------\n"
               "[I] [TRT] ---------- Layers Running on GPU ----------\n"
               "[I] [TRT] [GpuLayer] Conv_0\n"
               "[W] [TRT] DLA requests all profiles have same min, max, and opt value. All "
               "dla layers are falling back to GPU\n"));
  EXPECT_EQ(model.layers.row_count(), 0u);
  EXPECT_THAT(said_of(model, "dla-dynamic-shapes"), IsEmpty());
  EXPECT_THAT(section_of(model, "dla_fallbacks"), IsEmpty());
}

TEST(DlaLog, RowsOfTheProfileAreNamed) {
  const PlanModel model =
      load_log(run_with("[I] [TRT] ---------- Layers Running on DLA ----------\n"
                        "[I] [TRT] [DlaLayer] {ForeignNode[a...b]}\n"
                        "[I] [TRT] ---------- Layers Running on GPU ----------\n"
                        "[I] [TRT] [GpuLayer] RESIZE: up\n"
                        "[I] === Profile (399 iterations ) ===\n"
                        "[I]                Layer   Time (ms)   Avg. Time (ms)   Time %\n"
                        "[I]             x to nvm       33.99           0.0852      1.1\n"
                        "[I]  {ForeignNode[a...b]}        3.38           0.0085      0.1\n"
                        "[I]           y from nvm     3069.55           7.6931     98.4\n"
                        "[I]        x copy finish        0.67           0.0017      0.0\n"
                        "[I]                Total     3116.95           7.8119    100.0\n",
                        "--onnx=m.onnx --useDLACore=0"));
  EXPECT_THAT(layers_of(model),
              ElementsAre("DLA transfer x to nvm", "DLA {ForeignNode[a...b]}",
                          "DLA wait y from nvm", "DLA transfer x copy finish", "RESIZE up"));
  EXPECT_DOUBLE_EQ(model.layers.mean_ms.get(2).value_or(0), 7.6931);
}

TEST(KnownMessages, WarningsOfAccuracyNameWhatTheyAreAbout) {
  const PlanModel model = load_log(run_with(
      "[W] [TRT] Detected layernorm nodes in FP16: ReduceMean_13, Pow_15\n"
      "[W] [TRT] Running layernorm after self-attention in FP16 may cause overflow.\n"
      "[W] [TRT] TensorRT encountered issues when converting weights between types and that could "
      "affect accuracy.\n"
      "[W] [TRT] Check verbose logs for the list of affected weights.\n"
      "[W] [TRT] - 131 weights are affected by this issue: Detected subnormal FP16 values.\n"
      "[W] [TRT] Weights [name=Conv_31 + Relu_33.weight] had the following issues when converted "
      "to FP16:\n"
      "[W] [TRT]  - Subnormal FP16 values detected. \n"
      "[W] [TRT] Missing scale and zero-point for tensor (Unnamed Layer* 367) "
      "[Convolution]_output, "
      "expect fall back to non-int8 implementation for any layer consuming or producing given "
      "tensor\n"));
  EXPECT_THAT(section_of(model, "accuracy_warnings"),
              testing::UnorderedElementsAre(
                  "layernorm-in-fp16=ReduceMean_13", "layernorm-in-fp16=Pow_15",
                  "weights-subnormal=Conv_31 + Relu_33",
                  "int8-scale-missing=(Unnamed Layer* 367) [Convolution]_output"));
  EXPECT_THAT(section_of(model, "accuracy_warning_weights"), ElementsAre("weights-subnormal=131"));
  EXPECT_THAT(said_of(model, "layernorm-in-fp16"), ElementsAre(HasSubstr("opset 17")));
  EXPECT_THAT(said_of(model, "weights-changed"), IsEmpty());
  EXPECT_THAT(said_of(model, "trt-warning"), IsEmpty());
}

TEST(KnownMessages, AFileThatCannotBeLoadedIsNoFailedBuild) {
  for (const auto& [line, words] : {
           std::pair<std::string_view, std::string_view>{
               "[TRT] [E] 1: [stdArchiveReader.cpp::StdArchiveReader::30] Error Code 1: "
               "Serialization (Serialization assertion magicTagRead == magicTag failed.Magic tag "
               "does not match)\n",
               "Ultralytics"},
           {"[TRT] [E] 6: The engine plan file is generated on an incompatible device, expecting "
            "compute 8.6 got compute 7.5, please rebuild.\n",
            "another kind of GPU"},
           {"[TRT] [E] 1: Error Code 1: Serialization (Serialization assertion sizeRead == "
            "static_cast<uint64_t>(mEnd - mCurrent) failed.Size specified in header does not match "
            "archive size)\n",
            "the engine file is truncated"},
           {"[E] Error[1]: Serialization assertion failed. Version tag does not match.\n",
            "another TensorRT version"},
       }) {
    const PlanModel model = load_log(
        std::string(line) +
        "[TRT] [E] 4: [runtime.cpp::deserializeCudaEngine::50] Error Code 4: Internal Error "
        "(Engine deserialization failed.)\n");
    EXPECT_THAT(said_of(model, "load-failed"), ElementsAre(HasSubstr(words))) << line;
    EXPECT_THAT(said_of(model, "build-failed"), IsEmpty());
  }
}

TEST(KnownMessages, ARefusedOptionIsExplained) {
  const auto words_of = [](std::string_view option) {
    const PlanModel model = load_log(
        run_with("[E] Unknown option: " + std::string(option) + "\n", "--onnx=m.onnx", "FAILED"));
    const auto words = said_of(model, "build-failed");
    return words.empty() ? std::string() : words.front();
  };
  EXPECT_THAT(words_of("--fp16"), AllOf(HasSubstr("TensorRT 11"), HasSubstr("--from-trtexec")));
  EXPECT_THAT(words_of("--calib cache.txt"), HasSubstr("--calib was removed in TensorRT 11"));
  EXPECT_THAT(words_of("--workspace 4096"), HasSubstr("up to TensorRT 9.3"));
  EXPECT_THAT(words_of("--stronglyTyped"), HasSubstr("from TensorRT 9.1 on"));
  EXPECT_THAT(words_of("--saveEngin=x"), HasSubstr("did you mean --saveEngine?"));
}

// Output of ONNX Runtime's quantizer by default: each form in which a release reports it.
TEST(KnownMessages, RefusedQuantizationHasACommandThatMendsIt) {
  for (const std::string_view line :
       {"Assertion failed: shiftIsAllZeros(zeroPoint): Non-zero zero point is not supported. "
        "Please "
        "set kENABLE_UINT8_AND_ASYMMETRIC_QUANTIZATION_DLA to enable asymmetric quantization",
        "Assertion failed: shiftIsAllZeros(zeroPoint) && \"TRT only supports symmetric "
        "quantization - "
        "zeroPt must be all zeros\"",
        "ITensor::getDimensions: Error Code 4: API Usage Error (dq: input has type Int32 but must "
        "have type FP8, FP4, Int4, Int8, or UInt8.)",
        "DequantizeLayer can only run in kINT8/kFP8/kFP4/kINT4"}) {
    const std::size_t found = trtexec::find_error(line);
    ASSERT_LT(found, trtexec::first_consequence()) << line;
    EXPECT_THAT(std::string(trtexec::known_errors()[found].cure),
                HasSubstr("--target tensorrt --apply"))
        << line;
  }
}

TEST(ParserErrors, TheCauseIsQuotedNotTheLinesAroundIt) {
  // Newer parsers report a node inside another one.
  EXPECT_THAT(
      said_of(load_log("[VERBOSE] Parsing node: loop [Loop]\n[VERBOSE] Parsing node: c [Identity]\n"
                       "[ERROR] ModelImporter.cpp:140: While parsing node number 1 [Loop -> "
                       "\"lo\"]:\n[ERROR] ModelImporter.cpp:142: --- Begin node ---\n"
                       "Node name: loop\n[ERROR] ModelImporter.cpp:143: --- End node ---\n"
                       "[ERROR] ModelImporter.cpp:151: ERROR: ModelImporter.cpp:356 In function "
                       "parseNode:\n[5] Assertion failed: (a(b)): Node input was not registered.\n"
                       "[TRT] [E] 4: Network must have at least one output\n"),
              "build-failed"),
      ElementsAre(AllOf(HasSubstr("\"c\" (Identity) inside \"loop\" (Loop): Node input was not"),
                        testing::Not(HasSubstr("While parsing")))));
  EXPECT_THAT(
      said_of(load_log(run_with(
                  "[E] [TRT] ModelImporter.cpp:773: While parsing node number 12 [Resize -> "
                  "\"y\"]:\n[E] [TRT] ModelImporter.cpp:774: --- Begin node ---\n"
                  "[E] [TRT] ModelImporter.cpp:775: input: \"x\"\nname: \"up\"\nop_type: "
                  "\"Resize\"\n"
                  "[E] [TRT] ModelImporter.cpp:776: --- End node ---\n"
                  "[E] [TRT] ModelImporter.cpp:779: ERROR: builtin_op_importers.cpp:3608 In "
                  "function importResize:\n"
                  "[8] Assertion failed: scales.is_weights() && \"Resize scales must be an "
                  "initializer!\"\n"
                  "[E] Failed to parse onnx file\n",
                  "--onnx=m.onnx", "FAILED")),
              "build-failed"),
      ElementsAre(HasSubstr("\"up\" (Resize): Resize scales must be an initializer!")));
  EXPECT_THAT(said_of(load_log(run_with("[E] In node 12 with name: up and operator: Resize "
                                        "(importResize): UNSUPPORTED_NODE: mode is not supported\n"
                                        "[E] Parsing model failed\n",
                                        "--onnx=m.onnx", "FAILED")),
                      "build-failed"),
              ElementsAre(HasSubstr("\"up\" (Resize): mode is not supported")));
}

}  // namespace
}  // namespace planex::ingest::tensorrt
