#include "base/text.h"
#include "base/try.h"
#include "cli/commands.h"
#include "cli/file_options.h"
#include "cli/today.h"

namespace planex::cli {
namespace {

class LintCommand final : public Command {
 public:
  std::string_view name() const override { return "lint"; }
  std::string_view summary() const override {
    return "Findings: what to fix, the evidence, and the potential saving";
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
    app.add_flag("--all", request_.all, "Show every finding, not just the first of each rule");
    app.add_option("--fail-on", fail_on_,
                   "Exit with 1 if a finding shown has at least this severity and is about the "
                   "engine, not its measurement")
        ->check(CLI::IsMember({"error", "warning", "info", "never"}))
        ->capture_default_str();
    app.add_flag("--fail-on-measurement", counts_measurement_,
                 "With --fail-on: findings about the measurement count, too; those of rules that "
                 "--rule or --severity names always do");
    list(app, "--pack", request_.packs,
         "Only rules of this pack: generic, tensorrt, tensorrt-rtx, openvino, onnxruntime", "PACK");
    list(app, "--rule", request_.rules, "Only this rule", "RULE");
    list(app, "--no-rule", request_.without_rules, "All rules except this", "RULE");
    list(app, "--severity", request_.severities,
         "Override a rule's severity: error, warning or info", "RULE=SEVERITY");
    file(app, "--rules-file", request_.rules_file, "Your own rules, in SQL (planex.rules/1)");
    uses_files(app.add_option("--waivers", request_.waivers,
                              "Accepted findings, each with a reason (planex.waivers/1)"),
               {.role = FileRole::kUpdates, .when = "--waive"})
        ->type_name("FILE");
    list(app, "--waive", request_.waive,
         "Accept the finding with this fingerprint: adds it to the waivers file", "FINGERPRINT");
    file(app, "--baseline", request_.baseline,
         "Hide the findings in this baseline (planex.baseline/1)");
    writes_file(app.add_option("--write-baseline", request_.write_baseline,
                               "Write all findings that aren't waived as a baseline; the exit code "
                               "is 0"))
        ->type_name("FILE");
    app.add_option("--reason", request_.reason,
                   "Why the findings are accepted (for --waive, --write-baseline)")
        ->type_name("REASON");
    app.add_option("--today", request_.today,
                   "Today's date, for waivers that expire [SOURCE_DATE_EPOCH, else the clock]")
        ->type_name("YYYY-MM-DD");
    app.add_option("--rule-seconds", request_.max_seconds, "Time limit of one rule's SQL")
        ->check(CLI::PositiveNumber)
        ->type_name("S")
        ->capture_default_str();
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
      return fail(ErrorCode::kUsage, "--reason is for --waive and --write-baseline");
    }
    if (!request_.waive.empty() && request_.write_baseline) {
      return fail(ErrorCode::kUsage, "--waive and --write-baseline can't be combined",
                  "each has a reason of its own");
    }
    if (request_.today.empty()) {
      PLANEX_ASSIGN(request_.today, today());
    }
    PLANEX_ASSIGN(const std::vector<OpenRequest> requests, plan_.requests());
    const bool is_of_one = view.format != Format::kText && view.format != Format::kMarkdown;
    if (requests.size() > 1 && (is_of_one || request_.write_baseline || !request_.waive.empty())) {
      return fail(ErrorCode::kUsage, "lint of several engines prints text or Markdown only",
                  "lint one of them");
    }
    if (counts_measurement_ && fail_on_ == "never") {
      return fail(ErrorCode::kUsage, "--fail-on-measurement is for --fail-on",
                  "--fail-on warning, for one");
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
    // A second measurement may not have them: no build mends them.
    if (measurement > 0) {
      print_words(base::format(
          "{} about the measurement, not the engine, and did not fail the "
          "command: --fail-on-measurement lets them\n",
          measurement == 1 ? "1 finding is" : base::format("{} findings are", measurement)));
    }
    return kExitFine;
  }

 private:
  // An option that may come several times, or once with commas.
  static void list(CLI::App& app, const char* option, std::vector<std::string>& target,
                   const char* description, const char* type) {
    app.add_option(option, target, description)
        ->delimiter(',')
        ->allow_extra_args(false)
        ->type_name(type);
  }
  static void file(CLI::App& app, const char* option, std::optional<std::string>& target,
                   const char* description) {
    reads_files(app.add_option(option, target, description))->type_name("FILE");
  }

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
