#include "analyze/work/work.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "analyze/complete/complete.h"
#include "base/text.h"
#include "model/builder.h"
#include "support/test_data.h"

namespace planex::analyze {
namespace {

using base::format;
using List = std::vector<std::int64_t>;

std::string tensor(std::string_view dims) {
  return format(R"({{"Name": "t", "Dimensions": {}, "Format/Datatype": "Half"}})", dims);
}

// One layer of this type, with these inputs (dims, separated by '|'), output and parameters.
struct LayerText {
  std::string_view type, parameter_type, inputs, output, parameters;
};
model::PlanModel model_of(const LayerText& layer) {
  std::string inputs;
  for (std::string_view rest = layer.inputs; !rest.empty();) {
    const std::size_t bar = std::min(rest.find('|'), rest.size());
    inputs += (inputs.empty() ? "" : ",") + tensor(rest.substr(0, bar));
    rest.remove_prefix(std::min(bar + 1, rest.size()));
  }
  return test::must(test::load_texts(format(
      R"({{"Layers": [{{"Name": "l", "LayerType": "{}", "ParameterType": "{}", "Inputs": [{}],
          "Outputs": [{}]{}{}}}]}})",
      layer.type, layer.parameter_type, inputs,
      layer.output.empty() ? std::string() : tensor(layer.output),
      layer.parameters.empty() ? "" : ", ", layer.parameters)));
}
std::optional<std::int64_t> macs_of_text(const LayerText& layer) {
  return model_of(layer).layers.macs.get(0);
}

constexpr std::string_view kConv3x3 =
    R"("Kernel": [3,3], "Stride": [1,1], "Dilation": [1,1], "PrePadding": [1,1],
       "PostPadding": [1,1], "Groups": 1, "OutMaps": 64)";

TEST(Macs, OfConvolutions) {
  EXPECT_EQ(macs_of_text({"CaskConvolution", "Convolution", "[2,32,8,8]", "[2,64,8,8]", kConv3x3}),
            2LL * 64 * 8 * 8 * 32 * 9);
  // Depthwise: each output channel reads one input channel.
  EXPECT_EQ(macs_of_text({"CudaDepthwiseConvolution", "Convolution", "[1,32,8,8]", "[1,32,4,4]",
                          R"("Kernel": [3,3], "Groups": 32, "OutMaps": 32)"}),
            32LL * 4 * 4 * 9);
  // Volumes and sequences.
  EXPECT_EQ(macs_of_text({"CaskConvolution", "Convolution", "[1,4,5,6,7]", "[1,8,5,6,7]",
                          R"("Kernel": [3,3,3], "Groups": 1, "OutMaps": 8)"}),
            8LL * 5 * 6 * 7 * 4 * 27);
  EXPECT_EQ(macs_of_text({"CaskConvolution", "Convolution", "[1,4,16]", "[1,8,16]",
                          R"("Kernel": [5], "Groups": 1, "OutMaps": 8)"}),
            8LL * 16 * 4 * 5);
  // A residual input does not count.
  EXPECT_EQ(macs_of_text({"CaskConvolution", "Convolution", "[1,2,4,4]|[1,2,4,4]", "[1,2,4,4]",
                          R"("Kernel": [1,1], "Groups": 1, "OutMaps": 2)"}),
            2LL * 16 * 2);
}

