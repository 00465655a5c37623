#include <memory>
#include <string>
#include <vector>

#include "base/try.h"
#include "cli/commands.h"
#include "cli/file_options.h"
#include "cli/model_output.h"
#include "cli/process_options.h"
#include "cli/tune_options.h"
#include "quantize/cast_outcome.h"
#include "render/fields/cast.h"
#include "render/text/cast_text.h"
#include "session/answer/format.h"
#include "tune/cast.h"

namespace planex::cli {
namespace {

class CastCommand final : public Command {
 public:
  std::string_view name() const override { return "cast"; }
  std::string_view summary() const override {
    return "Cast a model to FP16 or BF16 where that is safe; convert a trtexec command to TensorRT "
           "11";
  }
  std::string_view examples() const override {
    return "planex cast model.onnx --to fp16 -o model.fp16.onnx\n"
           "planex cast model.onnx --to fp16 --data samples.npz --keep-below 40 "
           "-o model.fp16.onnx\n"
           "planex cast model.onnx --to bf16 --keep-op Gemm --io small -o model.bf16.onnx\n"
           "planex cast --from-trtexec \"trtexec --onnx=model.onnx --fp16 "
           "--inputIOFormats=fp16:chw\" -o model.fp16.onnx";
  }
  void add_options(CLI::App& app) override {
    reads_files(
        app.add_option("MODEL", request_.model,
                       "The float model, as ONNX; with --from-trtexec, the model in the command"));
    app.add_option("--to", to_, "The small type; with --from-trtexec, as in the command")
        ->check(CLI::IsMember({"fp16", "bf16"}));
    writes_output(app.add_option("-o,--output", request_.output, "Write the cast model to FILE"),
                  {"*.cast.json"})
        ->type_name("FILE");
    data_.add(app);
    app.add_option("--samples", request_.sample_limit,
                   "Measure ranges on at most this many samples")
        ->check(count_from_one())
        ->capture_default_str();
    app.add_option("--judge-samples", request_.judge_limit,
                   "Judge the cast model on at most this many of these samples")
        ->check(count_from_one())
        ->capture_default_str();
    app.add_option("--keep-below", request_.keep_below_db,
                   "Keep nodes in float until each output has this SQNR; needs --data")
        ->type_name("DB");
    app.add_option("--margin", request_.options.margin,
                   "Fraction of the type's range that values can use")
        ->check(CLI::Range(0.01, 1.0).description(""))
        ->capture_default_str()
        ->type_name("RATIO");
    app.add_option("--keep", request_.options.kept,
                   "Keep this node in float: a name, a name with *, or #17 for a number")
        ->allow_extra_args(false)
        ->type_name("NODE");
    app.add_option("--keep-op", request_.options.kept_op_types,
                   "Keep nodes of this operator in float")
        ->allow_extra_args(false)
        ->type_name("OPERATOR");
    app.add_option("--only", request_.options.only,
                   "Cast only this node; nodes that are not named stay in float")
        ->allow_extra_args(false)
        ->type_name("NODE");
    app.add_option("--io", io_,
                   "Types of the model's inputs and outputs: keep (unchanged), small (the small "
                   "type), or the name of one to make small [keep]")
        ->allow_extra_args(false)
        ->type_name("keep|small|NAME");
    app.add_option("--layer-precisions,--layerPrecisions", request_.layer_precisions,
                   "Layer precisions in the syntax of trtexec up to 10.16: NAME:fp32,NAME:fp16 "
                   "with one * per name")
        ->type_name("SPEC");
    app.add_option("--layer-output-types,--layerOutputTypes", request_.layer_output_types,
                   "The same for the outputs of layers")
        ->type_name("SPEC");
    reads_files(app.add_option("--from-trtexec", request_.command,
                               "A command of trtexec up to 10.16: apply its type options to the "
                               "model, and print the command for TensorRT 11"),
                FileRole::kReadsWords)
        ->type_name("COMMAND");
    app.add_option("--threads", threads_, "CPU threads, with --data")->capture_default_str();
    app.add_flag("--all", all_, "Show each node that stays in float");
    app.add_option("--format", format_, "Output format")
        ->check(CLI::IsMember({"text", "json"}))
        ->capture_default_str();
  }

