#include "base/try.h"
#include "cli/commands.h"

namespace planex::cli {
namespace {

class CompareCommand final : public Command {
 public:
  std::string_view name() const override { return "compare"; }
  std::string_view summary() const override {
    return "Engines side by side: times by type and precision, layers, traffic, speed-up";
  }
  std::string_view examples() const override {
    return "planex compare fp32/ int8/\n"
           "planex compare runs/* --format markdown\n"
           "planex compare a/ b/ c/ --format json -o compare.json";
  }
  void add_options(CLI::App& app) override {
    app.add_option("PLAN", paths_, "Two engines or more; the first is the base")
        ->required()
        ->type_name("PLAN PLAN [PLAN…]");
    output_.add(app, {"text", "json", "csv", "markdown"});
  }
  Result<int> run(const Environment&) override {
    if (paths_.size() < 2) {
      return fail(ErrorCode::kUsage, "compare needs two engines or more",
                  "planex summary PLAN shows one");
    }
    PLANEX_ASSIGN(const View view, output_.view());
    std::vector<OpenRequest> requests;
    for (const std::string& path : paths_) requests.push_back({.path = path});
    PLANEX_ASSIGN(const Session session, Session::open(requests));
    PLANEX_ASSIGN(const std::string document, session.compare(view));
    PLANEX_TRY(output_.write(document));
    return kExitFine;
  }

 private:
  std::vector<std::string> paths_;
  OutputOptions output_;
};

}  // namespace

std::unique_ptr<Command> make_compare_command() { return std::make_unique<CompareCommand>(); }

}  // namespace planex::cli
