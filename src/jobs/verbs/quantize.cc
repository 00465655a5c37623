#include "jobs/verbs/quantize.h"

#include <memory>
#include <string_view>
#include <utility>

#include "base/text.h"
#include "base/try.h"
#include "jobs/clean_file.h"
#include "jobs/model_output.h"
#include "jobs/shop.h"
#include "quantize/placement_rules.h"
#include "render/fields/quantize.h"
#include "render/text/quantize_text.h"
#include "session/answer/format.h"
#include "tune/quantize.h"

namespace planex::jobs {
namespace {

using quantize::NumberFormat;

// Options that apply to another format.
Result<void> check_format(const QuantizeRequest& request, NumberFormat kind) {
  const auto refuse = [&](std::string_view option, std::string_view why, std::string_view way) {
    return fail(ErrorCode::kUsage,
                base::format("{} can't be combined with --to {}: {}", option, request.to, why),
                std::string(way));
  };
  const QuantizingOptions& options = request.quantizing;
  if (kind != NumberFormat::kInt4 && !request.block_size.empty()) {
    return refuse("--block-size", "its scales are per channel and per tensor",
                  "blocks are for --to int4");
  }
  if (kind == NumberFormat::kInt8) return {};
  if (!options.cache.empty()) {
    return refuse("--cache", "a calibration cache is for INT8", "leave out --cache");
  }
  if (options.weight_bits != "auto") {
    return refuse("--weight-bits", "it is for INT8", "leave out --weight-bits");
  }
  if (kind == NumberFormat::kInt4 && options.method != "auto") {
    return refuse("--method", "the largest weight of a block sets its scale", "leave out --method");
  }
  if (options.method == "kl") {
    return refuse("--method kl", "it counts levels of equal width, but FP8 levels are not",
                  "use auto, minmax, percentile:99.99 or mse");
  }
  return {};
}

Result<tune::QuantizeRequest> quantize_task(const QuantizeRequest& request, NumberFormat kind) {
  PLANEX_ASSIGN(tune::QuantizeRequest made,
                quantize_request(request.quantizing, kind != NumberFormat::kInt4,
                                 "planex quantize model.onnx --data pictures/ -o model.int8.onnx"));
  made.placement.format = kind;
  PLANEX_TRY(check_format(request, kind));
  if (request.block_size == "channel") {
    made.placement.block_size = 0;
  } else if (!request.block_size.empty()) {
    made.placement.block_size = std::stoi(request.block_size);
  }
  made.is_cache_whole = request.is_cache_whole;
  if (made.is_cache_whole && made.cache.empty()) {
    return fail(ErrorCode::kUsage, "--dla needs --cache: it changes the calibration cache",
                "add --cache model.cache");
  }
  return made;
}

Result<Answer> quantize_answer(const quantize::Outcome& outcome, ModelOutput& files,
                               const Context& context) {
  const session::Writers writers{
      .document = {render::quantize_document(), outcome},
      .rows = [&] { return record::rows_of(outcome.tensors, render::quantized_tensor_fields()); },
      .text =
          [&](const render::TableStyle& style) { return render::quantize_text(outcome, style); }};
  return files.commit_with(writers, ".quantize.json", context);
}

}  // namespace

session::Options options_of(QuantizeRequest& request) {
  session::Options options = options_of(request.quantizing, "*.quantize.json");
  add(options, {PLANEX_QUANTIZE_OPTIONS(PLANEX_BIND)});
  return options;
}

Result<Answer> run(const QuantizeRequest& request, const Context& context) {
  const NumberFormat kind = *quantize::number_format_of(request.to);
  PLANEX_ASSIGN(tune::QuantizeRequest made, quantize_task(request, kind));
  PLANEX_ASSIGN(ModelOutput files, ModelOutput::open(made.output, made.model, context));
  const std::string output = std::exchange(made.output, files.staged());
  const std::string cache = std::exchange(made.cache, files.stage(made.cache));
  std::unique_ptr<Shop> shop;
  // The weights alone need no data, and without data nothing is run.
  if (kind != NumberFormat::kInt4 || request.quantizing.data.is_given()) {
    PLANEX_ASSIGN(shop, Shop::open(context, request.quantizing.threads));
  }
  auto outcome = tune::quantize_model(made, shop == nullptr ? tune::Workshop() : shop->workshop());
  if (!outcome) return fail(files.settled(outcome.error()));
  outcome->output = output;
  outcome->cache = cache;
  PLANEX_ASSIGN(outcome->output_sha256, files.sha256());
  if (std::string note = note_on_cleaning(outcome->model); !note.empty()) {
    outcome->notes.push_back(std::move(note));
  }
  if (std::string note = tune::note_on_float_rest(*outcome); !note.empty()) {
    outcome->notes.push_back(std::move(note));
  }
  return quantize_answer(*outcome, files, context);
}

}  // namespace planex::jobs
