// Where TREx is wrong and planex must differ: the differences are there, by their value. And what
// TREx could not read at all.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <simdjson.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "analyze/summary.h"
#include "support/test_data.h"

namespace planex::test {
namespace {

namespace dom = simdjson::dom;
using model::Family;
using model::PlanModel;

// The figures of section 4 by their value: ours are those, and TREx's are not.
struct StatedDifference {
  const char* set;
  std::int64_t conv_macs, trex_conv_macs, weight_bytes, trex_weight_bytes;
};

TEST(StatedDifferences, AreThere) {
  PLANEX_NEED_TEST_DATA(data);
  for (const StatedDifference& stated :
       {StatedDifference{"resnet18-a100-qat-residual", 58'050'347'008, 54'273'900'544, 11'702'112,
                         11'669'504},
        StatedDifference{"resnet18-a100-qat-residual-qgap", 58'050'347'008, 54'273'900'544,
                         11'702'112, 11'669'504},
        StatedDifference{"depth-anything-v2-rtx30-trt10", 11'246'136'960, 11'145'203'328, 3'114'404,
                         3'103'776}}) {
    SCOPED_TRACE(stated.set);
    dom::parser parser;
    dom::element expected;
    ASSERT_EQ(parser.load(data + "/expected/" + std::string(stated.set) + ".json").get(expected),
              simdjson::SUCCESS);
    EXPECT_EQ(std::int64_t(expected["conv_totals"]["macs"]), stated.trex_conv_macs);
    EXPECT_EQ(std::int64_t(expected["totals"]["weights_bytes"]), stated.trex_weight_bytes);
    const PlanModel model = must(load_engine(data, stated.set));
    std::int64_t macs = 0;
    for (std::size_t row = 0; row < model.layers.row_count(); ++row) {
      if (model.layers.family[row] == Family::kConvolution) macs += model.layers.macs[row];
    }
    EXPECT_EQ(macs, stated.conv_macs);
    EXPECT_EQ(analyze::summarize(model).weight_bytes, stated.weight_bytes);
  }
}

// One network by seven builds: it computes the same in all of them, whatever their layers are
// called and their types. The last writes its classifier as a multiplication and a sum.
TEST(StatedDifferences, ResNet18IsTheSameWorkInEveryBuild) {
  PLANEX_NEED_TEST_DATA(data);
  constexpr std::int64_t kPerImage = 1'814'073'344;
  for (const auto& [set, images] :
       {std::pair("resnet18-a100-fp32", 32), std::pair("resnet18-a100-fp16", 32),
        std::pair("resnet18-a100-qat", 32), std::pair("resnet18-a100-qat-residual", 32),
        std::pair("resnet18-a100-qat-residual-qgap", 32), std::pair("resnet18-trt10-fp16", 1)}) {
    SCOPED_TRACE(set);
    const PlanModel model = must(load_engine(data, set));
    EXPECT_EQ(model.engine.batch_size.get(0), images);
    const analyze::Summary summary = analyze::summarize(model);
    EXPECT_EQ(summary.macs, kPerImage * images);
    EXPECT_EQ(summary.layers_without_flops, 0);
  }
}

// A vision transformer of 12 blocks whose matrix products have neither parameters nor, in the file,
// weights: by their shapes.
TEST(StatedDifferences, MatrixProductsAreCounted) {
  PLANEX_NEED_TEST_DATA(data);
  const PlanModel model = must(load_engine(data, "depth-anything-v2-rtx30-trt10"));
  std::map<std::string, std::int64_t, std::less<>> macs;
  for (std::size_t row = 0; row < model.layers.row_count(); ++row) {
    if (model.text(model.layers.work_evidence[row]) != "shapes") continue;
    macs[std::string(model.text(model.layers.type[row]))] += model.layers.macs.get(row).value_or(0);
  }
  constexpr std::int64_t kBlocks = 12, kTokens = 1370, kWidth = 384, kHeads = 6, kHeadWidth = 64;
  // Q, K, V and the projection; then the second of two layers four times as wide.
  EXPECT_EQ(macs["gemm"], kBlocks * kTokens * kWidth * (3 * kWidth + kWidth + 4 * kWidth));
  EXPECT_EQ(macs["fusion"], kBlocks * kTokens * kWidth * 4 * kWidth);
  EXPECT_EQ(macs["kgen"], kBlocks * kHeads * kTokens * kTokens * 2 * kHeadWidth);
}

struct NamesOnlySet {
  const char* name;
  std::size_t layers, bindings, timed;
};

// TREx can't read these at all. We open them and say why there is little to see.
TEST(NamesOnly, OpensAndSaysWhatIsMissing) {
  PLANEX_NEED_TEST_DATA(data);
  for (const NamesOnlySet& set : {NamesOnlySet{"mnist-trt8.2.3-names-only", 12, 2, 0},
                                  NamesOnlySet{"mnist-trt8.6.0-names-only", 15, 2, 0},
                                  NamesOnlySet{"yolo-orin-trt8.5.2-names-only", 86, 2, 86}}) {
    SCOPED_TRACE(set.name);
    const PlanModel model = must(load_engine(data, set.name));
    // The log beside the third one has a line for each layer.
    const bool has_log = set.timed > 0;
    EXPECT_EQ(model.text(model.engine.detail[0]), has_log ? "log" : "names-only");
    EXPECT_EQ(model.layers.row_count(), set.layers);
    EXPECT_EQ(model.bindings.row_count(), set.bindings);
    EXPECT_EQ(model.ports.row_count() > 0, has_log);
    const auto timed = std::ranges::count_if(model.layers.mean_ms.values(),
                                             [](double ms) { return !std::isnan(ms); });
    EXPECT_EQ(static_cast<std::size_t>(timed), set.timed);
    EXPECT_THAT(diagnostic_codes(model), ::testing::Contains("names-only"));
    const analyze::Summary summary = analyze::summarize(model);
    EXPECT_FALSE(summary.weight_bytes);
    EXPECT_EQ(summary.activation_bytes.has_value(), has_log);
    ASSERT_FALSE(summary.missing.empty());
    EXPECT_NE(summary.missing[0].command.find("--profilingVerbosity=detailed"), std::string::npos);
  }
}

}  // namespace
}  // namespace planex::test
