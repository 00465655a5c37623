#include "model/builder.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/model_dump.h"

namespace planex::model {
namespace {

class BuilderTest : public ::testing::Test {
 protected:
  LayerId layer(std::string_view name, Role role = Role::kWork) {
    const LayerId id = builder_.add_layer(builder_.strings().intern(name));
    builder_.model().layers.role.set(id.index(), role);
    return id;
  }
  void port(LayerId layer, Direction direction, std::string_view tensor,
            std::vector<std::int64_t> dims = {1, 8, 4, 4}, DType dtype = DType::kFp16) {
    builder_.add_port(
        layer, direction,
        {.tensor = tensor, .dims = dims, .dtype = dtype, .layout = {Order::kLinear, 1, false}});
  }
  void in(LayerId layer, std::string_view tensor) { port(layer, Direction::kInput, tensor); }
  void out(LayerId layer, std::string_view tensor) { port(layer, Direction::kOutput, tensor); }

  static std::size_t tensor_row(const PlanModel& model, std::string_view name) {
    for (std::size_t row = 0; row < model.tensors.row_count(); ++row) {
      if (model.text(model.tensors.name[row]) == name) return row;
    }
    ADD_FAILURE() << "no tensor " << name;
    return 0;
  }

  ModelBuilder builder_;
};

TEST_F(BuilderTest, AnEmptyModelHasOneEngine) {
  const PlanModel model = builder_.finish();
  EXPECT_EQ(model.engine.row_count(), 1u);
  EXPECT_EQ(model.layers.row_count(), 0u);
  EXPECT_TRUE(model.engine.name.is_null(0));
}

TEST_F(BuilderTest, CountsSeveralProducersOfOneTensor) {
  // Concat elimination: two layers write slices of one buffer.
  const LayerId a = layer("a"), b = layer("b"), c = layer("c");
  in(a, "x");
  port(a, Direction::kOutput, "cat", {1, 8, 4, 4});
  in(b, "x");
  port(b, Direction::kOutput, "cat", {1, 24, 4, 4});
  port(c, Direction::kInput, "cat", {1, 32, 4, 4});
  out(c, "y");
  const PlanModel model = builder_.finish();
  const std::size_t cat = tensor_row(model, "cat");
  EXPECT_EQ(model.tensors.producers[cat], 2);
  EXPECT_EQ(model.tensors.consumers[cat], 1);
  EXPECT_EQ(model.tensors.consumers[tensor_row(model, "x")], 2);
  // The ends disagree, so dims belong to ports.
  EXPECT_EQ(model.ports.dims[model.ports_of(a).first + 1][1], 8);
  EXPECT_EQ(model.ports.dims[model.ports_of(b).first + 1][1], 24);
  EXPECT_EQ(model.ports.dims[model.ports_of(c).first][1], 32);
}

TEST_F(BuilderTest, CountsRepeatedInputsOncePerUse) {
  // Attention: Q, K and V are three views of one buffer.
  const LayerId mha = layer("mha");
  for (int i = 0; i < 3; ++i) in(mha, "qkv");
  out(mha, "o");
  const PlanModel model = builder_.finish();
  EXPECT_EQ(model.tensors.consumers[tensor_row(model, "qkv")], 3);
  const RowRange ports = model.ports_of(mha);
  ASSERT_EQ(ports.count, 4u);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(model.ports.index[ports.first + i], static_cast<std::int64_t>(i));
  }
  EXPECT_EQ(model.ports.index[ports.first + 3], 0);  // the first output
}

TEST_F(BuilderTest, NumbersPortsOfEachLayerAndSide) {
  const LayerId a = layer("a"), b = layer("b");
  in(a, "x");
  in(b, "y");  // the same side, but of another layer
  in(b, "z");
  const PlanModel model = builder_.finish();
  EXPECT_EQ(model.ports.index[0], 0);
  EXPECT_EQ(model.ports.index[1], 0);
  EXPECT_EQ(model.ports.index[2], 1);
}

TEST_F(BuilderTest, FindsDirectionsOfBindings) {
  const LayerId a = layer("a"), b = layer("b");
  in(a, "image");
  out(a, "mid");
  in(b, "mid");
  out(b, "scores");
  builder_.add_binding("scores", Direction::kNull);
  builder_.add_binding("image", Direction::kNull);
  builder_.add_binding("mid", Direction::kNull);  // an output that is also read inside
  builder_.add_binding("nowhere", Direction::kNull);
  const PlanModel model = builder_.finish();
  EXPECT_EQ(model.bindings.direction[0], Direction::kOutput);
  EXPECT_EQ(model.bindings.direction[1], Direction::kInput);
  EXPECT_EQ(model.bindings.direction[2], Direction::kOutput);
  EXPECT_TRUE(model.bindings.direction.is_null(3));
  EXPECT_TRUE(model.bindings.dims.is_null(3));
  EXPECT_EQ(model.tensors.role[tensor_row(model, "image")], TensorRole::kInput);
  EXPECT_EQ(model.tensors.role[tensor_row(model, "scores")], TensorRole::kOutput);
  EXPECT_EQ(model.tensors.role[tensor_row(model, "mid")], TensorRole::kOutput);
}

TEST_F(BuilderTest, BindingsTakeTheFactsOfTheirSide) {
  const LayerId a = layer("a"), b = layer("b");
  port(a, Direction::kInput, "image", {2, 3, 8, 8}, DType::kFp32);
  port(a, Direction::kOutput, "y", {2, 10}, DType::kFp16);
  port(b, Direction::kInput, "y", {20}, DType::kFp16);  // a view, read inside
  builder_.add_binding("image", Direction::kNull);
  builder_.add_binding("y", Direction::kNull);
  builder_.add_binding("y", Direction::kOutput);  // named twice
  const PlanModel model = builder_.finish();
  EXPECT_EQ(model.bindings.dims[0].size(), 4u);
  EXPECT_EQ(model.bindings.dtype[0], DType::kFp32);
  EXPECT_EQ(to_string(model.bindings.layout[0]), "NCHW");
  bool y_has_dims = false;
  for (const std::size_t row : {1u, 2u}) {
    if (model.bindings.dims.is_null(row)) continue;
    y_has_dims = true;
    EXPECT_EQ(model.bindings.dims[row].size(), 2u);
  }
  EXPECT_TRUE(y_has_dims);
}

TEST_F(BuilderTest, GivesTensorsTheirRoles) {
  const LayerId constant = layer("c", Role::kConstant), shape = layer("s", Role::kShape),
                work = layer("w");
  out(constant, "weights");
  out(shape, "size");
  in(work, "weights");
  in(work, "size");
  in(work, "__mye519_dconst");  // no layer writes it and it is not a binding
  out(work, "y");
  const PlanModel model = builder_.finish();
  EXPECT_EQ(model.tensors.role[tensor_row(model, "weights")], TensorRole::kConstant);
  EXPECT_EQ(model.tensors.role[tensor_row(model, "size")], TensorRole::kShape);
  EXPECT_EQ(model.tensors.role[tensor_row(model, "__mye519_dconst")], TensorRole::kConstant);
  EXPECT_EQ(model.tensors.role[tensor_row(model, "y")], TensorRole::kActivation);
}

TEST_F(BuilderTest, KnowsVolumesByTheirRank) {
  const LayerId a = layer("a");
  port(a, Direction::kInput, "flat", {1, 3, 8, 8});
  port(a, Direction::kOutput, "volume", {1, 3, 4, 8, 8});
  const PlanModel model = builder_.finish();
  EXPECT_EQ(to_string(model.ports.layout[0]), "NCHW");
  EXPECT_EQ(to_string(model.ports.layout[1]), "NCDHW");
}

TEST_F(BuilderTest, RangesCoverLayersWithoutRows) {
  const LayerId a = layer("a"), b = layer("b"), c = layer("c");
  out(b, "y");
  const base::StringId key = builder_.strings().intern("Kernel");
  builder_.add_attribute(a, key, builder_.strings().intern("[3,3]"), ValueType::kArray);
  builder_.add_attribute(c, key, builder_.strings().intern("[1,1]"), ValueType::kArray);
  builder_.add_source(b, "Conv_1", "Conv", Evidence::kMetadata);
  const PlanModel model = builder_.finish();
  EXPECT_EQ(model.ports_of(a).count, 0u);
  EXPECT_EQ(model.ports_of(b).count, 1u);
  EXPECT_EQ(model.ports_of(c).count, 0u);
  EXPECT_EQ(model.attribute(a, "Kernel"), "[3,3]");
  EXPECT_EQ(model.attribute(b, "Kernel"), "");
  EXPECT_EQ(model.attribute(c, "Kernel"), "[1,1]");
  EXPECT_EQ(model.attribute(c, "NoSuchKey"), "");
  EXPECT_EQ(model.sources_of(b).count, 1u);
  EXPECT_EQ(model.sources_of(c).count, 0u);
}

TEST_F(BuilderTest, CountsDiagnosticsBeyondTheLimit) {
  for (int i = 0; i < 250; ++i) {
    builder_.add_diagnostic({.code = "odd", .severity = Severity::kInfo, .message = "odd thing"});
  }
  for (int i = 0; i < 100; ++i) builder_.add_diagnostic({.code = "other", .message = "m"});
  const PlanModel model = builder_.finish();
  ASSERT_EQ(model.diagnostics.row_count(), 201u);
  EXPECT_EQ(model.text(model.diagnostics.message[200]), "150 more of this kind are not listed");
  EXPECT_EQ(model.text(model.diagnostics.code[200]), "odd");
  EXPECT_EQ(model.diagnostics.severity[200], Severity::kInfo);
}

// Rows added to two builders side by side equal those added to one in turn.
TEST(Builders, SideBySideMakeOneModel) {
  const auto give_first = [](ModelBuilder& builder) {
    const LayerId a = builder.add_layer(builder.strings().intern("a"));
    builder.add_port(a, Direction::kInput, {.tensor = "in", .dims = {}});
    const std::vector<std::int64_t> dims = {1, 2};
    builder.add_port(a, Direction::kOutput, {.tensor = "middle", .dims = dims});
    builder.add_attribute(a, builder.strings().intern("key"), builder.strings().add("value"),
                          ValueType::kString);
    builder.add_event(a, "signal", 7);
    for (int i = 0; i < 60; ++i) builder.add_diagnostic({.code = "odd", .message = "m"});
  };
  const auto give_second = [](ModelBuilder& builder) {
    const LayerId b = builder.add_layer(builder.strings().intern("b"));
    const LayerId c = builder.add_layer(builder.strings().intern("a"));
    const std::vector<std::int64_t> dims = {3, 4, 5};
    builder.add_port(b, Direction::kInput, {.tensor = "middle", .dims = dims, .strides = dims});
    builder.add_port(b, Direction::kOutput, {.tensor = "out", .dims_known = false});
    builder.add_source(c, "Conv_1", "Conv", Evidence::kMetadata);
    builder.add_attribute(c, builder.strings().intern("key"), builder.strings().add("value"),
                          ValueType::kString);
    builder.add_event(c, "wait", 7, b);
    builder.add_binding("out", Direction::kNull);
    for (int i = 0; i < 160; ++i) builder.add_diagnostic({.code = "odd", .message = "m"});
    builder.add_diagnostic({.code = "new", .message = "n", .byte_offset = 3});
  };
  const auto give_before = [](ModelBuilder& builder) {
    builder.model().engine.name.set(0, builder.strings().intern("engine"));
    builder.add_file("a", "graph", "named", 1);
    builder.add_diagnostic({.code = "early", .message = "e"});
  };
  ModelBuilder one;
  give_before(one);
  give_first(one);
  // Events refer to layers by their ids, which the second builder counts from 0.
  const std::size_t events_before = one.model().events.row_count();
  give_second(one);
  one.model().events.target_layer_id.set(events_before, LayerId(1));

  ModelBuilder before, first, second;
  give_before(before);
  give_first(first);
  give_second(second);
  first.append(std::move(second), {});
  first.prepend(std::move(before));
  EXPECT_EQ(test::dump(first.finish()), test::dump(one.finish()));
}

TEST_F(BuilderTest, DiagnosticsSayWhere) {
  builder_.add_diagnostic({.code = "odd",
                           .message = "m",
                           .file = "f.json",
                           .json_pointer = "/Layers/0",
                           .byte_offset = 17});
  const PlanModel model = builder_.finish();
  EXPECT_EQ(model.text(model.diagnostics.file[0]), "f.json");
  EXPECT_EQ(model.text(model.diagnostics.json_pointer[0]), "/Layers/0");
  EXPECT_EQ(model.diagnostics.byte_offset.get(0), 17);
}

}  // namespace
}  // namespace planex::model
