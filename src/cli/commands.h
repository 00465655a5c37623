// The list of verbs: one function per verb, one line per verb in commands.cc.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "cli/command.h"

namespace planex::cli {

std::unique_ptr<Command> make_summary_command();
std::unique_ptr<Command> make_layers_command();
std::unique_ptr<Command> make_list_command();
std::unique_ptr<Command> make_query_command();
std::unique_ptr<Command> make_lint_command();
std::unique_ptr<Command> make_explain_command();
std::unique_ptr<Command> make_compare_command();
std::unique_ptr<Command> make_report_command();
std::unique_ptr<Command> make_serve_command();
std::unique_ptr<Command> make_mcp_command();
std::unique_ptr<Command> make_draw_command();
std::unique_ptr<Command> make_export_command();
std::unique_ptr<Command> make_archive_command();
std::unique_ptr<Command> make_verify_command();
std::unique_ptr<Command> make_process_command();
std::unique_ptr<Command> make_sweep_command();
// One of jobs::verbs().
std::unique_ptr<Command> make_job_command(std::string_view name);
std::unique_ptr<Command> make_probe_command();
std::unique_ptr<Command> make_doctor_command();
std::unique_ptr<Command> make_version_command();
// Schema, completion and the command reference describe the whole parser.
std::unique_ptr<Command> make_schema_command(CLI::App& app);
std::unique_ptr<Command> make_completion_command(const CLI::App& app);
std::unique_ptr<Command> make_man_command(const CLI::App& app);

// All verbs, in the order of the help.
std::vector<std::unique_ptr<Command>> make_commands(CLI::App& app);

}  // namespace planex::cli
