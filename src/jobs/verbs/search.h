// `planex search`: which few layers of a quantized model must stay in float.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "jobs/job.h"
#include "jobs/quantizing_options.h"
#include "jobs/timed_runs.h"

namespace planex::jobs {

// clang-format off
#define PLANEX_SEARCH_OPTIONS(OPTION)                                                             \
  OPTION(std::string, goal, {}, "goal", "GOAL",                                                   \
         "How close to stay to the float model: 20dB (SQNR of its outputs, before a Softmax or "  \
         "Sigmoid at the end), outputs=20dB (after it), or top1=99% (rows "                       \
         "with the same largest class); the cheapest model that meets it is written")             \
  OPTION(std::optional<unsigned>, most_layers, {}, "float-layers", "N",                        \
         "Keep at most N layers in float", .from = 0)                                             \
  OPTION(std::optional<double>, most_share, {}, "float-share", "SHARE",                           \
         "Keep at most this share of the multiplications in float; --cost is then macs "          \
         "by default", .is_ratio = true)                                                          \
  OPTION(std::string, cost, {}, "cost", "",                                                       \
         "What a layer in float costs: 1, its multiplications, the bytes of its weights, "        \
         "its time in --timed [layers]", .choices = {"layers", "macs", "bytes", "ms"})            \
  OPTION(std::size_t, search_samples, 12, "search-samples", "",                                   \
         "Search on at most this many held-back samples; the result is judged on all",            \
         .from = 1)                                                                               \
  OPTION(std::string, state, {}, "state", "FILE",                                                 \
         "File for the measurements, to continue after a stop [OUTPUT.search-state]",             \
         .updates = true)                                                                         \
  PLANEX_TIMED_OPTION(OPTION)                                                                     \
  OPTION(bool, measures, false, "measure", "",                                                    \
         "Build and time each model of the front here with OpenVINO, alternately, for the "       \
         "milliseconds of the front")                                                             \
  OPTION(std::size_t, runs, 2, "runs", "", "With --measure: runs of each model", .from = 1)       \
  OPTION(std::string, nodes_file, {}, "export-nodes", "FILE",                                     \
         "Write the names of the layers in float, one per line, for "                             \
         "modelopt's --nodes_to_exclude or for --keep @FILE",                                     \
         .writes = true, .python = "nodes")                                                       \
  OPTION(std::string, trtexec_file, {}, "export-trtexec", "FILE",                                 \
         "Write the options that keep these layers in float for trtexec up to 10.16",             \
         .writes = true, .python = "trtexec")                                                     \
  OPTION(std::string, trtexec_type, "fp16", "trtexec-type", "",                                   \
         "The type that these options keep the layers in", .choices = {"fp16", "fp32"})
// clang-format on

struct SearchRequest {
  QuantizingOptions quantizing;
  PLANEX_SEARCH_OPTIONS(PLANEX_MEMBER)
};

session::Options options_of(SearchRequest& request);
// The answer is not met if no model reaches the goal.
Result<Answer> run(const SearchRequest& request, const Context& context);

}  // namespace planex::jobs
