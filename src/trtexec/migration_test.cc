#include "trtexec/migration.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace planex::trtexec {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::string moved(std::string_view command, std::string_view model = "new.onnx") {
  const auto migration = migrate(command);
  return migration ? migrated_command(*migration, model) : migration.error().message;
}

// "change now: why" of each option.
std::vector<std::string> changes(std::string_view command) {
  std::vector<std::string> all;
  for (const MigratedOption& option : migrate(command)->options) {
    all.emplace_back(to_string(option.change));
  }
  return all;
}

TEST(Migration, OptionsForTypesGoAndTheModelIsAnother) {
  EXPECT_EQ(moved("trtexec --onnx=old.onnx --fp16 --saveEngine=e.plan --precisionConstraints=obey "
                  "--layerPrecisions=a:fp32 --layerOutputTypes=a:fp32"),
            "trtexec --onnx=new.onnx --saveEngine=e.plan");
  const auto migration = migrate(
      "trtexec --onnx=old.onnx --fp16 --precisionConstraints=prefer --layerPrecisions=a:fp32 "
      "--layerOutputTypes='b:fp16+fp16'");
  ASSERT_TRUE(migration);
  EXPECT_EQ(migration->model, "old.onnx");
  EXPECT_TRUE(migration->has_fp16 && migration->has_constraints);
  EXPECT_FALSE(migration->has_bf16 || migration->has_int8);
  EXPECT_EQ(migration->layer_precisions, "a:fp32");
  EXPECT_EQ(migration->layer_output_types, "b:fp16+fp16");
}

TEST(Migration, WhatElevenHasStaysAsItWas) {
  EXPECT_EQ(moved("CUDA_VISIBLE_DEVICES=1 /opt/trt/bin/trtexec --onnx=old.onnx "
                  "--shapes=x:1x3x224x224 --noTF32 --builderOptimizationLevel=5 --verbose "
                  "--memPoolSize=workspace:4096 > build.log 2>&1"),
            "CUDA_VISIBLE_DEVICES=1 /opt/trt/bin/trtexec --onnx=new.onnx --shapes=x:1x3x224x224 "
            "--noTF32 --builderOptimizationLevel=5 --verbose --memPoolSize=workspace:4096 > "
            "build.log 2>&1");
}

TEST(Migration, OldNamesBecomeNewOnes) {
  EXPECT_EQ(moved("trtexec --onnx=a --workspace=4096 --buildOnly --nvtxMode=verbose --weightless"),
            "trtexec --onnx=new.onnx --memPoolSize=workspace:4096 --skipInference "
            "--profilingVerbosity=detailed --stripWeights");
  EXPECT_THAT(changes("trtexec --onnx=a --useCudaGraph --explicitBatch --minTiming=4 --batch=8"),
              ElementsAre("kept", "removed", "removed", "lost", "lost"));
  EXPECT_THAT(changes("trtexec --onnx=a --stronglyTyped --best --calib=x.cache"),
              ElementsAre("kept", "removed", "removed", "lost"));
  EXPECT_TRUE(migrate("trtexec --onnx=a --best")->has_int8);
}

TEST(Migration, FormatsLoseTheirTypes) {
  EXPECT_EQ(moved("trtexec --onnx=a --inputIOFormats=fp16:chw,fp32:chw "
                  "--outputIOFormats=fp16:hwc8+chw16"),
            "trtexec --onnx=new.onnx --outputIOFormats=hwc8+chw16");
  const auto migration = migrate("trtexec --onnx=a --inputIOFormats=fp16:chw,int8:chw4");
  ASSERT_TRUE(migration);
  ASSERT_EQ(migration->inputs.size(), 2U);
  EXPECT_EQ(migration->inputs[0].type, "fp16");
  EXPECT_EQ(migration->inputs[1].layout, "chw4");
  EXPECT_EQ(moved("trtexec --onnx=a --inputIOFormats=half:chw"),
            "--inputIOFormats: \"half:chw\" is not a valid format");
  EXPECT_THAT(moved("trtexec --onnx=a --inputIOFormats=fp16:chw:chw4"),
              HasSubstr("is not a valid format"));
}

TEST(Migration, ListsKeepTheValuesThatElevenKnows) {
  EXPECT_EQ(moved("trtexec --onnx=a --tacticSources=-CUBLAS,+EDGE_MASK_CONVOLUTIONS"),
            "trtexec --onnx=new.onnx --tacticSources=+EDGE_MASK_CONVOLUTIONS");
  EXPECT_THAT(changes("trtexec --onnx=a --preview=+fasterDynamicShapes0805"),
              ElementsAre("kept", "lost"));
}

TEST(Migration, WordsOfAShellAndOfALog) {
  EXPECT_THAT(*shell_words(R"(a "b c" 'd "e' f\ g "h\"i" "" x'y'z)"),
              ElementsAre("a", "b c", "d \"e", "f g", "h\"i", "", "xyz"));
  EXPECT_THAT(*shell_words("a \\\n  b"), ElementsAre("a", "b"));
  EXPECT_THAT(*shell_words("  "), IsEmpty());
  EXPECT_THAT(shell_words("a 'b").error().message, HasSubstr("not closed"));
  EXPECT_EQ(moved("[07/11/2024-10:11:12] [I] &&&& RUNNING TensorRT.trtexec [TensorRT v8601] # "
                  "trtexec --onnx=a --fp16"),
            "trtexec --onnx=new.onnx");
  EXPECT_EQ(moved(R"(trtexec --onnx=a "--layerPrecisions='a:b':fp16")"), "trtexec --onnx=new.onnx");
  EXPECT_EQ(migrate(R"(trtexec --onnx=a "--layerPrecisions='a:b':fp16")")->layer_precisions,
            "'a:b':fp16");
  EXPECT_EQ(moved("trtexec --onnx=a > 'my log' 2>&1 && echo ''"),
            "trtexec --onnx=new.onnx > 'my log' 2>&1 && echo ''");
  EXPECT_EQ(moved("trtexec --onnx=a", "with blank.onnx"), "trtexec '--onnx=with blank.onnx'");
}

TEST(Migration, WhatIsNoBuildOfAModelIsSaid) {
  EXPECT_THAT(moved("polygraphy run a.onnx"), HasSubstr("no trtexec"));
  EXPECT_THAT(moved("trtexec --loadEngine=e.plan"), HasSubstr("names no model"));
  EXPECT_THAT(moved("trtexec --deploy=a.prototxt"), HasSubstr("Caffe"));
  EXPECT_THAT(moved("trtexec --onnx=a b.onnx"), HasSubstr("\"b.onnx\" is not an option"));
  EXPECT_EQ(moved("trtexec --onnx=a --mine"), "trtexec --onnx=new.onnx --mine");
}

}  // namespace
}  // namespace planex::trtexec
