// `planex clean`: a model without what its exporter spelled out, and what does nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "clean/outcome.h"
#include "jobs/job.h"
#include "planex/options.h"

namespace planex::jobs {

// clang-format off
#define PLANEX_CLEAN_OPTIONS(OPTION)                                                              \
  OPTION(std::string, model, {}, "model", "MODEL", "The model, as ONNX",                          \
         .reads = true, .is_required = true, .is_argument = true, .place = 1)                     \
  OPTION(std::string, output, {}, "output", "FILE", "Write the simplified model to FILE",         \
         .also = {"*.clean.json"}, .is_output = true, .is_required = true, .place = 2)            \
  OPTION(std::vector<std::string>, only, {}, "only", "PASS,…",                                    \
         "Only these passes, comma-separated", .commas = true)                                    \
  OPTION(std::vector<std::string>, skipped, {}, "skip", "PASS,…",                                 \
         "All passes but these, comma-separated", .commas = true)                                 \
  OPTION(std::optional<std::int64_t>, opset, {}, "opset", "N",                                    \
         "Raise the model to this opset (13 or more)")                                            \
  OPTION(bool, all, false, "all", "", "Show each place that was simplified", .for_people = true)
// clang-format on

struct CleanRequest {
  PLANEX_CLEAN_OPTIONS(PLANEX_MEMBER)
};

session::Options options_of(CleanRequest& request);
Result<Answer> run(const CleanRequest& request, const Context& context);

}  // namespace planex::jobs
