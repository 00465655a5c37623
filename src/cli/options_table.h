// All options of all verbs, one row for each meaning of a name: `planex schema --options`.
#pragma once

#include <CLI/CLI.hpp>

#include <string>

namespace planex::cli {

// A page in Markdown with a table: option, value, what it does, verbs. Rows are sorted by option.
std::string options_table(CLI::App& app);

}  // namespace planex::cli
