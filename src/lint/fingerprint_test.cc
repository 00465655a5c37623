#include "lint/fingerprint.h"

#include <gtest/gtest.h>

#include <set>

#include "lint/context.h"
#include "lint/lint_test_model.h"

namespace planex::lint {
namespace {

std::string of(const model::PlanModel& model, std::size_t layer) {
  const graph::DataFlow flow(model);
  const LayerKeys keys(flow);
  return RuleFingerprints("rule", keys).next(LayerId(layer));
}

// x -> first -> second -> y; the layers' sources are what their names say.
model::PlanModel chain(std::string_view first, std::string_view second, bool has_sources) {
  if (!has_sources) {
    return make_model("tensorrt",
                      {{first, "Reformat", Family::kReformat, {{"x"}}, {{"a"}}, 1.0},
                       {second, "Convolution", Family::kConvolution, {{"a"}}, {{"y"}}, 1.0}},
                      {"x", "y"});
  }
  model::ModelBuilder builder;
  for (const std::string_view name : {first, second}) {
    const LayerId layer = builder.add_layer(builder.strings().add(name));
    builder.add_source(layer, name, "Conv", model::Evidence::kName);
  }
  return builder.finish();
}

TEST(WithoutNumbers, DropsWhatToolsCount) {
  EXPECT_EQ(without_numbers("layer1.0.conv2.weight + QuantizeLinear_32 + Conv_34"),
            "layer1.0.conv2.weight + QuantizeLinear_ + Conv_");
  EXPECT_EQ(without_numbers("(Unnamed Layer* 306) [Shuffle]"), "(Unnamed Layer* ) [Shuffle]");
  EXPECT_EQ(without_numbers("__mye5458_myl0_57"), "__mye_myl_");
  EXPECT_EQ(without_numbers("/layer1/layer1.0/relu_1/Relu"), "/layer1/layer1.0/relu_/Relu");
  EXPECT_EQ(without_numbers("conv1"), "conv1");
  EXPECT_EQ(without_numbers(""), "");
  EXPECT_EQ(without_numbers("_"), "_");
  EXPECT_EQ(without_numbers("_12"), "_");
}

// Worked out by hand (FNV-1a of the rule, of the hash of the sources' hashes, and of the ordinal);
// a change would invalidate every existing baseline.
TEST(Fingerprint, IsAKnownText) {
  EXPECT_EQ(of(chain("conv", "relu", true), 0), "043290151af7e661");
  EXPECT_EQ(of(chain("conv", "relu", true), 0), of(chain("conv", "other", true), 0));
}

TEST(Fingerprint, IsTheSameWithOtherNumbers) {
  EXPECT_EQ(of(chain("conv_1 + relu_2", "b", true), 0),
            of(chain("conv_7 + relu_12", "c", true), 0));
  EXPECT_NE(of(chain("conv_1", "b", true), 0), of(chain("gemm_1", "b", true), 0));
}

TEST(Fingerprint, OfALayerWithoutSourcesDependsOnItsNeighbours) {
  const std::string one = of(chain("__mye12_myl0_3", "conv_1", false), 0);
  EXPECT_EQ(one, of(chain("__mye99_myl1_4", "conv_2", false), 0));
  EXPECT_NE(one, of(chain("__mye12_myl0_3", "gemm_1", false), 0));
}

TEST(Fingerprint, EqualsAreCounted) {
  const model::PlanModel model = chain("conv_1", "conv_2", true);
  const graph::DataFlow flow(model);
  const LayerKeys keys(flow);
  RuleFingerprints rule("rule", keys), other("other", keys);
  const std::set<std::string> all = {rule.next(LayerId(0)), rule.next(LayerId(1)),
                                     rule.next(LayerId(1)), rule.next(LayerId()),
                                     other.next(LayerId(0))};
  EXPECT_EQ(all.size(), 5U);
}

}  // namespace
}  // namespace planex::lint
