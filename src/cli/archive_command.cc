#include <unistd.h>

#include "base/try.h"
#include "cli/commands.h"
#include "cli/file_options.h"
#include "cli/standard_input.h"
#include "cli/verb_options.h"
#include "planex/archive.h"
#include "session/open/internals.h"
#include "session/verbs/requests.h"

namespace planex::cli {
namespace {

class ArchiveCommand final : public Command {
 public:
  std::string_view name() const override { return "archive"; }
  std::string_view summary() const override {
    return "Pack all files of an engine into a capsule: one file that every command opens";
  }
  std::string_view examples() const override {
    return "planex archive run/ -o run.planex\n"
           "planex archive run/ --redact --salt SECRET -o slow.planex\n"
           "planex archive run/ --with-weights -o run.planex\n"
           "planex archive run/ -o run.tea";
  }
  void add_options(CLI::App& app) override {
    plan_.add_several(app);
    writes_file(app.add_option("-o,--output", request_.output,
                               "Write the capsule to FILE, which ends in .planex, .tea or .zip; "
                               "the content is the same"))
        ->required()
        ->type_name("FILE");
    // Those of the engine are the PLAN's.
    cli::add_options(app, session::own_options_of(request_));
    app.add_option("--format", format_, "Output format")
        ->check(CLI::IsMember({"text", "json"}))
        ->capture_default_str();
  }
  Result<int> run(const Environment&) override {
    PLANEX_ASSIGN(std::vector<OpenRequest> requests, plan_.requests());
    if (requests.size() > 1) {
      return fail(ErrorCode::kUsage, "a capsule contains one engine",
                  "make one per engine; the other commands accept several");
    }
    if (!request_.salt.empty() && !request_.redact) {
      return fail(ErrorCode::kUsage, "--salt needs --redact");
    }
    PLANEX_ASSIGN(const auto files, files_of(requests));
    request_.engine = requests.front();
    View view{.format = format_ == "json" ? Format::kJson : Format::kText};
    view.width = static_cast<int>(terminal_width(STDOUT_FILENO));
    view.color = wants_color("auto", STDOUT_FILENO);
    PLANEX_ASSIGN(const std::string document, session::archive_engine(request_, view, *files));
    PLANEX_TRY(write_pieces({}, [&](const DocumentSink& write) { return write(document); }));
    return kExitFine;
  }

 private:
  PlanOptions plan_;
  ArchiveRequest request_;
  std::string format_ = "text";
};

}  // namespace

std::unique_ptr<Command> make_archive_command() { return std::make_unique<ArchiveCommand>(); }

}  // namespace planex::cli
