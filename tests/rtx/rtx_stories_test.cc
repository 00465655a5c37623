// What is known of the real TensorRT-RTX engines beyond counts: which kernels the compiler made.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "support/test_data.h"

namespace planex::test {
namespace {

using model::Direction;
using model::DType;
using model::LayerId;
using model::PlanModel;

class Engine {
 public:
  Engine(const std::string& data, const std::string& name)
      : model_(must(load_engine(data, "rtx1.7-" + name))) {}

  const PlanModel& model() const { return model_; }
  std::string_view name(std::size_t row) const { return model_.text(model_.layers.name[row]); }
  std::string_view type(std::size_t row) const { return model_.text(model_.layers.type[row]); }

  // Rows for which `holds`.
  template <typename Predicate>
  std::vector<std::size_t> layers(Predicate holds) const {
    std::vector<std::size_t> rows;
    for (std::size_t row = 0; row < model_.layers.row_count(); ++row) {
      if (holds(row)) rows.push_back(row);
    }
    return rows;
  }
  std::vector<std::size_t> of_type(std::string_view wanted) const {
    return layers([&](std::size_t row) { return type(row) == wanted; });
  }

  // Dims of the first port of a direction.
  std::vector<std::int64_t> dims(std::size_t row, Direction direction) const {
    const model::RowRange ports = model_.ports_of(LayerId(row));
    for (std::size_t port = ports.first; port < ports.end(); ++port) {
      if (model_.ports.direction[port] != direction) continue;
      const auto found = model_.ports.dims[port];
      return {found.begin(), found.end()};
    }
    return {};
  }

  std::vector<std::string_view> sources(std::size_t row) const {
    std::vector<std::string_view> names;
    const model::RowRange range = model_.sources_of(LayerId(row));
    for (std::size_t source = range.first; source < range.end(); ++source) {
      names.push_back(model_.text(model_.sources.op_name[source]));
    }
    return names;
  }

 private:
  PlanModel model_;
};

TEST(RtxStories, ResNet18IsTwentyConvolutionsWithAllElseFused) {
  PLANEX_NEED_TEST_DATA(data);
  for (const char* name : {"resnet18-fp16", "resnet18-fp16-sm75", "resnet18-fp32"}) {
    SCOPED_TRACE(name);
    const Engine engine(data, name);
    const auto convolutions = engine.of_type("correlation");
    ASSERT_EQ(convolutions.size(), 20U);
    std::map<std::string_view, std::size_t> fused;
    for (const std::size_t row : convolutions) {
      for (const std::string_view source : engine.sources(row)) {
        const std::size_t dot = source.rfind('.');
        const std::string_view operation = dot == source.npos ? source : source.substr(dot + 1);
        ++fused[operation.substr(0, operation.find_last_not_of("0123456789") + 1)];
      }
    }
    // Residuals and their activations; the first convolution's; those inside of eight blocks.
    EXPECT_EQ(fused, (std::map<std::string_view, std::size_t>{
                         {"add", 8}, {"conv", 17}, {"down", 3}, {"relu", 17}}));
  }
}

TEST(RtxStories, TheFirstConvolutionIsPadded) {
  PLANEX_NEED_TEST_DATA(data);
  for (const auto& [name, channels] :
       {std::pair("resnet18-fp16", 4), std::pair("resnet18-fp16-sm75", 8)}) {
    const Engine engine(data, name);
    const std::size_t first = engine.of_type("correlation").front();
    EXPECT_THAT(engine.dims(first, Direction::kInput),
                ::testing::ElementsAre(1, channels, 224, 224));
    // The model's three channels count, not what pads them.
    EXPECT_EQ(engine.model().layers.macs.get(first), 64LL * 112 * 112 * 3 * 49);
    EXPECT_EQ(engine.model().text(engine.model().layers.work_evidence[first]), "operations");
  }
}

// Only the classifier takes INT8; the weights of all others are dequantised at run time.
TEST(RtxStories, QuantisedConvolutionsRunInFloat) {
  PLANEX_NEED_TEST_DATA(data);
  struct Expected {
    const char* name;
    std::size_t quantising, dequantising_weights, beside;
  };
  for (const Expected& expected :
       {Expected{"resnet18-qdq-naive", 18, 20, 4}, Expected{"resnet18-qdq-residual", 21, 20, 4},
        Expected{"resnet18-qdq-residual-gap", 21, 20, 4}}) {
    SCOPED_TRACE(expected.name);
    const Engine engine(data, expected.name);
    const model::LayersTable& layers = engine.model().layers;
    const auto convolutions = engine.of_type("correlation");
    EXPECT_EQ(convolutions.size(), 20U);
    for (const std::size_t row : convolutions) EXPECT_EQ(layers.precision[row], DType::kFp32);
    const auto products = engine.of_type("gemm");
    ASSERT_EQ(products.size(), 1U);
    EXPECT_EQ(layers.precision[products.front()], DType::kInt8);
    EXPECT_EQ(engine
                  .layers([&](std::size_t row) {
                    return engine.name(row).find("Roun") != std::string::npos;
                  })
                  .size(),
              expected.quantising);
    const auto of_weights = engine.layers([&](std::size_t row) {
      return engine.name(row).starts_with("__myl_CastMulCast_") &&
             engine.dims(row, Direction::kInput).empty();
    });
    EXPECT_EQ(of_weights.size(), expected.dequantising_weights);
    std::size_t beside = 0;
    for (const std::size_t row : of_weights) beside += layers.stream[row] != 0 ? 1U : 0U;
    EXPECT_EQ(beside, expected.beside);
  }
}

TEST(RtxStories, AttentionIsOneKernelInHalfPrecisionOnly) {
  PLANEX_NEED_TEST_DATA(data);
  constexpr std::int64_t kRows = 128, kWidth = 256;
  for (const auto& [name, fused] :
       {std::pair("transformer-fp16", 2U), std::pair("transformer-fp32", 0U)}) {
    SCOPED_TRACE(name);
    const Engine engine(data, name);
    const auto attention = engine.layers(
        [&](std::size_t row) { return engine.name(row).starts_with("_gemm_mha_v2"); });
    EXPECT_EQ(attention.size(), fused);
    for (const std::size_t row : attention) {
      // Both products over all heads.
      EXPECT_EQ(engine.model().layers.macs.get(row), 2 * kRows * kRows * kWidth);
      EXPECT_EQ(engine.sources(row).size(), 4U);
    }
    // Q, K and V are one product of three times the columns.
    const std::size_t first = engine.of_type("gemm").front();
    EXPECT_EQ(engine.sources(first).size(), 3U);
    EXPECT_EQ(engine.model().layers.macs.get(first), kRows * kWidth * 3 * kWidth);
  }
}

TEST(RtxStories, BranchesRunSideBySide) {
  PLANEX_NEED_TEST_DATA(data);
  for (const auto& [name, streams] :
       {std::pair("branches-streams", 4U), std::pair("branches-one-stream", 1U)}) {
    SCOPED_TRACE(name);
    const Engine engine(data, name);
    std::map<std::int64_t, std::size_t> of_stream;
    for (const std::size_t row : engine.of_type("correlation")) {
      ++of_stream[engine.model().layers.stream[row]];
    }
    EXPECT_EQ(of_stream.size(), streams);
    std::size_t convolutions = 0;
    for (const auto& [stream, count] : of_stream) convolutions += count;
    EXPECT_EQ(convolutions, 13U);
  }
}

}  // namespace
}  // namespace planex::test
