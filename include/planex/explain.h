// What to explain about an engine: the topics of `planex explain`.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "planex/options.h"

namespace planex {

// clang-format off
#define PLANEX_EXPLAIN_OPTIONS(OPTION)                                                            \
  OPTION(std::string, topic, "reformats", "topic", "TOPIC",                                       \
         "What to explain: a topic of planex explain", .is_argument = true)                       \
  OPTION(bool, all, false, "all", "", "Show every row, not just the largest")                     \
  OPTION(std::optional<std::string>, devices, {}, "devices", "FILE",                              \
         "Your own device table (JSON, like data/devices.json)",                                  \
         .reads = true, .topic = "speed")                                                         \
  OPTION(std::optional<std::string>, device, {}, "device", "NAME",                                \
         "The device in the table to compare with", .topic = "speed")                             \
  OPTION(bool, probe, false, "probe", "",                                                         \
         "Compare with this machine's CPU; its peak rates are measured once, in about a "         \
         "second, and cached", .topic = "speed")                                                  \
  OPTION(bool, may_measure, true, "may-measure", "",                                              \
         "Measure this machine where its peak rates are not cached; without, only cached "        \
         "ones count", .topic = "speed", .for_programs = true)                                    \
  OPTION(std::optional<std::string>, layer, {}, "layer", "NAME",                                  \
         "One layer, by name or id, with all that was tried for it", .topic = "tactics")          \
  OPTION(std::optional<std::string>, target, {}, "target", "ENGINE",                              \
         "Show only the rules that this engine follows",                                          \
         .choices = {"tensorrt", "tensorrt-rtx", "openvino", "onnxruntime"},                      \
         .topic = "placement")
// clang-format on

struct ExplainRequest {
  PLANEX_EXPLAIN_OPTIONS(PLANEX_MEMBER)
  // Told what is going on before something that takes a moment; may be empty.
  std::function<void(std::string_view)> tell = {};
};

}  // namespace planex
