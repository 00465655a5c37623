#include "drive/inference.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <limits>

#include "arrays/npy.h"
#include "arrays/sample_folder.h"
#include "base/files.h"
#include "drive/inference_files.h"
#include "drive/test_support.h"
#include "onnx/test_message.h"

namespace planex::drive {
namespace {

using onnx::bytes_field;
using onnx::node_field;
using onnx::varint_field;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

InferenceJob full_job() {
  InferenceJob job;
  job.samples = "samples";
  job.first_sample = 3;
  job.sample_count = 7;
  job.threads = 2;
  job.isa = "AVX2";
  job.output_dir = "out";
  job.tolerance = {0.25, 0.5};
  InferencePass pass;
  pass.models = {{"a", "a.onnx", Arithmetic::kFloat, {"t"}, {}},
                 {"b", "b \"q\".onnx", Arithmetic::kSimulated, {}, {{"KEY", "VALUE"}}}};
  pass.observed = {{"a", "t"}};
  pass.histogram_bins = 16;
  pass.compared = {{{"a", "t"}, {"b", "t/é"}}};
  pass.has_classes = true;
  pass.stored = {{"b", "y"}};
  job.passes.push_back(pass);
  return job;
}

InferenceResult full_result() {
  InferenceResult result;
  result.runtime_version = "1";
  result.isa = "avx2";
  result.has_vnni = true;
  PassResult pass;
  pass.models = {{"a", 1.5, 2.5, 9, "00", {"gone"}}};
  ObservedTensor seen;
  seen.tensor = {"a", "t"};
  seen.type = "float32";
  seen.shape = {1, 4};
  seen.count = 4;
  seen.nan_count = 1;
  seen.min = -0.1F;
  seen.max = 1e-30F;
  seen.histogram = {1, 2};
  seen.negative_histogram = {0, 1};
  seen.sample_max_abs = {1.1F, kNan};
  pass.observed.push_back(seen);
  seen.nan_count = 4;
  seen.min = seen.max = 0;
  pass.observed.push_back(seen);
  ComparedTensor compared;
  compared.reference = {"a", "t"};
  compared.subject = {"b", "t"};
  compared.difference.count = 4;
  compared.difference.sqnr_db = 12.25;
  compared.agreement = arrays::Agreement{4, 3, 4};
  pass.compared.push_back(compared);
  compared.agreement.reset();
  compared.mismatch = "1 and 2 of sample 0";
  pass.compared.push_back(compared);
  pass.stored = {{{"a", "t"}, "a.t.npy"}};
  result.passes.push_back(pass);
  return result;
}

TEST(InferenceFiles, JobsAreReadAsTheyWereWritten) {
  const std::string text = job_json(full_job());
  const auto job = read_inference_job(*base::make_bytes(text), "job.json");
  ASSERT_TRUE(job) << job.error().message;
  EXPECT_EQ(job_json(*job), text);
  EXPECT_EQ(job->passes[0].models[1].arithmetic, Arithmetic::kSimulated);
  EXPECT_EQ(job->passes[0].models[1].config[0].second, "VALUE");
  EXPECT_EQ(job->passes[0].compared[0].second.tensor, "t/é");
  EXPECT_EQ(job->sample_count, 7);
  EXPECT_EQ(job->tolerance.relative, 0.5);
}

TEST(InferenceFiles, ResultsAreReadAsTheyWereWritten) {
  const std::string text = result_json(full_result());
  const auto result = read_inference_result(*base::make_bytes(text), "result.json");
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result_json(*result), text);
  const ObservedTensor& seen = result->passes[0].observed[0];
  EXPECT_EQ(static_cast<float>(seen.min), -0.1F);
  EXPECT_EQ(static_cast<float>(seen.max), 1e-30F);
  EXPECT_TRUE(std::isnan(seen.sample_max_abs[1]));
  EXPECT_EQ(seen.sample_max_abs[0], 1.1F);
  EXPECT_EQ(result->passes[0].compared[0].agreement->top1_count, 3);
  EXPECT_FALSE(result->passes[0].compared[1].agreement);
  // Nothing finite: no range.
  EXPECT_THAT(text, HasSubstr("\"min\": null"));
}

TEST(InferenceFiles, PictureJobsAreReadAsTheyWereWritten) {
  PictureJob job;
  job.pictures = {"a.jpg", "b.png"};
  job.labels = {"x", "y"};
  job.preparation.height = 48;
  job.preparation.width = 320;
  job.preparation.fit = Preparation::Fit::kCrop;
  job.preparation.color = Preparation::Color::kGray;
  job.preparation.layout = Preparation::Layout::kNhwc;
  job.preparation.mean = {0.5, 1, 2};
  job.input_name = "x";
  job.output_dir = "out";
  const std::string text = job_json(job);
  const auto read = read_picture_job(*base::make_bytes(text), "job.json");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(job_json(*read), text);
  EXPECT_EQ(read->preparation.layout, Preparation::Layout::kNhwc);
  const std::string result = result_json(PictureResult{3, {{"c.png", "is cut short"}}});
  const auto again = read_picture_result(*base::make_bytes(result), "result.json");
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->refused[0].why, "is cut short");
}

