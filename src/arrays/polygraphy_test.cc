#include "arrays/polygraphy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "arrays/npy.h"
#include "base/text.h"

namespace planex::arrays {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// What polygraphy 0.53.6, NumPy and ml_dtypes wrote: tests/data/arrays/make.py.
const std::string kData = PLANEX_ARRAYS_DATA;

Result<SavedArrays> read(const std::string& name) {
  const std::string path = kData + "/" + name;
  const auto bytes = base::disk().read(path);
  if (!bytes) return fail(bytes.error());
  return read_polygraphy(**bytes, path);
}

Result<SavedArrays> read_text(std::string_view text) {
  return read_polygraphy(*base::make_bytes(text), "a.json");
}

std::string error_of(std::string_view text) {
  const auto saved = read_text(text);
  EXPECT_FALSE(saved);
  return saved ? "" : saved.error().json_pointer + " " + saved.error().message;
}

TEST(Polygraphy, OutputsOfTwoRunners) {
  const auto saved = read("polygraphy-outputs.json");
  ASSERT_TRUE(saved) << saved.error().message;
  EXPECT_EQ(saved->format, ArraysFormat::kPolygraphyOutputs);
  ASSERT_EQ(saved->runs.size(), 2U);
  EXPECT_EQ(saved->runs[0].runner, "onnxrt-runner-N0-11/25/26-20:40:00");
  EXPECT_EQ(saved->runs[1].runner, "trt-runner-N0-11/25/26-20:40:00");
  ASSERT_EQ(saved->runs[1].iterations.size(), 2U);
  std::vector<std::string> names, types, shapes;
  for (const NamedArray& each : saved->runs[0].iterations[0].arrays) {
    names.push_back(each.name);
    types.emplace_back(to_string(each.array.type));
    shapes.push_back(shape_text(each.array.shape));
  }
  EXPECT_THAT(names,
              ElementsAre("logits", "half", "ids", "mask", "scalar", "fortran", "double", "empty"));
  EXPECT_THAT(types, ElementsAre("float32", "float16", "int64", "bool", "float32", "float32",
                                 "float64", "float32"));
  EXPECT_THAT(shapes, ElementsAre("2x5", "3", "1x2", "3", "scalar", "2x3", "2", "0x3"));
  const auto& arrays = saved->runs[1].iterations[1].arrays;
  EXPECT_THAT(floats_of(arrays[0].array),
              ElementsAre(1.25, 1.375, 1.5, 1.625, 1.75, 1.875, 2, 2.125, 2.25, 2.375));
  EXPECT_THAT(floats_of(arrays[1].array), ElementsAre(1, -2, 0.5));
  EXPECT_THAT(floats_of(arrays[3].array), ElementsAre(1, 0, 1));
  EXPECT_THAT(floats_of(arrays[4].array), ElementsAre(2.5));
  EXPECT_THAT(floats_of(arrays[5].array), ElementsAre(0, 1, 2, 3, 4, 5));
  EXPECT_TRUE(arrays[7].array.data.empty());
}

TEST(Polygraphy, Inputs) {
  const auto saved = read("polygraphy-inputs.json");
  ASSERT_TRUE(saved) << saved.error().message;
  EXPECT_EQ(saved->format, ArraysFormat::kPolygraphyInputs);
  ASSERT_EQ(saved->runs.size(), 1U);
  ASSERT_EQ(saved->runs[0].iterations.size(), 2U);
  EXPECT_EQ(saved->runs[0].iterations[0].arrays[1].name, "ids");
  EXPECT_THAT(floats_of(saved->runs[0].iterations[1].arrays[0].array),
              ElementsAre(1, 2, 3, 4, 5, 6));
}

TEST(Polygraphy, OldSpellings) {
  for (const std::string name : {"polygraphy-old-text.json", "polygraphy-old-npz.json"}) {
    const auto saved = read(name);
    ASSERT_TRUE(saved) << saved.error().message;
    EXPECT_EQ(floats_of(saved->runs[0].iterations[0].arrays[0].array)[9], 1.125) << name;
  }
}

TEST(Polygraphy, TorchIsRefused) {
  const auto saved = read("polygraphy-torch.json");
  ASSERT_FALSE(saved);
  EXPECT_EQ(saved.error().code, ErrorCode::kUnsupported);
  EXPECT_THAT(saved.error().message, HasSubstr("torch"));
  EXPECT_EQ(saved.error().json_pointer, "/lst/0/1/0/outputs/x/values");
}

TEST(Polygraphy, RepeatedRunnersAreOneAndRepeatedNamesStay) {
  // [5], as uint8.
  const std::string array = R"({"array":")"
                            "k05VTVBZAQB2AHsnZGVzY3InOiAnfHUxJywgJ2ZvcnRyYW5fb3JkZXInOiBGYWxzZSwgJ3"
                            "NoYXBlJzogKDEsKSwgfSAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAg"
                            "ICAgICAgICAgICAgICAgICAgICAgIAoF"
                            R"("})";
  const std::string iteration = base::format(R"({{"outputs":{{"y":{0},"y":{0}}}}})", array);
  const auto saved =
      read_text(base::format(R"({{"lst":[["a",[{0}]],["b",[{0}]],["a",[{0},{0}]]]}})", iteration));
  ASSERT_TRUE(saved) << saved.error().message;
  ASSERT_EQ(saved->runs.size(), 2U);
  EXPECT_EQ(saved->runs[0].iterations.size(), 3U);
  EXPECT_EQ(saved->runs[0].iterations[0].arrays.size(), 2U);
  EXPECT_THAT(floats_of(saved->runs[0].iterations[2].arrays[1].array), ElementsAre(5));
}

