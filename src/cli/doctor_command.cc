#include <span>

#include "base/try.h"
#include "cli/commands.h"
#include "cli/standard_input.h"
#include "session/open/internals.h"

namespace planex::cli {
namespace {

class DoctorCommand final : public Command {
 public:
  std::string_view name() const override { return "doctor"; }
  std::string_view summary() const override {
    return "Show which files of an engine are missing, and which engines this machine can run";
  }
  std::string_view examples() const override {
    return "planex doctor\n"
           "planex doctor run/\n"
           "planex doctor layers.json --format json\n"
           "planex doctor - < pasted.txt\n"
           "planex doctor model.onnx";
  }
  void add_options(CLI::App& app) override {
    plan_.add(app, false);
    output_.add(app, {"text", "json"});
  }
  Result<int> run(const Environment& environment) override {
    PLANEX_ASSIGN(const View view, output_.view());
    OpenRequest request = plan_.request();
    PLANEX_ASSIGN(const auto files, files_of(std::span(&request, 1)));
    PLANEX_ASSIGN(const DoctorResult result,
                  session::doctor(request, view, environment.program_dir, *files));
    PLANEX_TRY(check_unread(output_.file()));
    PLANEX_TRY(output_.write(result.document));
    return result.readable ? kExitFine : kExitBadInput;
  }

 private:
  PlanOptions plan_;
  OutputOptions output_;
};

}  // namespace

std::unique_ptr<Command> make_doctor_command() { return std::make_unique<DoctorCommand>(); }

}  // namespace planex::cli
