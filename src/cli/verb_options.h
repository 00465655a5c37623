// Options of a request (src/verbs) as those of the parser.
#pragma once

#include <CLI/CLI.hpp>

#include <string>

#include "session/verbs/option.h"

namespace planex::cli {

struct OptionLooks {
  // The heading that help has them under; empty: the usual.
  std::string group = {};
  // Help says of which topic an option is.
  bool shows_topic = false;
  // Words without a name are added, too; else the verb does that.
  bool has_arguments = false;
};

// Adds all that the command line has: nothing that is for programs. What they are bound to outlives
// the parser. Options that others need were added before, or are among them.
void add_options(CLI::App& app, const session::Options& options, const OptionLooks& looks = {});

}  // namespace planex::cli
