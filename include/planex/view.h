// How a document looks.
#pragma once

#include <cstdint>

#include "planex/options.h"

namespace planex {

enum class Format : std::uint8_t { kText, kJson, kCsv, kMarkdown, kJunit, kSarif };

// clang-format off
#define PLANEX_VIEW_OPTIONS(OPTION)                                                               \
  OPTION(Format, format, Format::kText, "format", "FORMAT", "Output format")                      \
  OPTION(int, width, 0, "width", "N", "Text width in columns; 0: no limit", .from = 0)            \
  OPTION(bool, color, false, "color", "", "Color the text")                                       \
  OPTION(bool, wide, false, "wide", "", "Don't shorten names")
// clang-format on

struct View {
  PLANEX_VIEW_OPTIONS(PLANEX_MEMBER)
};

}  // namespace planex
