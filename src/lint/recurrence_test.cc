// The rule recurrence-unrolled: on steps of an LSTM or a GRU, and on what only looks like them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "lint/lint_test_model.h"
#include "lint/run.h"

namespace planex::lint {
namespace {

using model::DType;
using model::Family;
using ::testing::HasSubstr;

constexpr std::string_view kUnrolledRule = "recurrence-unrolled";

// Builds layers one after another, by the names of tensors.
class RecurrentSteps {
 public:
  explicit RecurrentSteps(std::string_view producer) : producer_(producer) {}

  std::string_view product(std::string_view state, std::string_view weights,
                           std::string_view added = {}) {
    std::vector<TestPort> in = {{state, DType::kFp32, {1, 64}}, {weights, DType::kFp32, {64, 256}}};
    if (!added.empty()) in.push_back({added, DType::kFp32, {1, 256}});
    return add("MatMul", Family::kGemm, std::move(in), {1, 256});
  }

  std::string_view pointwise(std::string_view type, const std::vector<std::string_view>& in) {
    std::vector<TestPort> ports;
    for (const std::string_view tensor : in) ports.push_back({tensor, DType::kFp32, {1, 64}});
    return add(type, Family::kPointwise, std::move(ports), {1, 64});
  }

  struct State {
    std::string_view hidden, cell;
  };

  State lstm(std::string_view gates, std::string_view cell) {
    const std::string_view given = pointwise("Sigmoid", {gates});
    const std::string_view kept = pointwise("Sigmoid", {gates});
    const std::string_view shown = pointwise("Sigmoid", {gates});
    const std::string_view fresh = pointwise("Mul", {given, pointwise("Tanh", {gates})});
    const std::string_view next = pointwise("Add", {pointwise("Mul", {kept, cell}), fresh});
    return {pointwise("Mul", {shown, pointwise("Tanh", {next})}), next};
  }

  std::string_view gru(std::string_view gates, std::string_view state) {
    const std::string_view update = pointwise("Sigmoid", {gates});
    const std::string_view reset = pointwise("Sigmoid", {gates});
    const std::string_view fresh = pointwise("Tanh", {pointwise("Mul", {reset, gates})});
    return pointwise("Add", {pointwise("Mul", {update, state}), fresh});
  }

  // The bindings: x, y and what else is given.
  std::vector<Finding> findings(std::string_view output, std::vector<std::string_view> inputs) {
    inputs.push_back(output);
    return findings_of(make_model(producer_, layers_, inputs), kUnrolledRule);
  }

  std::vector<TestLayer>& layers() { return layers_; }

 private:
  std::string_view name() { return names_.emplace_back("t" + std::to_string(names_.size())); }

  std::string_view add(std::string_view type, Family family, std::vector<TestPort> in,
                       std::vector<std::int64_t> dims) {
    const std::string_view out = name();
    layers_.push_back(
        {out, type, family, std::move(in), {{out, DType::kFp32, std::move(dims)}}, 0.01});
    return out;
  }

