#include "ingest/tensorrt/optimization_profiles.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "ingest/discover/load.h"
#include "support/test_data.h"

namespace planex::ingest::tensorrt {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(ProfileMark, AnywhereInAName) {
  EXPECT_EQ(profile_mark("conv1 [profile 1]"), 1);
  EXPECT_EQ(profile_mark("node_linear [profile 12]_myl11_2"), 12);
  EXPECT_EQ(profile_mark("y [profile 3].1_5_myl11"), 3);
  EXPECT_EQ(profile_mark("[RELU]-[x]-[y] [profile 0]"), 0);
  EXPECT_EQ(profile_mark("conv [profile x] [profile 7]"), 7);
  for (const char* name :
       {"", "conv1", "[profile 1]", "conv[profile 1]", "conv [profile ]", "conv [profile -1]",
        "conv [profile 1", "conv [profile 1 ]", "conv [profile 99999999999999999999]"}) {
    EXPECT_EQ(profile_mark(name), std::nullopt) << name;
  }
}

TEST(MyelinBlock, IsTheLastNumber) {
  EXPECT_EQ(myelin_block("__myl_Move_myl12_0"), 12);
  EXPECT_EQ(myelin_block("fc [profile 1]_myl5_3"), 5);
  EXPECT_EQ(myelin_block("/fc1/Gemm_myl0_2"), 0);
  EXPECT_EQ(myelin_block("__myl_Move"), std::nullopt);
  EXPECT_EQ(myelin_block("_myl"), std::nullopt);
  EXPECT_EQ(myelin_block(""), std::nullopt);
}

std::string tensors(const std::string& name) {
  return name.empty()
             ? "[]"
             : R"([{"Name": ")" + name + R"(", "Dimensions": [1], "Format/Datatype": "Half"}])";
}

struct TestLayer {
  std::string name, input, output;
};

std::string layer_file(const std::vector<TestLayer>& layers, const std::string& bindings) {
  std::string text = R"({"Layers": [)";
  for (const TestLayer& layer : layers) {
    if (text.back() != '[') text += ',';
    text += R"({"Name": ")" + layer.name + R"(", "LayerType": "kgen", "Inputs": )" +
            tensors(layer.input) + R"(, "Outputs": )" + tensors(layer.output) + "}";
  }
  return text + R"(], "Bindings": )" + bindings + "}";
}

std::vector<std::optional<std::int64_t>> profiles_of(const model::PlanModel& model) {
  std::vector<std::optional<std::int64_t>> profiles;
  for (std::size_t row = 0; row < model.layers.row_count(); ++row) {
    profiles.push_back(model.layers.profile_index.get(row));
  }
  return profiles;
}

Result<model::PlanModel> load_profile(const std::string& text,
                                      std::optional<std::int64_t> profile) {
  return test::load_completed({.path = "g.json", .profile_index = profile},
                              test::memory_files({{"g.json", text}}));
}

TEST(Profiles, KernelsTakeTheProfileOfTheirBlock) {
  const model::PlanModel model =
      test::must(load_profile(layer_file({{"__myl_Move_myl0_0", "x", "a"},
                                          {"fc_myl0_1", "a", "y"},
                                          // The first of the block, before any mark.
                                          {"__mye_0_myl1_0", "", ""},
                                          {"__myl_Move_myl1_1", "b", "c"},
                                          {"fc [profile 1]_myl1_2", "c", "y"}},
                                         R"(["x", "y"])"),
                              std::nullopt));
  EXPECT_THAT(profiles_of(model), ElementsAre(0, 0, 1, 1, 1));
  EXPECT_EQ(model.engine.profile_count[0], 2);
  EXPECT_EQ(model.engine.profile_index[0], 0);
}

TEST(Profiles, MarksOfTensorsAreEnough) {
  const model::PlanModel model =
      test::must(load_profile(layer_file({{"__myl_Move_myl0_0", "x", "y"},
                                          {"__myl_Move_myl1_0", "x [profile 1]", "a"},
                                          {"__myl_Cast_myl1_1", "a", "b"},
                                          // A block without marks: after one of profile 1.
                                          {"__myl_Cast_myl2_0", "b", "c"}},
                                         R"(["x", "y"])"),
                              1));
  EXPECT_THAT(profiles_of(model), ElementsAre(0, 1, 1, 1));
  EXPECT_EQ(model.engine.profile_index[0], 1);
  EXPECT_FALSE(model.does_work(model::LayerId(0)));
  EXPECT_TRUE(model.does_work(model::LayerId(3)));
}

TEST(Profiles, OneProfileIsNoProfile) {
  const model::PlanModel model = test::must(
      load_profile(layer_file({{"a", "x", "y"}, {"b", "y", "z"}}, R"(["x", "z"])"), std::nullopt));
  EXPECT_THAT(profiles_of(model), ElementsAre(std::nullopt, std::nullopt));
  EXPECT_TRUE(model.engine.profile_count.is_null(0));
  EXPECT_TRUE(model.engine.profile_index.is_null(0));
}

TEST(Profiles, OneThatIsNotThereIsAnError) {
  const std::string one = layer_file({{"a", "x", "y"}}, R"(["x", "y"])");
  EXPECT_TRUE(load_profile(one, 0));
  auto model = load_profile(one, 1);
  ASSERT_FALSE(model);
  EXPECT_EQ(model.error().code, ErrorCode::kUsage);
  EXPECT_THAT(model.error().message, HasSubstr("no optimization profile 1: the engine has 0"));
  const std::string several = layer_file(
      {{"a", "x", "y"}, {"a [profile 1]", "x", "y"}, {"a [profile 2]", "x", "y"}}, R"(["x"])");
  EXPECT_TRUE(load_profile(several, 2));
  model = load_profile(several, 3);
  ASSERT_FALSE(model);
  EXPECT_EQ(model.error().code, ErrorCode::kUsage);
  EXPECT_THAT(model.error().message, HasSubstr("the engine has 0 to 2"));
  EXPECT_FALSE(load_profile(several, -1));
}

TEST(Profiles, ShapesOfTheChosenOne) {
  const std::string text = R"json({"Layers": [
      {"Name": "__myl_A_myl0_0", "LayerType": "kgen",
       "Inputs": [{"Name": "x", "Dimensions": [1]}], "Outputs": []},
      {"Name": "__myl_A_myl1_0", "LayerType": "kgen",
       "Inputs": [{"Name": "x [profile 1]", "Dimensions": [1]}], "Outputs": []}],
    "I/O Tensors": [{"Name": "x", "IOMode": "Input", "DataType": "Float", "Dimensions": [-1],
      "ProfileInfo": [
        {"MinShape": [1], "OptShape": [2], "MaxShape": [3],
         "Format": "Row major linear FP32 format (kLINEAR)"},
        {"MinShape": [4], "OptShape": [5], "MaxShape": [6],
         "Format": "Row major linear FP32 format (kLINEAR)"}]}]})json";
  const model::PlanModel model = test::must(load_profile(text, 1));
  EXPECT_THAT(model.bindings.profile_opt[0], ElementsAre(5));
  EXPECT_THAT(model.profiles.max_dims[0], ElementsAre(3));
  EXPECT_THAT(model.profiles.max_dims[1], ElementsAre(6));
  EXPECT_EQ(model.engine.profile_count[0], 2);
  EXPECT_THAT(profiles_of(model), ElementsAre(0, 1));
  const auto wrong = load_profile(text, 2);
  ASSERT_FALSE(wrong);
  EXPECT_THAT(wrong.error().message, HasSubstr("the engine has 0 and 1"));
}

