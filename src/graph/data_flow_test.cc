#include "graph/data_flow.h"

#include <gtest/gtest.h>

#include "model/builder.h"

namespace planex::graph {
namespace {

using model::DType;

TEST(GeneratedConversion, IsReadFromTheNamesOfOperations) {
  const auto of = [](std::string_view name, DType from, DType to) {
    return generated_conversion(name, from, to);
  };
  using enum GeneratedConversion;
  EXPECT_EQ(of("__myl_MulMinMaxRounCast_myl0_8", DType::kFp32, DType::kInt8), kQuantizes);
  EXPECT_EQ(of("__myl_MulCast_myl0_3", DType::kFp16, DType::kFp8), kQuantizes);
  EXPECT_EQ(of("__myl_CastMulCast_myl0_10", DType::kInt8, DType::kFp32), kDequantizes);
  EXPECT_EQ(of("__myl_MulMinMaxRounCastCastMulCast_myl0_6", DType::kFp32, DType::kFp32),
            kRoundTrip);
  EXPECT_EQ(of("__myl_Tran_myl0_6", DType::kFp32, DType::kFp32), kMoves);
  EXPECT_EQ(of("__myl_ReshCastMove", DType::kFp32, DType::kFp16), kMoves);
  // Something is computed.
  EXPECT_EQ(of("__myl_TranMeanMulMinMaxRounCast_myl0_78", DType::kFp32, DType::kInt8), kNone);
  EXPECT_EQ(of("__myl_MulAdd_myl0_80", DType::kFp32, DType::kFp32), kNone);
  EXPECT_EQ(of("__myl_AddCast_myl0_80", DType::kFp32, DType::kFp16), kNone);
  EXPECT_EQ(of("__myl_", DType::kFp32, DType::kFp16), kNone);
  EXPECT_EQ(of("conv1_myl0_7", DType::kFp32, DType::kFp32), kNone);
  EXPECT_EQ(of("", DType::kNull, DType::kNull), kNone);
}

TEST(DataFlow, TellsConversionsOfGeneratedKernelsWhenAsked) {
  model::ModelBuilder builder;
  const auto add = [&](std::string_view name, DType from, DType to) {
    const model::LayerId layer = builder.add_layer(builder.strings().add(name));
    builder.model().layers.role.set(layer.index(), model::Role::kWork);
    const std::int64_t dims[] = {1, 64};
    if (from != DType::kNull) {
      builder.add_port(layer, model::Direction::kInput,
                       {.tensor = "x", .dims = dims, .dtype = from});
    }
    builder.add_port(layer, model::Direction::kOutput, {.tensor = name, .dims = dims, .dtype = to});
    return layer;
  };
  const auto quantizer = add("__myl_MulMinMaxRounCast_myl0_1", DType::kFp32, DType::kInt8);
  const auto softmax = add("__myl_MaxrSubExpSumDivMul_myl0_2", DType::kFp32, DType::kFp32);
  const model::PlanModel model = builder.finish();
  const DataFlow plain(model);
  EXPECT_FALSE(plain.is_conversion(quantizer));
  const DataFlow flow(model, GeneratedKernels::kMayConvert);
  EXPECT_TRUE(flow.is_conversion(quantizer));
  EXPECT_FALSE(flow.is_conversion(softmax));
  EXPECT_EQ(flow.first_data_type(quantizer), DType::kFp32);
}

// A file can contain a tensor that all layers write and read.
TEST(DataFlow, WalksEndInAHub) {
  model::ModelBuilder builder;
  constexpr int kLayers = 1'500;
  for (int i = 0; i < kLayers; ++i) {
    const model::LayerId layer = builder.add_layer(builder.strings().intern("l"));
    builder.model().layers.role.set(layer.index(), model::Role::kWork);
    builder.model().layers.family.set(layer.index(), model::Family::kReformat);
    builder.add_port(layer, model::Direction::kInput, {.tensor = "hub"});
    builder.add_port(layer, model::Direction::kOutput, {.tensor = "hub"});
  }
  const model::PlanModel model = builder.finish();
  const DataFlow flow(model);
  for (int i = 0; i < kLayers; ++i) {
    const auto port = flow.outputs(model::LayerId(static_cast<std::size_t>(i)))[0];
    EXPECT_TRUE(flow.real_readers(flow.tensor_of(port)).reaches.empty());
  }
}

}  // namespace
}  // namespace planex::graph
