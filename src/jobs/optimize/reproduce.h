// What builds and times the best engine without planex: a script in the engine's own language.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace planex::jobs {

struct Reproduced {
  std::string_view engine;
  std::string model;                // as the script names it
  std::string packed;               // where it is in the search's capsule; empty: as in the folder
  std::vector<std::string> shapes;  // "x=1x3x8x8"
  int threads = 1;                  // of one inference
  std::vector<std::string> words;   // for the engine's driver
};

struct Script {
  std::string name;  // reproduce.py, reproduce.sh; empty: there is none for this engine
  std::string text;
};

// Words that only say how long to measure are left out; others that the script can't say are in a
// comment.
Script reproducing_script(const Reproduced& what);

}  // namespace planex::jobs
