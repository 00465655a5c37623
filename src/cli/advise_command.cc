#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/files.h"
#include "base/text.h"
#include "base/try.h"
#include "cli/commands.h"
#include "cli/file_options.h"
#include "cli/model_output.h"
#include "cli/process_options.h"
#include "cli/tune_options.h"
#include "drive/driver.h"
#include "quantize/placement_rules.h"
#include "render/fields/advise.h"
#include "render/json/record_json.h"
#include "render/markdown/table_markdown.h"
#include "render/tables/record_table.h"
#include "render/text/advise_text.h"
#include "session/answer/format.h"
#include "session/open/measured_engine.h"
#include "tune/advise.h"

namespace planex::cli {
namespace {

using quantize::AdviseOutcome;

class AdviseCommand final : public Command {
 public:
  std::string_view name() const override { return "advise"; }
  std::string_view summary() const override {
    return "Advise where a model's Q/DQ should be for a target, estimate the gain, and write the "
           "edited model";
  }
  std::string_view examples() const override {
    return "planex advise model.int8.onnx\n"
           "planex advise model.int8.onnx --timed run/ --all\n"
           "planex advise model.int8.onnx --target tensorrt --format json\n"
           "planex advise model.int8.onnx --apply -o better.onnx\n"
           "planex advise model.int8.onnx --apply -o better.onnx --data pictures/ --prep imagenet\n"
           "planex advise model.int8.onnx --apply -o better.onnx --measure\n"
           "planex advise model.int8.onnx --timed run/ --what-if head/Conv_3 --what-if "
           "head/Relu_4";
  }
  void add_options(CLI::App& app) override {
    reads_files(app.add_option("MODEL", request_.model, "The model with Q/DQ, as ONNX"))
        ->required();
    reads_files(app.add_option("--timed", engine_, kTimedRun))->type_name("RUN");
    app.add_option("--target", target_,
                   "The engine that Q/DQ are for; auto: the one that built --timed, else openvino")
        ->check(CLI::IsMember({"auto", "openvino", "tensorrt", "tensorrt-rtx", "onnxruntime"}))
        ->capture_default_str();
    app.add_option("--what-if", request_.what_if,
                   "Estimate what INT8 would gain in a block that runs in float: a node of the "
                   "block, by name or number: #17")
        ->allow_extra_args(false)
        ->type_name("NODE");
    app.add_flag("--all", all_, "Show every piece of advice, with the layers that it changes");
    auto* apply = app.add_flag("--apply", applies_, "Write the model with all advice applied");
    auto* output = writes_output(app.add_option("-o,--output", output_,
                                                "With --apply: write the edited model to FILE"),
                                 {"*.advise.json"})
                       ->type_name("FILE");
    apply->needs(output);
    output->needs(apply);
    app.add_flag("--measure", measures_,
                 "With --apply: build and time both models here with OpenVINO, alternately, and "
                 "show the forecast next to the measurement")
        ->needs(apply);
    app.add_option("--runs", run_count_, "With --measure: runs of each model")
        ->capture_default_str()
        ->check(count_from_one());
    data_.add(app);
    app.add_option("--samples", request_.sample_limit, "Calibrate with at most this many samples")
        ->capture_default_str()
        ->check(count_from_one());
    app.add_option(
           "--method", method_,
           "How to choose scales for tensors without one: mse, minmax, percentile:99.99, kl")
        ->capture_default_str()
        ->type_name("METHOD");
    app.add_option("--threads", threads_, "CPU threads")
        ->capture_default_str()
        ->check(count_from_one());
    view_.add_view(app, {"text", "json", "csv", "markdown"});
  }

  Result<int> run(const Environment& environment) override {
    PLANEX_ASSIGN(const View view, view_.view());
    PLANEX_TRY(prepare());
    std::unique_ptr<Shop> shop;
    if (data_.is_given() || measures_) {
      PLANEX_ASSIGN(shop, Shop::open(environment, threads_));
    }
    auto outcome = advise(environment, shop.get());
    if (shop) shop->finish();
    if (!outcome) {
      if (!shop) return fail(outcome.error());
      return after_interrupt(fail(outcome.error()), shop->interrupt());
    }
    return print(*outcome, view);
  }

 private:
  Result<void> prepare() {
    request_.output = output_;
    PLANEX_ASSIGN(request_.method, quantize::parse_method(method_));
    if (data_.is_given()) {
      if (!applies_) {
        return fail(ErrorCode::kUsage, "--data needs --apply",
                    "planex advise MODEL.onnx --apply -o OUT.onnx --data DIR");
      }
      PLANEX_ASSIGN(request_.data, data_.request());
    }
    if (!request_.what_if.empty() && engine_.empty() && !measures_) {
      return fail(ErrorCode::kUsage, "--what-if needs a measured engine",
                  "planex process MODEL.onnx -o run/, then --timed run/");
    }
    if (target_ != "auto") request_.target = *quantize::target_of(target_);
    if (measures_ && target_ != "auto" && request_.target != quantize::Target::kOpenvino) {
      return fail(ErrorCode::kUsage,
                  base::format("--measure runs OpenVINO, but the model is edited for {}", target_),
                  "measure with that engine: planex process before and after, then planex compare");
    }
    return check_output();
  }

