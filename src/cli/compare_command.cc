#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <span>

#include "base/text.h"
#include "base/try.h"
#include "cli/commands.h"
#include "cli/file_options.h"
#include "session/answer/words.h"

namespace planex::cli {
namespace {

// "3%" or "0.03" as a ratio.
Result<double> ratio_of(std::string_view option, const std::string& text) {
  std::string_view digits = base::trimmed(text);
  const bool is_percent = digits.ends_with('%');
  if (is_percent) digits = base::trimmed(digits.substr(0, digits.size() - 1));
  double value = 0;
  const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  const bool is_whole = parsed.ec == std::errc() && parsed.ptr == digits.data() + digits.size();
  if (is_percent) value /= 100;
  // Also false for what is no number.
  if (!is_whole || !(value >= 0 && value <= 10)) {
    return fail(ErrorCode::kUsage, base::format("{} is {}", option, base::quoted(text)),
                "It is a percentage such as 3%, or a ratio such as 0.03.");
  }
  return value;
}

class CompareCommand final : public Command {
 public:
  std::string_view name() const override { return "compare"; }
  std::string_view summary() const override {
    return "Engines side by side: key figures, which is faster and how sure that is, layer by "
           "layer";
  }
  std::string_view examples() const override {
    return "planex compare fp32/ int8/\n"
           "planex compare fp32/ int8/ --pairs --only mismatch-precision\n"
           "planex compare fp32/ int8/ --ledger\n"
           "planex compare fp32/ int8/ --model model.onnx\n"
           "planex compare --baseline run1/ --baseline run2/ new/ --fail-on-regression 3%\n"
           "planex compare runs/* --format markdown\n"
           "planex compare a/ b/ c/ --format json -o compare.json";
  }
  void add_options(CLI::App& app) override {
    reads_files(app.add_option("PLAN", paths_, "Two or more engines; the first is the base"))
        ->type_name("PLAN PLAN [PLAN…]");
    const auto runs = [&](const char* option, std::vector<std::string>& target,
                          const char* description) {
      reads_files(app.add_option(option, target, description))
          ->allow_extra_args(false)
          ->type_name("PLAN");
    };
    runs("--baseline", baseline_,
         "A run of the base engine, instead of the first PLAN; repeated runs are pooled");
    runs("--candidate", candidate_, "A run of another engine; repeated runs are pooled");
    reads_files(app.add_option(
                    "--model", source_model_,
                    "The ONNX model that the engines were made of: layers are paired by its nodes"))
        ->type_name("FILE");
    app.add_flag("--all", request_.all, "Show all rows in text and Markdown, not just the largest");
    app.add_flag("--pairs", with_pairs_,
                 "Layer pairs; with more than two engines, one row per layer");
    app.add_option("--only", request_.only,
                   "Which pairs: changed, mismatch-precision, mismatch-tactic, type=T, fused, …")
        ->type_name("WHICH");
    CLI::Option* pair =
        app.add_option("--pair", pair_, "One pair in detail: what is equal and what differs")
            ->type_name("N");
    app.add_option("--engine", request_.engine,
                   "With --pair: the index, from 0, of the engine compared with the first")
        ->needs(pair)
        ->capture_default_str()
        ->type_name("N");
    app.add_flag("--ledger", with_ledger_, "Time per operation of the source model");
    CLI::Option* summaries =
        app.add_flag("--summaries", with_summaries_, "How each engine was built and run");
    app.add_flag("--transpose", request_.transpose, "With --summaries: one row per engine")
        ->needs(summaries);
    app.add_option("--match", match_,
                   "How layers are paired; exact-shapes and first-shapes are TREx's rules")
        ->check(CLI::IsMember({"best", "exact-shapes", "first-shapes"}))
        ->capture_default_str();
    app.add_option("--threshold", threshold_,
                   "Relative change from which a layer counts as faster or slower")
        ->capture_default_str()
        ->type_name("PERCENT");
    app.add_option(
           "--fail-on-regression", gate_,
           "Exit with 1 if an engine is slower by more than this, beyond noise; with 5 if there is "
           "nothing to judge by")
        ->type_name("PERCENT");
    app.add_flag("--fail-when-unclear", request_.fail_when_unclear,
                 "With --fail-on-regression: also fail when the verdict is unclear");
    app.add_option("--run-spread", run_spread_,
                   "Standard deviation between runs of one engine on this machine, from earlier "
                   "repeated runs; used where no run is repeated")
        ->type_name("PERCENT");
    output_.add(app, {"text", "json", "csv", "markdown", "junit"});
  }
  Result<int> run(const Environment&) override {
    const std::vector<OpenRequest> requests = this->requests();
    const auto engines = std::ranges::count(requests, false, &OpenRequest::is_repeat);
    if (engines < 2) {
      return fail(ErrorCode::kUsage, "compare needs two or more engines",
                  "planex summary PLAN shows one");
    }
    const bool wants_pairs = with_pairs_ || !request_.only.empty();
    if (int{wants_pairs} + int{pair_.has_value()} + int{with_ledger_} + int{with_summaries_} > 1) {
      return fail(ErrorCode::kUsage, "use only one of --pairs, --pair, --ledger and --summaries");
    }
    PLANEX_ASSIGN(const View view, output_.view());
    PLANEX_ASSIGN(const CompareRequest request, this->request());
    PLANEX_ASSIGN(const Session session, open_session(requests, output_.file()));
    PLANEX_ASSIGN(const CompareResult result, session.compare(request, view));
    PLANEX_TRY(output_.write(result.document));
    if (result.regressed) return kExitFindings;
    return gate_ ? unjudged(session) : kExitFine;
  }

