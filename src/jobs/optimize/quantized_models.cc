// Models with Q/DQ, as `planex quantize` and `planex search` make them: INT8, FP8, INT4 weights.
#include "jobs/optimize/quantized_models.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <utility>

#include "base/files.h"
#include "base/text.h"
#include "base/try.h"
#include "jobs/optimize/by_hand.h"
#include "jobs/optimize/proposals.h"
#include "onnx/model.h"
#include "quantize/accuracy.h"
#include "quantize/outcome.h"
#include "quantize/placement.h"
#include "tune/measurements.h"
#include "tune/model_file.h"
#include "tune/quantize.h"
#include "tune/search.h"

namespace planex::jobs {
namespace {

using quantize::NumberFormat;

// How many samples show ranges; more rarely change a scale.
constexpr std::size_t kCalibrationSamples = 128;

// The word of the files, "model.int8.onnx", is that of the type.
struct Task {
  tune::QuantizeRequest request;
  Recipe recipe;
};

Result<Task> task_of(const ProposalNeeds& needs, const Recipe& from, const std::string& folder,
                     std::string_view word) {
  PLANEX_TRY(make_folder(folder));
  Task task{.recipe = from};
  task.recipe.model = base::join_path(folder, "model.onnx");
  task.recipe.by_hand = file_by_hand(model_by_hand(from), word);
  task.recipe.float_model = from.model;
  task.recipe.float_by_hand = model_by_hand(from);
  task.recipe.quantized_to = word;
  std::vector<std::string> typed = typed_words(needs, from);
  std::ranges::move(typed, std::back_inserter(task.recipe.words));
  task.request.model = from.model;
  task.request.output = task.recipe.model;
  task.request.placement.target = *needs.target;
  return task;
}

// "planex quantize MODEL … -o FILE".
std::string command_of(std::string_view verb, const ProposalNeeds& needs, const Task& task,
                       const std::string& more) {
  std::string command =
      base::format("planex {} {} --target {}{}", verb, base::shell_word(task.recipe.float_by_hand),
                   to_string(*needs.target), more);
  if (const int threads = needs.shop->workshop().threads; threads != 1) {
    command += base::format(" --threads {}", threads);
  }
  return command + base::format(" -o {}", base::shell_word(task.recipe.by_hand));
}

std::string samples_by_hand(const ProposalNeeds& needs) {
  return base::format("{} --samples {} --judge-samples {}", data_by_hand(*needs.data),
                      kCalibrationSamples, needs.judge_samples);
}

// What the engine makes of it; of engines that don't run here the model's own arithmetic, which
// they follow.
const tune::JudgedTensors& judged_of(const ProposalNeeds& needs, const quantize::Outcome& outcome) {
  const bool is_here = *needs.target == quantize::Target::kOpenvino;
  const auto chosen = std::ranges::find_if(outcome.scores, &quantize::MethodScore::is_chosen);
  return is_here || chosen == outcome.scores.end() ? outcome.engine : chosen->simulated;
}

bool has_precision(const Recipe& recipe) {
  return std::ranges::find(recipe.words, "--precision") != recipe.words.end();
}

// Words that keep nodes in float.
std::string kept_by_hand(const std::vector<std::string>& kept) {
  std::string words;
  for (const std::string& node : kept) words += base::format(" --keep {}", base::shell_word(node));
  return words;
}

struct Calibrated {
  NumberFormat format = NumberFormat::kInt8;
  // In the names of files.
  std::string_view word;
  std::vector<std::string> kept;
  // None: the best of all.
  std::optional<quantize::MethodOptions> method = {};
};

// INT8 and FP8: with scales from samples.
Result<Made> make_calibrated(const ProposalNeeds& needs, const Recipe& from,
                             const std::string& folder, const Calibrated& what) {
  const NumberFormat kind = what.format;
  PLANEX_ASSIGN(Task task, task_of(needs, from, folder, what.word));
  PLANEX_ASSIGN(task.request.samples, split_request(needs));
  task.request.placement.format = kind;
  task.request.placement.kept = what.kept;
  task.request.method = what.method;
  const tune::Workshop workshop = workshop_of(needs);
  auto quantized = tune::quantize_model(task.request, workshop);
  if (!quantized) return unchanged(quantized.error());
  if (quantized->layers.empty()) {
    return Made{.reason = base::format("no layer gains by {} for this engine", to_string(kind))};
  }
  const tune::JudgedTensors& judged = judged_of(needs, *quantized);
  if (judged.empty()) {
    return Made{.reason = "too few samples to judge a quantized model: give more with --data"};
  }
  std::string to =
      kind == NumberFormat::kInt8 ? std::string() : base::format(" --to {}", to_string(kind));
  to += kept_by_hand(what.kept);
  if (what.method) to += base::format(" --method {}", to_string(*what.method));
  Made made{.score = tune::score_of(judged),
            .command = command_of("quantize", needs, task, to + samples_by_hand(needs)),
            .said = base::format("{} in {}, {} in float",
                                 base::counted(quantized->layers.size(), "layer"), to_string(kind),
                                 quantized->float_layers.size() + what.kept.size())};
  // Judged in float32, but the rest of the model is not.
  if (has_precision(task.recipe)) made.score.reset();
  if (kind == NumberFormat::kInt8 && what.kept.empty()) {
    needs.made->int8 = {.from = from.model,
                        .recipe = task.recipe,
                        .method = quantized->method,
                        .score = made.score};
  }
  made.recipe = std::move(task.recipe);
  return made;
}

// Values of weights that are read whole in each inference, and how many of them are those of
// products. Rows that a Gather picks are not read whole.
struct WeightCounts {
  std::int64_t all = 0, of_products = 0;
  bool has_pairs = false;
};

// Smaller blocks keep more: on a MiniLM 128 values gave 9.0 dB, 32 gave 10.9. NVIDIA names 64 and
// 128 alone.
int block_size_of(quantize::Target target) {
  using quantize::Target;
  constexpr int kSmall = 32, kSmallOfTensorrt = 64;
  const bool is_nvidia = target == Target::kTensorrt || target == Target::kTensorrtRtx;
  return is_nvidia ? kSmallOfTensorrt : kSmall;
}

Result<WeightCounts> count_weights(const std::string& path) {
  PLANEX_ASSIGN(const auto file, tune::ModelFile::open(path));
  const onnx::Model& model = file->model();
  WeightCounts counts;
  counts.has_pairs = std::ranges::any_of(
      model.nodes, [](const onnx::Node& node) { return node.op_type == "DequantizeLinear"; });
  for (const onnx::Link& link : file->links().all()) {
    const onnx::Index tensor = file->links().constant(link.name);
    if (tensor == onnx::kNoIndex) continue;
    bool is_read = false, is_of_product = false;
    for (const onnx::Reader& reader : link.readers) {
      const std::string_view op = model.nodes[reader.node].op_type;
      if (op == "Gather" && reader.input == 0) continue;
      is_read = true;
      is_of_product = is_of_product || op == "MatMul" || op == "Gemm";
    }
    if (!is_read) continue;
    std::int64_t values = 1;
    for (const std::int64_t dim : model.dims_of(model.tensors[tensor])) values *= dim;
    counts.all += values;
    if (is_of_product) counts.of_products += values;
  }
  return counts;
}

}  // namespace

Result<Made> make_int8(const ProposalNeeds& needs, const Recipe& best, const std::string& folder) {
  return make_calibrated(needs, best, folder, {.word = "int8"});
}

Result<MadeInt8> int8_of(const ProposalNeeds& needs, const Recipe& from,
                         const std::string& folder) {
  const std::optional<MadeInt8>& known = needs.made->int8;
  if (!known || known->from != from.model) {
    PLANEX_ASSIGN(Made made, make_int8(needs, from, folder));
    if (!made.recipe) return MadeInt8{.from = from.model, .reason = std::move(made.reason)};
  }
  return *known;
}

Result<Made> make_int8_except(const ProposalNeeds& needs, const Recipe& from,
                              const std::string& folder, const std::vector<std::string>& kept,
                              const quantize::MethodOptions& method) {
  return make_calibrated(needs, from, folder,
                         {.word = "int8-where-faster", .kept = kept, .method = method});
}

Result<void> still_in_time(const ProposalNeeds& needs) {
  if (!workshop_of(needs).cancellation.requested()) return {};
  return fail(ErrorCode::kCancelled, "the time was used up");
}

Result<Made> make_fp8(const ProposalNeeds& needs, const Recipe& best, const std::string& folder) {
  return make_calibrated(needs, float_recipe(best), folder,
                         {.format = NumberFormat::kFp8, .word = "fp8"});
}

Result<Made> make_mixed(const ProposalNeeds& needs, const Recipe& best, const std::string& folder) {
  if (best.quantized_to.starts_with("int8")) {
    return Made{.reason = "all layers that gain by INT8 reach the goal in it"};
  }
  const Recipe from = float_recipe(best);
  const std::optional<MadeInt8>& int8 = needs.made->int8;
  if (int8 && int8->from == from.model && int8->score && needs.goal &&
      quantize::is_reached(*needs.goal, *int8->score)) {
    return Made{.reason = "all layers that gain by INT8 reach the goal in it"};
  }
  PLANEX_ASSIGN(Task task, task_of(needs, from, folder, "mixed"));
  PLANEX_ASSIGN(task.request.samples, split_request(needs));
  // Those that are slower in INT8 stay in float in any case.
  std::vector<std::string> slower;
  if (needs.made->slower_from == from.model) slower = needs.made->slower;
  task.request.placement.kept = slower;
  tune::SearchRequest request{
      .quantize = task.request, .goal = needs.goal, .axis = quantize::CostAxis::kMacs};
  // The rest is for judging what was found, and for its race.
  constexpr double kSearchShare = 0.6;
  if (needs.deadline) {
    const auto now = std::chrono::steady_clock::now();
    request.until = now + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                              (*needs.deadline - now) * kSearchShare);
  }
  // The search judges the rest in float32. In BF16 a MiniLM that was searched to 20.0 dB had 18.7.
  constexpr double kMarginDb = 2;
  if (has_precision(best) && needs.goal->kind == quantize::Goal::Kind::kSqnr) {
    request.goal->least += kMarginDb;
  }
  const tune::Workshop workshop = workshop_of(needs);
  auto searched = tune::search_layers(request, workshop);
  if (!searched) return unchanged(searched.error());
  const quantize::SearchOutcome& outcome = *searched;
  const bool is_early = request.until && std::chrono::steady_clock::now() >= *request.until;
  if (!outcome.is_reached) {
    return Made{.reason = is_early
                              ? "in the time that was left, no mix of INT8 and float was found "
                                "that reaches the goal"
                              : "no mix of INT8 and float reaches the goal"};
  }
  if (outcome.kept.size() == slower.size()) {
    return Made{.reason = "all layers that gain by INT8 reach the goal in it"};
  }
  Made made{.score = tune::score_of(outcome.engine),
            .command = command_of(
                "search", needs, task,
                base::format("{}{} --goal {} --cost macs", samples_by_hand(needs),
                             kept_by_hand(slower), base::shell_word(goal_word(*request.goal)))),
            .said = base::format("{} kept in float{}", base::counted(outcome.kept.size(), "layer"),
                                 is_early ? ", the search was cut short by the time" : "")};
  if (has_precision(task.recipe)) made.score.reset();
  made.recipe = std::move(task.recipe);
  return made;
}

