#include "base/try.h"
#include "cli/commands.h"

namespace planex::cli {
namespace {

class SummaryCommand final : public Command {
 public:
  std::string_view name() const override { return "summary"; }
  std::string_view summary() const override {
    return "One engine on one screen: times, types, precisions, slowest layers";
  }
  std::string_view examples() const override {
    return "planex summary run/\n"
           "planex run/\n"
           "planex summary run/ --timing\n"
           "planex summary run/resnet18.graph.json --format json\n"
           "planex summary layers.json --profile layer_times.json";
  }
  void add_options(CLI::App& app) override {
    plan_.add(app);
    app.add_flag("--timing", timing_,
                 "Whether the times of inferences are steady, and which of them to trust");
    output_.add(app, {"text", "json"});
  }
  Result<int> run(const Environment&) override {
    PLANEX_ASSIGN(const View view, output_.view());
    PLANEX_ASSIGN(const Session session, plan_.open());
    PLANEX_ASSIGN(const std::string document,
                  timing_ ? session.timing(view) : session.summary(view));
    PLANEX_TRY(output_.write(document));
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
