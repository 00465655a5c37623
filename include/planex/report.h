// What a report has: `planex report`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "planex/explain.h"
#include "planex/lint.h"
#include "planex/options.h"
#include "planex/view.h"

namespace planex {

// clang-format off
#define PLANEX_REPORT_OPTIONS(OPTION)                                                             \
  OPTION(bool, no_paths, false, "no-paths", "",                                                   \
         "Leave out the folders of files, for a report that you share")                           \
  OPTION(bool, is_light, false, "light", "",                                                      \
         "Leave out what lets the page itself compare, query and judge engines; saves "           \
         "about 2 MB")                                                                            \
  OPTION(bool, is_overview, false, "overview", "",                                                \
         "Data only: of each engine the table of layers, without graph, explanations and "        \
         "comparison", .for_programs = true)                                                      \
  OPTION(std::optional<std::string>, optimize, {}, "optimize", "FILE",                            \
         "The record of planex optimize that the engines came from (optimize.json); a folder "    \
         "that it wrote has one", .reads = true)
// clang-format on

struct ReportRequest {
  // The page; Format::kJson: its data.
  Format format = Format::kText;
  // Which findings it has: rules, waivers, a baseline. What writes files is not looked at.
  LintRequest lint = {};
  // What the engines are held against, all of them the same: of this, what kSpeed has.
  ExplainRequest speed = {};
  PLANEX_REPORT_OPTIONS(PLANEX_MEMBER)
};

}  // namespace planex
