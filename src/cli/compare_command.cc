#include <algorithm>
#include <cmath>
#include <optional>
#include <span>

#include "base/text.h"
#include "base/try.h"
#include "cli/commands.h"
#include "cli/file_options.h"
#include "cli/verb_options.h"
#include "session/verbs/requests.h"

namespace planex::cli {
namespace {

class CompareCommand final : public Command {
 public:
  std::string_view name() const override { return "compare"; }
  std::string_view summary() const override {
    return "Compare engines: key figures, which is faster and how certain that is, layer by layer";
  }
  std::string_view examples() const override {
    return "planex compare fp32/ int8/\n"
           "planex compare fp32/ int8/ --pairs --which mismatch-precision\n"
           "planex compare fp32/ int8/ --ledger\n"
           "planex compare fp32/ int8/ --model model.onnx\n"
           "planex compare --base run1/ --base run2/ new/ --fail-on-regression 3%\n"
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
    runs("--base", baseline_,
         "A run of the base engine, instead of the first PLAN; repeated runs are pooled");
    runs("--candidate", candidate_, "A run of another engine; repeated runs are pooled");
    reads_files(app.add_option(
                    "--model", source_model_,
                    "The ONNX model that the engines were built from, to pair layers by its nodes"))
        ->type_name("FILE");
    app.add_flag("--pairs", with_pairs_,
                 "Show layer pairs; with more than two engines, one row per layer");
    app.add_flag("--ledger", with_ledger_, "Show the time per operation of the source model");
    app.add_flag("--summaries", with_summaries_, "Show how each engine was built and run");
    cli::add_options(app, session::options_of(request_));
    pair_ = app.get_option("--pair");
    gate_ = app.get_option("--fail-on-regression");
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
    if (int{wants_pairs} + int{pair_->count() > 0} + int{with_ledger_} + int{with_summaries_} > 1) {
      return fail(ErrorCode::kUsage, "use only one of --pairs, --pair, --ledger and --summaries");
    }
    PLANEX_ASSIGN(const View view, output_.view());
    const CompareRequest request = this->request();
    PLANEX_ASSIGN(const Session session, open_session(requests, output_.file()));
    PLANEX_ASSIGN(const CompareResult result, session.compare(request, view));
    PLANEX_TRY(output_.write(result.document));
    if (result.regressed) return kExitFindings;
    return gate_->count() > 0 ? unjudged(session) : kExitFine;
  }

 private:
  // Whether the gate had the times to decide; without them, it has not passed.
  static Result<int> unjudged(const Session& session) {
    PLANEX_ASSIGN(const results::Compare compared, session.comparison());
    int code = kExitFine;
    for (const auto& difference : compared.differences) {
      const results::Verdict& verdict = difference.verdict;
      if (verdict.judgement != "unknown") continue;
      code = kExitUnjudged;
      std::string words = "the gate could not decide, so it has not passed: ";
      if (verdict.change_ratio) {
        constexpr double kPercent = 100;
        const double percent = *verdict.change_ratio * kPercent;
        words += base::format(
            "the medians are {:.3g} % {}, but without the times of single inferences there is no "
            "way to tell whether that is noise",
            std::abs(percent), percent > 0 ? "slower" : "faster");
      } else {
        words += "one of the engines has no end-to-end time";
      }
      print_words(words +
                  "\n  record the times of both: trtexec --exportTimes=FILE, or planex process\n");
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
      // Only the times of a further run are used.
      if (!request.is_repeat) request.source_model = source_model_;
    }
    return requests;
  }

  CompareRequest request() const {
    CompareRequest request = request_;
    if (with_pairs_ || !request.only.empty()) request.section = CompareSection::kPairs;
    if (with_ledger_) request.section = CompareSection::kLedger;
    if (with_summaries_) request.section = CompareSection::kSummaries;
    if (pair_->count() > 0) request.section = CompareSection::kPair;
    return request;
  }

  std::vector<std::string> paths_, baseline_, candidate_;
  CompareRequest request_;
  bool with_pairs_ = false, with_ledger_ = false, with_summaries_ = false;
  const CLI::Option *pair_ = nullptr, *gate_ = nullptr;
  std::optional<std::string> source_model_;
  OutputOptions output_;
};

}  // namespace

std::unique_ptr<Command> make_compare_command() { return std::make_unique<CompareCommand>(); }

}  // namespace planex::cli
