// `planex advise`: where the Q/DQ of a model should be, what that gains, and the edited model.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "jobs/data_options.h"
#include "jobs/job.h"
#include "jobs/timed_runs.h"
#include "planex/options.h"

namespace planex::jobs {

// clang-format off
#define PLANEX_ADVISE_OPTIONS(OPTION)                                                             \
  OPTION(std::string, model, {}, "model", "MODEL", "The model with Q/DQ, as ONNX",                \
         .reads = true, .is_required = true, .is_argument = true, .place = 1)                     \
  PLANEX_TIMED_OPTION(OPTION)                                                                     \
  OPTION(std::string, target, "auto", "target", "",                                               \
         "The engine that Q/DQ are for; auto: the one that built --timed, else openvino",         \
         .choices = {"auto", "openvino", "tensorrt", "tensorrt-rtx", "onnxruntime"})              \
  OPTION(std::vector<std::string>, what_if, {}, "what-if", "NODE",                                \
         "Estimate what INT8 would gain in a block that runs in float: a node of the "            \
         "block, by name or number: #17")                                                         \
  OPTION(bool, all, false, "all", "",                                                             \
         "Show every piece of advice, with the layers that it changes", .for_people = true)       \
  OPTION(bool, applies, false, "apply", "", "Write the model with all advice applied",            \
         .needs = "--output", .for_people = true)                                                 \
  OPTION(std::string, output, {}, "output", "FILE",                                               \
         "With --apply: write the edited model to FILE",                                          \
         .also = {"*.advise.json"}, .is_output = true, .needs = "--apply", .place = 2)            \
  OPTION(bool, measures, false, "measure", "",                                                    \
         "With --apply: build and time both models here with OpenVINO, alternately, and "         \
         "show the forecast next to the measurement", .needs = "--apply")                         \
  OPTION(std::size_t, runs, 2, "runs", "", "With --measure: runs of each model", .from = 1)

#define PLANEX_ADVISE_DATA_OPTIONS(OPTION)                                                        \
  OPTION(std::size_t, samples, 512, "samples", "", "Calibrate with at most this many samples",    \
         .from = 1)                                                                               \
  OPTION(std::string, method, "mse", "method", "METHOD",                                          \
         "How to choose scales for tensors without one: mse, minmax, percentile:99.99, kl")       \
  OPTION(int, threads, 1, "threads", "", "CPU threads", .from = 1)
// clang-format on

struct AdviseRequest {
  PLANEX_ADVISE_OPTIONS(PLANEX_MEMBER)
  DataOptions data;
  PLANEX_ADVISE_DATA_OPTIONS(PLANEX_MEMBER)
};

session::Options options_of(AdviseRequest& request);
Result<Answer> run(const AdviseRequest& request, const Context& context);

}  // namespace planex::jobs
