// A file with what a search has measured, so that a stopped search can continue.
//
//   planex.search-state/1 KEY
//   SQNR TOP1 ROWS WHAT
//
// KEY identifies the model, data and options; then one line per model that was measured: its score,
// and what it is, to the end of the line. SQNR in dB, or inf, -inf.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "planex/error.h"
#include "quantize/front.h"

namespace planex::quantize {

struct SearchState {
  std::string key;  // SHA-256 of all that the scores depend on
  std::map<std::string, Score, std::less<>> measured;
};

// Scores read back bit for bit. Errors: kBadInput (not a state file, or another version of it).
Result<SearchState> parse_search_state(std::string_view text);
std::string write_search_state(const SearchState& state);

}  // namespace planex::quantize
