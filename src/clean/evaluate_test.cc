#include "clean/evaluate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "clean/test_net.h"

namespace planex::clean {
namespace {

using onnx::DataType;
using testing::ElementsAre;

Constant floats(Dims dims, const std::vector<float>& values) {
  return {DataType::kFloat, std::move(dims), onnx::raw_of(values)};
}
Constant longs(Dims dims, const Dims& values) {
  return {DataType::kInt64, std::move(dims), onnx::raw_of(values)};
}
std::vector<float> floats_in(const Constant& of) {
  std::vector<float> values(of.raw.size() / sizeof(float));
  std::memcpy(values.data(), of.raw.data(), of.raw.size());
  return values;
}
Dims longs_in(const Constant& of) {
  return ints_of({of.type, {static_cast<std::int64_t>(of.raw.size() / 8)}, of.raw}).value();
}

// The one output of a node with these attributes; null: it was not computed.
std::optional<Constant> computed(std::string op, const std::vector<std::optional<Constant>>& inputs,
                                 std::vector<onnx::NewAttribute> attributes = {}) {
  TestNet net;
  const std::string bytes =
      net.node(std::move(op), std::vector<std::string>(inputs.size()), "y", std::move(attributes))
          .bytes();
  const onnx::Model model = onnx::read_model(bytes).value();
  const onnx::Links links(model);
  const base::MemoryFiles files;
  onnx::Values values(bytes, model, files, "");
  const Draft draft(model, links, values);
  auto made = evaluated(draft, 0, inputs);
  return made ? std::optional(made->front()) : std::nullopt;
}

const Constant kTable = floats({2, 3}, {1, 2, 3, 4, 5, 6});

TEST(Evaluate, Moves) {
  EXPECT_THAT(floats_in(*computed("Transpose", {kTable})), ElementsAre(1, 4, 2, 5, 3, 6));
  EXPECT_THAT(floats_in(*transposed(floats({1, 2, 3}, {1, 2, 3, 4, 5, 6}), {2, 0, 1})),
              ElementsAre(1, 4, 2, 5, 3, 6));
  EXPECT_EQ(computed("Reshape", {kTable, longs({2}, {-1, 2})})->dims, (Dims{3, 2}));
  EXPECT_EQ(computed("Reshape", {kTable, longs({2}, {0, -1})})->dims, (Dims{2, 3}));
  EXPECT_FALSE(computed("Reshape", {kTable, longs({2}, {4, 2})}));
  EXPECT_EQ(computed("Unsqueeze", {kTable, longs({1}, {-1})})->dims, (Dims{2, 3, 1}));
  EXPECT_EQ(computed("Squeeze", {floats({1, 2}, {1, 2})})->dims, Dims{2});
  EXPECT_FALSE(computed("Squeeze", {kTable, longs({1}, {0})}));
  EXPECT_EQ(computed("Flatten", {kTable}, {{"axis", std::int64_t{0}}})->dims, (Dims{1, 6}));
  EXPECT_THAT(
      floats_in(*computed("Gather", {kTable, longs({2}, {2, -3})}, {{"axis", std::int64_t{1}}})),
      ElementsAre(3, 1, 6, 4));
  EXPECT_FALSE(computed("Gather", {kTable, longs({1}, {2})}));
  EXPECT_THAT(floats_in(*computed("Slice", {kTable, longs({2}, {1, 0}), longs({2}, {9, 3}),
                                            longs({2}, {0, 1}), longs({2}, {1, 2})})),
              ElementsAre(4, 6));
  EXPECT_EQ(computed("Slice", {kTable, longs({1}, {2}), longs({1}, {1}), longs({1}, {1})})->dims,
            (Dims{2, 0}));
  // Backwards: all rows and every other column; from beyond the end; nothing.
  const auto back = [](std::int64_t start, std::int64_t end, std::int64_t step) {
    return *computed("Slice", {kTable, longs({1}, {start}), longs({1}, {end}), longs({1}, {1}),
                               longs({1}, {step})});
  };
  EXPECT_THAT(
      floats_in(*computed("Slice", {kTable, longs({2}, {-1, -1}), longs({2}, {INT64_MIN + 1, -4}),
                                    longs({2}, {0, 1}), longs({2}, {-1, -2})})),
      ElementsAre(6, 4, 3, 1));
  EXPECT_THAT(floats_in(back(9, 0, -1)), ElementsAre(3, 2, 6, 5));
  EXPECT_THAT(floats_in(back(-9, -9, -1)), ElementsAre(1, 4));
  EXPECT_EQ(back(0, 2, -1).dims, (Dims{2, 0}));
  EXPECT_THAT(floats_in(*computed("Concat", {kTable, floats({2, 1}, {7, 8})},
                                  {{"axis", std::int64_t{-1}}})),
              ElementsAre(1, 2, 3, 7, 4, 5, 6, 8));
  EXPECT_THAT(floats_in(*computed("Expand", {floats({2, 1}, {1, 2}), longs({2}, {2, 2})})),
              ElementsAre(1, 1, 2, 2));
  EXPECT_THAT(floats_in(*computed("Tile", {floats({1, 2}, {1, 2}), longs({2}, {2, 2})})),
              ElementsAre(1, 2, 1, 2, 1, 2, 1, 2));
}

TEST(Evaluate, Arithmetic) {
  EXPECT_THAT(floats_in(*computed("Sub", {kTable, floats({3}, {1, 1, 2})})),
              ElementsAre(0, 1, 1, 3, 4, 4));
  EXPECT_THAT(longs_in(*computed("Div", {longs({2}, {7, -7}), longs({}, {2})})),
              ElementsAre(3, -3));
  EXPECT_FALSE(computed("Div", {longs({1}, {7}), longs({}, {0})}));
  EXPECT_THAT(floats_in(*computed("Pow", {floats({2}, {3, -2}), floats({}, {2})})),
              ElementsAre(9, 4));
  EXPECT_FALSE(computed("Pow", {floats({1}, {3}), floats({}, {0.3F})})) << "engines round it";
  EXPECT_FALSE(computed("Exp", {kTable}));
  EXPECT_FALSE(computed("Add", {kTable, longs({3}, {1, 1, 2})}));
  const Constant truth = *computed("Less", {floats({2}, {1, 5}), floats({}, {3})});
  EXPECT_EQ(truth.type, DataType::kBool);
  EXPECT_THAT(floats_in(*computed("Where", {truth, floats({1}, {8}), floats({2}, {1, 2})})),
              ElementsAre(8, 2));
  EXPECT_EQ(computed("Not", {truth})->raw, std::string("\0\1", 2));
}

TEST(Evaluate, CastsAndLists) {
  const onnx::NewAttribute to_long{"to", std::int64_t{7}}, to_float{"to", std::int64_t{1}};
  EXPECT_THAT(longs_in(*computed("Cast", {floats({2}, {2.7F, -2.7F})}, {to_long})),
              ElementsAre(2, -2));
  EXPECT_FALSE(computed("Cast", {floats({1}, {1e30F})}, {to_long})) << "engines differ";
  EXPECT_THAT(floats_in(*computed("Cast", {longs({1}, {3})}, {to_float})), ElementsAre(3));
  EXPECT_THAT(longs_in(*computed("Range", {longs({}, {1}), longs({}, {6}), longs({}, {2})})),
              ElementsAre(1, 3, 5));
  EXPECT_THAT(longs_in(*computed("Shape", {kTable})), ElementsAre(2, 3));
  EXPECT_EQ(computed("ConstantOfShape", {longs({2}, {2, 2})})->raw, std::string(16, '\0'));
  EXPECT_THAT(longs_in(*computed("ReduceProd", {longs({3}, {2, 3, 4})})), ElementsAre(24));
  EXPECT_FALSE(computed("Sigmoid", {kTable}));
}

}  // namespace
}  // namespace planex::clean
