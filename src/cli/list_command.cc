#include "base/try.h"
#include "cli/commands.h"
#include "cli/file_options.h"
#include "cli/verb_options.h"
#include "session/verbs/requests.h"

namespace planex::cli {
namespace {

class ListCommand final : public Command {
 public:
  std::string_view name() const override { return "list"; }
  std::string_view summary() const override {
    return "List the engines in folders, one per line: latency, device, layers, findings";
  }
  std::string_view examples() const override {
    return "planex list runs/\n"
           "planex list runs/ --sort latency_ms\n"
           "planex list fp32/ int8/ --format csv -o engines.csv";
  }
  void add_options(CLI::App& app) override {
    reads_files(app.add_option("PATH", request_.paths,
                               "Folders, searched recursively; files; archives [.]"))
        ->type_name("[PATH…]");
    cli::add_options(app, session::options_of(request_));
    output_.add(app, {"text", "json", "csv", "markdown"});
  }
  Result<int> run(const Environment&) override {
    PLANEX_ASSIGN(const View view, output_.view());
    if (request_.paths.empty()) request_.paths = {"."};
    PLANEX_ASSIGN(ListResult result, list_engines(request_, view));
    if (result.engine_count == 0) {
      return fail(
          {.code = ErrorCode::kBadInput,
           .message = "no engine was found here",
           .file = request_.paths.front(),
           .hint = "planex doctor FOLDER shows what a folder contains and what is missing"});
    }
    PLANEX_TRY(check_unread(output_.file()));
    PLANEX_TRY(output_.write(std::move(result.document)));
    return result.failed_count == result.engine_count ? kExitBadInput : kExitFine;
  }

 private:
  ListRequest request_;
  OutputOptions output_;
};

}  // namespace

std::unique_ptr<Command> make_list_command() { return std::make_unique<ListCommand>(); }

}  // namespace planex::cli