TEST(InferenceFiles, AJobNeedsOnlyWhatHasNoDefault) {
  const auto job = read_inference_job(
      *base::make_bytes(R"({"schema": "planex.inference-job/1", "samples": "s", "more": 1,
                            "passes": [{"models": [{"id": "a", "path": "a.onnx"}]}]})"),
      "job.json");
  ASSERT_TRUE(job) << job.error().message;
  EXPECT_EQ(job->threads, 1);
  EXPECT_FALSE(job->sample_count);
  EXPECT_EQ(job->passes[0].models[0].arithmetic, Arithmetic::kFloat);
}

struct BadFile {
  std::string text;
  std::string message, pointer;
};

TEST(InferenceFiles, WhatIsWrongIsSaid) {
  const std::string start = R"({"schema": "planex.inference-job/1", "samples": "s", )";
  const BadFile cases[] = {
      {"", "is not JSON", ""},
      {"[]", "is not a JSON object", ""},
      {"{}", "has no \"schema\" string", ""},
      {R"({"schema": "planex.inference-job/2"})", "expected planex.inference-job/1", "/schema"},
      {start + R"("passes": 3})", "found a number of another type, expected an array", "/passes"},
      {start + R"("threads": 1.5, "passes": []})", "expected a whole number", "/threads"},
      {start + R"("threads": 3000000000, "passes": []})", "expected a whole number", "/threads"},
      {start + R"("first_sample": -1, "passes": []})", "non-negative", "/first_sample"},
      {start + R"("passes": [{}]})", "\"models\" is missing", "/passes/0"},
      {start + R"("passes": [{"models": [{"id": 1}]}]})", "expected a text",
       "/passes/0/models/0/id"},
      {start + R"("passes": [{"models": [{"id": "", "path": "", "arithmetic": "int"}]}]})",
       "\"int\" is invalid; expected one of float, simulated and engine",
       "/passes/0/models/0/arithmetic"},
      {start + R"("passes": [{"models": [{"id": "", "path": "", "config": []}]}]})",
       "found an array, expected an object", "/passes/0/models/0/config"},
  };
  for (const BadFile& bad : cases) {
    const auto job = read_inference_job(*base::make_bytes(bad.text), "job.json");
    ASSERT_FALSE(job) << bad.text;
    EXPECT_THAT(job.error().message, HasSubstr(bad.message)) << bad.text;
    EXPECT_EQ(job.error().json_pointer, bad.pointer) << bad.text;
    EXPECT_EQ(job.error().file, "job.json");
  }
}

// --- With fake versions of planex-openvino

class PlayedProgram : public ::testing::Test {
 protected:
  void SetUp() override {
    ::setenv("TMPDIR", folder_.path("tmp").c_str(), 1);
    std::filesystem::create_directory(folder_.path("tmp"));
  }
  void TearDown() override {
    ::unsetenv("TMPDIR");
    EXPECT_THAT(folder_.list("tmp"), IsEmpty()) << "files were left behind";
  }

