#include "arrays/trtexec_output.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "base/files.h"

namespace planex::arrays {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string problem_of(std::string_view text) {
  const auto saved = read_trtexec_output(text, "out.json");
  EXPECT_FALSE(saved);
  return saved ? "" : saved.error().message;
}

TEST(TrtexecOutput, TensorsAndWhatIsNotJson) {
  const std::string path = std::string(PLANEX_ARRAYS_DATA) + "/trtexec-output.json";
  const auto bytes = base::disk().read(path);
  ASSERT_TRUE(bytes);
  EXPECT_TRUE(is_trtexec_output((*bytes)->view()));
  const auto saved = read_trtexec_output((*bytes)->view(), path);
  ASSERT_TRUE(saved) << saved.error().message;
  const auto& arrays = saved->runs.at(0).iterations.at(0).arrays;
  ASSERT_EQ(arrays.size(), 4U);
  EXPECT_EQ(arrays[0].name, "logits");
  EXPECT_EQ(arrays[0].array.type, ElementType::kFloat32);
  EXPECT_THAT(arrays[0].array.shape, ElementsAre(2, 5));
  EXPECT_THAT(floats_of(arrays[0].array),
              ElementsAre(0, 0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875, 1, 1.125));
  const auto odd = floats_of(arrays[1].array);
  EXPECT_TRUE(std::isnan(odd[0]) && std::isnan(odd[1]));
  EXPECT_EQ(odd[2], std::numeric_limits<float>::infinity());
  EXPECT_EQ(odd[3], -std::numeric_limits<float>::infinity());
  EXPECT_EQ(odd[4], 1e6F);
  EXPECT_EQ(odd[5], -1.17549e-38F);
  EXPECT_EQ(arrays[2].name, "ids");
  EXPECT_EQ(arrays[2].array.type, ElementType::kInt64);
  EXPECT_EQ(arrays[2].array.data.size(), 16U);
  EXPECT_TRUE(arrays[3].array.shape.empty());
  ASSERT_EQ(saved->remarks.size(), 1U);
  EXPECT_THAT(saved->remarks[0], HasSubstr("nms_boxes"));
  EXPECT_THAT(saved->remarks[0], HasSubstr("data-dependent"));
}

TEST(TrtexecOutput, NumbersBeyondFloat) {
  const auto saved = read_trtexec_output(
      R"([{"name":"y","dimensions":"5","values":[1e999,-1e999,1e-999,1e39,99999999999999999999]}])",
      "out.json");
  ASSERT_TRUE(saved) << saved.error().message;
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  EXPECT_THAT(floats_of(saved->runs[0].iterations[0].arrays[0].array),
              ElementsAre(kInfinity, -kInfinity, 0, kInfinity, 1e20F));
}

TEST(TrtexecOutput, EmptyTensorsAndEmptyLists) {
  const auto saved = read_trtexec_output(R"([{"name":"y","dimensions":"0x4","values":[ ]}])", "o");
  ASSERT_TRUE(saved);
  EXPECT_TRUE(saved->runs[0].iterations[0].arrays[0].array.data.empty());
  EXPECT_TRUE(read_trtexec_output("[]", "o"));
}

TEST(TrtexecOutput, OddFilesAreToldWithTheirOffset) {
  EXPECT_THAT(problem_of("{}"), HasSubstr("the list of tensors"));
  EXPECT_THAT(problem_of(R"([{"name":"y"}])"), HasSubstr("name, dimensions and values"));
  EXPECT_THAT(problem_of(R"([{"name":"y","dimensions":"2","values":[1]}])"),
              HasSubstr("2 values of \"y\" of dimensions \"2\", not 1"));
  EXPECT_THAT(problem_of(R"([{"name":"y","dimensions":"2y","values":[1]}])"),
              HasSubstr("dimensions such as"));
  EXPECT_THAT(problem_of(R"([{"name":"y","dimensions":"2","values":[1,abc]}])"),
              HasSubstr("expected a number"));
  EXPECT_THAT(problem_of(R"([{"name":"y","dimensions":"2","values":[1 2]}])"),
              HasSubstr("a comma or the end of the values"));
  EXPECT_THAT(problem_of(R"([{"name":"y","dimensions":"1","values":[1]}] x)"),
              HasSubstr("nothing after"));
  EXPECT_THAT(problem_of(R"([{"name":"y","dimensions":"1","values":[sentence)"),
              HasSubstr("values and their end"));
  const std::string whole = R"([{"name":"y","dimensions":"1","values":[1]}])";
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_FALSE(read_trtexec_output(whole.substr(0, size), "o")) << size;
  }
}

TEST(TrtexecOutput, ListsOfPolygraphyAreNotOfTrtexec) {
  EXPECT_FALSE(is_trtexec_output(R"([{"name":{"array":""}}])"));
  EXPECT_FALSE(is_trtexec_output("[]"));
  EXPECT_TRUE(is_trtexec_output("\n[\n{ \"name\" : \"x\""));
}

TEST(RawBindings, NamesSayWhatIsInThem) {
  const auto name = raw_binding_name("out.put.output.1.3.FP16.raw");
  ASSERT_TRUE(name);
  EXPECT_EQ(name->tensor, "out.put");
  EXPECT_FALSE(name->is_input);
  EXPECT_THAT(name->shape, ElementsAre(1, 3));
  EXPECT_EQ(name->type, ElementType::kFloat16);
  EXPECT_TRUE(raw_binding_name("x.input.1.INT64.raw")->is_input);
  EXPECT_TRUE(raw_binding_name("x.output..FP32.raw")->shape.empty());
  EXPECT_FALSE(raw_binding_name("x.output.1.FP8.raw"));
  EXPECT_FALSE(raw_binding_name("x.output.-1.FP32.raw"));
  EXPECT_FALSE(raw_binding_name("x.output.99999999999999999999.FP32.raw"));
  EXPECT_FALSE(raw_binding_name("x.raw"));
  EXPECT_FALSE(raw_binding_name(".output.1.FP32.raw"));
}

TEST(RawBindings, SizesAreChecked) {
  const auto name = raw_binding_name("x.output.2.INT8.raw");
  ASSERT_TRUE(name);
  EXPECT_THAT(floats_of(read_raw_binding(*name, "\1\2", "x").value()), ElementsAre(1, 2));
  const auto wrong = read_raw_binding(*name, "\1", "x");
  ASSERT_FALSE(wrong);
  EXPECT_THAT(wrong.error().message, HasSubstr("has 1 bytes, expected 2"));
}

}  // namespace
}  // namespace planex::arrays
