// `planex accuracy`: a model, layer by layer on data, or saved tensors, compared with a reference.
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
#define PLANEX_ACCURACY_SIDES(OPTION)                                                             \
  OPTION(std::string, reference, {}, "reference", "REF",                                          \
         "The reference: a float ONNX model, or outputs saved by Polygraphy "                     \
         "or trtexec, .npz, .npy, or a folder of these",                                          \
         .reads_all = true, .is_required = true, .is_argument = true, .place = 1)                 \
  OPTION(std::string, subject, {}, "subject", "SUBJECT",                                          \
         "The quantized model, or outputs saved by an engine, to compare "                        \
         "with REF [the second run in REF]",                                                      \
         .reads_all = true, .is_argument = true, .place = 2)

#define PLANEX_ACCURACY_OPTIONS(OPTION)                                                           \
  OPTION(std::size_t, samples, 32, "samples", "", "Models: run at most this many samples",        \
         .from = 1)                                                                               \
  OPTION(std::string, engine_outputs, {}, "engine-outputs", "PATH",                               \
         "Models: read the engine's outputs from PATH instead of running OpenVINO; "              \
         "they were saved for the same samples, in the order of --data", .reads_all = true)       \
  OPTION(std::vector<std::string>, metrics, {}, "metric", "PROGRAM",                              \
         "A program that gets two .npz files of outputs, the float model's and another's, "       \
         "and prints a number, or a JSON object of names and numbers; can be repeated",           \
         .reads_words = true, .starts = true, .python = "metrics")                                \
  OPTION(bool, is_outputs_only, false, "outputs-only", "",                                        \
         "Models: compare outputs only, not intermediate tensors", .python = "!layers")           \
  OPTION(bool, all, false, "all", "",                                                             \
         "Models: show every tensor, not just those that lose most", .for_people = true)          \
  OPTION(std::string, alone, "4", "alone", "COUNT",                                               \
         "Models: number of top suspects, or all, to run with every other layer in "              \
         "float; shows whether the model or the engine is at fault")                              \
  OPTION(bool, bisects, false, "bisect", "",                                                      \
         "Models: find the single scale, weight or layer that loses most in the model's "         \
         "own arithmetic")                                                                        \
  OPTION(std::size_t, maps, 0, "maps", "COUNT",                                                   \
         "Models: map where the differences are in the COUNT tensors that lose most, for "        \
         "the Accuracy view of a report", .from = 0)                                              \
  OPTION(std::string, cured, {}, "cured", "FILE",                                                 \
         "Models: write SUBJECT with workarounds for the engine's faults: "                       \
         "7-bit weights, uint8 tensors", .writes = true)                                          \
  OPTION(std::string, extracted, {}, "extract", "FILE",                                           \
         "Models: write the smallest part around the layer or tensor at "                         \
         "fault, for a bug report: FILE.onnx, the same in float as "                              \
         "FILE.float.onnx, inputs and expected outputs as FILE.npz",                              \
         .writes = true, .also = {"%.float.onnx", "%.npz"})                                       \
  OPTION(double, low_db, 20, "low", "DB", "Models: name the first tensor below this SQNR",        \
         .for_people = true)                                                                      \
  OPTION(int, threads, 1, "threads", "", "Models: CPU threads", .from = 1)                        \
  OPTION(std::vector<std::string>, runners, {}, "runner", "NAME",                                 \
         "Choose the run of a file with several, by its name or part of it; give it "             \
         "twice to choose one for the reference and one for the subject", .python = "runners")    \
  OPTION(double, absolute, 1e-5, "absolute", "X",                                                 \
         "Absolute tolerance, added to --relative: a larger error counts as outside", .from = 0)  \
  OPTION(double, relative, 1e-5, "relative", "X",                                                 \
         "Relative tolerance, as a fraction of the reference's value", .from = 0)                 \
  OPTION(bool, has_classes, false, "classes", "",                                                 \
         "Treat the last axis as classes: show how often the largest agree (top-1, top-5)")       \
  OPTION(std::optional<double>, fail_below_db, {}, "fail-below", "DB",                            \
         "Exit with 1 if the SQNR of a tensor, or of a part of it that is judged "                \
         "separately, is below DB, or if a tensor can't be compared")
// clang-format on

struct AccuracyRequest {
  PLANEX_ACCURACY_SIDES(PLANEX_MEMBER)
  DataOptions data;
  PLANEX_ACCURACY_OPTIONS(PLANEX_MEMBER)
};

session::Options options_of(AccuracyRequest& request);
// The answer is not met if something is below --fail-below.
Result<Answer> run(const AccuracyRequest& request, const Context& context);

}  // namespace planex::jobs