  Result<InferenceResult> infer_with(const std::string& script, const InferenceJob& job) {
    const std::string program = folder_.write_program("planex-openvino", script);
    return infer(job, program, {}, {});
  }
  std::string failure_with(const std::string& script) {
    InferenceJob job = full_job();
    job.output_dir = folder_.path("out");
    const auto result = infer_with(script, job);
    EXPECT_FALSE(std::filesystem::exists(folder_.path("out"))) << "something was written";
    return result ? "none" : result.error().message;
  }

  TemporaryFolder folder_;
};

TEST_F(PlayedProgram, MissingOnesAreNamed) {
  const auto result = infer(full_job(), folder_.path("nowhere"), {}, {});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::kNotFound);
  EXPECT_EQ(result.error().file, folder_.path("nowhere"));
  EXPECT_FALSE(infer(full_job(), "planex-no-such-program", {}, {}));
}

TEST_F(PlayedProgram, GetsTheJobAndGivesTheResult) {
  folder_.write("result", result_json(full_result()));
  InferenceJob job = full_job();
  job.output_dir = folder_.path("out");
  std::vector<std::pair<std::string, double>> told;
  // Stored tensors go where the job in the file says.
  const std::string program =
      folder_.write_program("planex-openvino", std::string("seen=") + folder_.path("seen") +
                                                   " result=" + folder_.path("result") + R"sh(
cp "$2" "$seen"
echo '{"phase":"infer","done":0.5}'
echo noise
out=$(sed -n 's/.*"output_dir": "\([^"]*\)".*/\1/p' "$2")
echo data > "$out/a.t.npy"
cp "$result" "$(dirname "$2")/job.result.json"
)sh");
  const auto result = infer(
      job, program,
      [&](std::string_view phase, double done) { told.emplace_back(std::string(phase), done); },
      {});
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_THAT(told, ElementsAre(std::pair<std::string, double>("infer", 0.5)));
  EXPECT_EQ(result->passes[0].stored[0].path, folder_.path("out/a.t.npy"));
  EXPECT_THAT(folder_.list("out"), ElementsAre("a.t.npy"));
  EXPECT_THAT(read_file(folder_.path("seen")), HasSubstr("planex.inference-job/1"));
}

TEST_F(PlayedProgram, ErrorsAreTranslated) {
  EXPECT_THAT(
      failure_with(
          R"(echo '{"schema":"planex.driver-error/1","kind":"bad-input","phase":"read","message":"no input x"}' >&2; exit 4)"),
      HasSubstr("no input x"));
  EXPECT_EQ(failure_with("kill -9 $$"), "OpenVINO was killed (SIGKILL) while starting");
  EXPECT_EQ(failure_with("echo '{\"phase\":\"infer\",\"done\":0}'; kill -11 $$"),
            "OpenVINO crashed (SIGSEGV) while running the model");
  EXPECT_THAT(failure_with("exit 0"), HasSubstr("its result is missing"));
  EXPECT_THAT(failure_with("echo '{' > \"$(dirname \"$2\")/job.result.json\""),
              HasSubstr("is not JSON"));
}

TEST_F(PlayedProgram, ErrorsNameTheirFile) {
  const auto result = infer_with(
      R"(echo '{"schema":"planex.driver-error/1","kind":"tool","phase":"read","message":"Model can'"'"'t be parsed","file":"b.onnx"}' >&2; exit 4)",
      full_job());
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().file, "b.onnx");
  EXPECT_EQ(result.error().message, "the model file is damaged or cut short");
  // The folder that was made for the stored tensors.
  EXPECT_FALSE(std::filesystem::exists("out"));
}

TEST_F(PlayedProgram, CanBeStopped) {
  std::atomic<bool> stop = false;
  const std::string program =
      folder_.write_program("planex-openvino", "echo '{\"phase\":\"infer\",\"done\":0}'; sleep 60");
  InferenceJob job = full_job();
  job.output_dir = folder_.path("out");
  const auto result =
      infer(job, program, [&](std::string_view, double) { stop = true; }, Cancellation(stop));
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::kCancelled);
  EXPECT_FALSE(std::filesystem::exists(folder_.path("out")));
}

// --- With the real planex-openvino, if it was built

std::string real_program() {
#ifdef PLANEX_OPENVINO_PROGRAM
  return PLANEX_OPENVINO_PROGRAM;
#else
  const char* named = std::getenv("PLANEX_OPENVINO_PROGRAM");
  return named == nullptr ? "" : named;
#endif
}