TEST(Macs, OfTransposedConvolutionsByTheirInput) {
  // TensorRT 8 has several records for them, all with the parameters of a convolution.
  for (const char* type : {"CaskDeconvolution", "CaskDeconvolutionV2", "GemmDeconvolution"}) {
    EXPECT_EQ(macs_of_text({type, "Convolution", "[1,32,8,8]", "[1,16,16,16]",
                            R"("Kernel": [2,2], "Stride": [2,2], "Groups": 1, "OutMaps": 16)"}),
              32LL * 8 * 8 * 16 * 4)
        << type;
  }
  EXPECT_EQ(macs_of_text({"CaskDeconvolutionV2", "Convolution", "[1,32,8,8]", "[1,16,16,16]",
                          R"("Kernel": [2,2], "Stride": [2,2], "Groups": 1, "OutMaps": 16)"}),
            32LL * 8 * 8 * 16 * 4);
  EXPECT_EQ(macs_of_text({"CaskDeconvolutionV2", "Convolution", "[1,32,8,8]", "[1,16,16,16]",
                          R"("Kernel": [2,2], "Stride": [2,2], "Groups": 4, "OutMaps": 16)"}),
            32LL * 8 * 8 * (16 / 4) * 4);
}

TEST(Macs, OfConvolutionsWithPoolingByTheirParameters) {
  // 224 -> 112 by the convolution; the output is pooled to 56.
  const LayerText layer{"ConvActPool", "ConvActPool", "[1,3,224,224]", "[1,64,56,56]",
                        R"("ConvKernel": [7,7], "ConvStride": [2,2], "ConvDilation": [1,1],
                           "ConvPrePadding": [3,3], "ConvPostPadding": [3,3], "ConvGroups": 1,
                           "ConvOutMaps": 64)"};
  EXPECT_EQ(macs_of_text(layer), 64LL * 112 * 112 * 3 * 49);
}

TEST(Macs, OfMatrixProducts) {
  EXPECT_EQ(macs_of_text({"CaskGemmMatrixMultiply", "MatrixMultiply", "[4,16,32]|[4,32,8]",
                          "[4,16,8]", R"("MatrixOpA": "kNONE")"}),
            4LL * 16 * 8 * 32);
  EXPECT_EQ(macs_of_text({"CaskGemmMatrixMultiply", "MatrixMultiply", "[4,32,16]|[4,32,8]",
                          "[4,16,8]", R"("MatrixOpA": "kTRANSPOSE")"}),
            4LL * 16 * 8 * 32);
  EXPECT_FALSE(
      macs_of_text({"CaskGemmMatrixMultiply", "MatrixMultiply", "[4,16,32]", "[4,16,8]", ""}));
}

std::vector<std::int64_t> gemm_of(const LayerText& layer) {
  const model::PlanModel model = model_of(layer);
  const auto& layers = model.layers;
  if (layers.gemm_m.is_null(0)) return {};
  EXPECT_EQ(
      layers.gemm_m.get(0).value() * layers.gemm_n.get(0).value() * layers.gemm_k.get(0).value(),
      layers.macs.get(0));
  return {*layers.gemm_m.get(0), *layers.gemm_n.get(0), *layers.gemm_k.get(0)};
}

TEST(Gemm, OfProductsByTheirOutput) {
  // A batch of products: its rows count.
  EXPECT_EQ(gemm_of({"CaskGemmMatrixMultiply", "MatrixMultiply", "[4,16,32]|[4,32,8]", "[4,16,8]",
                     R"("MatrixOpA": "kNONE")"}),
            (List{4 * 16, 8, 32}));
  EXPECT_EQ(gemm_of({"gemm", "gemm", "[2,10,64]|[64,256]", "[2,10,256]", ""}), (List{20, 256, 64}));
  // Weights that are not listed.
  EXPECT_EQ(gemm_of({"gemm", "gemm", "[10,64]", "[10,256]", ""}), (List{10, 256, 64}));
  EXPECT_EQ(gemm_of({"gemm", "gemm", "[-1,64]|[64,256]", "[-1,256]", ""}), List{});
}

TEST(Gemm, OfConvolutionsAndTheirLikesWithParameters) {
  EXPECT_EQ(gemm_of({"CaskConvolution", "Convolution", "[2,32,8,8]", "[2,64,8,8]", kConv3x3}),
            (List{2 * 64, 64, 32 * 9}));
  EXPECT_EQ(gemm_of({"CaskDeconvolutionV2", "Convolution", "[1,32,8,8]", "[1,16,16,16]",
                     R"("Kernel": [2,2], "Stride": [2,2], "Groups": 4, "OutMaps": 16)"}),
            (List{64, 4 * 4, 32}));
}

