// Decides from a few bytes of a log line which reader may need it. Nearly all lines of a verbose
// log are needed by none: tactics tried, their times, plugins registered.
#pragma once

#include <cstdint>
#include <string_view>

#include "ingest/tensorrt/log/log_lines.h"

namespace planex::ingest::tensorrt {

struct LineUsers {
  bool layers = false, parser = false, report = false;
};

// Printed by newer parsers for each node before they import any.
inline constexpr std::string_view kStaticCheck = "Static check for parsing node: ";

// Whether a bare line begins like the informative ones: with a capital, a dash or a banner. Large
// numbers of bare lines are data: numbers that a script prints, a plugin's own output.
inline bool begins_like_words(std::string_view text) {
  return !text.empty() && ((text.front() >= 'A' && text.front() <= 'Z') || text.front() == '-' ||
                           text.front() == '&');
}

class LineFilter {
 public:
  // Call for every line, in order. LayerLines gets: bare lines that follow what it consumed, or
  // begin like words; verbose lines that it needs; all [I] lines. ParserLines gets: all verbose
  // lines while it waits for the rest of a node, those that it needs, and all [I] lines.
  // ReportLines gets: everything that is not verbose, and the few verbose lines that it knows.
  LineUsers users_of(const LogLine& line, bool parser_waits);

  // LayerLines consumed the last line: bare lines that follow belong to it.
  void layers_took_it() { in_block_ = true; }

 private:
  bool in_block_ = false;
};

}  // namespace planex::ingest::tensorrt