Result<Made> make_int4(const ProposalNeeds& needs, const Recipe& best, const std::string& folder) {
  // Where convolutions have most weights, or there are next to none, reading the weights of
  // products is no large part of the time.
  constexpr double kMinShare = 0.5, kPercent = 100;
  constexpr std::int64_t kMinValues = 100'000;
  const Recipe from = float_recipe(best);
  PLANEX_ASSIGN(const WeightCounts counts, count_weights(from.model));
  if (counts.has_pairs) return Made{.reason = "the model already has DequantizeLinear"};
  if (counts.of_products < kMinValues) {
    return Made{.reason = base::format("its products have {} weights: reading them takes no time",
                                       counts.of_products)};
  }
  const double share = static_cast<double>(counts.of_products) / static_cast<double>(counts.all);
  if (share < kMinShare) {
    return Made{.reason = base::format("only {:.0f} % of its weights are those of products",
                                       share * kPercent)};
  }
  PLANEX_ASSIGN(Task task, task_of(needs, from, folder, "int4"));
  task.request.placement.format = NumberFormat::kInt4;
  task.request.placement.block_size = block_size_of(*needs.target);
  task.request.samples.is_judged = false;
  const tune::Workshop workshop = workshop_of(needs);
  auto quantized = tune::quantize_model(task.request, workshop);
  if (!quantized) return unchanged(quantized.error());
  std::string command =
      command_of("quantize", needs, task,
                 base::format(" --to int4 --block-size {}", task.request.placement.block_size));
  return Made{.recipe = std::move(task.recipe), .command = std::move(command)};
}

Result<Made> unchanged(const Error& error) {
  if (error.code != ErrorCode::kUnsupported) return fail(error);
  std::string reason = error.message;
  if (!error.hint.empty()) reason += base::format(" ({})", error.hint);
  return Made{.reason = std::move(reason)};
}

Result<tune::SplitRequest> split_request(const ProposalNeeds& needs) {
  tune::SplitRequest request{.calibration_limit = kCalibrationSamples,
                             .judge_limit = needs.judge_samples};
  PLANEX_ASSIGN(request.data, data_request(*needs.data));
  return request;
}

}  // namespace planex::jobs
