// The verbs of jobs::verbs() on the command line.
#include <unistd.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "base/try.h"
#include "cli/commands.h"
#include "cli/process_options.h"
#include "cli/progress_line.h"
#include "cli/verb_options.h"
#include "drive/interrupt.h"
#include "jobs/job.h"

namespace planex::cli {
namespace {

class JobCommand final : public Command {
 public:
  explicit JobCommand(const jobs::Verb& verb) : verb_(verb), job_(verb.make()) {}

  std::string_view name() const override { return verb_.name; }
  std::string_view summary() const override { return verb_.summary; }
  std::string_view examples() const override { return verb_.examples; }

  void add_options(CLI::App& app) override {
    cli::add_options(app, job_->options(), {.has_arguments = true});
    const std::vector<std::string> formats = {"text", "json", "csv", "markdown"};
    if (verb_.writes_document) {
      output_.add(app, formats);
    } else {
      output_.add_view(app, formats);
    }
  }

  Result<int> run(const Environment& environment) override {
    PLANEX_ASSIGN(const View view, output_.view());
    PLANEX_TRY(check_terminal());
    const drive::InterruptScope interrupt;
    auto answer = run_job(environment, view, interrupt.cancellation());
    if (!answer) return after_interrupt(fail(std::move(answer).error()), interrupt);
    if (verb_.writes_document) {
      PLANEX_TRY(output_.write(std::move(answer->document)));
    } else {
      PLANEX_TRY(print_beside(answer->document, answer->is_output_taken));
    }
    return answer->is_met ? kExitFine : kExitFindings;
  }

 private:
  // The progress line is gone when this returns.
  Result<jobs::Answer> run_job(const Environment& environment, const View& view,
                               const drive::Cancellation& cancellation) {
    ProgressLine progress;
    return job_->run({.program_dir = environment.program_dir,
                      .progress = progress,
                      .cancellation = cancellation,
                      .view = view,
                      .standard_output = [](std::string_view model) {
                        return write_pieces(
                            {}, [&](const DocumentSink& write) { return write(model); });
                      }});
  }

  Result<void> check_terminal() {
    const session::Options options = job_->options();
    const bool is_on_terminal =
        ::isatty(STDOUT_FILENO) != 0 && std::ranges::any_of(options, [](const auto& option) {
          return option.how.is_output &&
                 session::values_of(option) == std::vector{std::string("-")};
        });
    if (!is_on_terminal) return {};
    return fail(ErrorCode::kUsage, "a model is binary and is not written to a terminal",
                "-o FILE.onnx");
  }

  const jobs::Verb& verb_;
  std::unique_ptr<jobs::Job> job_;
  OutputOptions output_;
};

}  // namespace

std::unique_ptr<Command> make_job_command(std::string_view name) {
  return std::make_unique<JobCommand>(*jobs::find_verb(name));
}

}  // namespace planex::cli
