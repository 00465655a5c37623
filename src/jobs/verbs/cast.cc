#include "jobs/verbs/cast.h"

#include <memory>
#include <utility>

#include "base/try.h"
#include "jobs/model_output.h"
#include "jobs/shop.h"
#include "quantize/cast_outcome.h"
#include "render/fields/cast.h"
#include "render/text/cast_text.h"
#include "session/answer/format.h"
#include "tune/cast.h"

namespace planex::jobs {
namespace {

constexpr const char* kExample = "planex cast model.onnx --to fp16 -o model.fp16.onnx";

Result<void> check(const CastRequest& request) {
  const bool has_command = !request.command.empty();
  if (request.model.empty() && !has_command) {
    return fail(ErrorCode::kUsage, "MODEL is required", kExample);
  }
  if (request.to.empty() && !has_command) {
    return fail(ErrorCode::kUsage, "--to is required: fp16 or bf16", kExample);
  }
  if (request.keep_below_db && !request.data.is_given()) {
    return fail(ErrorCode::kUsage, "--keep-below needs --data to run the models");
  }
  // No output is needed if the model stays as it is, which only the command says.
  if (request.output.empty() && !has_command) {
    return fail(ErrorCode::kUsage, "-o FILE is required for the cast model");
  }
  return {};
}

Result<tune::CastRequest> cast_task(const CastRequest& request) {
  tune::CastRequest made{.model = request.model,
                         .output = request.output,
                         .type = quantize::small_type(request.to),
                         .layer_precisions = request.layer_precisions,
                         .layer_output_types = request.layer_output_types,
                         .command = request.command,
                         .sample_limit = request.samples,
                         .judge_limit = request.judge_samples,
                         .keep_below_db = request.keep_below_db};
  quantize::CastOptions& options = made.options;
  options.kept = request.kept;
  options.kept_op_types = request.kept_ops;
  options.only = request.only;
  options.casts_rest = request.only.empty();
  options.margin = request.margin;
  for (const std::string& word : request.io) {
    if (word == "small") {
      options.keeps_io = false;
    } else if (word != "keep") {
      options.small_io.insert(word);
    }
  }
  if (request.data.is_given()) {
    PLANEX_ASSIGN(made.data, data_request(request.data));
  }
  return made;
}

}  // namespace

session::Options options_of(CastRequest& request) {
  session::Options options = {PLANEX_CAST_MODEL(PLANEX_BIND)};
  for (session::Option& option : options_of(request.data)) {
    option.how.place = 0;
    options.push_back(std::move(option));
  }
  add(options, {PLANEX_CAST_OPTIONS(PLANEX_BIND)});
  return options;
}

Result<Answer> run(const CastRequest& request, const Context& context) {
  PLANEX_TRY(check(request));
  PLANEX_ASSIGN(tune::CastRequest made, cast_task(request));
  std::unique_ptr<Shop> shop;
  if (made.data) {
    PLANEX_ASSIGN(shop, Shop::open(context, request.threads));
  }
  PLANEX_ASSIGN(ModelOutput files,
                ModelOutput::open(made.output, tune::cast_source(made), context));
  made.staged = files.staged();
  const auto outcome = tune::cast_model(made, shop == nullptr ? nullptr : &shop->workshop());
  if (!outcome) return fail(files.settled(outcome.error()));
  const session::Writers writers{
      .document = {render::cast_document(), *outcome},
      .rows = [&] { return record::rows_of(outcome->kept, render::cast_kept_fields()); },
      .text =
          [&](const render::TableStyle& style) {
            return render::cast_text(*outcome, request.all, style);
          }};
  // The model stays as it is: there is nothing to write.
  if (outcome->output.empty()) return Answer{.document = session::write(writers, context.view)};
  return files.commit_with(writers, ".cast.json", context);
}

}  // namespace planex::jobs