  Result<int> run(const Environment& environment) override {
    PLANEX_TRY(read_options());
    std::unique_ptr<Shop> shop;
    if (data_.is_given()) {
      PLANEX_ASSIGN(request_.data, data_.request());
      PLANEX_ASSIGN(shop, Shop::open(environment, threads_));
    }
    PLANEX_TRY(check_output());
    PLANEX_ASSIGN(ModelOutput files,
                  ModelOutput::open(request_.output, tune::cast_source(request_)));
    request_.staged = files.staged();
    auto outcome = tune::cast_model(request_, shop == nullptr ? nullptr : &shop->workshop());
    if (shop != nullptr) {
      shop->finish();
      if (!outcome) {
        return after_interrupt(fail(files.settled(outcome.error())), shop->interrupt());
      }
    }
    if (!outcome) return fail(files.settled(outcome.error()));
    if (shop == nullptr) return print(*outcome, files, {});
    return after_interrupt(print(*outcome, files, shop->interrupt().cancellation()),
                           shop->interrupt());
  }

 private:
  Result<void> read_options() {
    const bool has_command = !request_.command.empty();
    if (request_.model.empty() && !has_command) {
      return fail(ErrorCode::kUsage, "MODEL is required",
                  "planex cast model.onnx --to fp16 -o model.fp16.onnx");
    }
    if (to_.empty() && !has_command) {
      return fail(ErrorCode::kUsage, "--to is required: fp16 or bf16",
                  "planex cast model.onnx --to fp16 -o model.fp16.onnx");
    }
    if (request_.keep_below_db && !data_.is_given()) {
      return fail(ErrorCode::kUsage, "--keep-below needs --data to run the models");
    }
    request_.type = quantize::small_type(to_);
    request_.options.casts_rest = request_.options.only.empty();
    for (const std::string& word : io_) {
      if (word == "small") {
        request_.options.keeps_io = false;
      } else if (word != "keep") {
        request_.options.small_io.insert(word);
      }
    }
    return {};
  }

  // No output is needed if the model stays as it is, which is known only after reading the command.
  Result<void> check_output() const {
    if (!request_.output.empty() || !request_.command.empty()) return {};
    return fail(ErrorCode::kUsage, "-o FILE is required for the cast model");
  }

  Result<int> print(const quantize::CastOutcome& outcome, ModelOutput& files,
                    const drive::Cancellation& cancellation) {
    View view{.format = format_ == "json" ? Format::kJson : Format::kText};
    view.width = static_cast<int>(terminal_width(1));
    view.color = wants_color("auto", 1);
    const session::Writers writers{
        .document = {render::cast_document(), outcome},
        .rows = [&] { return record::rows_of(outcome.kept, render::cast_kept_fields()); },
        .markdown = [] { return std::string(); },
        .text =
            [&](const render::TableStyle& style) {
              return render::cast_text(outcome, all_, style);
            }};
    const std::string document = session::write(writers, view);
    // Write the record of how the model was made beside it.
    if (!outcome.output.empty()) {
      files.add(outcome.output + ".cast.json",
                session::json_of(writers.document, render::JsonStyle::kPretty));
      PLANEX_TRY(files.commit(cancellation));
    }
    return print_beside(document, files.is_standard_output() && !outcome.output.empty());
  }

  tune::CastRequest request_;
  DataOptions data_;
  std::vector<std::string> io_;
  std::string to_, format_ = "text";
  int threads_ = 1;
  bool all_ = false;
};

}  // namespace

std::unique_ptr<Command> make_cast_command() { return std::make_unique<CastCommand>(); }

}  // namespace planex::cli
