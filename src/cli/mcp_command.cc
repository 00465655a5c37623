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
           "planex mcp runs/ nightly/";
  }
  void add_options(CLI::App& app) override {
    reads_files(
        app.add_option("FOLDER", folders_, "A folder to serve; only files below it can be read"))
        ->required()
        ->type_name("FOLDER [FOLDER…]");
  }
  Result<int> run(const Environment& environment) override {
    std::vector<std::string> arguments = {"--"};
    arguments.insert(arguments.end(), folders_.begin(), folders_.end());
    return become({.program = "planex-mcp", .extra = "mcp"}, environment, std::move(arguments));
  }

 private:
  std::vector<std::string> folders_;
};

}  // namespace

std::unique_ptr<Command> make_mcp_command() { return std::make_unique<McpCommand>(); }

}  // namespace planex::cli
