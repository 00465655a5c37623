#include <CLI/CLI.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/commands.h"
#include "cli/companion.h"
#include "cli/file_options.h"

namespace planex::cli {
namespace {

class McpCommand final : public Command {
 public:
  std::string_view name() const override { return "mcp"; }
  std::string_view summary() const override {
    return "Serve engines to AI assistants: Model Context Protocol on standard input and output";
  }
  std::string_view examples() const override {
    return "planex mcp runs/\n"
           "planex mcp runs/ nightly/\n"
           "planex mcp models/ --write results/ --max-budget 5m";
  }
  void add_options(CLI::App& app) override {
    reads_files(
        app.add_option("FOLDER", folders_, "A folder to serve; only files below it can be read"))
        ->required()
        ->type_name("FOLDER [FOLDER…]");
    CLI::Option* write = app.add_option(
        "--write", write_,
        "Also offer the tools that run models (optimize, quantize, accuracy, advise, clean); what "
        "they write goes below DIR");
    writes_folder(write)->type_name("DIR");
    app.add_option("--max-budget", max_budget_,
                   "The longest time that a run of a model can take: 90s, 10m, 2h [10m]")
        ->type_name("TIME")
        ->needs(write);
  }
  Result<int> run(const Environment& environment) override {
    std::vector<std::string> arguments;
    if (!write_.empty()) arguments.push_back("--write=" + write_);
    if (!max_budget_.empty()) arguments.push_back("--max-budget=" + max_budget_);
    arguments.emplace_back("--");
    arguments.insert(arguments.end(), folders_.begin(), folders_.end());
    return become({.program = "planex-mcp", .extra = "mcp"}, environment, std::move(arguments));
  }

 private:
  std::vector<std::string> folders_;
  std::string write_, max_budget_;
};

}  // namespace

std::unique_ptr<Command> make_mcp_command() { return std::make_unique<McpCommand>(); }

}  // namespace planex::cli
