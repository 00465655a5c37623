// Advice uses the words of the tool that made the engine: for all engines at hand.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "lint/lint_test_model.h"
#include "support/test_data.h"

namespace planex::lint {
namespace {

using model::DType;
using model::Family;

constexpr std::string_view kTensorRtWords[] = {
    "trtexec", "tensorrt_rtx",   "nvidia-smi",   "jetson_clocks", "nsys",
    "Nsight",  "IBuilderConfig", "--fp16",       "--int8",        "--useCudaGraph",
    "CUDA",    "TensorRT",       "TensorFormat", "ITensor",       "supportsFormatCombination",
    "plugin"};
constexpr std::string_view kOpenVinoWords[] = {"benchmark_app", "PrePostProcessor",
                                               "ov::", "OpenVINO"};

std::vector<std::string_view> foreign_words(std::string_view producer) {
  std::vector<std::string_view> words;
  const auto add = [&](std::span<const std::string_view> more) {
    words.insert(words.end(), more.begin(), more.end());
  };
  if (producer != "openvino") add(kOpenVinoWords);
  if (producer == "tensorrt-rtx") {
    // It has no flags for precision: types come from the model.
    for (const std::string_view word : {"trtexec", "--fp16", "--int8"}) words.push_back(word);
  } else if (producer == "tensorrt") {
    words.push_back("tensorrt_rtx");
  } else {
    add(kTensorRtWords);
  }
  return words;
}

void expect_own_words(const model::PlanModel& model, const LintReport& report,
                      const std::string& engine) {
  const std::string_view producer = model.text(model.engine.producer[0]);
  const std::vector<std::string_view> words = foreign_words(producer);
  for (const Finding& finding : report.findings) {
    for (const std::string_view word : words) {
      // Names of layers and tensors, in evidence and message, can contain any word.
      EXPECT_EQ(finding.fix.find(word), std::string::npos)
          << engine << " " << finding.rule << ": " << finding.fix;
      EXPECT_EQ(finding.estimate_method.find(word), std::string::npos)
          << engine << " " << finding.rule << ": " << finding.estimate_method;
    }
    EXPECT_FALSE(finding.fix.empty()) << engine << " " << finding.rule;
    for (const std::string_view word : {"Nothing", "None", "No "}) {
      EXPECT_FALSE(finding.fix.starts_with(word))
          << engine << " " << finding.rule << ": a finding asks for something";
    }
  }
}

TEST(Advice, IsInTheWordsOfTheToolThatMadeTheEngine) {
  PLANEX_NEED_TEST_DATA(data);
  std::size_t engines = 0;
  for (const std::string& folder : {data + "/engines", data + "/engines-2",
                                    std::string(PLANEX_SOURCE_DIR "/tests/data/openvino"),
                                    std::string(PLANEX_SOURCE_DIR "/tests/data/onnxruntime")}) {
    if (!std::filesystem::is_directory(folder)) continue;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      const auto model = test::load_completed({.path = entry.path().string()}, base::disk());
      if (!model) continue;
      expect_own_words(*model, run_judged(*model), entry.path().filename().string());
      ++engines;
    }
  }
  EXPECT_GE(engines, 40U);
}

// Without Q/DQ in the model, there are none to move.
TEST(Advice, OfImplicitInt8NamesNoQdq) {
  using enum Family;
  const model::PlanModel model = make_model(
      "tensorrt",
      {{"c1", "Convolution", kConvolution, {{"x", DType::kInt8}}, {{"a", DType::kFp32}}, 1},
       {"p", "Pooling", kPool, {{"a", DType::kFp32}}, {{"b", DType::kFp32}}, 1},
       {"q", "Reformat", kReformat, {{"b", DType::kFp32}}, {{"bq", DType::kInt8}}, 1},
       {"c2", "Convolution", kConvolution, {{"bq", DType::kInt8}}, {{"y", DType::kInt8}}, 1}},
      {"x", "y"});
  std::size_t about_types = 0;
  for (const Finding& finding : run_judged(model).findings) {
    EXPECT_EQ(finding.fix.find("Q/DQ"), std::string::npos) << finding.rule << ": " << finding.fix;
    about_types += finding.fix.find("--fp16") != std::string::npos ? 1U : 0U;
  }
  EXPECT_GE(about_types, 2U);
}

// A product whose result another layer reads is not an addition.
TEST(Advice, CallsOnlyAnAdditionOne) {
  using enum Family;
  const model::PlanModel model =
      make_model("openvino",
                 {{"q", "Quantize", kReformat, {{"x"}}, {{"xq", DType::kInt8}}, 1},
                  {"m1", "FullyConnected", kGemm, {{"xq", DType::kInt8}}, {{"a", DType::kFp32}}, 1},
                  {"q2", "Quantize", kReformat, {{"a", DType::kFp32}}, {{"aq", DType::kInt8}}, 1},
                  {"m2", "MatMul", kGemm, {{"a", DType::kFp32}}, {{"b", DType::kFp32}}, 1},
                  {"m3", "MatMul", kGemm, {{"aq", DType::kInt8}}, {{"y", DType::kInt8}}, 1}},
                 {"x", "b", "y"});
  for (const Finding& finding : run_judged(model).findings) {
    for (const std::string* text : {&finding.message, &finding.fix, &finding.evidence}) {
      EXPECT_EQ(text->find("the addition \"m"), std::string::npos) << finding.rule << ": " << *text;
    }
  }
}

}  // namespace
}  // namespace planex::lint
