#include <string>
#include <utility>
#include <vector>

#include "base/text.h"
#include "base/try.h"
#include "cli/commands.h"
#include "cli/model_output.h"
#include "cli/process_options.h"
#include "cli/quantize_options.h"
#include "cli/tune_options.h"
#include "quantize/placement_rules.h"
#include "render/fields/quantize.h"
#include "render/json/record_json.h"
#include "render/markdown/table_markdown.h"
#include "render/text/quantize_text.h"
#include "session/answer/format.h"
#include "tune/quantize.h"

namespace planex::cli {
namespace {

using quantize::NumberFormat;

class QuantizeCommand final : public Command {
 public:
  std::string_view name() const override { return "quantize"; }
  std::string_view summary() const override {
    return "Quantize a float model to INT8, FP8 or INT4 with data, and report what it costs";
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
           "-o model.int8.onnx\n"
           "planex quantize model.onnx --data pictures/ --to fp8 --target tensorrt "
           "-o model.fp8.onnx\n"
           "planex quantize model.onnx --to int4 --target tensorrt-rtx --block-size 64 "
           "-o model.int4.onnx\n"
           "planex quantize model.onnx --data pictures/ --metric ./iou.py -o model.int8.onnx";
  }
  void add_options(CLI::App& app) override {
    options_.add(app, {"*.quantize.json"});
    app.add_option("--to", to_,
                   "The type to quantize to: int8, fp8 (E4M3, for TensorRT and TensorRT-RTX), or "
                   "int4: only weights of products, needs no data")
        ->check(CLI::IsMember({"int8", "fp8", "int4"}))
        ->capture_default_str();
    app.add_option("--block-size", block_size_,
                   "With --to int4: how many values along the summed axis share a scale, 16 to "
                   "256, for TensorRT 64 or 128; channel: all of them [128]")
        ->check(CLI::IsMember({"16", "32", "64", "128", "256", "channel"}))
        ->type_name("N|channel");
    app.add_flag("--dla", is_cache_whole_,
                 "With --cache: write a scale for every float tensor, as a DLA needs");
  }
  Result<int> run(const Environment& environment) override {
    const NumberFormat kind = *quantize::number_format_of(to_);
    const bool is_weights_only = kind == NumberFormat::kInt4;
    using Need = QuantizeOptions::DataNeed;
    PLANEX_ASSIGN(request_,
                  options_.request("planex quantize model.onnx --data pictures/ -o model.int8.onnx",
                                   is_weights_only ? Need::kOptional : Need::kAlways));
    request_.placement.format = kind;
    PLANEX_TRY(check_format(kind));
    if (block_size_ == "channel") {
      request_.placement.block_size = 0;
    } else if (!block_size_.empty()) {
      request_.placement.block_size = std::stoi(block_size_);
    }
    request_.is_cache_whole = is_cache_whole_;
    if (is_cache_whole_ && request_.cache.empty()) {
      return fail(ErrorCode::kUsage, "--dla needs --cache: it changes the calibration cache",
                  "add --cache model.cache");
    }
    const std::string output = request_.output, cache = request_.cache;
    PLANEX_ASSIGN(ModelOutput files, ModelOutput::open(output, request_.model));
    request_.output = files.staged();
    request_.cache = files.stage(cache);
    const auto finish = [&](quantize::Outcome outcome,
                            const drive::Cancellation& cancellation) -> Result<int> {
      outcome.output = output;
      outcome.cache = cache;
      PLANEX_ASSIGN(outcome.output_sha256, files.sha256());
      if (std::string note = tune::note_on_float_rest(outcome); !note.empty()) {
        outcome.notes.push_back(std::move(note));
      }
      return print(outcome, files, cancellation);
    };
    if (is_weights_only && !options_.has_data()) {
      // Nothing is run.
      auto outcome = tune::quantize_model(request_, {});
      return outcome ? finish(std::move(*outcome), {}) : fail(files.settled(outcome.error()));
    }
    PLANEX_ASSIGN(const auto shop, Shop::open(environment, options_.threads()));
    auto outcome = tune::quantize_model(request_, shop->workshop());
    shop->finish();
    if (!outcome) {
      return after_interrupt(fail(files.settled(outcome.error())), shop->interrupt());
    }
    return after_interrupt(finish(std::move(*outcome), shop->interrupt().cancellation()),
                           shop->interrupt());
  }

 private:
  // Options that apply to another format.
  Result<void> check_format(NumberFormat kind) const {
    const auto refuse = [&](std::string_view option, std::string_view why, std::string_view way) {
      return fail(ErrorCode::kUsage,
                  base::format("{} can't be combined with --to {}: {}", option, to_, why),
                  std::string(way));
    };
    if (kind != NumberFormat::kInt4 && !block_size_.empty()) {
      return refuse("--block-size", "its scales are per channel and per tensor",
                    "blocks are for --to int4");
    }
    if (kind == NumberFormat::kInt8) return {};
    if (!request_.cache.empty()) {
      return refuse("--cache", "a calibration cache is for INT8", "leave out --cache");
    }
    if (options_.has_weight_bits()) {
      return refuse("--weight-bits", "it is for INT8", "leave out --weight-bits");
    }
    if (kind == NumberFormat::kInt4 && options_.has_method()) {
      return refuse("--method", "the largest weight of a block sets its scale",
                    "leave out --method");
    }
    if (request_.method && request_.method->method == quantize::Method::kKl) {
      return refuse("--method kl", "it counts levels of equal width, but FP8 levels are not",
                    "use auto, minmax, percentile:99.99 or mse");
    }
    return {};
  }

  Result<int> print(const quantize::Outcome& outcome, ModelOutput& files,
                    const drive::Cancellation& cancellation) {
    const View view = options_.view();
    const session::Writers writers{
        .document = {render::quantize_document(), outcome},
        .rows = [&] { return record::rows_of(outcome.tensors, render::quantized_tensor_fields()); },
        .markdown = [] { return std::string(); },
        .text =
            [&](const render::TableStyle& style) { return render::quantize_text(outcome, style); }};
    const std::string document = session::write(writers, view);
    // Write the record of how the model was made beside it.
    files.add(outcome.output + ".quantize.json",
              session::json_of(writers.document, render::JsonStyle::kPretty));
    PLANEX_TRY(files.commit(cancellation));
    return print_beside(document, files.is_standard_output());
  }

  QuantizeOptions options_;
  tune::QuantizeRequest request_;
  std::string to_ = "int8", block_size_;
  bool is_cache_whole_ = false;
};

}  // namespace

std::unique_ptr<Command> make_quantize_command() { return std::make_unique<QuantizeCommand>(); }

}  // namespace planex::cli
