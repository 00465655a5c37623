#include "base/try.h"
#include "cli/commands.h"
#include "cli/file_options.h"
#include "planex/archive.h"

namespace planex::cli {
namespace {

class VerifyCommand final : public Command {
 public:
  std::string_view name() const override { return "verify"; }
  std::string_view summary() const override {
    return "Check a capsule: every file in it against its hash";
  }
  std::string_view examples() const override {
    return "planex verify run.planex\n"
           "planex verify run.planex --format json";
  }
  void add_options(CLI::App& app) override {
    reads_files(app.add_option("CAPSULE", path_, "A file that `planex archive` made"))
        ->required()
        ->type_name("");
    output_.add(app, {"text", "json"});
  }
  Result<int> run(const Environment&) override {
    PLANEX_ASSIGN(const View view, output_.view());
    PLANEX_ASSIGN(const VerifyResult result, verify_capsule(path_, view));
    PLANEX_TRY(output_.write(result.document));
    return result.is_intact ? kExitFine : kExitBadInput;
  }

 private:
  std::string path_;
  OutputOptions output_;
};

}  // namespace

std::unique_ptr<Command> make_verify_command() { return std::make_unique<VerifyCommand>(); }

}  // namespace planex::cli
