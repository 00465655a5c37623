// Says who could want a line of a log after a look at few of its bytes. A verbose log is nearly all
// lines that nobody wants: tactics tried, their times, plugins registered.
#pragma once

#include <cstdint>
#include <string_view>

#include "ingest/tensorrt/log/log_lines.h"

namespace planex::ingest::tensorrt {

struct LineUsers {
  bool layers = false, parser = false, report = false;
};

// What newer parsers print for each node before they import any.
inline constexpr std::string_view kStaticCheck = "Static check for parsing node: ";

// Whether a bare line begins as those do that say something: with a capital, a dash or a banner.
// Masses of bare lines are data: numbers that a script prints, a plugin's own output.
inline bool begins_like_words(std::string_view text) {
  return !text.empty() && ((text.front() >= 'A' && text.front() <= 'Z') || text.front() == '-' ||
                           text.front() == '&');
}

class LineFilter {
 public:
  // Call for every line, in order. LayerLines gets: bare lines that follow what it took, or begin
  // like words; verbose lines that it wants; all [I] lines. ParserLines gets: all verbose lines
  // while it waits for what a node says, those that it wants, and all [I] lines. ReportLines gets:
  // everything that is not verbose, and the few verbose lines that it knows.
  LineUsers users_of(const LogLine& line, bool parser_waits);

  // LayerLines took the last line: bare lines that follow belong to it.
  void layers_took_it() { in_block_ = true; }

 private:
  bool in_block_ = false;
};

}  // namespace planex::ingest::tensorrt