  std::string_view producer_;
  std::deque<std::string> names_;
  std::vector<TestLayer> layers_;
};

constexpr int kStepCount = 8;

TEST(RecurrenceUnrolled, IsFoundInBothEngines) {
  for (const std::string_view producer : {"onnxruntime", "openvino"}) {
    RecurrentSteps steps(producer);
    RecurrentSteps::State state = {"h", "c"};
    for (int step = 0; step < kStepCount; ++step) {
      state = steps.lstm(steps.product(state.hidden, "w", steps.product("x", "u")), state.cell);
    }
    const auto found = steps.findings(state.hidden, {"x", "h", "c"});
    ASSERT_EQ(found.size(), 1U) << producer;
    EXPECT_THAT(found[0].message, HasSubstr("LSTM"));
    EXPECT_THAT(found[0].fix, HasSubstr("nn.LSTM"));
  }
}

std::vector<Finding> of_gru(std::string_view producer, int count) {
  RecurrentSteps steps(producer);
  std::string_view state = "h";
  for (int step = 0; step < count; ++step) state = steps.gru(steps.product(state, "w"), state);
  return steps.findings(state, {"h"});
}

TEST(RecurrenceUnrolled, IsAGru) {
  const auto found = of_gru("onnxruntime", kStepCount);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_THAT(found[0].message, HasSubstr("a GRU"));
  EXPECT_THAT(found[0].fix, HasSubstr("one GRU operation"));
}

// Where one operation was measured to take as long, or longer.
TEST(RecurrenceUnrolled, IsSilentWhereItGainsNothing) {
  EXPECT_TRUE(of_gru("openvino", kStepCount).empty());
  EXPECT_TRUE(of_gru("tensorrt", kStepCount).empty());
  EXPECT_TRUE(of_gru("onnxruntime", 3).empty());
}

// Four products, one for each gate, are one recurrence.
TEST(RecurrenceUnrolled, IsSaidOnceOfGatesApart) {
  RecurrentSteps steps("onnxruntime");
  RecurrentSteps::State state = {"h", "c"};
  for (int step = 0; step < kStepCount; ++step) {
    std::vector<std::string_view> gates;
    for (const std::string_view weights : {"wi", "wf", "wo", "wg"}) {
      gates.push_back(steps.product(state.hidden, weights));
    }
    state = steps.lstm(steps.pointwise("Concat", gates), state.cell);
  }
  const auto found = steps.findings(state.hidden, {"h", "c"});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_THAT(found[0].message, HasSubstr("the steps of an LSTM"));
}

// A second layer reads what the first one shows at the same step.
TEST(RecurrenceUnrolled, FindsLayersUponOneAnother) {
  for (const std::string_view producer : {"onnxruntime", "openvino"}) {
    RecurrentSteps steps(producer);
    RecurrentSteps::State first = {"h", "c"}, second = {"h2", "c2"};
    for (int step = 0; step < kStepCount; ++step) {
      first = steps.lstm(steps.product(first.hidden, "w", steps.product("x", "u")), first.cell);
      const std::string_view ours = steps.product(first.hidden, "u2");
      second = steps.lstm(steps.product(second.hidden, "w2", ours), second.cell);
    }
    const auto found = steps.findings(second.hidden, {"x", "h", "c", "h2", "c2"});
    ASSERT_EQ(found.size(), 1U) << producer;
    EXPECT_THAT(found[0].message, HasSubstr("2 recurrences")) << producer;
  }
}

// One step of a stack: each cell's own state comes from the caller.
TEST(RecurrenceUnrolled, IsNotOneStepOfAStack) {
  RecurrentSteps steps("openvino");
  const std::vector<std::string_view> cells = {"c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7"};
  std::string_view hidden = "x";
  for (const std::string_view cell : cells)
    hidden = steps.lstm(steps.product(hidden, "w"), cell).hidden;
  std::vector<std::string_view> inputs = cells;
  inputs.push_back("x");
  EXPECT_TRUE(steps.findings(hidden, inputs).empty());
}

// Layers of a stack with different weights, whatever bypasses them.
TEST(RecurrenceUnrolled, SharesItsWeights) {
  RecurrentSteps steps("onnxruntime");
  std::string_view state = "h";
  for (const std::string_view weights : {"w0", "w1", "w2", "w3", "w4"}) {
    state = steps.gru(steps.product(state, weights), state);
  }
  EXPECT_TRUE(steps.findings(state, {"h"}).empty());
}

// The last step's output is the next one's input, as in a decoder.
TEST(RecurrenceUnrolled, IsNotFedWithItsOwnOutput) {
  RecurrentSteps steps("onnxruntime");
  RecurrentSteps::State state = {"h", "c"};
  std::string_view given = "x";
  for (int step = 0; step < kStepCount; ++step) {
    state = steps.lstm(steps.product(state.hidden, "w", steps.product(given, "u")), state.cell);
    given = steps.product(state.hidden, "head");
  }
  EXPECT_TRUE(steps.findings(given, {"x", "h", "c"}).empty());
}

// No LSTM operation normalizes between its steps.
TEST(RecurrenceUnrolled, HasNothingElseInItsCells) {
  RecurrentSteps steps("onnxruntime");
  RecurrentSteps::State state = {"h", "c"};
  for (int step = 0; step < kStepCount; ++step) {
    const std::string_view gates = steps.product(state.hidden, "w");
    state = steps.lstm(steps.pointwise("LayerNormalization", {gates}), state.cell);
  }
  EXPECT_TRUE(steps.findings(state.hidden, {"h", "c"}).empty());
}

TEST(RecurrenceUnrolled, IsSilentWhereItTakesNoTime) {
  RecurrentSteps steps("onnxruntime");
  RecurrentSteps::State state = {"h", "c"};
  for (int step = 0; step < kStepCount; ++step) {
    state = steps.lstm(steps.product(state.hidden, "w"), state.cell);
  }
  steps.product(state.hidden, "head");
  steps.layers().back().median_ms = 100;
  EXPECT_TRUE(steps.findings(steps.layers().back().name, {"h", "c"}).empty());
}

}  // namespace
}  // namespace planex::lint
