#include "base/try.h"
#include "cli/commands.h"
#include "planex/version.h"

namespace planex::cli {
namespace {

class SchemaCommand final : public Command {
 public:
  std::string_view name() const override { return "schema"; }
  std::string_view summary() const override { return "List every table and column, with units"; }
  std::string_view examples() const override {
    return "planex schema\n"
           "planex schema --format markdown -o schema.md";
  }
  void add_options(CLI::App& app) override {
    output_.add(app, {"text", "json", "csv", "markdown"});
  }
  Result<int> run(const Environment&) override {
    PLANEX_ASSIGN(const View view, output_.view());
    PLANEX_TRY(output_.write(schema(view)));
    return kExitFine;
  }

 private:
  OutputOptions output_;
};

class VersionCommand final : public Command {
 public:
  std::string_view name() const override { return "version"; }
  std::string_view summary() const override { return "Print the version"; }
  std::string_view examples() const override { return "planex version"; }
  void add_options(CLI::App& app) override { output_.add(app, {"text", "json"}); }
  Result<int> run(const Environment&) override {
    PLANEX_TRY(output_.view());
    const std::string version = PLANEX_VERSION;
    PLANEX_TRY(
        output_.write(output_.format() == "json"
                          ? "{\"schema\":\"planex.version/1\",\"version\":\"" + version + "\"}\n"
                          : "planex " + version + "\n"));
    return kExitFine;
  }

 private:
  OutputOptions output_;
};

}  // namespace

std::unique_ptr<Command> make_schema_command() { return std::make_unique<SchemaCommand>(); }
std::unique_ptr<Command> make_version_command() { return std::make_unique<VersionCommand>(); }

}  // namespace planex::cli
