#include "analyze/work/bodies.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analyze/complete/complete.h"
#include "analyze/summary/summary.h"
#include "model/builder.h"
#include "support/test_data.h"

namespace planex::analyze {
namespace {

using model::Direction;
using model::DType;
using ::testing::Contains;
using ::testing::Not;

// An engine with a comparison and one If, which takes nearly all of the time. `branch_weights`:
// bytes of a convolution's weights in each branch of the model's node; empty: no model.
model::PlanModel branching_engine(const std::vector<std::int64_t>& branch_weights,
                                  std::string_view type = "If") {
  model::ModelBuilder builder;
  base::StringPool& strings = builder.strings();
  const auto add_layer = [&](std::string_view name, std::string_view word, double ms) {
    const model::LayerId layer = builder.add_layer(strings.intern(name));
    model::LayersTable& layers = builder.model().layers;
    layers.role.set(layer.index(), model::Role::kWork);
    layers.raw_type.set(layer.index(), strings.intern(word));
    layers.type.set(layer.index(), strings.intern(word));
    layers.family.set(layer.index(),
                      word == type ? model::Family::kOpaque : model::Family::kPointwise);
    layers.median_ms.set(layer.index(), ms);
    return layer;
  };
  const std::array<std::int64_t, 1> one = {1};
  const std::array<std::int64_t, 4> image = {1, 3, 8, 8};
  const model::LayerId less = add_layer("less", "Less", 0.02);
  builder.add_port(less, Direction::kInput, {.tensor = "a", .dims = one, .dtype = DType::kFp32});
  builder.add_port(less, Direction::kOutput, {.tensor = "c", .dims = one, .dtype = DType::kUint8});
  const model::LayerId choose = add_layer("choose", type, 0.98);
  builder.add_port(choose, Direction::kInput, {.tensor = "c", .dims = one, .dtype = DType::kUint8});
  builder.add_port(choose, Direction::kInput,
                   {.tensor = "x", .dims = image, .dtype = DType::kFp32});
  builder.add_port(choose, Direction::kOutput,
                   {.tensor = "y", .dims = image, .dtype = DType::kFp32});
  builder.model().layers.compute_precision.set(choose.index(), DType::kInt8);
  builder.add_source(choose, "choose", type, model::Evidence::kMetadata);
  for (std::size_t i = 0; i < branch_weights.size(); ++i) {
    const std::string path =
        i == 0 ? "a (then_branch) | choose (If)" : "b (else_branch) | choose (If)";
    const model::OperationId conv =
        builder.add_operation({.name = "conv", .type = "Conv", .subgraph = path});
    const std::array<std::int64_t, 4> weights = {3, 3, 1, 1};
    builder.add_operation_port(conv, Direction::kInput,
                               {.tensor = "x", .dims = image, .dtype = DType::kFp16});
    builder.add_operation_port(
        conv, Direction::kInput,
        {.tensor = "w", .dims = weights, .dtype = DType::kFp16, .stored_bytes = branch_weights[i]});
    builder.add_operation_port(conv, Direction::kOutput,
                               {.tensor = "o", .dims = image, .dtype = DType::kFp16});
    builder.model().operations.weight_bytes.set(conv.index(), branch_weights[i]);
  }
  model::PlanModel model = builder.finish();
  complete(model);
  return model;
}

TEST(Bodies, HideWhatTheFileDoesNotTell) {
  for (const std::string_view type : {"If", "Loop", "TensorIterator"}) {
    const model::PlanModel model = branching_engine({}, type);
    EXPECT_EQ(model.layers.precision[1], DType::kNull);
    EXPECT_EQ(model.layers.compute_precision[1], DType::kNull);
    EXPECT_FALSE(model.layers.weight_bytes.get(1));
    EXPECT_FALSE(model.layers.flops.get(1));
    EXPECT_THAT(test::diagnostic_codes(model), Contains("opaque-bodies"));
    const Summary summary = summarize(model);
    EXPECT_FALSE(summary.flops);
    EXPECT_FALSE(summary.weight_bytes);
    // The type of its condition is not that of the engine.
    EXPECT_EQ(summary.by_precision.front().key, "");
  }
}

// OpenVINO names layers after what they write.
TEST(Bodies, AreFoundByWhatTheOperationWrites) {
  model::PlanModel model = branching_engine({18, 18});
  const model::OperationId choose(model.operations.add_row());
  model.operations.name.set(choose.index(), model.strings.intern("choose"));
  const std::size_t port = model.operation_ports.add_row();
  model.operation_ports.operation_id.set(port, choose);
  model.operation_ports.direction.set(port, Direction::kOutput);
  model.operation_ports.tensor.set(port, model.strings.intern("y"));
  model.layers.name.set(1, model.strings.intern("y"));
  model.sources.op_name.set(0, model.strings.intern("y"));
  complete_bodies(model);
  EXPECT_EQ(model.layers.precision[1], DType::kFp16);
}

TEST(Bodies, AreWhatTheModelHasInThem) {
  const model::PlanModel model = branching_engine({18, 18});
  EXPECT_EQ(model.layers.precision[1], DType::kFp16);
  EXPECT_EQ(model.layers.weight_bytes.get(1), 36);
  EXPECT_EQ(model.layers.macs.get(1), 3 * 3 * 64);
  EXPECT_THAT(test::diagnostic_codes(model), Not(Contains("opaque-bodies")));
  EXPECT_TRUE(summarize(model).flops);
}

}  // namespace
}  // namespace planex::analyze