std::string value_field(unsigned number, std::string_view name, std::uint64_t type,
                        std::initializer_list<std::uint64_t> dims) {
  std::string shape;
  for (const std::uint64_t dim : dims) {
    // 0: not known.
    shape += bytes_field(1, dim == 0 ? std::string() : varint_field(1, dim));
  }
  return bytes_field(
      number, bytes_field(1, name) +
                  bytes_field(2, bytes_field(1, varint_field(1, type) + bytes_field(2, shape))));
}

std::string constant_field(std::string_view name, const std::vector<float>& values) {
  return bytes_field(
      5, varint_field(1, values.size()) + varint_field(2, 1) + bytes_field(8, name) +
             bytes_field(9, {reinterpret_cast<const char*>(values.data()), values.size() * 4}));
}

constexpr std::uint64_t kFloatType = 1, kBoolType = 9, kInt64Type = 7;

class RealProgram : public ::testing::Test {
 protected:
  void SetUp() override {
    if (real_program().empty()) GTEST_SKIP() << "planex-openvino is not part of this build";
  }

  // Samples of input x: 1 x 4.
  std::string samples(const std::vector<std::vector<float>>& values) {
    const auto writer = arrays::SampleWriter::create(folder_.path("samples"),
                                                     {{"x", arrays::ElementType::kFloat32, {1, 4}}})
                            .value()
                            .release();
    const std::unique_ptr<arrays::SampleWriter> owner(writer);
    for (const std::vector<float>& sample : values) {
      const std::string_view bytes(reinterpret_cast<const char*>(sample.data()),
                                   sample.size() * sizeof(float));
      owner->add({"s", ""}, std::span(&bytes, 1)).value();
    }
    owner->finish({}).value();
    return folder_.path("samples");
  }

  // y = relu(x) + c
  std::string relu_model(std::string_view name, const std::vector<float>& added,
                         std::uint64_t batch = 1) {
    return folder_.write(name, onnx::model_message(value_field(11, "x", kFloatType, {batch, 4}) +
                                                   constant_field("c", added) +
                                                   node_field("Relu", {"x"}, "r", "relu") +
                                                   node_field("Add", {"r", "c"}, "y", "add") +
                                                   value_field(12, "y", kFloatType, {batch, 4})));
  }

  static InferenceResult run(const InferenceJob& job) {
    auto result = infer(job, real_program(), {}, {});
    EXPECT_TRUE(result) << result.error().message << " " << result.error().context;
    return result ? *result : InferenceResult();
  }

  TemporaryFolder folder_;
};

TEST_F(RealProgram, FindsRangesAndHistograms) {
  InferenceJob job;
  job.samples = samples({{-3, 0, 1, 2}, {4, kNan, kInfinity, -0.5F}, {kNan, kNan, kNan, kNan}});
  InferencePass pass;
  pass.models = {{"m", relu_model("m.onnx", {0, 0, 0, 1}, 0), Arithmetic::kFloat, {}, {}}};
  pass.observed = {{"m", "x"}, {"m", "c"}, {"m", "no such"}, {"m", "r"}};
  pass.histogram_bins = 4;
  job.passes = {pass, pass};
  const InferenceResult result = run(job);
  ASSERT_EQ(result.passes.size(), 2);
  EXPECT_THAT(result.runtime_version, HasSubstr("20"));
  for (const PassResult& seen : result.passes) {
    ASSERT_EQ(seen.observed.size(), 3);
    EXPECT_THAT(seen.models[0].missing_taps, ElementsAre("no such"));
    const ObservedTensor& x = seen.observed[0];
    EXPECT_EQ(x.type, "float32");
    EXPECT_THAT(x.shape, ElementsAre(1, 4));
    EXPECT_EQ(x.count, 12);
    EXPECT_EQ(x.nan_count, 5);
    EXPECT_EQ(x.inf_count, 1);
    EXPECT_EQ(x.zero_count, 1);
    EXPECT_EQ(x.min, -3);
    EXPECT_EQ(x.max, 4);
    // 0, 0.5 | 1 | 2 | 3, 4
    EXPECT_THAT(x.histogram, ElementsAre(2, 1, 1, 2));
    EXPECT_THAT(x.negative_histogram, ElementsAre(1, 0, 0, 1));
    EXPECT_EQ(x.sample_max_abs[0], 3);
    EXPECT_EQ(x.sample_max_abs[1], 4);
    EXPECT_TRUE(std::isnan(x.sample_max_abs[2]));
    // A constant counts once per sample.
    EXPECT_EQ(seen.observed[1].count, 12);
    EXPECT_EQ(seen.observed[1].max, 1);
    EXPECT_THAT(seen.observed[1].histogram, ElementsAre(9, 0, 0, 3));
    EXPECT_TRUE(seen.observed[1].negative_histogram.empty());
    EXPECT_EQ(seen.observed[2].min, 0);
  }
}