 private:
  // Whether the gate had something to judge by; without, it has not passed.
  static Result<int> unjudged(const Session& session) {
    PLANEX_ASSIGN(const results::Compare compared, session.comparison());
    int code = kExitFine;
    for (const auto& difference : compared.differences) {
      const results::Verdict& verdict = difference.verdict;
      if (verdict.judgement != "unknown") continue;
      code = kExitUnjudged;
      std::string words = "the gate could not judge, so it has not passed: ";
      if (verdict.change_ratio) {
        constexpr double kPercent = 100;
        const double percent = *verdict.change_ratio * kPercent;
        words += base::format(
            "the medians are {:.3g} % {}, and without the times of single inferences nobody can "
            "tell whether that is noise",
            std::abs(percent), percent > 0 ? "slower" : "faster");
      } else {
        words += "an end-to-end time of one of the engines is missing";
      }
      print_words(words +
                  "\n  times of both decide it: trtexec --exportTimes=FILE, or planex process\n");
    }
    return code;
  }

  // Runs of one engine follow one another.
  std::vector<OpenRequest> requests() const {
    std::vector<OpenRequest> requests;
    const auto add_runs = [&](const std::vector<std::string>& paths) {
      for (std::size_t i = 0; i < paths.size(); ++i) {
        requests.push_back({.path = paths[i], .is_repeat = i > 0});
      }
    };
    add_runs(baseline_);
    for (const std::string& path : paths_) requests.push_back({.path = path});
    add_runs(candidate_);
    for (OpenRequest& request : requests) {
      // Of a further run only the times are used.
      if (!request.is_repeat) request.source_model = source_model_;
    }
    return requests;
  }

  Result<CompareRequest> request() const {
    CompareRequest request = request_;
    request.match = *session::value_of_word(std::span(session::kMatchRules), match_);
    if (with_pairs_ || !request.only.empty()) request.section = CompareSection::kPairs;
    if (with_ledger_) request.section = CompareSection::kLedger;
    if (with_summaries_) request.section = CompareSection::kSummaries;
    if (pair_) {
      request.section = CompareSection::kPair;
      request.pair = *pair_;
    }
    PLANEX_ASSIGN(request.threshold_ratio, ratio_of("--threshold", threshold_));
    if (gate_) {
      PLANEX_ASSIGN(request.fail_above_ratio, ratio_of("--fail-on-regression", *gate_));
    }
    if (run_spread_) {
      PLANEX_ASSIGN(request.run_spread_ratio, ratio_of("--run-spread", *run_spread_));
    }
    return request;
  }

  std::vector<std::string> paths_, baseline_, candidate_;
  CompareRequest request_;
  bool with_pairs_ = false, with_ledger_ = false, with_summaries_ = false;
  std::optional<std::size_t> pair_;
  std::string match_ = "best";
  std::string threshold_ = "3%";
  std::optional<std::string> source_model_, gate_, run_spread_;
  OutputOptions output_;
};

}  // namespace

std::unique_ptr<Command> make_compare_command() { return std::make_unique<CompareCommand>(); }

}  // namespace planex::cli
