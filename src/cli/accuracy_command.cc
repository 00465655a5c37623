#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "arrays/accuracy.h"
#include "arrays/open_arrays.h"
#include "base/files.h"
#include "base/text.h"
#include "base/try.h"
#include "cli/commands.h"
#include "cli/file_options.h"
#include "cli/model_output.h"
#include "cli/process_options.h"
#include "cli/tune_options.h"
#include "render/fields/accuracy.h"
#include "render/fields/layer_accuracy.h"
#include "render/markdown/table_markdown.h"
#include "render/tables/record_table.h"
#include "render/text/accuracy_text.h"
#include "render/text/layer_accuracy_text.h"
#include "session/answer/format.h"
#include "tune/layer_accuracy.h"
#include "tune/model_file.h"

namespace planex::cli {
namespace {

// What is compared, as indices into one file or two.
struct AccuracyRuns {
  std::size_t reference = 0, subject = 0;
};

class AccuracyCommand final : public Command {
 public:
  std::string_view name() const override { return "accuracy"; }
  std::string_view summary() const override {
    return "Compare a model, layer by layer on data, or saved tensors with a reference";
  }
  std::string_view examples() const override {
    return "planex accuracy model.onnx model.int8.onnx --data pictures/ --prep imagenet\n"
           "planex accuracy model.onnx model.int8.onnx --data pictures/ --bisect\n"
           "planex accuracy model.onnx model.int8.onnx --data pictures/ --cured model.fixed.onnx\n"
           "planex accuracy model.onnx model.int8.onnx --data pictures/ --extract fault.onnx\n"
           "planex accuracy model.onnx model.int8.onnx --data pictures/ --labels labels.csv "
           "--metric ./iou.py\n"
           "planex accuracy model.onnx outputs.json --data inputs.json\n"
           "planex accuracy model.onnx model.int8.onnx --data samples.npz --engine-outputs "
           "outputs.npz\n"
           "planex accuracy float.npz int8.npz\n"
           "planex accuracy outputs.json\n"
           "planex accuracy outputs.json --runner onnxrt --runner trt --classes\n"
           "planex accuracy outputs.json trtexec-output.json --runner onnxrt\n"
           "planex accuracy debug-fp32/ debug-int8/ --format csv\n"
           "planex accuracy float.npz int8.npz --fail-below 20\n"
           "planex accuracy float.npz int8.npz --format markdown -o accuracy.md";
  }
  void add_options(CLI::App& app) override {
    reads_files(app.add_option("REF", reference_,
                               "The reference: a float ONNX model, or outputs saved by Polygraphy "
                               "or trtexec, .npz, .npy, or a folder of these"),
                FileRole::kReadsAll)
        ->required();
    reads_files(app.add_option("SUBJECT", subject_,
                               "The quantized model, or outputs saved by an engine, to compare "
                               "with REF [the second run in REF]"),
                FileRole::kReadsAll);
    data_.add(app);
    app.add_option("--samples", sample_limit_, "Models: run at most this many samples")
        ->check(count_from_one())
        ->capture_default_str();
    reads_files(
        app.add_option("--engine-outputs", engine_outputs_,
                       "Models: read the engine's outputs from PATH instead of running OpenVINO; "
                       "they were saved for the same samples, in the order of --data"),
        FileRole::kReadsAll)
        ->type_name("PATH");
    add_metric_option(app, metrics_);
    app.add_flag("--outputs-only", outputs_only_,
                 "Models: compare outputs only, not intermediate tensors");
    app.add_flag("--all", all_, "Models: show every tensor, not just those that lose most");
    app.add_option("--alone", alone_,
                   "Models: number of top suspects, or all, to run with every other layer in "
                   "float; shows whether the model or the engine is at fault")
        ->capture_default_str()
        ->type_name("COUNT");
    app.add_flag("--bisect", bisects_,
                 "Models: find the single scale, weight or layer that loses most in the model's "
                 "own arithmetic");
    app.add_option("--maps", maps_,
                   "Models: map where the differences are in the COUNT tensors that lose most, for "
                   "the Accuracy view of a report")
        ->check(count_from_zero())
        ->capture_default_str()
        ->type_name("COUNT");
    writes_file(app.add_option("--cured", cured_,
                               "Models: write SUBJECT with workarounds for the engine's faults: "
                               "7-bit weights, uint8 tensors"))
        ->type_name("FILE");
    writes_file(app.add_option("--extract", extracted_,
                               "Models: write the smallest part around the layer or tensor at "
                               "fault, for a bug report: FILE.onnx, the same in float as "
                               "FILE.float.onnx, inputs and expected outputs as FILE.npz"),
                {"%.float.onnx", "%.npz"})
        ->type_name("FILE");
    app.add_option("--low", low_db_, "Models: name the first tensor below this SQNR")
        ->capture_default_str()
        ->type_name("DB");
    app.add_option("--threads", threads_, "Models: CPU threads")->capture_default_str();
    app.add_option("--runner", runners_,
                   "Choose the run of a file with several, by its name or part of it; give it "
                   "twice to choose one for the reference and one for the subject")
        ->allow_extra_args(false)
        ->type_name("NAME");
    app.add_option("--absolute", request_.tolerance.absolute,
                   "Absolute tolerance, added to --relative: a larger error counts as outside")
        ->check(CLI::NonNegativeNumber)
        ->capture_default_str()
        ->type_name("X");
    app.add_option("--relative", request_.tolerance.relative,
                   "Relative tolerance, as a fraction of the reference's value")
        ->check(CLI::NonNegativeNumber)
        ->capture_default_str()
        ->type_name("X");
    app.add_flag("--classes", request_.with_classes,
                 "Treat the last axis as classes: show how often the largest agree (top-1, top-5)");
    app.add_option("--fail-below", request_.fail_below_db,
                   "Exit with 1 if the SQNR of a tensor, or of a part of it that is judged "
                   "separately, is below DB, or if a tensor can't be compared")
        ->type_name("DB");
    output_.add(app, {"text", "json", "csv", "markdown"});
  }