TEST_F(RealProgram, ComparesModelsByNames) {
  InferenceJob job;
  job.samples = samples({{1, 2, 3, 4}, {5, 6, 7, 8}, {1, 1, 1, 1}});
  job.sample_count = 2;
  InferencePass pass;
  pass.models = {{"a", relu_model("a.onnx", {0, 0, 0, 0}), Arithmetic::kFloat, {}, {}},
                 {"b", relu_model("b.onnx", {9, 0, 0, 0}), Arithmetic::kEngine, {"r"}, {}}};
  pass.compared = {{{"a", "y"}, {"b", "y"}}, {{"a", "r"}, {"b", "r"}}, {{"a", "r"}, {"b", "z"}}};
  pass.has_classes = true;
  job.passes = {pass};
  const InferenceResult result = run(job);
  const PassResult& seen = result.passes.at(0);
  ASSERT_EQ(seen.compared.size(), 2);
  const ComparedTensor& y = seen.compared[0];
  EXPECT_EQ(y.difference.count, 8);
  EXPECT_EQ(y.difference.max_abs, 9);
  // Signal 204, noise 162.
  EXPECT_NEAR(*y.difference.sqnr_db, 10 * std::log10(204.0 / 162), 1e-6);
  EXPECT_EQ(y.agreement->rows, 2);
  EXPECT_EQ(y.agreement->top1_count, 0);
  EXPECT_TRUE(seen.compared[1].difference.is_equal);
  EXPECT_EQ(seen.compared[1].agreement->top1_count, 2);
  EXPECT_THAT(seen.models[0].missing_taps, IsEmpty());
  EXPECT_THAT(seen.models[1].missing_taps, ElementsAre("z"));
  EXPECT_NE(seen.models[0].output_digest, seen.models[1].output_digest);
  EXPECT_EQ(seen.models[0].output_digest.size(), 64);
  EXPECT_GT(seen.models[0].layer_count, 0);
}

TEST_F(RealProgram, IsTheSameForAnyThreads) {
  InferenceJob job;
  job.samples = samples({{1, -2, 3, 4}, {5, 6, -7, 8}});
  InferencePass pass;
  pass.models = {{"a", relu_model("a.onnx", {1, 2, 3, 4}), Arithmetic::kFloat, {}, {}}};
  pass.observed = {{"a", "r"}, {"a", "y"}};
  pass.histogram_bins = 8;
  job.passes = {pass};
  const InferenceResult one = run(job);
  job.threads = 2;
  const InferenceResult two = run(job);
  EXPECT_EQ(one.passes.at(0).models[0].output_digest, two.passes.at(0).models[0].output_digest);
  EXPECT_EQ(one.passes.at(0).observed[1].histogram, two.passes.at(0).observed[1].histogram);
}

TEST_F(RealProgram, StoresTensorsOfAllSamples) {
  InferenceJob job;
  job.samples = samples({{1, -2, 3, 4}, {5, 6, -7, 8}});
  job.output_dir = folder_.path("out");
  InferencePass pass;
  pass.models = {{"a/../b", relu_model("a.onnx", {0, 0, 0, 0}), Arithmetic::kFloat, {}, {}}};
  pass.stored = {{"a/../b", "y"}};
  job.passes = {pass, pass};
  const InferenceResult result = run(job);
  EXPECT_THAT(folder_.list("out"), ElementsAre("a_.._b.y-2.npy", "a_.._b.y.npy"));
  const std::string path = result.passes.at(0).stored.at(0).path;
  EXPECT_EQ(path, folder_.path("out/a_.._b.y.npy"));
  const auto array = arrays::read_npy(read_file(path), path);
  ASSERT_TRUE(array);
  EXPECT_THAT(array->shape, ElementsAre(2, 1, 4));
  EXPECT_THAT(arrays::floats_of(*array), ElementsAre(1, 0, 3, 4, 5, 6, 0, 8));
}