TEST(Polygraphy, OddDocumentsAreToldWithTheirPlace) {
  EXPECT_THAT(error_of(""), HasSubstr("not JSON"));
  EXPECT_THAT(error_of("{}"), HasSubstr("no \"lst\""));
  EXPECT_THAT(error_of("1"), HasSubstr("expected an object"));
  EXPECT_THAT(error_of(R"({"lst":1})"), HasSubstr("/lst "));
  EXPECT_THAT(error_of(R"({"lst":[1]})"), HasSubstr("/lst/0 "));
  EXPECT_THAT(error_of(R"({"lst":[["a"]]})"), HasSubstr("/lst/0 "));
  EXPECT_THAT(error_of(R"({"lst":[[1,[]]]})"), HasSubstr("/lst/0/0 "));
  EXPECT_THAT(error_of(R"({"lst":[["a",[],1]]})"), HasSubstr("/lst/0/2 "));
  EXPECT_THAT(error_of(R"({"lst":[["a",[{}]]]})"), HasSubstr("the key \"outputs\""));
  EXPECT_THAT(error_of(R"([{"a/b":1}])"), HasSubstr("/0/a~1b "));
  EXPECT_THAT(error_of(R"([{"x":{"values":1}}])"), HasSubstr("/0/x/values "));
  EXPECT_THAT(error_of(R"([{"x":{"array":"?"}}])"),
              HasSubstr("/0/x/array the array is not base64"));
  EXPECT_THAT(error_of(R"([{"x":{"array":"QUJD"}}])"), HasSubstr("not an .npy"));
  EXPECT_THAT(error_of(R"([{"x":{"array":1}}])"), HasSubstr("/0/x/array"));
  EXPECT_THAT(error_of(R"([{"x":{}}])"), HasSubstr("the key \"array\""));
  EXPECT_THAT(error_of("[] []"), HasSubstr("nothing after"));
  std::string deep;
  for (int i = 0; i < 2000; ++i) deep += R"({"values":)";
  EXPECT_FALSE(read_text(R"([{"x":)" + deep));
}

TEST(Polygraphy, EveryCutIsRefused) {
  const auto bytes = base::disk().read(kData + "/polygraphy-inputs.json");
  ASSERT_TRUE(bytes);
  const std::string_view whole = base::trimmed((*bytes)->view());
  for (std::size_t size = 0; size < whole.size(); ++size) {
    ASSERT_FALSE(read_text(whole.substr(0, size))) << size;
  }
}

}  // namespace
}  // namespace planex::arrays
