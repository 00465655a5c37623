#include "jobs/verbs/accuracy.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>

#include "base/numbers.h"
#include "base/text.h"
#include "base/try.h"
#include "jobs/model_output.h"
#include "jobs/shop.h"
#include "jobs/verbs/saved_accuracy.h"
#include "render/fields/layer_accuracy.h"
#include "render/text/layer_accuracy_text.h"
#include "session/answer/format.h"
#include "tune/layer_accuracy.h"
#include "tune/model_file.h"

namespace planex::jobs {
namespace {

// An option for which the engine must run here; empty: none is given.
std::string_view engine_option(const AccuracyRequest& request) {
  return request.bisects              ? "--bisect"
         : !request.cured.empty()     ? "--cured"
         : !request.extracted.empty() ? "--extract"
                                      : "";
}

Result<void> check_limits(const AccuracyRequest& request) {
  if (request.runners.size() > 2) {
    return fail(ErrorCode::kUsage, "--runner is given more than twice",
                "The first is for the reference, the second for the subject.");
  }
  if (!std::isfinite(request.absolute) || !std::isfinite(request.relative) ||
      !std::isfinite(request.fail_below_db.value_or(0))) {
    return fail(ErrorCode::kUsage, "a limit is not a finite number");
  }
  return {};
}

// Options that go with saved tensors.
Result<void> check_saved(const AccuracyRequest& request) {
  if (tune::is_model(request.subject)) {
    return fail({.code = ErrorCode::kUsage,
                 .message = "the second argument is a model, but the first is not",
                 .file = request.reference,
                 .hint = "the model comes first: planex accuracy MODEL.onnx OUTPUTS --data DATA"});
  }
  const std::string_view engine = engine_option(request);
  const std::string_view given = !request.engine_outputs.empty() ? "--engine-outputs"
                                 : request.data.is_given()       ? "--data"
                                                                 : engine;
  if (given.empty()) return {};
  return fail(ErrorCode::kUsage,
              base::format("{} is for models, but these are saved outputs", given));
}

// Options that go with models.
Result<void> check_models(const AccuracyRequest& request) {
  const bool has_two_models = tune::is_model(request.subject);
  if (request.subject.empty()) {
    return fail({.code = ErrorCode::kUsage,
                 .message = "there is nothing to compare the model with",
                 .file = request.reference,
                 .hint = "planex accuracy model.onnx model.int8.onnx --data DATA; instead of the "
                         "second model, give outputs that an engine saved"});
  }
  if (!request.engine_outputs.empty() && !has_two_models) {
    return fail(ErrorCode::kUsage, "the engine's outputs are given twice",
                "planex accuracy MODEL OUTPUTS, or MODEL QUANTIZED --engine-outputs OUTPUTS");
  }
  const std::string_view engine = engine_option(request);
  if (request.engine_outputs.empty() && has_two_models) {
    if (!request.runners.empty()) {
      return fail(ErrorCode::kUsage, "--runner is for saved outputs, but these are models");
    }
  } else if (!engine.empty()) {
    return fail(
        ErrorCode::kUsage,
        base::format("{} runs the engine, but the engine's outputs were saved elsewhere", engine),
        "leave out the outputs: planex accuracy MODEL QUANTIZED --data DATA");
  }
  if (!request.data.is_given()) {
    return fail(ErrorCode::kUsage, "--data is required to run the models",
                "planex accuracy model.onnx model.int8.onnx --data pictures/");
  }
  return check_metrics(request.metrics);
}

Result<std::size_t> alone_count(const std::string& text) {
  if (text == "all") return std::numeric_limits<std::size_t>::max();
  if (const auto count = base::number_in<std::size_t>(text)) return *count;
  return fail(ErrorCode::kUsage,
              base::format("--alone is {}, expected a number or all", base::quoted(text)));
}

Result<tune::LayerAccuracyRequest> accuracy_task(const AccuracyRequest& request) {
  const bool has_two_models = tune::is_model(request.subject);
  tune::LayerAccuracyRequest made{
      .reference = request.reference,
      .subject = has_two_models ? request.subject : std::string(),
      .engine_outputs = has_two_models ? request.engine_outputs : request.subject,
      .metrics = request.metrics,
      .has_layers = !request.is_outputs_only,
      .bisects = request.bisects,
      .maps = request.maps,
      .extracted = request.extracted};
  if (!request.runners.empty()) made.runner = request.runners.front();
  PLANEX_ASSIGN(made.data, data_request(request.data));
  made.data.limit = request.samples;
  PLANEX_ASSIGN(made.alone, alone_count(request.alone));
  const bool runs_layers = made.has_layers && made.alone > 0;
  if (!request.cured.empty() && !runs_layers) {
    return fail(ErrorCode::kUsage, "--cured needs layers to run alone, but none will",
                "leave out --outputs-only and --alone 0");
  }
  if (!request.extracted.empty() && !request.bisects && !runs_layers) {
    return fail(ErrorCode::kUsage,
                "--extract needs to know what is at fault: run layers alone, or use --bisect",
                "add --bisect, or leave out --outputs-only and --alone 0");
  }
  return made;
}

bool is_low(const quantize::LayerAccuracies& result, std::optional<double> limit_db) {
  return limit_db && std::ranges::any_of(result.engine, [&](const auto& output) {
           return !output.difference.is_equal && !(arrays::kept_db(output.difference) >= *limit_db);
         });
}

Result<Answer> compare_models(const AccuracyRequest& request, const Context& context) {
  PLANEX_ASSIGN(tune::LayerAccuracyRequest made, accuracy_task(request));
  PLANEX_ASSIGN(ModelOutput cured, ModelOutput::open(request.cured, request.subject, context));
  made.cured = cured.staged();
  PLANEX_ASSIGN(const auto shop, Shop::open(context, request.threads));
  auto result = tune::layer_accuracy(made, shop->workshop());
  if (!result) return fail(cured.settled(result.error()));
  if (result->cured) {
    result->cured->path = request.cured;
    PLANEX_TRY(cured.commit());
  }
  const session::Writers writers{
      .document = {render::layer_accuracy_document(), *result},
      .rows = [&]() -> session::Rows {
        return record::rows_of(result->layers, render::layer_accuracy_fields());
      },
      .text =
          [&](const render::TableStyle& style) {
            return render::layer_accuracy_text(*result, request.all, request.low_db, style);
          }};
  return Answer{.document = session::write(writers, context.view),
                .is_met = !is_low(*result, request.fail_below_db)};
}

}  // namespace

session::Options options_of(AccuracyRequest& request) {
  session::Options options = {PLANEX_ACCURACY_SIDES(PLANEX_BIND)};
  add(options, options_of(request.data));
  add(options, {PLANEX_ACCURACY_OPTIONS(PLANEX_BIND)});
  return options;
}

Result<Answer> run(const AccuracyRequest& request, const Context& context) {
  PLANEX_TRY(check_limits(request));
  if (!tune::is_model(request.reference)) {
    PLANEX_TRY(check_saved(request));
    return compare_saved(request, context);
  }
  PLANEX_TRY(check_models(request));
  return compare_models(request, context);
}

}  // namespace planex::jobs