TEST_F(RealProgram, TakesTensorsThatAreNoFloats) {
  InferenceJob job;
  job.samples = samples({{1, -2, 3, 4}});
  job.output_dir = folder_.path("out");
  const std::string model = folder_.write(
      "m.onnx",
      onnx::model_message(
          value_field(11, "x", kFloatType, {1, 4}) + constant_field("c", {1}) +
          node_field("Greater", {"x", "c"}, "g", "greater") +
          node_field("Cast", {"g"}, "i", "cast",
                     bytes_field(5, bytes_field(1, "to") + varint_field(3, kInt64Type) +
                                        varint_field(20, 2))) +
          value_field(12, "g", kBoolType, {1, 4}) + value_field(12, "i", kInt64Type, {1, 4})));
  InferencePass pass;
  pass.models = {{"m", model, Arithmetic::kFloat, {}, {}}};
  pass.observed = {{"m", "g"}, {"m", "i"}};
  pass.stored = {{"m", "i"}};
  job.passes = {pass};
  const InferenceResult result = run(job);
  const PassResult& seen = result.passes.at(0);
  ASSERT_EQ(seen.observed.size(), 2);
  EXPECT_EQ(seen.observed[0].type, "bool");
  EXPECT_EQ(seen.observed[0].zero_count, 2);
  EXPECT_EQ(seen.observed[1].type, "int64");
  EXPECT_EQ(seen.observed[1].max, 1);
  const auto array = arrays::read_npy(read_file(seen.stored.at(0).path), "i");
  ASSERT_TRUE(array);
  EXPECT_EQ(array->type, arrays::ElementType::kInt64);
}

struct BadJob {
  std::string what;
  std::function<void(InferenceJob&)> spoil;
};

TEST_F(RealProgram, WhatDoesNotFitIsSaid) {
  InferenceJob good;
  good.samples = samples({{1, -2, 3, 4}});
  InferencePass pass;
  pass.models = {{"a", relu_model("a.onnx", {0, 0, 0, 0}), Arithmetic::kFloat, {}, {}}};
  good.passes = {pass};
  const std::string wide =
      folder_.write("wide.onnx", onnx::model_message(value_field(11, "x", kFloatType, {1, 5}) +
                                                     node_field("Relu", {"x"}, "y", "relu") +
                                                     value_field(12, "y", kFloatType, {1, 5})));
  const std::string other =
      folder_.write("other.onnx", onnx::model_message(value_field(11, "image", kFloatType, {1, 4}) +
                                                      node_field("Relu", {"image"}, "y", "relu") +
                                                      value_field(12, "y", kFloatType, {1, 4})));
  const std::string broken = folder_.write("broken.onnx", "\x08\x08garbage");
  const BadJob cases[] = {
      {"the model's input \"x\" has shape 1x5, the samples have 1x4",
       [&](InferenceJob& job) { job.passes[0].models[0].path = wide; }},
      {"the samples have no values for the model's input \"image\"; they have \"x\"",
       [&](InferenceJob& job) { job.passes[0].models[0].path = other; }},
      {"there is no such model file",
       [&](InferenceJob& job) { job.passes[0].models[0].path = folder_.path("gone.onnx"); }},
      {"OpenVINO", [&](InferenceJob& job) { job.passes[0].models[0].path = broken; }},
      {"has 1 sample, but sample 1 was requested", [](InferenceJob& job) { job.first_sample = 1; }},
      {"has 1 sample, but 2 from 0 on were requested",
       [](InferenceJob& job) { job.sample_count = 2; }},
      {"no model of the pass is called \"z\"",
       [](InferenceJob& job) { job.passes[0].observed = {{"z", "y"}}; }},
      {"two models of one pass are called \"a\"",
       [](InferenceJob& job) { job.passes[0].models.push_back(job.passes[0].models[0]); }},
      {"\"AVX3\" is invalid; expected one of", [](InferenceJob& job) { job.isa = "AVX3"; }},
      {"0 threads", [](InferenceJob& job) { job.threads = 0; }},
      {"-1 bins", [](InferenceJob& job) { job.passes[0].histogram_bins = -1; }},
      {"no property \"NO_SUCH\"",
       [](InferenceJob& job) { job.passes[0].models[0].config = {{"NO_SUCH", "1"}}; }},
  };
  for (const BadJob& bad : cases) {
    InferenceJob job = good;
    bad.spoil(job);
    const auto result = infer(job, real_program(), {}, {});
    ASSERT_FALSE(result) << bad.what;
    EXPECT_THAT(result.error().message, HasSubstr(bad.what));
  }
}

