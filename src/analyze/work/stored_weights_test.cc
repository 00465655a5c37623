#include "analyze/work/stored_weights.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "analyze/memory/memory.h"
#include "base/text.h"
#include "support/test_data.h"

namespace planex::analyze {
namespace {

using base::format;

std::string port(std::string_view name, std::string_view dims) {
  return format(R"({{"Name": "{}", "Dimensions": {}, "Format/Datatype": "Half"}})", name, dims);
}

std::string record(std::string_view name, std::string_view type, std::string_view inputs,
                   std::string_view output, std::string_view more = "") {
  return format(
      R"({{"Name": "{}", "LayerType": "{}", "Inputs": [{}], "Outputs": [{}], "StreamId": 0,)"
      R"( "Metadata": ""{}}})",
      name, type, inputs, output, more);
}

model::PlanModel model_of_records(const std::string& records,
                                  std::string_view bindings = R"("x", "y")") {
  return test::must(
      test::load_texts(format(R"({{"Layers": [{}], "Bindings": [{}]}})", records, bindings)));
}

const std::string kWeights = port("__mye519_dconst", "[9216,4096]");
const std::string kBias = port("fc.bias_constantHalf", "[1,4096]");
constexpr std::int64_t kWeightBytes = 2LL * 9216 * 4096, kBiasBytes = 2LL * 4096;

// As TensorRT 10 lists the products of an AlexNet: reading the weights is nearly all they do.
TEST(StoredWeights, OfProductsThatListThemAmongTheirInputs) {
  const auto model = model_of_records(record("fc_myl0_1", "gemm",
                                             port("x", "[1,9216]") + "," + kWeights + "," + kBias,
                                             port("y", "[1,4096]")));
  EXPECT_EQ(model.layers.weight_bytes.get(0), kWeightBytes + kBiasBytes);
  EXPECT_EQ(model.layers.input_bytes.get(0), 2 * 9216);
  EXPECT_EQ(model.layers.io_bytes.get(0), 2 * (9216 + 4096));
  EXPECT_EQ(model.layers.footprint_bytes.get(0), 2 * (9216 + 4096) + kWeightBytes + kBiasBytes);
  EXPECT_EQ(model.layers.macs.get(0), 9216LL * 4096);
  EXPECT_EQ(model.layers.gemm_m.get(0), 1);
  const MemorySummary memory = summarize_memory(model);
  EXPECT_EQ(memory.weight_bytes, kWeightBytes + kBiasBytes);
  EXPECT_EQ(memory.traffic_bytes, 2 * (9216 + 4096));
  EXPECT_EQ(memory.distinct_data_bytes, 2 * (9216 + 4096));
  EXPECT_EQ(memory.distinct_count, 2);
  EXPECT_EQ(memory.layers_without_weights, 0);
}

TEST(StoredWeights, CountOnceInTheEngineAndAtEachReader) {
  const std::string inputs = port("x", "[1,9216]") + "," + kWeights;
  const auto model =
      model_of_records(record("a_myl0_1", "gemm", inputs, port("h", "[1,4096]")) + "," +
                           record("b_myl0_2", "gemm", inputs, port("y", "[1,4096]")),
                       R"("x", "h", "y")");
  EXPECT_EQ(model.layers.weight_bytes.get(0), kWeightBytes);
  EXPECT_EQ(model.layers.weight_bytes.get(1), kWeightBytes);
  EXPECT_EQ(summarize_memory(model).weight_bytes, kWeightBytes);
}

TEST(StoredWeights, AreNotKnownWhereAProductListsOnlyFactors) {
  const auto model = model_of_records(
      record("fc_myl0_1", "gemm",
             port("x", "[8,512]") + "," + port("fc_alpha", "[1]") + "," + port("fc_beta", "[1]"),
             port("y", "[8,1000]")));
  EXPECT_TRUE(model.layers.weight_bytes.is_null(0));
  EXPECT_TRUE(model.layers.footprint_bytes.is_null(0));
  EXPECT_EQ(model.layers.input_bytes.get(0), 2 * 8 * 512);
  // What it multiplies follows from its ends.
  EXPECT_EQ(model.layers.macs.get(0), 8LL * 512 * 1000);
  EXPECT_EQ(summarize_memory(model).layers_without_weights, 1);
}

TEST(StoredWeights, OfAVectorTimesAMatrixInAGeneratedKernel) {
  const auto model =
      model_of_records(record("__myl_MulSumAdd_myl24_1", "kgen",
                              port("fc_bias_constantHalf", "[1,1000]") + "," +
                                  port("__mye5_dconst", "[512,1000]") + "," + port("x", "[512,1]"),
                              port("y", "[1,1000]")));
  EXPECT_EQ(model.layers.weight_bytes.get(0), 2LL * (512 * 1000 + 1000));
  EXPECT_EQ(model.layers.io_bytes.get(0), 2LL * (512 + 1000));
  EXPECT_EQ(model.layers.macs.get(0), 512LL * 1000);
}

// A Constant record's contents are stored once, and are not activations of its readers.
TEST(StoredWeights, OfConstantRecordsBelongToTheirReaders) {
  const auto model = model_of_records(
      record("c", "Constant", "", port("c_output", "[1,512]"),
             R"(, "ParameterType": "Constant", "weights": {"Type": "Half", "Count": 512})") +
      "," +
      record("add", "ElementWise", port("x", "[1,512]") + "," + port("c_output", "[1,512]"),
             port("y", "[1,512]"), R"(, "ParameterType": "ElementWise")"));
  EXPECT_EQ(model.layers.weight_bytes.get(1), 1024);
  EXPECT_EQ(model.layers.input_bytes.get(1), 1024);
  EXPECT_EQ(model.layers.footprint_bytes.get(1), 3 * 1024);
  const MemorySummary memory = summarize_memory(model);
  EXPECT_EQ(memory.weight_bytes, 1024);
  EXPECT_EQ(memory.traffic_bytes, 2 * 1024);
}

// Without the end, or the start, of the list, a tensor that nothing produces may be an activation.
TEST(StoredWeights, OfACutListAreWhatItsNamesSay) {
  const auto cut = model_of_records(
      record("fc_myl0_1", "gemm", port("h", "[1,9216]") + "," + kWeights, port("y", "[1,4096]")));
  EXPECT_EQ(cut.layers.weight_bytes.get(0), kWeightBytes);
  EXPECT_EQ(cut.layers.input_bytes.get(0), 2 * 9216);
  const auto unnamed = model_of_records(
      record("fc_myl0_1", "gemm", port("h", "[1,9216]") + "," + port("g", "[9216,4096]"),
             port("y", "[1,4096]")));
  EXPECT_TRUE(unnamed.layers.weight_bytes.is_null(0));
  EXPECT_EQ(unnamed.layers.input_bytes.get(0), 2 * 9216 + kWeightBytes);
  EXPECT_FALSE(summarize_memory(unnamed).weight_bytes);
}

TEST(StoredWeights, NothingFoundIsNotNothingStored) {
  const auto model =
      model_of_records(record("a", "Reformat", port("x", "[1,512]"), port("h", "[1,512]"),
                              R"(, "ParameterType": "Reformat")") +
                       "," + record("b", "Myelin", port("h", "[1,512]"), port("y", "[1,512]")));
  EXPECT_EQ(model.layers.weight_bytes.get(0), 0);
  EXPECT_FALSE(summarize_memory(model).weight_bytes);
}

}  // namespace
}  // namespace planex::analyze
