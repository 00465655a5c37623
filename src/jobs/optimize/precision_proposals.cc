// Models in smaller types: INT8 where the target gains by it, with layers in float where the goal
// asks for them.
#include <algorithm>
#include <utility>

#include "base/files.h"
#include "base/text.h"
#include "base/try.h"
#include "jobs/optimize/proposals.h"
#include "quantize/accuracy.h"
#include "quantize/outcome.h"
#include "tune/measurements.h"
#include "tune/quantize.h"
#include "tune/search.h"

namespace planex::jobs {
namespace {

// How many samples show ranges; more rarely change a scale.
constexpr std::size_t kCalibrationSamples = 128, kJudgeSamples = 64;

// A model that is quantized already, or has nothing to quantize, has nothing to change.
Result<Made> refused(const Error& error) {
  if (error.code == ErrorCode::kUnsupported) return Made{.reason = error.message};
  return fail(error);
}

Result<tune::QuantizeRequest> int8_request(const ProposalNeeds& needs, const Recipe& best,
                                           const std::string& output) {
  tune::QuantizeRequest request{.model = best.model, .output = output};
  PLANEX_ASSIGN(request.samples.data, data_request(*needs.data));
  request.samples.calibration_limit = kCalibrationSamples;
  request.samples.judge_limit = kJudgeSamples;
  request.placement.target = *needs.target;
  return request;
}

std::string command_of(std::string_view verb, const ProposalNeeds& needs, const Recipe& best,
                       std::string_view more) {
  std::string command =
      base::format("planex {} {} --data {} --target {}", verb, base::shell_word(best.model),
                   base::shell_word(needs.data->path), to_string(*needs.target));
  if (!needs.data->preparation.empty()) {
    command += base::format(" --prep {}", base::shell_word(needs.data->preparation));
  }
  return command + std::string(more) + " -o model.int8.onnx";
}

Result<Made> make_int8(const ProposalNeeds& needs, const Recipe& best, const std::string& folder) {
  PLANEX_TRY(make_folder(folder));
  Recipe recipe = best;
  recipe.model = base::join_path(folder, "model.onnx");
  PLANEX_ASSIGN(const tune::QuantizeRequest request, int8_request(needs, best, recipe.model));
  auto quantized = tune::quantize_model(request, needs.shop->workshop());
  if (!quantized) return refused(quantized.error());
  const quantize::Outcome& outcome = *quantized;
  if (outcome.layers.empty()) return Made{.reason = "no layer gains by INT8 for this engine"};
  // What OpenVINO makes of it; for others its own arithmetic, which they follow.
  const bool is_here = *needs.target == quantize::Target::kOpenvino;
  const auto chosen = std::ranges::find_if(outcome.scores, &quantize::MethodScore::is_chosen);
  const auto& judged =
      is_here || chosen == outcome.scores.end() ? outcome.engine : chosen->simulated;
  if (judged.empty()) {
    return Made{.reason = "too few samples to judge a quantized model: give more with --data"};
  }
  return Made{.recipe = std::move(recipe),
              .score = tune::score_of(judged),
              .command = command_of("quantize", needs, best, "")};
}

// Alone, a simpler graph may be no faster; it often is where more of it can be quantized.
Result<Made> make_clean_int8(const ProposalNeeds& needs, const Recipe& best,
                             const std::string& folder) {
  PLANEX_ASSIGN(const Made cleaned, make_clean(best, base::join_path(folder, "clean")));
  if (!cleaned.recipe) return cleaned;
  PLANEX_ASSIGN(Made made, make_int8(needs, *cleaned.recipe, base::join_path(folder, "int8")));
  made.command = cleaned.command + "\n" + made.command;
  return made;
}

Result<Made> make_mixed(const ProposalNeeds& needs, const Recipe& best, const std::string& folder) {
  PLANEX_TRY(make_folder(folder));
  Recipe recipe = best;
  recipe.model = base::join_path(folder, "model.onnx");
  tune::SearchRequest request{.goal = needs.goal, .axis = quantize::CostAxis::kMacs};
  PLANEX_ASSIGN(request.quantize, int8_request(needs, best, recipe.model));
  auto searched = tune::search_layers(request, needs.shop->workshop());
  if (!searched) return refused(searched.error());
  const quantize::SearchOutcome& outcome = *searched;
  if (!outcome.is_reached) return Made{.reason = "no mix of INT8 and float reaches the goal"};
  if (outcome.kept.empty()) return Made{.reason = "all layers in INT8 reach the goal"};
  return Made{
      .recipe = std::move(recipe),
      .score = tune::score_of(outcome.engine),
      .command = command_of("search", needs, best,
                            base::format(" --goal {}", base::shell_word(to_string(*needs.goal))))};
}

}  // namespace

std::vector<Proposal> precision_proposals(const ProposalNeeds& needs) {
  if (!needs.target || needs.shop == nullptr || !needs.data->is_given()) return {};
  std::vector<Proposal> proposals;
  proposals.push_back({.id = "clean+int8",
                       .kind = "precision",
                       .what = "Simplify the graph, and quantize it to INT8.",
                       .computes_in = model::DType::kInt8,
                       .keeps_results = false,
                       .make = [&needs](const Recipe& best, const std::string& folder) {
                         return make_clean_int8(needs, best, folder);
                       }});
  proposals.push_back({.id = "int8",
                       .kind = "precision",
                       .what = "Quantize to INT8 where the engine gains by it.",
                       .computes_in = model::DType::kInt8,
                       .keeps_results = false,
                       .make = [&needs](const Recipe& best, const std::string& folder) {
                         return make_int8(needs, best, folder);
                       }});
  proposals.push_back(
      {.id = "int8-mixed",
       .kind = "precision",
       .what = "Quantize to INT8, and keep the few layers in float that the goal needs.",
       .computes_in = model::DType::kInt8,
       .keeps_results = false,
       .make = [&needs](const Recipe& best, const std::string& folder) {
         return make_mixed(needs, best, folder);
       }});
  return proposals;
}

}  // namespace planex::jobs
