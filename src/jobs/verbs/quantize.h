// `planex quantize`: a float model and data in, a quantized model and what that costs out.
#pragma once

#include <string>

#include "jobs/job.h"
#include "jobs/quantizing_options.h"

namespace planex::jobs {

// clang-format off
#define PLANEX_QUANTIZE_OPTIONS(OPTION)                                                           \
  OPTION(std::string, to, "int8", "to", "",                                                       \
         "The type to quantize to: int8, fp8 (E4M3, for TensorRT and TensorRT-RTX), or "          \
         "int4: only weights of products, needs no data", .choices = {"int8", "fp8", "int4"})     \
  OPTION(std::string, block_size, {}, "block-size", "N|channel",                                  \
         "With --to int4: how many values along the summed axis share a scale, 16 to "            \
         "256, for TensorRT 64 or 128; channel: all of them [128]",                               \
         .choices = {"16", "32", "64", "128", "256", "channel"})                                  \
  OPTION(bool, is_cache_whole, false, "dla", "",                                                  \
         "With --cache: write a scale for every float tensor, as a DLA needs")
// clang-format on

struct QuantizeRequest {
  QuantizingOptions quantizing;
  PLANEX_QUANTIZE_OPTIONS(PLANEX_MEMBER)
};

session::Options options_of(QuantizeRequest& request);
Result<Answer> run(const QuantizeRequest& request, const Context& context);

}  // namespace planex::jobs