// ONNX Runtime's NCHWc: 10 filters of 168 weights in a result of 16 channels.
TEST(Gemm, OfBlockedConvolutionsHasTheFiltersOfTheModel) {
  model::ModelBuilder builder;
  base::StringPool& strings = builder.strings();
  const model::LayerId layer = builder.add_layer(strings.intern("head"));
  model::LayersTable& layers = builder.model().layers;
  layers.role.set(0, model::Role::kWork);
  layers.family.set(0, model::Family::kConvolution);
  layers.type.set(0, strings.intern("Conv"));
  layers.raw_type.set(0, strings.intern("Conv"));
  layers.macs.set(0, 64LL * 10 * 168);
  const List input = {1, 168, 8, 8}, filters = {16, 168, 1, 1}, output = {1, 16, 8, 8};
  builder.add_port(layer, model::Direction::kInput,
                   {.tensor = "x", .dims = input, .dtype = model::DType::kFp32});
  builder.model().tensors.role.set(0, model::TensorRole::kInput);
  builder.add_port(layer, model::Direction::kConstant,
                   {.tensor = "w", .dims = filters, .dtype = model::DType::kFp32});
  builder.add_port(layer, model::Direction::kOutput,
                   {.tensor = "y", .dims = output, .dtype = model::DType::kFp32});
  model::PlanModel model = builder.finish();
  complete(model);
  EXPECT_EQ(model.layers.gemm_m.get(0), 64);
  EXPECT_EQ(model.layers.gemm_n.get(0), 10);
  EXPECT_EQ(model.layers.gemm_k.get(0), 168);
}

TEST(Gemm, OfAttentionIsNone) {
  const LayerText layer{"kgen", "kgen", "[1,8,16,32]|[1,8,16,32]|[1,8,16,32]", "[1,8,16,32]", ""};
  EXPECT_EQ(gemm_of(layer), List{});
  const LayerText attention{"kgen_mha", "kgen_mha", "[1,8,16,32]|[1,8,24,32]|[1,8,24,32]",
                            "[1,8,16,32]", ""};
  ASSERT_EQ(macs_of_text(attention), 8LL * 16 * 24 * 64);
  EXPECT_EQ(gemm_of(attention), List{});
}

TEST(Macs, AreNullWhereNotKnown) {
  const auto conv = [](std::string_view in, std::string_view out, std::string_view parameters) {
    return macs_of_text({"CaskConvolution", "Convolution", in, out, parameters});
  };
  EXPECT_FALSE(conv("[2,32,8,8]", "[-1,64,8,8]", kConv3x3));
  EXPECT_FALSE(conv("[2,-1,8,8]", "[2,64,8,8]", kConv3x3));
  EXPECT_FALSE(conv("[2,32]", "[2,64]", kConv3x3));
  EXPECT_FALSE(conv("", "[2,64,8,8]", kConv3x3));
  EXPECT_FALSE(conv("[2,32,8,8]", "", kConv3x3));
  EXPECT_FALSE(conv("[2,32,8,8]", "[2,64,8]", kConv3x3));
  EXPECT_FALSE(conv("[2,32,8,8]", "[2,64,8,8]", R"("Groups": 1, "OutMaps": 64)"));
  EXPECT_FALSE(conv("[2,32,8,8]", "[2,64,8,8]", R"("Kernel": [3,3], "Groups": 0, "OutMaps": 64)"));
  EXPECT_FALSE(conv("[2,32,8,8]", "[2,64,8,8]", R"("Kernel": [3,3], "Groups": 5, "OutMaps": 64)"));
  EXPECT_FALSE(conv("[2,32,8,8]", "[2,64,8,8]", R"("Kernel": [3,-3], "Groups": 1, "OutMaps": 64)"));
  EXPECT_FALSE(conv("[2,32,8,8]", "[2,64,8,8]", R"("Kernel": "3x3", "Groups": 1, "OutMaps": 64)"));
  EXPECT_FALSE(conv("[9223372036854775807,3,8,8]", "[9223372036854775807,64,8,8]", kConv3x3));
  EXPECT_FALSE(macs_of_text({"kgen", "", "[1,2]", "[1,2]", ""}));
}

