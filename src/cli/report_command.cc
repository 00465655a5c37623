#include "base/try.h"
#include "cli/commands.h"

namespace planex::cli {
namespace {

class ReportCommand final : public Command {
 public:
  std::string_view name() const override { return "report"; }
  std::string_view summary() const override {
    return "One self-contained HTML page of one engine or several, to look at and to send";
  }
  std::string_view examples() const override {
    return "planex report run/ -o report.html\n"
           "planex report fp32/ int8/ -o compare.html\n"
           "planex report run/ --format json -o data.json";
  }
  void add_options(CLI::App& app) override {
    app.add_option("PLAN", paths_, "The engines")->required()->type_name("PLAN [PLAN…]");
    app.add_option("-o,--output", output_, "The file to write; - is standard output")
        ->type_name("FILE");
    app.add_option("--format", format_, "The page, or its data")
        ->check(CLI::IsMember({"html", "json"}))
        ->capture_default_str();
  }
  Result<int> run(const Environment&) override {
    if (output_.empty()) {
      return fail(ErrorCode::kUsage, "report needs a file to write",
                  "planex report PLAN -o report.html");
    }
    std::vector<OpenRequest> requests;
    for (const std::string& path : paths_) requests.push_back({.path = path});
    PLANEX_ASSIGN(const Session session, Session::open(requests));
    PLANEX_ASSIGN(const std::string document,
                  session.report(format_ == "json" ? Format::kJson : Format::kText));
    PLANEX_TRY(write_pieces(output_ == "-" ? std::string() : output_,
                            [&](const DocumentSink& write) { return write(document); }));
    return kExitFine;
  }

 private:
  std::vector<std::string> paths_;
  std::string output_;
  std::string format_ = "html";
};

}  // namespace

std::unique_ptr<Command> make_report_command() { return std::make_unique<ReportCommand>(); }

}  // namespace planex::cli