  Result<int> run(const Environment& environment) override {
    if (runners_.size() > 2) {
      return fail(ErrorCode::kUsage, "--runner is given more than twice",
                  "The first is for the reference, the second for the subject.");
    }
    const double absolute = request_.tolerance.absolute, relative = request_.tolerance.relative;
    if (!std::isfinite(absolute) || !std::isfinite(relative) ||
        !std::isfinite(request_.fail_below_db.value_or(0))) {
      return fail(ErrorCode::kUsage, "a limit is not a finite number");
    }
    PLANEX_ASSIGN(const View view, output_.view());
    if (tune::is_model(reference_)) {
      PLANEX_TRY(check_models());
      return compare_models(environment, view);
    }
    if (tune::is_model(subject_)) {
      return fail(
          {.code = ErrorCode::kUsage,
           .message = "the second argument is a model, but the first is not",
           .file = reference_,
           .hint = "the model comes first: planex accuracy MODEL.onnx OUTPUTS --data DATA"});
    }
    if (!engine_outputs_.empty()) {
      return fail(ErrorCode::kUsage, "--engine-outputs is for models, but these are saved outputs");
    }
    if (data_.is_given()) {
      return fail(ErrorCode::kUsage, "--data is for models, but these are saved outputs");
    }
    if (bisects_ || !cured_.empty() || !extracted_.empty()) {
      return fail(ErrorCode::kUsage, base::format("{} is for models, but these are saved outputs",
                                                  bisects_          ? "--bisect"
                                                  : !cured_.empty() ? "--cured"
                                                                    : "--extract"));
    }
    PLANEX_ASSIGN(const arrays::SavedArrays reference,
                  arrays::open_arrays(reference_, base::disk()));
    const bool is_one_file = subject_.empty() || subject_ == reference_;
    arrays::SavedArrays other;
    if (!is_one_file) {
      PLANEX_ASSIGN(other, arrays::open_arrays(subject_, base::disk()));
    }
    const arrays::SavedArrays& subject = is_one_file ? reference : other;
    PLANEX_ASSIGN(const AccuracyRuns runs,
                  is_one_file ? runs_of_one(reference) : runs_of_two(reference, subject));
    auto compared =
        arrays::compare_arrays(reference.runs[runs.reference], subject.runs[runs.subject],
                               reference.has_file_names || subject.has_file_names, request_);
    if (!compared) {
      Error error = std::move(compared).error();
      error.file = is_one_file ? reference_ : subject_;
      return fail(std::move(error));
    }
    arrays::AccuracyReport report = *std::move(compared);
    report.reference.path = reference_;
    report.subject.path = is_one_file ? reference_ : subject_;
    report.reference.format = to_string(reference.format);
    report.subject.format = to_string(subject.format);
    for (const arrays::SavedArrays* side : {&reference, &subject}) {
      if (side == &reference || !is_one_file) {
        report.remarks.insert(report.remarks.end(), side->remarks.begin(), side->remarks.end());
      }
    }
    PLANEX_TRY(output_.write(document_of(report, view)));
    return report.failed_count() > 0 ? kExitFindings : kExitFine;
  }

