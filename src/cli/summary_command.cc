#include "base/try.h"
#include "cli/commands.h"

namespace planex::cli {
namespace {

class SummaryCommand final : public Command {
 public:
  std::string_view name() const override { return "summary"; }
  std::string_view summary() const override {
    return "Summarize an engine on one screen: latency, time by type and precision, slowest layers";
  }
  std::string_view examples() const override {
    return "planex summary run/\n"
           "planex run/\n"
           "planex summary fp32/ int8/\n"
           "planex summary run/ --timing\n"
           "planex summary run/resnet18.graph.json --format json\n"
           "planex summary layers.json --profile layer_times.json";
  }
  void add_options(CLI::App& app) override {
    plan_.add_several(app);
    app.add_flag("--timing", timing_,
                 "Show whether the inference times are steady, and which of them count");
    output_.add(app, {"text", "json"});
  }
  Result<int> run(const Environment&) override {
    PLANEX_ASSIGN(const View view, output_.view());
    PLANEX_ASSIGN(const std::vector<OpenRequest> requests, plan_.requests());
    if (requests.size() > 1 && view.format != Format::kText) {
      return fail(ErrorCode::kUsage, "the summary of several engines prints text only",
                  "planex list PLAN… --format json, or planex query");
    }
    std::string document;
    for (const OpenRequest& request : requests) {
      PLANEX_ASSIGN(const Session session, open_session(std::span(&request, 1), output_.file()));
      PLANEX_ASSIGN(const std::string one, timing_ ? session.timing(view) : session.summary(view));
      if (!document.empty()) document += "\n";
      document += one;
    }
    PLANEX_TRY(output_.write(std::move(document)));
    return kExitFine;
  }

 private:
  PlanOptions plan_;
  bool timing_ = false;
  OutputOptions output_;
};

}  // namespace

std::unique_ptr<Command> make_summary_command() { return std::make_unique<SummaryCommand>(); }

}  // namespace planex::cli
