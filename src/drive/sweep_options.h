// What `planex sweep` takes beside a model and how it is built: the grid, and which runs to do.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "planex/options.h"

namespace planex::drive {

// clang-format off
#define PLANEX_SWEEP_OPTIONS(OPTION)                                                              \
  OPTION(std::vector<std::string>, vary, {}, "vary", "NAME=A,B,…",                                \
         "What to vary, once per axis: engine, batch, threads, precision, streams, isa, "         \
         "compute_capability, shape:INPUT, or an option of the engine's program (on and "         \
         "off for a switch)")                                                                     \
  OPTION(int, repeats, 3, "repeat", "N",                                                          \
         "Builds per cell, in rounds: a change of the machine in the meantime affects "           \
         "all cells the same way", .from = 1, .to = 1000)                                         \
  OPTION(std::string, engine, "openvino", "engine", "", "The engine to build with")               \
  OPTION(bool, is_fresh, false, "fresh", "",                                                      \
         "Begin again, instead of going on from what the folder contains")                        \
  OPTION(bool, prints_only, false, "print-only", "",                                              \
         "Print the commands instead of running them")                                            \
  OPTION(bool, lists_runs, false, "list-runs", "",                                                \
         "List the runs with state and inputs, as JSON Lines, in the order to run them",          \
         .group = kScheduling)                                                                    \
  OPTION(std::vector<std::string>, only, {}, "only-run", "CELL/N",                                \
         "Do only this run, named as in --list-runs; can be repeated", .group = kScheduling)      \
  OPTION(std::optional<std::string>, failed, {}, "failed", "WORDS",                               \
         "With --only-run: run nothing; record that the run failed elsewhere, with this message", \
         .needs = "--only-run", .group = kScheduling)                                             \
  OPTION(bool, collects, false, "collect", "",                                                    \
         "Run nothing; write the table and report of the finished runs", .group = kScheduling)    \
  OPTION(bool, has_json_progress, false, "json-progress", "",                                     \
         "Report finished runs and notes as JSON Lines instead of text", .group = kScheduling)    \
  OPTION(bool, ends_with_parent, false, "end-with-parent", "",                                    \
         "Stop when the program that started this one ends, even if it is killed",                \
         .group = kScheduling)
// clang-format on

struct SweepOptions {
  PLANEX_SWEEP_OPTIONS(PLANEX_MEMBER)
};

}  // namespace planex::drive
