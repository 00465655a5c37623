// What `planex quantize` and `planex search` share: which model becomes which, how, and with what
// data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "jobs/data_options.h"
#include "planex/error.h"
#include "planex/options.h"
#include "session/verbs/option.h"
#include "tune/quantize.h"

namespace planex::jobs {

// clang-format off
#define PLANEX_MODEL_TO_QUANTIZE(OPTION)                                                          \
  OPTION(std::string, model, {}, "model", "MODEL", "The float model, as ONNX",                    \
         .reads = true, .is_required = true, .is_argument = true, .place = 1)

#define PLANEX_QUANTIZING_OPTIONS(OPTION)                                                         \
  OPTION(std::string, output, {}, "output", "FILE", "Write the quantized model to FILE",          \
         .is_output = true, .is_required = true, .place = 2)                                      \
  OPTION(std::string, target, "openvino", "target", "",                                           \
         "The engine to quantize for; decides where Q/DQ go",                                     \
         .choices = {"openvino", "tensorrt", "tensorrt-rtx", "onnxruntime"})                      \
  OPTION(std::string, method, "auto", "method", "METHOD",                                         \
         "How to choose scales: auto judges each method on held-back samples; minmax, "           \
         "percentile:99.99, kl (as TensorRT), mse")                                               \
  OPTION(std::size_t, samples, 512, "samples", "", "Calibrate with at most this many samples",    \
         .from = 1)                                                                               \
  OPTION(std::string, judge, {}, "judge", "PATH",                                                 \
         "Judge on these samples [samples held back from --data]", .reads_all = true)             \
  OPTION(std::size_t, judge_samples, 256, "judge-samples", "",                                    \
         "Judge on at most this many samples", .from = 0)                                         \
  OPTION(std::vector<std::string>, metrics, {}, "metric", "PROGRAM",                              \
         "A program that gets two .npz files of outputs, the float model's and another's, "       \
         "and prints a number, or a JSON object of names and numbers; can be repeated",           \
         .reads_words = true, .starts = true, .python = "metrics")                                \
  OPTION(std::vector<std::string>, kept, {}, "keep", "NODE",                                      \
         "Keep this node in float, by name; @FILE: the nodes in FILE, one per line",              \
         .reads_words = true)                                                                     \
  OPTION(std::vector<std::string>, only_ops, {}, "only-op", "Conv|ConvTranspose|Gemm|MatMul",     \
         "Quantize only this operator [those that the target gains from]",                        \
         .choices = {"Conv", "ConvTranspose", "Gemm", "MatMul"}, .python = "only_ops")            \
  OPTION(std::string, weight_bits, "auto", "weight-bits", "",                                     \
         "8, or 7 to avoid 16-bit saturation on CPUs without VNNI",                               \
         .choices = {"auto", "8", "7"})                                                           \
  OPTION(std::optional<std::int64_t>, opset, {}, "opset", "N",                                    \
         "Raise the model to this opset (13 or more)")                                            \
  OPTION(std::string, cache, {}, "cache", "FILE",                                                 \
         "Also write a TensorRT calibration cache (implicit INT8, up to 10.16)", .writes = true)  \
  OPTION(int, threads, 1, "threads", "", "CPU threads", .from = 1)
// clang-format on

struct QuantizingOptions {
  PLANEX_MODEL_TO_QUANTIZE(PLANEX_MEMBER)
  DataOptions data;
  PLANEX_QUANTIZING_OPTIONS(PLANEX_MEMBER)
};

// Bound to it, which they are not to outlive. `record`: the name of the record beside the model,
// with * for the model's.
session::Options options_of(QuantizingOptions& request, std::string_view record);

// Without format and what belongs to one. `needs_data`: whether there is nothing to do without;
// `example` is then the hint. Errors: kUsage (an option that is not valid), those of
// check_metrics() and of @FILE.
Result<tune::QuantizeRequest> quantize_request(const QuantizingOptions& options, bool needs_data,
                                               std::string_view example);

}  // namespace planex::jobs