// As many blocks as profiles, and no name with a mark.
TEST(Profiles, BlocksAreCountedWhereNoNameHasAMark) {
  const auto engine = [](const std::string& names) {
    return R"({"Layers": [)" + names + R"(], "I/O Tensors": [{"Name": "x", "IOMode": "Input",
        "DataType": "Float", "Dimensions": [1], "ProfileInfo": [{}, {}]}]})";
  };
  const model::PlanModel model = test::must(
      load_profile(engine(R"("a_myl4_0", "between", "b_myl7_0", "b_myl7_1", "after")"), 1));
  EXPECT_THAT(profiles_of(model), ElementsAre(0, 0, 1, 1, 1));
  const model::PlanModel three =
      test::must(load_profile(engine(R"("a_myl4_0", "b_myl7_0", "c_myl8_1")"), 1));
  EXPECT_THAT(test::diagnostic_codes(three), Contains("profiles-unknown"));
}

TEST(Profiles, BindingsAreTheTensorsOfTheChosenOne) {
  const std::string text = layer_file(
      {{"a", "x", "y"}, {"a [profile 1]", "x [profile 1]", "y [profile 1]"}}, R"(["x", "y"])");
  for (const std::int64_t profile : {0, 1}) {
    const model::PlanModel model = test::must(load_profile(text, profile));
    EXPECT_THAT(model.bindings.direction.values(),
                ElementsAre(model::Direction::kInput, model::Direction::kOutput));
    EXPECT_THAT(model.tensors.role.values(),
                ElementsAre(model::TensorRole::kInput, model::TensorRole::kOutput,
                            model::TensorRole::kInput, model::TensorRole::kOutput));
  }
}

TEST(Profiles, LayersThatDoNotTellAreShownAsOne) {
  const model::PlanModel model = test::must(load_profile(
      R"({"Layers": [{"Name": "a", "LayerType": "kgen", "Inputs": [], "Outputs": []}],
          "I/O Tensors": [{"Name": "x", "IOMode": "Input", "DataType": "Float", "Dimensions": [1],
                           "ProfileInfo": [{}, {}]}]})",
      std::nullopt));
  EXPECT_THAT(test::diagnostic_codes(model), Contains("profiles-unknown"));
  EXPECT_THAT(profiles_of(model), ElementsAre(std::nullopt));
}

TEST(Profiles, TimesAreJoinedToTheLayersOfTheirProfile) {
  // The name "same" is in both: only the profile of the other rows shows which one is meant.
  const std::string graph = layer_file({{"first", "x", "a"},
                                        {"same", "a", "y"},
                                        {"first [profile 1]", "x [profile 1]", "b"},
                                        {"same", "b", "y [profile 1]"}},
                                       R"(["x", "y"])");
  const std::string profile = R"([{"count": 1}, {"name": "first [profile 1]", "averageMs": 1},
      {"name": "same", "averageMs": 2}])";
  const auto files = test::memory_files({{"g.json", graph}, {"p.json", profile}});
  const auto load = [&](std::int64_t index) {
    return test::must(test::load_completed(
        {.path = "g.json", .profile = "p.json", .profile_index = index}, files));
  };
  const model::PlanModel shown = load(1);
  EXPECT_EQ(shown.layers.mean_ms[3], 2);
  EXPECT_TRUE(shown.layers.mean_ms.is_null(1));
  EXPECT_THAT(test::diagnostic_codes(shown), Not(Contains("times-of-other-profile")));
  EXPECT_THAT(test::diagnostic_codes(shown), Not(Contains("layer-without-time")));
  const model::PlanModel other = load(0);
  EXPECT_EQ(other.layers.mean_ms[3], 2);
  EXPECT_THAT(test::diagnostic_codes(other), Contains("times-of-other-profile"));
}

}  // namespace
}  // namespace planex::ingest::tensorrt
