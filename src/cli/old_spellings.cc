#include "cli/old_spellings.h"

#include "base/text.h"
#include "cli/command.h"

namespace planex::cli {
namespace {

struct OldSpelling {
  std::string_view verb, old, now;
};
constexpr OldSpelling kOldSpellings[] = {
    {"compare", "--baseline", "--base"}, {"compare", "--engine", "--against"},
    {"compare", "--only", "--which"},    {"advise", "--engine", "--timed"},
    {"search", "--engine", "--timed"},   {"draw", "--open", "--unfold"},
    {"sweep", "--run", "--only-run"},
};

}  // namespace

std::vector<std::string> with_todays_names(std::string_view verb, std::vector<std::string> words) {
  for (std::string& word : words) {
    // What follows is for the engine's own program.
    if (word == "--") break;
    const std::string_view name = std::string_view(word).substr(0, word.find('='));
    for (const OldSpelling& one : kOldSpellings) {
      if (one.verb != verb || one.old != name) continue;
      print_words(base::format("note: {} {} is now {}; the old name works until planex 1.0\n", verb,
                               one.old, one.now));
      word = std::string(one.now) + word.substr(name.size());
      break;
    }
  }
  return words;
}

}  // namespace planex::cli
