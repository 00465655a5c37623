#include <cstdio>

#include "base/files.h"
#include "base/text.h"
#include "base/try.h"
#include "cli/browser.h"
#include "cli/commands.h"
#include "cli/file_options.h"
#include "cli/today.h"
#include "cli/verb_options.h"
#include "planex/sweep.h"
#include "session/open/optimized.h"
#include "session/verbs/requests.h"

namespace planex::cli {
namespace {

class ReportCommand final : public Command {
 public:
  std::string_view name() const override { return "report"; }
  std::string_view summary() const override {
    return "Write a self-contained HTML report of one or more engines";
  }
  std::string_view examples() const override {
    return "planex report run/ -o report.html\n"
           "planex report fp32/ int8/ -o compare.html\n"
           "planex report best/ -o report.html\n"
           "planex report run/ --device A10 -o report.html\n"
           "planex report run/ --open\n"
           "planex report run/ --waivers waivers.json -o report.html\n"
           "planex report \"$PWD/run\" --no-paths -o report.html\n"
           "planex report run/ --format json -o data.json";
  }
  void add_options(CLI::App& app) override {
    reads_files(app.add_option("PLAN", paths_, "The engines"))
        ->required()
        ->type_name("PLAN [PLAN…]");
    writes_output(
        app.add_option("-o,--output", output_, "Write the report to FILE; - is standard output"))
        ->type_name("FILE");
    app.add_option("--format", format_,
                   "Write the page, or its data [default: by the extension of -o]")
        ->check(CLI::IsMember({"html", "json"}));
    app.add_flag("--open", open_,
                 "Open the page in the browser; without -o, write it to a temporary file");
    cli::add_options(app, session::options_of(request_));
  }
  Result<int> run(const Environment&) override {
    if (output_.empty() && !open_) {
      return fail(ErrorCode::kUsage, "report needs a file to write",
                  "planex report PLAN -o report.html, or --open to open it in the browser");
    }
    PLANEX_TRY(settle_format());
    if (open_ && (format_ != "html" || output_ == "-")) {
      return fail(ErrorCode::kUsage, "--open needs a page that is written to a file",
                  "planex report PLAN --open");
    }
    if (request_.lint.today.empty()) {
      PLANEX_ASSIGN(request_.lint.today, today());
    }
    request_.speed.tell = [](std::string_view words) { print_words(std::string(words) + "\n"); };
    PLANEX_ASSIGN(const std::string document, make_document());
    const bool is_temporary = output_.empty();
    if (is_temporary) {
      PLANEX_ASSIGN(const std::string folder, make_temporary_folder());
      output_ = base::join_path(folder, "report.html");
    }
    PLANEX_TRY(write_pieces(output_ == "-" ? std::string() : output_,
                            [&](const DocumentSink& write) { return write(document); }));
    if (is_temporary) std::fprintf(stdout, "%s\n", output_.c_str());
    if (open_) PLANEX_TRY(open_in_browser(file_address(output_)));
    return kExitFine;
  }

 private:
  Result<std::string> make_document() {
    request_.format = format_ == "json" ? Format::kJson : Format::kText;
    if (paths_.size() == 1 && is_sweep(paths_.front())) {
      PLANEX_ASSIGN(const Sweep sweep, Sweep::open(paths_.front()));
      PLANEX_TRY(check_unread(output_));
      return sweep.report(request_);
    }
    std::vector<OpenRequest> requests;
    if (paths_.size() == 1 && session::is_optimized(paths_.front(), base::disk())) {
      requests = session::optimized_engines(paths_.front(), base::disk());
      if (!request_.optimize) request_.optimize = session::optimize_record(paths_.front());
    } else {
      for (const std::string& path : paths_) requests.push_back({.path = path});
    }
    PLANEX_ASSIGN(const Session session, open_session(requests, output_));
    return session.report(request_);
  }

  Result<void> settle_format() {
    if (!format_.empty()) return {};
    const std::string name = base::lower(base::file_name_of(output_));
    const std::size_t dot = name.rfind('.');
    const bool has_ending = dot != name.npos && dot > 0;
    format_ = name.ends_with(".json") ? "json" : "html";
    if (!has_ending || format_ == "json" || name.ends_with(".html") || name.ends_with(".htm")) {
      return {};
    }
    return fail(
        ErrorCode::kUsage,
        base::format("can't tell the format from {}", base::quoted(base::file_name_of(output_))),
        "use the extension .html or .json, or add --format");
  }

  std::vector<std::string> paths_;
  std::string output_;
  std::string format_;
  bool open_ = false;
  ReportRequest request_;
};

}  // namespace

std::unique_ptr<Command> make_report_command() { return std::make_unique<ReportCommand>(); }

}  // namespace planex::cli
