// `planex cast`: a model in FP16 or BF16 where that is safe; a trtexec command for TensorRT 11.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "jobs/data_options.h"
#include "jobs/job.h"
#include "planex/options.h"

namespace planex::jobs {

// clang-format off
#define PLANEX_CAST_MODEL(OPTION)                                                                 \
  OPTION(std::string, model, {}, "model", "MODEL",                                                \
         "The float model, as ONNX; with --from-trtexec, the model in the command",               \
         .reads = true, .is_argument = true, .place = 1)                                          \
  OPTION(std::string, to, {}, "to", "", "The small type; with --from-trtexec, as in the command", \
         .choices = {"fp16", "bf16"}, .place = 3)                                                 \
  OPTION(std::string, output, {}, "output", "FILE", "Write the cast model to FILE",               \
         .also = {"*.cast.json"}, .is_output = true, .place = 2)

#define PLANEX_CAST_OPTIONS(OPTION)                                                               \
  OPTION(std::size_t, samples, 32, "samples", "", "Measure ranges on at most this many samples",  \
         .from = 1)                                                                               \
  OPTION(std::size_t, judge_samples, 8, "judge-samples", "",                                      \
         "Judge the cast model on at most this many of these samples", .from = 1)                 \
  OPTION(std::optional<double>, keep_below_db, {}, "keep-below", "DB",                            \
         "Keep nodes in float until each output has this SQNR; needs --data")                     \
  OPTION(double, margin, 0.9, "margin", "RATIO",                                                  \
         "Fraction of the type's range that values can use", .from = 0.01, .to = 1)               \
  OPTION(std::vector<std::string>, kept, {}, "keep", "NODE",                                      \
         "Keep this node in float: a name, a name with *, or #17 for a number")                   \
  OPTION(std::vector<std::string>, kept_ops, {}, "keep-op", "OPERATOR",                           \
         "Keep nodes of this operator in float", .python = "keep_ops")                            \
  OPTION(std::vector<std::string>, only, {}, "only", "NODE",                                      \
         "Cast only this node; nodes that are not named stay in float")                           \
  OPTION(std::vector<std::string>, io, {}, "io", "keep|small|NAME",                               \
         "Types of the model's inputs and outputs: keep (unchanged), small (the small "           \
         "type), or the name of one to make small [keep]")                                        \
  OPTION(std::string, layer_precisions, {}, "layer-precisions", "SPEC",                           \
         "Layer precisions in the syntax of trtexec up to 10.16: NAME:fp32,NAME:fp16 "            \
         "with one * per name", .spelling = "layerPrecisions")                                    \
  OPTION(std::string, layer_output_types, {}, "layer-output-types", "SPEC",                       \
         "The same for the outputs of layers", .spelling = "layerOutputTypes")                    \
  OPTION(std::string, command, {}, "from-trtexec", "COMMAND",                                     \
         "A command of trtexec up to 10.16: apply its type options to the "                       \
         "model, and print the command for TensorRT 11", .reads_words = true)                     \
  OPTION(int, threads, 1, "threads", "", "CPU threads, with --data", .from = 1)                   \
  OPTION(bool, all, false, "all", "", "Show each node that stays in float", .for_people = true)
// clang-format on

struct CastRequest {
  PLANEX_CAST_MODEL(PLANEX_MEMBER)
  DataOptions data;
  PLANEX_CAST_OPTIONS(PLANEX_MEMBER)
};

session::Options options_of(CastRequest& request);
Result<Answer> run(const CastRequest& request, const Context& context);

}  // namespace planex::jobs
