#include "onnx/check.h"

#include <gtest/gtest.h>

#include <string>

#include "onnx/read.h"
#include "onnx/test_message.h"
#include "support/test_data.h"

namespace planex::onnx {
namespace {

std::vector<MissingInputs> missing_in(const std::string& file) {
  const auto model = read_model(file);
  EXPECT_TRUE(model.has_value());
  return model ? find_missing_inputs(*model) : std::vector<MissingInputs>{};
}

TEST(MissingInputs, AreNamed) {
  const std::string file = model_message(node_field("Conv", {"x", ""}, "y", "") +
                                         node_field("Conv", {"x", "w"}, "z", "fine"));
  const auto missing = missing_in(file);
  ASSERT_EQ(missing.size(), 1u);
  const auto checked = check_required_inputs(missing);
  ASSERT_FALSE(checked.has_value());
  EXPECT_EQ(checked.error().message, "the Conv node \"y\" has 1 input, expected at least 2");
  EXPECT_TRUE(checked.error().byte_offset.has_value());
}

TEST(MissingInputs, OthersOperatorsAreNotJudged) {
  const std::string file =
      model_message(node_field("Conv", {"x"}, "y", "theirs", bytes_field(7, "com.example")));
  EXPECT_TRUE(missing_in(file).empty());
  EXPECT_TRUE(check_required_inputs({}).has_value());
}

TEST(MissingInputs, PadsOfOldModelsAreAttributes) {
  const std::string nodes = node_field("Pad", {"x"}, "y", "p");
  EXPECT_TRUE(missing_in(model_message(nodes, 10)).empty());
  EXPECT_EQ(missing_in(model_message(nodes, 11)).size(), 1u);
}

// OpenVINO 2026.4 counts down from the version that a model imports, operation by operation.
TEST(CheckForEngines, OperatorSetsThatNoStandardWillReach) {
  const auto check = [](std::uint64_t opset) {
    const std::string file = model_message(node_field("Relu", {"x"}, "y", "r"), opset);
    const auto model = read_model(file);
    EXPECT_TRUE(model.has_value());
    return check_for_engines(*model);
  };
  EXPECT_TRUE(check(27).has_value());
  const auto refused = check(std::uint64_t{1} << 62U);
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().message,
            "the model imports operator set 4611686018427387904, expected at most 10000");
}

TEST(MissingInputs, FindsTheModelThatCrashesOpenvino) {
  PLANEX_NEED_TEST_DATA(data);
  const std::string file = test::read_text(data + "/openvino-crash-conv-arity.onnx");
  EXPECT_FALSE(check_required_inputs(missing_in(file)).has_value());
}

}  // namespace
}  // namespace planex::onnx