  // Checks that the output is not the model itself.
  Result<void> check_output() const {
    namespace fs = std::filesystem;
    std::error_code missing;
    if (output_.empty() || !fs::exists(output_, missing)) return {};
    if (!fs::equivalent(request_.model, output_, missing)) return {};
    return fail({.code = ErrorCode::kUsage,
                 .message = "the output would overwrite the model",
                 .file = output_,
                 .hint = "choose another name for -o"});
  }

  Result<AdviseOutcome> advise(const Environment& environment, Shop* shop) {
    std::vector<OpenRequest> before, after;
    if (measures_) PLANEX_TRY(process(environment, *shop, request_.model, "before", before));
    PLANEX_TRY(open_engine(before));
    const tune::Workshop* workshop = shop == nullptr ? nullptr : &shop->workshop();
    PLANEX_ASSIGN(AdviseOutcome outcome, tune::advise_model(request_, workshop));
    if (!measures_) return outcome;
    // Alternately, so that whatever slows the machine slows both.
    for (std::size_t run = 0; run < run_count_; ++run) {
      if (run > 0) PLANEX_TRY(process(environment, *shop, request_.model, "before", before));
      PLANEX_TRY(process(environment, *shop, output_, "after", after));
    }
    PLANEX_ASSIGN(outcome.measurement, measured(before, after));
    return outcome;
  }

  Result<void> open_engine(const std::vector<OpenRequest>& before) {
    OpenRequest engine{.path = engine_};
    if (engine_.empty()) {
      if (before.empty()) return {};
      engine = before.front();
    }
    engine.source_model = request_.model;
    PLANEX_ASSIGN(request_.engine, session::open_measured_engine(engine));
    // The engine just measured is in a folder that is deleted afterwards.
    if (engine_.empty()) request_.engine->path = "a local run";
    const auto built_by = quantize::target_of(request_.engine->producer);
    if (target_ == "auto" && built_by && !measures_) request_.target = *built_by;
    return {};
  }

  Result<void> process(const Environment& environment, const Shop& shop, const std::string& model,
                       std::string_view side, std::vector<OpenRequest>& runs) const {
    const std::string folder =
        base::join_path(shop.workshop().folder, base::format("{}_{}", side, runs.size() + 1));
    drive::ProcessRequest request{.model = model,
                                  .output_dir = folder,
                                  .threads = base::format("{}", threads_),
                                  .program_dir = environment.program_dir};
    // Only the inference times of further runs are used.
    if (!runs.empty()) request.flags = {"--profile-ms", "100", "--rounds", "2"};
    ProgressLine progress;
    PLANEX_ASSIGN(const drive::ProcessOutcome outcome,
                  drive::process(request, progress, shop.interrupt().cancellation()));
    runs.push_back({.path = outcome.engine, .name = std::string(side), .is_repeat = !runs.empty()});
    return {};
  }

  Result<quantize::AdviceMeasurement> measured(const std::vector<OpenRequest>& before,
                                               const std::vector<OpenRequest>& after) const {
    quantize::AdviceMeasurement measurement{.run_count = run_count_};
    for (const auto& [runs, figures] :
         {std::pair(&before, &measurement.before), std::pair(&after, &measurement.after)}) {
      PLANEX_ASSIGN(const quantize::MeasuredEngine engine,
                    session::open_measured_engine(runs->front()));
      *figures = quantize::figures_of(engine);
    }
    std::vector<OpenRequest> all = before;
    all.insert(all.end(), after.begin(), after.end());
    PLANEX_ASSIGN(const Session session, Session::open(all));
    PLANEX_ASSIGN(const results::Compare compared, session.comparison());
    const results::Verdict& verdict = compared.differences.front().verdict;
    if (verdict.base.median_ms) measurement.before.latency_ms = verdict.base.median_ms;
    if (verdict.candidate.median_ms) measurement.after.latency_ms = verdict.candidate.median_ms;
    measurement.change_ratio = verdict.change_ratio;
    measurement.low_ratio = verdict.low_ratio;
    measurement.high_ratio = verdict.high_ratio;
    measurement.judgement = verdict.judgement;
    return measurement;
  }

  Result<int> print(const AdviseOutcome& outcome, const View& view) const {
    const session::Writers writers{
        .document = {render::advise_document(), outcome},
        .rows = [&]() -> session::Rows {
          return record::rows_of(outcome.advice, render::advice_fields());
        },
        .markdown =
            [&] {
              return render::markdown_table(
                  render::table_of(outcome.advice, render::advice_fields()));
            },
        .text =
            [&](const render::TableStyle& style) {
              return render::advise_text(outcome, all_, style);
            }};
    if (!output_.empty()) {
      // Write the record of the changes beside the model.
      PLANEX_TRY(base::write_file_atomically(
          output_ + ".advise.json",
          session::json_of(writers.document, render::JsonStyle::kPretty)));
    }
    PLANEX_TRY(view_.write(session::write(writers, view)));
    return kExitFine;
  }

  tune::AdviseRequest request_;
  DataOptions data_;
  OutputOptions view_;
  std::string engine_, output_, target_ = "auto", method_ = "mse";
  std::size_t run_count_ = 2;
  bool all_ = false, applies_ = false, measures_ = false;
  std::optional<ModelOutput> files_;
  int threads_ = 1;
};

}  // namespace

std::unique_ptr<Command> make_advise_command() { return std::make_unique<AdviseCommand>(); }

}  // namespace planex::cli