// Two pixels, red and blue.
constexpr unsigned char kTwoPixels[] = {
    0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0x00, 0x00, 0x00, 0x0D, 0x49, 0x48,
    0x44, 0x52, 0x00, 0x00, 0x00, 0x02, 0x00, 0x00, 0x00, 0x01, 0x08, 0x02, 0x00, 0x00,
    0x00, 0x7B, 0x40, 0xE8, 0xDD, 0x00, 0x00, 0x00, 0x0D, 0x49, 0x44, 0x41, 0x54, 0x78,
    0x9C, 0x63, 0xF8, 0xCF, 0x00, 0x04, 0xFF, 0x01, 0x07, 0x00, 0x01, 0xFF, 0xE2, 0x23,
    0x9E, 0x59, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82,
};

TEST_F(RealProgram, PicturesBecomeSamples) {
  const std::string png(reinterpret_cast<const char*>(kTwoPixels), sizeof(kTwoPixels));
  PictureJob job;
  job.pictures = {folder_.write("a.png", png), folder_.write("b.png", "no picture"),
                  folder_.write("c.png", png)};
  job.labels = {"first", "second", "third"};
  job.preparation.height = 1;
  job.preparation.width = 2;
  job.preparation.color = Preparation::Color::kBgr;
  job.preparation.mean = {5};
  job.preparation.scale = {2};
  job.input_name = "x";
  job.output_dir = folder_.path("out");
  job.preview_dir = folder_.path("seen");
  job.preview_count = 1;
  const auto result = prepare_pictures(job, real_program(), {}, {});
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->sample_count, 2);
  ASSERT_EQ(result->refused.size(), 1);
  EXPECT_EQ(result->refused[0].path, folder_.path("b.png"));
  EXPECT_EQ(result->refused[0].why, "is not a JPEG, PNG or WebP");
  EXPECT_THAT(folder_.list("seen"), ElementsAre("0.png"));
  EXPECT_THAT(folder_.list("out"), ElementsAre("0.bin", "samples.json"));
  const auto reader = arrays::SampleReader::open(folder_.path("out"));
  ASSERT_TRUE(reader) << reader.error().message;
  const arrays::SampleIndex& index = (*reader)->index();
  EXPECT_THAT(index.inputs[0].shape, ElementsAre(1, 3, 1, 2));
  EXPECT_EQ(index.samples[1].label, "third");
  std::vector<float> values(6);
  std::vector<char> bytes(values.size() * sizeof(float));
  ASSERT_TRUE((*reader)->read(1, 0, bytes));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  // (x - 5) * 2: blue, green, red of both pixels.
  EXPECT_THAT(values, ElementsAre(-10, 500, -10, -10, 500, -10));
}

TEST_F(RealProgram, NothingIsLeftOfPicturesThatCannotBeRead) {
  PictureJob job;
  job.pictures = {folder_.write("b.png", "no picture")};
  job.preparation.height = job.preparation.width = 4;
  job.input_name = "x";
  job.output_dir = folder_.path("out");
  job.preview_dir = folder_.path("seen");
  job.preview_count = 1;
  const auto result = prepare_pictures(job, real_program(), {}, {});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::kBadInput);
  EXPECT_EQ(result.error().file, folder_.path("b.png"));
  EXPECT_THAT(folder_.list(), ElementsAre("b.png"));
}

}  // namespace
}  // namespace planex::drive