 private:
  // Checks the options that go with models.
  Result<void> check_models() const {
    if (subject_.empty()) {
      return fail({.code = ErrorCode::kUsage,
                   .message = "there is nothing to compare the model with",
                   .file = reference_,
                   .hint = "planex accuracy model.onnx model.int8.onnx --data DATA; instead of the "
                           "second model, give outputs that an engine saved"});
    }
    const bool has_outputs = !engine_outputs_.empty() || !tune::is_model(subject_);
    if (!has_outputs) {
      if (runners_.empty()) return {};
      return fail(ErrorCode::kUsage, "--runner is for saved outputs, but these are models");
    }
    if (!engine_outputs_.empty() && !tune::is_model(subject_)) {
      return fail(ErrorCode::kUsage, "the engine's outputs are given twice",
                  "planex accuracy MODEL OUTPUTS, or MODEL QUANTIZED --engine-outputs OUTPUTS");
    }
    const std::string_view given = bisects_              ? "--bisect"
                                   : !cured_.empty()     ? "--cured"
                                   : !extracted_.empty() ? "--extract"
                                                         : "";
    if (given.empty()) return {};
    return fail(
        ErrorCode::kUsage,
        base::format("{} runs the engine, but the engine's outputs were saved elsewhere", given),
        "leave out the outputs: planex accuracy MODEL QUANTIZED --data DATA");
  }

  Result<int> compare_models(const Environment& environment, const View& view) {
    if (!data_.is_given()) {
      return fail(ErrorCode::kUsage, "--data is required to run the models",
                  "planex accuracy model.onnx model.int8.onnx --data pictures/");
    }
    const bool has_two_models = tune::is_model(subject_);
    tune::LayerAccuracyRequest request{.reference = reference_,
                                       .subject = has_two_models ? subject_ : std::string()};
    request.engine_outputs = has_two_models ? engine_outputs_ : subject_;
    if (!runners_.empty()) request.runner = runners_.front();
    PLANEX_ASSIGN(request.data, data_.request());
    request.data.limit = sample_limit_;
    request.has_layers = !outputs_only_;
    PLANEX_TRY(check_metrics(metrics_));
    request.metrics = metrics_;
    PLANEX_ASSIGN(request.alone, alone_count());
    std::optional<ModelOutput> cured;
    if (!cured_.empty()) {
      PLANEX_ASSIGN(ModelOutput files, ModelOutput::open(cured_, subject_));
      cured.emplace(std::move(files));
      request.cured = cured->staged();
    }
    request.bisects = bisects_;
    request.maps = maps_;
    request.extracted = extracted_;
    if (!cured_.empty() && (outputs_only_ || request.alone == 0)) {
      return fail(ErrorCode::kUsage, "--cured needs layers to run alone, but none will",
                  "leave out --outputs-only and --alone 0");
    }
    if (!extracted_.empty() && !bisects_ && (outputs_only_ || request.alone == 0)) {
      return fail(ErrorCode::kUsage,
                  "--extract needs to know what is at fault: run layers alone, or use --bisect",
                  "add --bisect, or leave out --outputs-only and --alone 0");
    }
    PLANEX_ASSIGN(const auto shop, Shop::open(environment, threads_));
    auto result = tune::layer_accuracy(request, shop->workshop());
    shop->finish();
    if (!result) {
      const Error error = cured ? cured->settled(result.error()) : result.error();
      return after_interrupt(fail(error), shop->interrupt());
    }
    if (cured && result->cured) {
      result->cured->path = cured_;
      PLANEX_TRY(cured->commit());
    }
    const session::Writers writers{
        .document = {render::layer_accuracy_document(), *result},
        .rows = [&]() -> session::Rows {
          return record::rows_of(result->layers, render::layer_accuracy_fields());
        },
        .markdown =
            [&] {
              return render::markdown_table(
                  render::table_of(result->layers, render::layer_accuracy_fields()));
            },
        .text =
            [&](const render::TableStyle& style) {
              return render::layer_accuracy_text(*result, all_, low_db_, style);
            }};
    PLANEX_TRY(output_.write(session::write(writers, view)));
    if (!request_.fail_below_db) return kExitFine;
    const bool is_low = std::ranges::any_of(result->engine, [&](const auto& output) {
      return !output.difference.is_equal &&
             !(arrays::kept_db(output.difference) >= *request_.fail_below_db);
    });
    return is_low ? kExitFindings : kExitFine;
  }

