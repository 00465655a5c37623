#include "analyze/work/kernel_names.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "model/plan_model.h"
#include "support/test_data.h"

namespace planex::analyze {
namespace {

using model::DType;

struct Expected {
  std::string_view name;
  DType compute;
  std::optional<bool> tensor_cores;
};

void expect(std::initializer_list<Expected> kernels) {
  for (const Expected& kernel : kernels) {
    const KernelFacts facts = kernel_facts(kernel.name);
    EXPECT_EQ(facts.compute, kernel.compute)
        << kernel.name << ": " << to_string(facts.compute) << ", not " << to_string(kernel.compute);
    EXPECT_EQ(facts.tensor_cores, kernel.tensor_cores) << kernel.name;
  }
}

constexpr std::optional<bool> kYes = true, kNo = false, kSilent;

TEST(KernelNames, Xmma) {
  expect({
      {"sm80_xmma_fprop_implicit_gemm_f16f16_f16f16_f16_nhwckrsc_nhwc_tilesize64x64x64_stage4_"
       "warpsize2x1x2_g1_tensor16x8x16_aACCESS",
       DType::kFp16, kYes},
      {"sm80_xmma_fprop_implicit_gemm_f32f32_tf32f32_f32_nhwckrsc_nhwc_tilesize128x128x16_stage4_"
       "warpsize2x2x1_g1_tensor16x8x8_simple_t1r1s1",
       DType::kTf32, kYes},
      {"sm80_xmma_fprop_implicit_gemm_f32f32_f32f32_f32_nhwckrsc_nhwc_tilesize128x64x8_stage3_"
       "warpsize2x2x1_g1_ffma_t1r3s3_aligna4_alignc4",
       DType::kFp32, kNo},
      {"sm80_xmma_fprop_implicit_gemm_interleaved_i8f32_i8i32_f32_nchw_vect_c_32kcrs_vect_c_32_"
       "nchw_tilesize64x32x64_stage6_warpsize2x1x1_g1_tensor16x8x32_t1r1s1",
       DType::kInt8, kYes},
      {"sm80_xmma_deconv_implicit_gemm_interleaved_indexed_i8i8_i8i32_f32_nchw_vect_c_32kcrs_vect_"
       "n_32_nchw_vect_c_32_tilesize64x32x64_stage6_warpsize2x1x1_g1_tensor16x8x32_strided",
       DType::kInt8, kYes},
      {"sm80_xmma_fprop_avdt_dense_int8int8_tilesize64x32x32_tapsperload3_threadspercta128_r3s3_"
       "u1v1_scalebias_relu",
       DType::kInt8, kYes},
      {"sm70_xmma_fprop_conv1x1_i8f32_f32_f32_nchw_vect_c_4kcrs_vect_c_4_nchw_simt_small_batch_"
       "bias_relu",
       DType::kFp32, kNo},
      {"sm70_xmma_gemm_as_conv1x1_f16f16_f16_f16_tn_n_simt_small_batch_bias_relu", DType::kFp16,
       kNo},
      {"sm50_xmma_cublas_gemvx_f16f16_f32_f32_tn_n_int32_unit_n_launch_param4x32x32_strided_unit_"
       "stride",
       DType::kFp32, kNo},
      {"sm50_xmma_convolution_trt_depthwiseFP32NHWC4_fp32nhwcx4_fp32nhwcx4_fp32kcrs", DType::kFp32,
       kNo},
      {"sm50_xmma_conv_fprop_fused_conv_act_fp32_NCHW_fp32_NCHW_KCRS_fp32_fp32_fp32_Accfloat_1_1",
       DType::kFp32, kNo},
      {"sm50_xmma_pooling_fw_4d_FP16FP32NHWC_Average_FastDiv_CAlign4", DType::kFp32, kNo},
      {"sm50_xmma_pooling_coalescedC_NHWC_kMAX_3_False", DType::kNull, kNo},
      {"sm89_xmma_gemm_e4m3bf16_e4m3f32_f32_tn_n_tilesize64x64x128_stage3_warpsize2x2x1_"
       "tensor16x8x32",
       DType::kFp8, kYes},
      {"sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize64x64x64_warpgroupsize1x1x1", DType::kBf16,
       kYes},
  });
}

TEST(KernelNames, CudnnCublasAndCutlass) {
  expect({
      {"ampere_h1688cudnn_128x128_ldg8_relu_exp_interior_nhwc_tn_v1", DType::kFp16, kYes},
      {"ampere_h16816gemm_64x64_ldg8_relu_stages_64x5_nn_v1", DType::kFp16, kYes},
      {"volta_h884cudnn_256x64_ldg8_relu_exp_small_nhwc_tn_v1", DType::kFp16, kYes},
      {"volta_fp16_s884cudnn_fp16_256x128_ldg8_relu", DType::kFp16, kYes},
      {"turing_fp16_s1688cudnn_fp16_256x64_ldg8_relu", DType::kFp16, kYes},
      {"turing_fp16_i8816cudnn_int8_128x128_ldg16_relu_small_nt_v1", DType::kInt8, kYes},
      {"volta_fp32_i8816cudnn_int8_256x64_ldg16_relu_singleBuffer_interior_nt_v1", DType::kInt8,
       kYes},
      {"volta_int8x4_icudnn_int8x4_128x64_relu_interior_nn_v1", DType::kInt8, kNo},
      {"ampere_fp32_icudnn_int8x4_128x64_relu_medium_nn_v1", DType::kInt8, kNo},
      {"ampere_scudnn_winograd_128x128_ldg1_ldg4_relu_tile148t_nt_v1", DType::kFp32, kNo},
      {"maxwell_scudnn_128x64_relu_medium_nn_v1", DType::kFp32, kNo},
      {"maxwell_fp16_scudnn_fp16_128x64_relu_medium_nn_v1", DType::kFp32, kNo},
      {"volta_hcudnn_128x64_relu_medium_nn_v1", DType::kFp16, kNo},
      {"ampere_sgemm_128x64_nn", DType::kFp32, kNo},
      {"ampere_bf16_s16816gemm_bf16_128x128_ldg8_f2f_stages_32x5_nn", DType::kBf16, kYes},
      {"void cutlass::Kernel<cutlass_80_tensorop_s1688gemm_128x64_16x6_nt_align4>(Params)",
       DType::kTf32, kYes},
      {"cutlass_75_tensorop_f16_s1688gemm_f16_256x128_32x2_nn_align8", DType::kFp16, kYes},
      {"cutlass_80_simt_sgemm_128x32_8x5_nn_align1", DType::kFp32, kNo},
      {"cutlass_80_tensorop_i16832gemm_s8_256x128_64x3_tn_align16", DType::kInt8, kYes},
      {"cutlass3x_sm90_tensorop_s64x128x32gemm_e4m3_e4m3_f32_bf16_bf16", DType::kFp8, kYes},
      {"trt_turing_cutlass_image_network_first_layer_hmma_fprop_f16f16f32_nhwc_nhwc_k64r7s7c4_"
       "stride2x2",
       DType::kFp16, kYes},
      {"nvjet_tst_128x64_64x8_2x1_v_bz_TNN", DType::kBf16, kYes},
      {"nvjet_hsh_128x8_64x12_4x1_v_bz_TNT", DType::kFp16, kYes},
      {"ampere_imma_int8_nhwc", DType::kInt8, kYes},
  });
}

TEST(KernelNames, HopperAndBlackwell) {
  expect({
      {"sm90_xmma_fprop_implicit_gemm_bf16bf16_bf16f32_f32_nhwckrsc_nhwc_tilesize128x128x64_"
       "warpgroupsize1x1x1_g1_execute_segment_k_off_kernel__5x_cudnn",
       DType::kBf16, kYes},
      {"sm90_xmma_fprop_implicit_gemm_f32f32_tf32f32_f32_nhwckrsc_nhwc_tilesize64x128x32_"
       "warpgroupsize1x1x1_g1",
       DType::kTf32, kYes},
      {"cutlass3x_sm90_tensorop_h64x128x16gemm_f16_f16_f16_void_f16_128x128x64_2x1x1_0_ttn_align8_"
       "warpspecialized_pingpong_epi_nosmem",
       DType::kFp16, kYes},
      {"cutlass3x_sm90_tensorop_s64x128x32gemm_e4m3_e4m3_f32_bf16_bf16_64x128x128_2x1x1_0_tnt_"
       "align16_warpspecialized_epi_nosmem",
       DType::kFp8, kYes},
      {"cutlass3x_sm90_tensorop_s64x128x8tf32gemm_f32_f32_f32_f32_f32_128x128x32_2x1x1_0_tnn_"
       "align4",
       DType::kTf32, kYes},
      {"cutlass3x_sm100_tensorop_s64x128x16gemm_f16_f16_f32_f16_f16_64x128x64_1x1x1_0_nnn_align8_"
       "1sm",
       DType::kFp16, kYes},
      {"cutlass3x_sm100_tensorop_s32x256x16_conv3d_fprop_weight_stationary_nq_2d_tiled_bf16_bf16_"
       "f32_void_bf16_void_t3xr3xs3_32x256x64_dyn_cga_ndhwc_ndhwc_ndhwc_1sm",
       DType::kBf16, kYes},
      {"cutlass3x_sm100_tensorop_s128x64x8tf32gemm_f32_f32_f32_f32_f32_128x64x32_0_tnn_align4_2sm_",
       DType::kTf32, kYes},
      {"cutlass3x_sm120_bstensorop_s16864gemm_block_scaled_ue4m3xe2m1_ue4m3xe2m1_f32_bf16_bf16_"
       "128x128x256_1x1x1_0_tnn_align32_o_vs16_bias_bf16_relu",
       DType::kFp4, kYes},
      {"cutlass3x_sm100_bstensorop_s256x192x64gemm_block_scaled_ue4m3xf4_ue4m3xf4_f32_f16_f16_"
       "256x192x256_0_tnn_align32_o_vs16_2sm_bias_f16_relu",
       DType::kFp4, kYes},
      // FP6 has no name here.
      {"cutlass3x_sm120_bstensorop_gemm_ue8m0xe3m2_ue8m0xe3m2_f32_void_f16_", DType::kNull, kYes},
      {"nvjet_sm100_tst_32x64_64x16_4x1_v_bz_TNN", DType::kBf16, kYes},
      {"nvjet_sm100_hsh_128x256_64x6_2x2f_2cta_h_bz_NNT", DType::kFp16, kYes},
      {"nvjet_qqtst_128x256_128x6_2x1_2cta_v_bz_TNT", DType::kFp8, kYes},
      {"nvjet_sm100_oohsh_128x256_256x5_2x2_2cta_h_bz", DType::kFp4, kYes},
      {"nvjet_sm121_hss_mma_128x208x64_4x64_tmaAB_bz_TNNN", DType::kFp16, kYes},
      {"nvjet_sm100", DType::kNull, kYes},
  });
}

// One name of each instruction's shape, from Volta on.
TEST(KernelNames, ShapesOfInstructions) {
  expect({
      {"volta_h884gemm_128x64_ldg8_nn", DType::kFp16, kYes},
      {"volta_fp16_s884cudnn_fp16_128x128_ldg8_relu_f2f_exp_small_nhwc_tn_v1", DType::kFp16, kYes},
      {"turing_h1688gemm_256x64_ldg8_nn", DType::kFp16, kYes},
      {"turing_fp16_s1688gemm_fp16_128x128_ldg8_relu_f2f_tn", DType::kFp16, kYes},
      {"turing_i8816gemm_int8_128x128_ldg16_tn", DType::kInt8, kYes},
      {"ampere_h16816gemm_64x64_sliced1x2_ldg8_relu_stages_64x5_nn_v1", DType::kFp16, kYes},
      {"ampere_h16816cudnn_256x64_ldg8_relu_exp_stages_64x3_small_nhwc_tn_v1", DType::kFp16, kYes},
      {"ampere_fp16_s16816cudnn_fp16_128x128_ldg8_relu_f2f_exp_small_nhwc_tn_v1", DType::kFp16,
       kYes},
      {"ampere_s16816gemm_bf16_128x128_ldg8_f2f_stages_64x3_tn", DType::kBf16, kYes},
      {"ampere_i16832gemm_int8_128x128_ldg16_relu_stages_64x3_tn", DType::kInt8, kYes},
      {"ampere_int8_i16832cudnn_int8_256x64_ldg16_relu_stages_64x3_medium_nt_v1", DType::kInt8,
       kYes},
      {"ampere_fp32_s1688cudnn_fp32_128x128_ldg4_relu_exp_small_nhwc_tn_v1", DType::kTf32, kYes},
      {"cutlass_80_tensorop_s1688tf32gemm_128x64_16x6_nn_align4", DType::kTf32, kYes},
      {"cutlass_80_wmma_tensorop_f16_s161616gemm_f16_32x32_128x2_tn_align8", DType::kFp16, kYes},
      {"cutlass_80_tensorop_i16864gemm_s4_256x128_128x3_tn_align32", DType::kInt4, kYes},
      {"cutlass_80_tensorop_d884gemm_64x64_16x4_nn_align1", DType::kFp64, kYes},
      {"fmha_v2_flash_attention_fp16_S_40_sm86_kernel_nl", DType::kFp16, kYes},
      {"implicit_convolve_sgemm", DType::kFp32, kNo},
      // A shape that continues is a different one.
      {"ampere_h168810gemm_64x64_nn", DType::kNull, kSilent},
  });
}

TEST(KernelNames, OneDnn) {
  expect({
      {"brgconv_avx512_amx_i8", DType::kInt8, kYes},
      {"brgconv_avx512_amx_1x1_bf16", DType::kBf16, kYes},
      {"brgemm_avx512_amx_I8", DType::kUint8, kYes},
      {"brgconv_avx512_f32", DType::kFp32, kNo},
      {"jit_avx512_core_bf16", DType::kBf16, kNo},
      {"gemm_mlas_f32", DType::kFp32, kNo},
      {"jit_uni_f32", DType::kFp32, kNo},
      {"reorder_f32", DType::kFp32, kNo},
  });
}

TEST(KernelNames, ThatTellNothing) {
  expect({
      {"", DType::kNull, kSilent},
      {"__myelin_CASK_STUB", DType::kNull, kSilent},
      {"__myl_FcAddMul_0xfp16", DType::kNull, kSilent},
      {"_gemm_mha_v2_0x105840ad0b92364668f5695c0ef70621", DType::kNull, kSilent},
      {"unknown_f32", DType::kNull, kSilent},
      {"undef", DType::kNull, kSilent},
      {"myPlugin", DType::kNull, kSilent},
      {"____", DType::kNull, kSilent},
      {"nvjet", DType::kNull, kYes},
      {"nvjet_", DType::kNull, kYes},
  });
  // Implementations with a single kernel.
  EXPECT_EQ(kernel_facts("", "CudaDepthwiseConvolution").tensor_cores, kNo);
  EXPECT_EQ(kernel_facts("", "CaskConvolution").tensor_cores, kSilent);
}

// Every kernel of the real engines, so that a new family of names is noticed.
TEST(KernelNames, OfAllRealEngines) {
  PLANEX_NEED_TEST_DATA(data);
  std::map<std::string, bool, std::less<>> matrix_units;
  std::set<std::string, std::less<>> silent;
  for (const char* engine : test::kReadableEngines) {
    const model::PlanModel model = test::must(test::load_engine(data, engine));
    for (std::size_t row = 0; row < model.layers.row_count(); ++row) {
      const std::string tactic(model.text(model.layers.tactic[row]));
      if (tactic.empty()) continue;
      const KernelFacts facts = kernel_facts(tactic);
      if (!facts.tensor_cores) {
        silent.insert(tactic);
        continue;
      }
      matrix_units[tactic] = *facts.tensor_cores;
      const bool pools = tactic.find("pooling") != tactic.npos;
      EXPECT_TRUE(pools || facts.compute != DType::kNull) << tactic;
      EXPECT_EQ(model.layers.tensor_cores.get(row), *facts.tensor_cores ? 1 : 0) << tactic;
      // A kernel computes in the type it reads, in TF32 for FP32, or in floats for a small batch.
      const DType reads = model.layers.precision[row];
      if (*facts.tensor_cores && reads == DType::kFp32) {
        EXPECT_EQ(facts.compute, DType::kTf32) << tactic;
      } else if (*facts.tensor_cores) {
        EXPECT_EQ(facts.compute, reads) << tactic;
      }
    }
  }
  for (const std::string& tactic : silent) {
    EXPECT_TRUE(tactic.starts_with("__myl_") || tactic.starts_with("_gemm_mha")) << tactic;
  }
  const auto uses =
      std::ranges::count_if(matrix_units, [](const auto& entry) { return entry.second; });
  EXPECT_EQ(matrix_units.size(), 154U);
  EXPECT_EQ(uses, 124);
}

// Kernels that the builders tried, named in their logs: nine hundred names of all families.
TEST(KernelNames, OfAllLogs) {
  PLANEX_NEED_TEST_DATA(data);
  constexpr std::string_view kKey = "Tactic Name: ";
  std::set<std::string, std::less<>> names;
  for (const std::string& path : test::files_below(data + "/engines", {".log", ".txt", ".out"})) {
    const std::string text = test::read_text(path);
    for (std::size_t at = text.find(kKey); at != text.npos; at = text.find(kKey, at + 1)) {
      const std::size_t start = at + kKey.size();
      const std::string name = text.substr(start, text.find_first_of(" \n", start) - start);
      if (!name.empty()) names.insert(name);
    }
  }
  std::size_t matrix_units = 0;
  for (const std::string& name : names) {
    const KernelFacts facts = kernel_facts(name);
    ASSERT_TRUE(facts.tensor_cores) << name;
    matrix_units += *facts.tensor_cores ? 1U : 0U;
    const bool pools = name.find("pooling") != name.npos;
    EXPECT_TRUE(pools || facts.compute != DType::kNull) << name;
    EXPECT_FALSE(pools && *facts.tensor_cores) << name;
    // FP32 is never computed on matrix units.
    EXPECT_FALSE(*facts.tensor_cores && facts.compute == DType::kFp32) << name;
  }
  EXPECT_EQ(names.size(), 718U);
  EXPECT_EQ(matrix_units, 443U);
}

}  // namespace
}  // namespace planex::analyze
