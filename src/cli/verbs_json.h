// `planex schema --verbs`: the verbs that are described once, with their options, for who makes
// something of them: functions of Python, tools of an assistant, forms.
#pragma once

#include <CLI/CLI.hpp>

#include <string>

namespace planex::cli {

// planex.verbs/1, as docs/reference/formats.md describes it.
// Summaries are those of the command line, `app`.
std::string verbs_json(const CLI::App& app);

}  // namespace planex::cli