TEST(Macs, HostileParametersDoNotOverflow) {
  const auto pooled = [](std::string_view kernel, std::string_view dilation,
                         std::string_view padding, std::string_view out_maps = "64") {
    const std::string parameters = format(
        R"("ConvKernel": {}, "ConvStride": [1,1], "ConvDilation": {}, "ConvPrePadding": {},
           "ConvPostPadding": {}, "ConvGroups": 1, "ConvOutMaps": {})",
        kernel, dilation, padding, padding, out_maps);
    return macs_of_text(
        {"ConvActPool", "ConvActPool", "[1,3,224,224]", "[1,64,56,56]", parameters});
  };
  EXPECT_TRUE(pooled("[7,7]", "[1,1]", "[3,3]"));
  EXPECT_FALSE(pooled("[2,2]", "[-9223372036854775807,1]", "[0,0]"));
  EXPECT_FALSE(pooled("[2,2]", "[-9223372036854775808,1]", "[0,0]"));
  EXPECT_FALSE(pooled("[0,2]", "[9223372036854775807,1]", "[0,0]"));
  EXPECT_FALSE(pooled("[-9223372036854775808,2]", "[1,1]", "[0,0]"));
  EXPECT_FALSE(pooled("[7,7]", "[1,1]", "[9223372036854775807,1]"));
  EXPECT_FALSE(pooled("[7,7]", "[1,1]", "[3,3]", "-64"));
  EXPECT_FALSE(pooled("[7]", "[1,1]", "[3,3]"));
  EXPECT_FALSE(macs_of_text({"CaskDeconvolutionV2", "Convolution", "[1,32,8,8]", "[1,16,16,16]",
                             R"("Kernel": [2,2], "Groups": 1, "OutMaps": -16)"}));
}

TEST(Flops, AreTwoAMacAndOneAPointwiseElement) {
  const auto conv =
      model_of({"CaskConvolution", "Convolution", "[2,32,8,8]", "[2,64,8,8]", kConv3x3});
  EXPECT_EQ(conv.layers.flops.get(0), 2 * conv.layers.macs[0]);
  const auto pointwise =
      model_of({"PointWiseV2", "PointWise", "[2,3]", "[2,3]", R"("NbOperations": 4)"});
  EXPECT_EQ(pointwise.layers.flops.get(0), 2 * 3 * 4);
  EXPECT_FALSE(pointwise.layers.macs.get(0));
  EXPECT_EQ(model_of({"ElementWise", "ElementWise", "[2,3]", "[2,3]", ""}).layers.flops.get(0), 6);
  EXPECT_FALSE(model_of({"PointWiseV2", "PointWise", "[2,3]", "[4000000000,4000000000]",
                         R"("NbOperations": 4)"})
                   .layers.flops.get(0));
  EXPECT_FALSE(model_of({"CaskPooling", "Pooling", "[2,3]", "[2,3]", ""}).layers.flops.get(0));
}

