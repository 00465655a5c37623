#include <string>
#include <vector>

#include "base/files.h"
#include "base/text.h"
#include "base/try.h"
#include "cli/commands.h"
#include "cli/process_options.h"
#include "cli/quantize_options.h"
#include "cli/tune_options.h"
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
           "-o model.int8.onnx\n"
           "planex quantize model.onnx --data pictures/ --metric ./iou.py -o model.int8.onnx";
  }
  void add_options(CLI::App& app) override {
    options_.add(app);
    app.add_flag("--dla", is_cache_whole_,
                 "With --cache: a scale for every float tensor, as a DLA needs");
  }
  Result<int> run(const Environment& environment) override {
    PLANEX_ASSIGN(request_, options_.request(
                                "planex quantize model.onnx --data pictures/ -o model.int8.onnx"));
    request_.is_cache_whole = is_cache_whole_;
    if (is_cache_whole_ && request_.cache.empty()) {
      return fail(ErrorCode::kUsage,
                  "--dla is about the calibration cache, and --cache is not given",
                  "add --cache model.cache");
    }
    PLANEX_ASSIGN(const auto shop, Shop::open(environment, options_.threads()));
    auto outcome = tune::quantize_model(request_, shop->workshop());
    shop->finish();
    if (!outcome) return after_interrupt(fail(outcome.error()), shop->interrupt());
    return print(*outcome);
  }

 private:
  Result<int> print(const quantize::Outcome& outcome) {
    const View view = options_.view();
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

  QuantizeOptions options_;
  tune::QuantizeRequest request_;
  bool is_cache_whole_ = false;
};

}  // namespace

std::unique_ptr<Command> make_quantize_command() { return std::make_unique<QuantizeCommand>(); }

}  // namespace planex::cli
