// Which rows and columns of the layer table to write: `planex layers`.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "planex/options.h"

namespace planex {

// clang-format off
#define PLANEX_LAYERS_OPTIONS(OPTION)                                                             \
  OPTION(std::vector<std::string>, columns, {}, "columns", "NAME,…",                              \
         "Columns, comma-separated; `planex schema` lists them", .commas = true,                  \
         .several_words = true)                                                                   \
  OPTION(std::string, type, {}, "type", "TYPE",                                                   \
         "Only layers of this type, with their parameters as columns: kernel, stride, …")         \
  OPTION(std::string, sort, {}, "sort", "COLUMN",                                                 \
         "Sort by this column: numbers descending, text ascending")                               \
  OPTION(bool, reverse, false, "reverse", "", "Reverse the order")                                \
  OPTION(std::string, filter, {}, "filter", "SQL", "Keep layers that meet this SQL condition")    \
  OPTION(std::size_t, top, 0, "top", "N", "The slowest N layers; with --sort, the first N",       \
         .from = 0, .shows_initial = false)                                                       \
  OPTION(bool, all_records, false, "all-records", "",                                             \
         "Include no-ops, constants and other records that do no work", .old = "all")
// clang-format on

struct LayersRequest {
  PLANEX_LAYERS_OPTIONS(PLANEX_MEMBER)
};

}  // namespace planex