TEST(Flops, OfScaleLayersCountTheirSteps) {
  const auto flops = [](std::string_view parameters) {
    const auto model = model_of({"Scale", "Scale", "[2,3,4,4]", "[2,3,4,4]", parameters});
    EXPECT_EQ(model.layers.macs.get(0), std::nullopt);
    return model.layers.flops.get(0);
  };
  constexpr std::int64_t kElements = 2LL * 3 * 4 * 4;
  EXPECT_EQ(flops(R"("Scale": {"Type": "Float", "Count": 3}, "Shift": {"Type": "Float", "Count": 3},
                     "Power": {"Type": "Float", "Count": 0})"),
            2 * kElements);
  EXPECT_EQ(flops(R"("Scale": {"Count":1,"Type":"Float"})"), kElements);
  EXPECT_FALSE(flops(R"("Scale": {"Type": "Float", "Count": 0})"));
  EXPECT_FALSE(flops(R"("Scale": {"Type": "Float"})"));
  EXPECT_FALSE(flops(R"("Scale": {"Type": "Float", "Count": -3})"));
  EXPECT_FALSE(flops(""));
}

TEST(ImplicitGemm, HasTheMacsOfTheConvolution) {
  const auto gemm = [](const LayerText& layer) {
    const auto model = model_of(layer);
    const auto result = WorkReader(model).implicit_gemm(model::LayerId(0));
    if (result) {
      EXPECT_EQ(model.layers.macs.get(0), result->m * result->n * result->k);
    }
    return result ? List{result->m, result->n, result->k} : List{};
  };
  EXPECT_EQ(gemm({"CaskConvolution", "Convolution", "[2,32,8,8]", "[2,64,4,4]",
                  R"("Kernel": [3,3], "Groups": 1, "OutMaps": 64)"}),
            (List{2 * 16, 64, 32 * 9}));
  // K is divided by the groups.
  EXPECT_EQ(gemm({"CudaDepthwiseConvolution", "Convolution", "[1,32,8,8]", "[1,32,8,8]",
                  R"("Kernel": [3,3], "Groups": 32, "OutMaps": 32)"}),
            (List{64, 32, 9}));
  EXPECT_EQ(gemm({"CaskDeconvolutionV2", "Convolution", "[1,32,8,8]", "[1,16,16,16]",
                  R"("Kernel": [2,2], "Groups": 1, "OutMaps": 16)"}),
            (List{64, 64, 32}));
  EXPECT_EQ(gemm({"CaskPooling", "Pooling", "[1,32,8,8]", "[1,32,4,4]", ""}), List{});
}

TEST(WorkEvidence, SaysWhereACountIsFrom) {
  const auto evidence = [](const LayerText& layer) {
    const auto model = model_of(layer);
    return std::string(model.text(model.layers.work_evidence[0]));
  };
  EXPECT_EQ(evidence({"CaskConvolution", "Convolution", "[2,32,8,8]", "[2,64,8,8]", kConv3x3}),
            "parameters");
  EXPECT_EQ(evidence({"PointWiseV2", "PointWise", "[2,3]", "[2,3]", R"("NbOperations": 4)"}),
            "parameters");
  EXPECT_EQ(evidence({"ElementWise", "ElementWise", "[2,3]", "[2,3]", ""}), "shapes");
  EXPECT_EQ(evidence({"gemm", "gemm", "[4,16,32]|[4,32,8]", "[4,16,8]", ""}), "shapes");
  EXPECT_EQ(evidence({"CaskPooling", "Pooling", "[2,3]", "[2,3]", ""}), "");
}

TEST(ParseIntList, ReadsFlatLists) {
  EXPECT_EQ(parse_int_list("[3,3]"), (List{3, 3}));
  EXPECT_EQ(parse_int_list("[ 1 ,\r\n\t-2 ]"), (List{1, -2}));
  EXPECT_EQ(parse_int_list("[]"), List{});
  EXPECT_EQ(parse_int_list("[ ]"), List{});
  EXPECT_EQ(parse_int_list("[3.0, 1e1,-20e-1]"), (List{3, 10, -2}));
  for (const char* bad : {"", "[", "3", "[a]", "[1.5]", "[[1]]", "[1,2", "[99999999999999999999]",
                          "nbDims=-1", "[1 2]"}) {
    EXPECT_FALSE(parse_int_list(bad)) << bad;
  }
}

}  // namespace
}  // namespace planex::analyze
