#include "base/text.h"
#include "base/try.h"
#include "cli/commands.h"
#include "cli/file_options.h"
#include "cli/today.h"
#include "cli/verb_options.h"
#include "session/verbs/requests.h"

namespace planex::cli {
namespace {

class LintCommand final : public Command {
 public:
  std::string_view name() const override { return "lint"; }
  std::string_view summary() const override {
    return "Find what to fix, with the evidence and the potential saving";
  }
  std::string_view examples() const override {
    return "planex lint run/\n"
           "planex lint fp32/ int8/\n"
           "planex lint run/ --all\n"
           "planex lint run/ --pack tensorrt --no-rule channels-not-aligned\n"
           "planex lint run/ --waivers waivers.json --baseline baseline.json --fail-on warning\n"
           "planex lint run/ --waivers waivers.json --waive 9ad15b5bc0c705f8 --reason \"known\"\n"
           "planex lint run/ --write-baseline baseline.json --reason \"as of release 2\"\n"
           "planex lint run/ --rules-file our-rules.json --format sarif -o lint.sarif\n"
           "planex lint --explain reformat-changes-type\n"
           "planex lint --rules";
  }
  void add_options(CLI::App& app) override {
    plan_.add_several(app);
    app.get_option("PLAN")->required(false);
    cli::add_options(app, session::options_of(request_));
    app.add_option("--fail-on", fail_on_,
                   "Exit with 1 if a shown finding has at least this severity and is about the "
                   "engine, not the measurement")
        ->check(CLI::IsMember({"error", "warning", "info", "never"}))
        ->capture_default_str();
    app.add_flag("--fail-on-measurement", counts_measurement_,
                 "With --fail-on: count findings about the measurement, too; those of rules named "
                 "by --rule or --severity always count");
    app.add_option("--explain", explain_, "Describe one rule, with an example, and exit")
        ->type_name("RULE");
    app.add_flag("--rules", rules_,
                 "Describe all rules and exit; as Markdown, or in another --format");
    output_.add(app, {"text", "json", "csv", "markdown", "sarif"});
  }
  Result<int> run(const Environment&) override {
    PLANEX_ASSIGN(const View view, output_.view());
    if (rules_ || explain_) {
      PLANEX_ASSIGN(std::string document, explain_
                                              ? explain_rule(*explain_, request_.rules_file, view)
                                              : describe_rules(view));
      PLANEX_TRY(output_.write(std::move(document)));
      return kExitFine;
    }
    if (plan_.request().path.empty()) {
      return fail(ErrorCode::kUsage, "lint needs a PLAN", "planex lint --help shows how");
    }
    if (!request_.reason.empty() && !request_.write_baseline && request_.waive.empty()) {
      return fail(ErrorCode::kUsage, "--reason needs --waive or --write-baseline");
    }
    if (!request_.waive.empty() && request_.write_baseline) {
      return fail(ErrorCode::kUsage, "--waive and --write-baseline can't be combined",
                  "each needs its own reason");
    }
    if (request_.today.empty()) {
      PLANEX_ASSIGN(request_.today, today());
    }
    PLANEX_ASSIGN(const std::vector<OpenRequest> requests, plan_.requests());
    const bool is_of_one = view.format != Format::kText && view.format != Format::kMarkdown;
    if (requests.size() > 1 && (is_of_one || request_.write_baseline || !request_.waive.empty())) {
      return fail(ErrorCode::kUsage, "lint of several engines prints text or Markdown only",
                  "lint one engine at a time");
    }
    if (counts_measurement_ && fail_on_ == "never") {
      return fail(ErrorCode::kUsage, "--fail-on-measurement needs --fail-on",
                  "for example --fail-on warning");
    }
    LintResult result;
    for (const OpenRequest& request : requests) {
      PLANEX_ASSIGN(const Session session, open_session(std::span(&request, 1), output_.file()));
      PLANEX_ASSIGN(const LintResult one, session.lint(request_, view));
      if (!result.document.empty()) result.document += "\n";
      result.document += one.document;
      result.error_count += one.error_count;
      result.warning_count += one.warning_count;
      result.info_count += one.info_count;
      result.measurement_error_count += one.measurement_error_count;
      result.measurement_warning_count += one.measurement_warning_count;
      result.measurement_info_count += one.measurement_info_count;
    }
    PLANEX_TRY(output_.write(std::move(result.document)));
    // What was just accepted can't fail.
    if (request_.write_baseline) return kExitFine;
    const auto failing = [&](std::size_t errors, std::size_t warnings, std::size_t notes) {
      std::size_t count = 0;
      if (fail_on_ != "never") count += errors;
      if (fail_on_ == "warning" || fail_on_ == "info") count += warnings;
      if (fail_on_ == "info") count += notes;
      return count;
    };
    const std::size_t all = failing(result.error_count, result.warning_count, result.info_count);
    const std::size_t measurement =
        failing(result.measurement_error_count, result.measurement_warning_count,
                result.measurement_info_count);
    if (counts_measurement_ || all > measurement) return all > 0 ? kExitFindings : kExitFine;
    // A second measurement may not have them, and no rebuild fixes them.
    if (measurement > 0) {
      print_words(base::format(
          "{} about the measurement, not the engine, and did not fail the command; "
          "--fail-on-measurement counts them\n",
          measurement == 1 ? "1 finding is" : base::format("{} findings are", measurement)));
    }
    return kExitFine;
  }

 private:
  PlanOptions plan_;
  LintRequest request_;
  std::string fail_on_ = "never";
  bool rules_ = false, counts_measurement_ = false;
  std::optional<std::string> explain_;
  OutputOptions output_;
};

}  // namespace

std::unique_ptr<Command> make_lint_command() { return std::make_unique<LintCommand>(); }

}  // namespace planex::cli
