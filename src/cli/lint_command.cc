#include "base/try.h"
#include "cli/commands.h"

namespace planex::cli {
namespace {

class LintCommand final : public Command {
 public:
  std::string_view name() const override { return "lint"; }
  std::string_view summary() const override {
    return "What is worth changing: findings with evidence, worth and fix";
  }
  std::string_view examples() const override {
    return "planex lint run/\n"
           "planex lint run/ --all\n"
           "planex lint run/ --fail-on warning --format json -o findings.json\n"
           "planex lint --rules";
  }
  void add_options(CLI::App& app) override {
    plan_.add(app);
    app.get_option("PLAN")->required(false);
    app.add_flag("--all", request_.all, "Every finding, not only the first of each rule");
    app.add_option("--fail-on", fail_on_, "Exit with 1 where a finding is at least this severe")
        ->check(CLI::IsMember({"error", "warning", "info", "never"}))
        ->capture_default_str();
    app.add_flag("--rules", rules_, "Describe all rules, as Markdown, and stop");
    output_.add(app, {"text", "json", "csv", "markdown"});
  }
  Result<int> run(const Environment&) override {
    if (rules_) {
      PLANEX_TRY(output_.write(rules_reference()));
      return kExitFine;
    }
    if (plan_.request().path.empty()) {
      return fail(ErrorCode::kUsage, "lint needs a PLAN", "planex lint --help shows how");
    }
    PLANEX_ASSIGN(const View view, output_.view());
    PLANEX_ASSIGN(const Session session, plan_.open());
    PLANEX_ASSIGN(const LintResult result, session.lint(request_, view));
    PLANEX_TRY(output_.write(result.document));
    std::size_t failing = 0;
    if (fail_on_ != "never") failing += result.error_count;
    if (fail_on_ == "warning" || fail_on_ == "info") failing += result.warning_count;
    if (fail_on_ == "info") failing += result.info_count;
    return failing > 0 ? kExitFindings : kExitFine;
  }

 private:
  PlanOptions plan_;
  LintRequest request_;
  std::string fail_on_ = "never";
  bool rules_ = false;
  OutputOptions output_;
};

}  // namespace

std::unique_ptr<Command> make_lint_command() { return std::make_unique<LintCommand>(); }

}  // namespace planex::cli
