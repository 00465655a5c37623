#include "cli/commands.h"

namespace planex::cli {

std::vector<std::unique_ptr<Command>> make_commands(CLI::App& app) {
  std::vector<std::unique_ptr<Command>> commands;
  commands.push_back(make_summary_command());
  commands.push_back(make_list_command());
  commands.push_back(make_layers_command());
  commands.push_back(make_query_command());
  commands.push_back(make_lint_command());
  commands.push_back(make_explain_command());
  commands.push_back(make_compare_command());
  commands.push_back(make_job_command("accuracy"));
  commands.push_back(make_report_command());
  commands.push_back(make_serve_command());
  commands.push_back(make_mcp_command());
  commands.push_back(make_draw_command());
  commands.push_back(make_export_command());
  commands.push_back(make_archive_command());
  commands.push_back(make_verify_command());
  commands.push_back(make_process_command());
  commands.push_back(make_sweep_command());
  commands.push_back(make_job_command("optimize"));
  commands.push_back(make_job_command("quantize"));
  commands.push_back(make_job_command("search"));
  commands.push_back(make_job_command("cast"));
  commands.push_back(make_job_command("clean"));
  commands.push_back(make_job_command("advise"));
  commands.push_back(make_probe_command());
  commands.push_back(make_doctor_command());
  commands.push_back(make_schema_command(app));
  commands.push_back(make_completion_command(app));
  commands.push_back(make_man_command(app));
  commands.push_back(make_version_command());
  return commands;
}

}  // namespace planex::cli