  Result<std::size_t> alone_count() const {
    if (alone_ == "all") return std::numeric_limits<std::size_t>::max();
    std::size_t count = 0;
    const char* end = alone_.data() + alone_.size();
    const auto [stop, error] = std::from_chars(alone_.data(), end, count);
    if (error == std::errc() && stop == end) return count;
    return fail(ErrorCode::kUsage,
                base::format("--alone is {}, expected a number or all", base::quoted(alone_)));
  }

  // Of two runs the first is the reference.
  Result<AccuracyRuns> runs_of_one(const arrays::SavedArrays& saved) const {
    const std::size_t count = saved.runs.size();
    // Both were named: comparing a file with itself should show that nothing differs.
    if (count == 1 && !subject_.empty()) {
      for (const std::string& runner : runners_) PLANEX_TRY(run_called(saved, reference_, runner));
      return AccuracyRuns{0, 0};
    }
    if (count < 2) {
      return fail({.code = ErrorCode::kUsage,
                   .message = base::format("the file has {}: there is nothing to compare it with",
                                           base::counted(count, "run")),
                   .file = reference_,
                   .hint = "name a second file: planex accuracy REF SUBJECT"});
    }
    if (runners_.size() == 2) {
      PLANEX_ASSIGN(const std::size_t first, run_called(saved, reference_, runners_[0]));
      PLANEX_ASSIGN(const std::size_t second, run_called(saved, reference_, runners_[1]));
      return AccuracyRuns{first, second};
    }
    if (runners_.size() == 1) {
      PLANEX_ASSIGN(const std::size_t subject, run_called(saved, reference_, runners_[0]));
      if (subject != 0) return AccuracyRuns{0, subject};
      return fail({.code = ErrorCode::kUsage,
                   .message = "--runner names the first run of the file, which is the reference",
                   .file = reference_,
                   .hint = "name both: --runner REFERENCE --runner SUBJECT"});
    }
    if (count == 2) return AccuracyRuns{0, 1};
    // Fails with a list of the runs.
    PLANEX_TRY(run_called(saved, reference_, {}));
    return AccuracyRuns{0, 1};
  }

  // A single name applies to the file that has several runs.
  Result<AccuracyRuns> runs_of_two(const arrays::SavedArrays& reference,
                                   const arrays::SavedArrays& subject) const {
    const auto name_for = [&](std::size_t side, const arrays::SavedArrays& saved) -> std::string {
      if (runners_.size() == 2) return runners_[side];
      return runners_.size() == 1 && saved.runs.size() > 1 ? runners_[0] : std::string();
    };
    if (runners_.size() == 1 && reference.runs.size() < 2 && subject.runs.size() < 2) {
      PLANEX_TRY(run_called(subject, subject_, runners_[0]));
    }
    PLANEX_ASSIGN(const std::size_t first,
                  run_called(reference, reference_, name_for(0, reference)));
    PLANEX_ASSIGN(const std::size_t second, run_called(subject, subject_, name_for(1, subject)));
    return AccuracyRuns{first, second};
  }

  static std::string document_of(const arrays::AccuracyReport& report, const View& view) {
    return session::write(
        {.document = {render::accuracy_document(), report},
         .rows = [&]() -> session::Rows {
           return record::rows_of(report.tensors, render::tensor_accuracy_fields());
         },
         .markdown = [&] { return render::accuracy_markdown(report); },
         .text =
             [&](const render::TableStyle& style) { return render::accuracy_text(report, style); }},
        view);
  }

  std::string reference_, subject_;
  std::vector<std::string> runners_;
  arrays::AccuracyRequest request_;
  DataOptions data_;
  std::size_t sample_limit_ = 32, maps_ = 0;
  bool outputs_only_ = false, all_ = false, bisects_ = false;
  std::vector<std::string> metrics_;
  std::string alone_ = "4", cured_, extracted_, engine_outputs_;
  double low_db_ = 20;
  int threads_ = 1;
  OutputOptions output_;
};

}  // namespace

std::unique_ptr<Command> make_accuracy_command() { return std::make_unique<AccuracyCommand>(); }

}  // namespace planex::cli
