#include "jobs/verbs/search.h"

#include <map>
#include <span>
#include <utility>
#include <vector>

#include "base/files.h"
#include "base/text.h"
#include "base/try.h"
#include "jobs/clean_file.h"
#include "jobs/model_output.h"
#include "jobs/shop.h"
#include "planex/session.h"
#include "render/fields/search.h"
#include "render/text/search_text.h"
#include "session/answer/format.h"
#include "session/open/timed_models.h"
#include "tune/search.h"

namespace planex::jobs {
namespace {

using NodeTimes = std::map<std::string, double, std::less<>>;

bool is_weighted(std::string_view op_type) {
  return op_type == "Conv" || op_type == "ConvTranspose" || op_type == "Gemm" ||
         op_type == "MatMul";
}

// Mean times of an engine's layers by weighted node; the nodes that a layer was made from share its
// time evenly. Errors: those of opening it; kUsage (no times).
Result<NodeTimes> node_times(const std::string& run) {
  OpenRequest request;
  request.path = run;
  PLANEX_ASSIGN(const Session session, Session::open(std::span(&request, 1)));
  const Engine engine = session.engine();
  const auto layers = engine.layers();
  const auto sources = engine.sources();
  std::map<std::size_t, std::vector<std::string>> nodes;
  for (std::size_t row = 0; row < sources.row_count(); ++row) {
    const auto layer = sources.layer_id()[row];
    const std::string_view type = sources.op_type()[row];
    if (!layer || !(type.empty() || is_weighted(type))) continue;
    nodes[static_cast<std::size_t>(*layer)].emplace_back(sources.op_name()[row]);
  }
  std::map<std::size_t, double> means;
  for (std::size_t row = 0; row < layers.row_count(); ++row) {
    const auto layer = layers.layer_id()[row];
    const auto mean_ms = layers.mean_ms()[row];
    if (layer && mean_ms) means[static_cast<std::size_t>(*layer)] = *mean_ms;
  }
  NodeTimes times;
  for (const auto& [layer, names] : nodes) {
    const auto mean = means.find(layer);
    if (mean == means.end()) continue;
    for (const std::string& name : names) {
      times[name] += mean->second / static_cast<double>(names.size());
    }
  }
  if (!times.empty()) return times;
  return fail({.code = ErrorCode::kUsage,
               .message = "it has no times for layers with weights",
               .file = run,
               .hint = "planex process model.onnx -o run/ measures the float model"});
}

Result<tune::SearchRequest> search_task(const SearchRequest& request) {
  if (request.most_share > 1) {
    return fail(ErrorCode::kUsage,
                base::format("--float-share {} is not a share", *request.most_share),
                "5%, or 0.05");
  }
  tune::SearchRequest made{.most_layers = request.most_layers,
                           .most_macs_ratio = request.most_share,
                           .search_limit = request.search_samples,
                           .state = request.state};
  PLANEX_ASSIGN(
      made.quantize,
      quantize_request(request.quantizing, true,
                       "planex search model.onnx --data pictures/ --goal 20dB -o model.int8.onnx"));
  if (!request.goal.empty()) {
    PLANEX_ASSIGN(made.goal, quantize::parse_goal(request.goal));
  }
  const std::string_view cost = !request.cost.empty() ? std::string_view(request.cost)
                                : request.most_share  ? "macs"
                                                      : "";
  for (const auto axis : {quantize::CostAxis::kLayers, quantize::CostAxis::kMacs,
                          quantize::CostAxis::kBytes, quantize::CostAxis::kMs}) {
    if (to_string(axis) == cost) made.axis = axis;
  }
  // Beside the model, if that is a file.
  if (made.state.empty() && made.quantize.output != "-") {
    made.state = made.quantize.output + ".search-state";
  }
  if (request.trtexec_type == "fp32") made.kept_type = onnx::DataType::kFloat;
  if (!request.timed.empty()) {
    PLANEX_ASSIGN(made.node_ms, node_times(request.timed));
  }
  return made;
}

Result<void> time_front(const SearchRequest& request, const Shop& shop, const Context& context,
                        quantize::SearchOutcome& outcome) {
  std::vector<std::vector<std::string>> engines(outcome.front.size());
  for (std::size_t run = 0; run < request.runs; ++run) {
    for (std::size_t point = 0; point < engines.size(); ++point) {
      PLANEX_ASSIGN(engines[point].emplace_back(),
                    time_model({.model = outcome.front[point].path,
                                .name = base::format("run_{}_{}", point, run),
                                .threads = request.quantizing.threads},
                               shop, context));
    }
  }
  PLANEX_ASSIGN(const auto medians, session::timed_models(engines));
  for (std::size_t point = 0; point < medians.size(); ++point) {
    outcome.front[point].median_ms = medians[point].median_ms;
    outcome.front[point].median_low_ms = medians[point].low_ms;
    outcome.front[point].median_high_ms = medians[point].high_ms;
  }
  outcome.run_count = request.runs;
  return {};
}

void export_kept(const SearchRequest& request, const quantize::SearchOutcome& outcome,
                 ModelOutput& files) {
  if (!request.nodes_file.empty()) {
    std::string text;
    for (const std::string& node : outcome.kept) text += node + "\n";
    files.add(request.nodes_file, text);
  }
  if (!request.trtexec_file.empty()) {
    files.add(request.trtexec_file, outcome.precision_options + "\n");
  }
}

Result<Answer> search_answer(const quantize::SearchOutcome& outcome, ModelOutput& files,
                             const Context& context) {
  const session::Writers writers{
      .document = {render::search_document(), outcome},
      .rows = [&] { return record::rows_of(outcome.layers, render::search_layer_fields()); },
      .text = [&](const render::TableStyle& style) { return render::search_text(outcome, style); }};
  PLANEX_ASSIGN(Answer answer, files.commit_with(writers, ".search.json", context));
  answer.is_met = !outcome.goal || outcome.is_reached;
  return answer;
}

}  // namespace

session::Options options_of(SearchRequest& request) {
  session::Options options = options_of(request.quantizing, "*.search.json");
  add(options, {PLANEX_SEARCH_OPTIONS(PLANEX_BIND)});
  return options;
}

Result<Answer> run(const SearchRequest& request, const Context& context) {
  PLANEX_ASSIGN(tune::SearchRequest made, search_task(request));
  PLANEX_ASSIGN(const auto shop, Shop::open(context, request.quantizing.threads));
  if (made.goal && made.goal->is_of_outputs) shop->judge_as_returned();
  if (request.measures) {
    made.points_folder = base::join_path(shop->workshop().folder, "front");
    PLANEX_TRY(make_folder(made.points_folder));
  }
  tune::QuantizeRequest& model = made.quantize;
  PLANEX_ASSIGN(ModelOutput files, ModelOutput::open(model.output, model.model, context));
  const std::string output = std::exchange(model.output, files.staged());
  const std::string cache = std::exchange(model.cache, files.stage(model.cache));
  auto outcome = tune::search_layers(made, shop->workshop());
  if (!outcome) return fail(files.settled(outcome.error()));
  if (request.measures) PLANEX_TRY(time_front(request, *shop, context, *outcome));
  outcome->output = output;
  outcome->cache = cache;
  PLANEX_ASSIGN(outcome->output_sha256, files.sha256());
  if (std::string note = note_on_cleaning(outcome->model); !note.empty()) {
    outcome->notes.push_back(std::move(note));
  }
  export_kept(request, *outcome, files);
  return search_answer(*outcome, files, context);
}

}  // namespace planex::jobs
