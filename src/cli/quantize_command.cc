#include <string>
#include <vector>

#include "base/files.h"
#include "base/text.h"
#include "base/try.h"
#include "cli/commands.h"
#include "cli/process_options.h"
#include "cli/tune_options.h"
#include "quantize/placement_rules.h"
#include "render/fields/quantize.h"
#include "render/json/record_json.h"
#include "render/markdown/table_markdown.h"
#include "render/text/quantize_text.h"
#include "session/format.h"
#include "tune/quantize.h"

namespace planex::cli {
namespace {

class QuantizeCommand final : public Command {
 public:
  std::string_view name() const override { return "quantize"; }
  std::string_view summary() const override {
    return "Write an INT8 model from a float one and a folder of data, and tell what it cost";
  }
  std::string_view examples() const override {
    return "planex quantize model.onnx --data pictures/ --prep imagenet -o model.int8.onnx\n"
           "planex quantize model.onnx --data samples.npz -o model.int8.onnx --target tensorrt\n"
           "planex quantize model.onnx --data pictures/ --prep resize=48x320,signed "
           "--method percentile:99.99 -o model.int8.onnx\n"
           "planex quantize model.onnx --data pictures/ --keep head/Conv_3 -o model.int8.onnx "
           "--cache model.cache\n"
           "planex quantize model.onnx --data pictures/ --target tensorrt --cache model.cache "
           "--dla "
           "-o model.int8.onnx";
  }
  void add_options(CLI::App& app) override {
    app.add_option("MODEL", request_.model, "The float model, as ONNX")->required();
    data_.add(app);
    app.add_option("-o,--output", request_.output, "The quantized model")
        ->required()
        ->type_name("FILE");
    app.add_option("--target", target_, "The compiler it is for; decides where Q/DQ go")
        ->check(CLI::IsMember({"openvino", "tensorrt", "tensorrt-rtx"}))
        ->capture_default_str();
    app.add_option("--method", method_,
                   "How scales are chosen: auto judges each on samples that are held back; "
                   "minmax, percentile:99.99, kl (as TensorRT), mse")
        ->capture_default_str()
        ->type_name("METHOD");
    app.add_option("--samples", request_.calibration_limit, "Samples to calibrate with, at most")
        ->capture_default_str()
        ->check(count_from_one());
    app.add_option("--judge", judge_path_,
                   "Judge on these samples; else on some of --data that are held back")
        ->type_name("PATH");
    app.add_option("--judge-samples", request_.judge_limit, "Samples to judge on, at most")
        ->capture_default_str()
        ->check(count_from_zero());
    app.add_option("--keep", request_.placement.kept, "A node that stays in float, by name")
        ->allow_extra_args(false)
        ->type_name("NODE");
    app.add_option("--weight-bits", weight_bits_,
                   "8, or 7 against 16-bit saturation on CPUs without VNNI")
        ->check(CLI::IsMember({"auto", "8", "7"}))
        ->capture_default_str();
    app.add_option("--opset", request_.opset, "Raise the model to this opset (13 or more)")
        ->type_name("N");
    app.add_option("--cache", request_.cache,
                   "Write a TensorRT calibration cache, too (implicit INT8, up to 10.16)")
        ->type_name("FILE");
    app.add_flag("--dla", request_.is_cache_whole,
                 "With --cache: a scale for every float tensor, as a DLA needs");
    app.add_option("--threads", threads_, "Of the processor")->capture_default_str();
    output_format(app);
  }
  Result<int> run(const Environment& environment) override {
    if (!data_.is_given()) {
      return fail(ErrorCode::kUsage, "--data is required",
                  "planex quantize model.onnx --data pictures/ -o model.int8.onnx");
    }
    if (request_.is_cache_whole && request_.cache.empty()) {
      return fail(ErrorCode::kUsage,
                  "--dla is about the calibration cache, and --cache is not given",
                  "add --cache model.cache");
    }
    PLANEX_ASSIGN(request_.data, data_.request());
    if (!judge_path_.empty()) {
      request_.judge_data = request_.data;
      request_.judge_data->path = judge_path_;
      request_.judge_data->preview_dir.clear();
    }
    request_.is_judged = request_.judge_limit > 0;
    request_.placement.target = *quantize::target_of(target_);
    if (method_ != "auto") {
      PLANEX_ASSIGN(request_.method, quantize::parse_method(method_));
    }
    if (weight_bits_ != "auto") request_.weight_bits = weight_bits_ == "7" ? 7 : 8;
    PLANEX_ASSIGN(const auto shop, Shop::open(environment, threads_));
    auto outcome = tune::quantize_model(request_, shop->workshop());
    shop->finish();
    if (!outcome) return after_interrupt(fail(outcome.error()), shop->interrupt());
    return print(*outcome);
  }

 private:
  void output_format(CLI::App& app) {
    app.add_option("--format", format_, "Output format")
        ->check(CLI::IsMember({"text", "json"}))
        ->capture_default_str();
  }

  Result<int> print(const quantize::Outcome& outcome) {
    View view{.format = format_ == "json" ? Format::kJson : Format::kText};
    view.width = static_cast<int>(terminal_width(1));
    view.color = wants_color("auto", 1);
    const session::Writers writers{
        .document = {render::quantize_document(), outcome},
        .rows = [&] { return record::rows_of(outcome.tensors, render::quantized_tensor_fields()); },
        .markdown = [] { return std::string(); },
        .text =
            [&](const render::TableStyle& style) { return render::quantize_text(outcome, style); }};
    const std::string document = session::write(writers, view);
    // The record of how the model was made lies beside it.
    PLANEX_TRY(base::write_file_atomically(
        request_.output + ".quantize.json",
        session::json_of(writers.document, render::JsonStyle::kPretty)));
    PLANEX_TRY(write_pieces({}, [&](const DocumentSink& write) { return write(document); }));
    return kExitFine;
  }

  tune::QuantizeRequest request_;
  DataOptions data_;
  std::string judge_path_, target_ = "openvino", method_ = "auto", weight_bits_ = "auto";
  std::string format_ = "text";
  int threads_ = 1;
};

}  // namespace

std::unique_ptr<Command> make_quantize_command() { return std::make_unique<QuantizeCommand>(); }

}  // namespace planex::cli
