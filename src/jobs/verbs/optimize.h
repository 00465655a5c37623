// `planex optimize`: a model and an engine in, the fastest model and options that are proven faster
// out, within an accuracy.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "drive/driver.h"
#include "jobs/data_options.h"
#include "jobs/job.h"
#include "planex/options.h"

namespace planex::jobs {

// clang-format off
#define PLANEX_OPTIMIZE_OPTIONS(OPTION)                                                           \
  OPTION(std::string, model, {}, "model", "MODEL",                                            \
         "The model, as ONNX; it stays as it is; or the capsule of an earlier search, which has " \
         "it",                                                                                    \
         .reads = true, .is_required = true, .is_argument = true, .place = 1)                     \
  OPTION(std::string, output, {}, "output", "DIR",                                                \
         "Write the best model, its engine, the record and a report to DIR",                      \
         .writes_folder = true,                                                                   \
         .also = {"*/model.onnx", "*/optimize.json", "*/report.html", "*/reproduce.py",           \
                  "*/optimize.planex"},                                                           \
         .is_output = true, .is_required = true, .place = 2)                                      \
  OPTION(std::string, engine, "openvino", "engine", "", "The engine to optimize for")             \
  OPTION(std::string, goal, "same", "goal", "GOAL",                                               \
         "How close results must stay to the model's: same (but for rounding), 20dB (SQNR of "    \
         "the worst output, before a Softmax or Sigmoid at the end), outputs=20dB (after it), "   \
         "or top1=99% (rows with the same largest class); all but the first need --data, and "    \
         "allow INT8")                                                                \
  OPTION(std::string, aim, "latency", "for", "",                                                  \
         "What to make as good as possible: latency, the time of one inference; throughput, "     \
         "inferences per second with several at once; memory, of weights and of activations at "  \
         "their peak",                                                                            \
         .choices = {"latency", "throughput", "memory"}, .python = "aim")                                   \
  OPTION(std::optional<double>, max_latency_ms, {}, "max-latency", "MS",                          \
         "Refuse what makes an inference take longer than this many milliseconds", .above = 0,    \
         .python = "max_latency_ms")                                                              \
  OPTION(int, max_threads, 0, "max-threads", "N",                                                 \
         "For throughput: threads of all inferences that run at once [the machine's processors]", \
         .shows_initial = false)                                                                  \
  OPTION(std::string, budget, "10m", "budget", "TIME",                                            \
         "Stop trying after this time: 90s, 10m, 2h; the same command goes on from there")        \
  OPTION(std::vector<std::string>, kinds, {}, "try", "KIND",                                      \
         "Only steps of this kind: clean (simplify the graph), precision (quantize, cast), "      \
         "advice (move Q/DQ), options (of the engine) [all]",                                     \
         .choices = {"clean", "precision", "advice", "options"}, .commas = true)                  \
  OPTION(bool, is_fresh, false, "fresh", "",                                                      \
         "Begin again, instead of going on from what the folder contains")                        \
  OPTION(bool, prints_plan, false, "print-plan", "",                                              \
         "List what would be tried, and run nothing", .for_people = true)                         \
  OPTION(std::string, device, {}, "device", "NAME",                                                \
         "Predict gains for this device of the table [the one it runs on; L4 for TensorRT-RTX]")  \
  OPTION(std::size_t, judge_samples, 64, "judge-samples", "",                                     \
         "Compare results on at most this many samples", .from = 1)                               \
  OPTION(std::vector<std::string>, flags, {}, "flag", "WORD",                                     \
         "A word for the engine's own program in every build; once per word",                     \
         .starts = true, .python = "flags")
// clang-format on

struct OptimizeRequest {
  PLANEX_OPTIMIZE_OPTIONS(PLANEX_MEMBER)
  DataOptions data;
  // Of every build: of it, what `planex process` says of shapes, threads and where programs are.
  drive::ProcessRequest process;
};

session::Options options_of(OptimizeRequest& request);
Result<Answer> run(const OptimizeRequest& request, const Context& context);

}  // namespace planex::jobs
