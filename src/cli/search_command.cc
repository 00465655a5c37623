#include <charconv>
#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <system_error>
#include <vector>

#include "base/files.h"
#include "base/text.h"
#include "base/try.h"
#include "cli/commands.h"
#include "cli/file_options.h"
#include "cli/model_output.h"
#include "cli/process_options.h"
#include "cli/progress_line.h"
#include "cli/quantize_options.h"
#include "cli/tune_options.h"
#include "drive/driver.h"
#include "planex/engine.h"
#include "render/fields/search.h"
#include "render/json/record_json.h"
#include "render/text/search_text.h"
#include "session/answer/format.h"
#include "session/open/timed_models.h"
#include "tune/search.h"

namespace planex::cli {
namespace {

using NodeTimes = std::map<std::string, double, std::less<>>;

// "5%" or "0.05". Errors: kUsage.
Result<double> parse_share(std::string_view text) {
  constexpr double kPercent = 100;
  const bool is_percent = text.ends_with('%');
  const std::string_view digits = is_percent ? text.substr(0, text.size() - 1) : text;
  double value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (is_percent) value /= kPercent;
  if (error != std::errc() || end != digits.data() + digits.size() || !(value >= 0 && value <= 1)) {
    return fail(ErrorCode::kUsage,
                base::format("--float-share {} is not a share", base::quoted(text)), "5%, or 0.05");
  }
  return value;
}

bool is_weighted(std::string_view op_type) {
  return op_type == "Conv" || op_type == "ConvTranspose" || op_type == "Gemm" ||
         op_type == "MatMul";
}

// Mean times of an engine's layers by weighted node; the nodes that a layer was made from share its
// time evenly. Errors: those of opening it; kUsage (no times).
Result<NodeTimes> node_times(const std::string& run) {
  OpenRequest request;
  request.path = run;
  PLANEX_ASSIGN(const Session session, open_session(std::span(&request, 1)));
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

class SearchCommand final : public Command {
 public:
  std::string_view name() const override { return "search"; }
  std::string_view summary() const override {
    return "Find the few layers of a quantized model that must stay in float";
  }
  std::string_view examples() const override {
    return "planex search model.onnx --data pictures/ --prep imagenet --goal 20dB "
           "-o model.int8.onnx\n"
           "planex search model.onnx --data pictures/ --goal top1=99% --float-share 5% "
           "-o model.int8.onnx\n"
           "planex search model.onnx --data samples.npz --float-layers 4 -o model.int8.onnx "
           "--export-nodes nodes.txt\n"
           "planex search model.onnx --data samples.npz --goal 20dB -o model.int8.onnx --measure\n"
           "planex search model.onnx --data samples.npz --goal 25dB --target tensorrt "
           "-o int8.onnx --export-trtexec options.txt";
  }
  void add_options(CLI::App& app) override {
    options_.add(app, {"*.search.json"});
    app.add_option(
           "--goal", goal_,
           "How close to stay to the float model: 20dB (SQNR of its outputs), or top1=99% (rows "
           "with the same largest class); the cheapest model that meets it is written")
        ->type_name("GOAL");
    app.add_option("--float-layers", most_layers_, "Keep at most N layers in float")
        ->check(count_from_zero())
        ->type_name("N");
    app.add_option("--float-share", share_,
                   "Keep at most this share of the multiplications in float; --cost is then macs "
                   "by default")
        ->type_name("SHARE");
    app.add_option("--cost", cost_,
                   "What a layer in float costs: 1, its multiplications, the bytes of its weights, "
                   "its time in --timed [layers]")
        ->check(CLI::IsMember({"layers", "macs", "bytes", "ms"}));
    app.add_option("--search-samples", request_.search_limit,
                   "Search on at most this many held-back samples; the result is judged on all")
        ->capture_default_str()
        ->check(count_from_one());
    uses_files(
        app.add_option("--state", request_.state,
                       "File for the measurements, to continue after a stop [OUTPUT.search-state]"),
        {.role = FileRole::kUpdates})
        ->type_name("FILE");
    reads_files(app.add_option("--timed", engine_, kTimedRun))->type_name("RUN");
    app.add_flag("--measure", measures_,
                 "Build and time each model of the front here with OpenVINO, alternately, for the "
                 "milliseconds of the front");
    app.add_option("--runs", run_count_, "With --measure: runs of each model")
        ->capture_default_str()
        ->check(count_from_one());
    writes_file(app.add_option("--export-nodes", nodes_file_,
                               "Write the names of the layers in float, one per line, for "
                               "modelopt's --nodes_to_exclude or for --keep @FILE"))
        ->type_name("FILE");
    writes_file(
        app.add_option("--export-trtexec", trtexec_file_,
                       "Write the options that keep these layers in float for trtexec up to 10.16"))
        ->type_name("FILE");
    app.add_option("--trtexec-type", trtexec_type_,
                   "The type that these options keep the layers in")
        ->check(CLI::IsMember({"fp16", "fp32"}))
        ->capture_default_str();
  }
  Result<int> run(const Environment& environment) override {
    PLANEX_TRY(settle());
    PLANEX_ASSIGN(const auto shop, Shop::open(environment, options_.threads()));
    PLANEX_TRY(make_points_folder(shop->workshop().folder));
    const std::string output = request_.quantize.output, cache = request_.quantize.cache;
    PLANEX_ASSIGN(ModelOutput files, ModelOutput::open(output, request_.quantize.model));
    request_.quantize.output = files.staged();
    request_.quantize.cache = files.stage(cache);
    auto outcome = tune::search_layers(request_, shop->workshop());
    shop->finish();
    if (outcome && measures_) {
      if (auto timed = time_front(environment, *shop, *outcome); !timed) {
        outcome = fail(timed.error());
      }
    }
    if (!outcome) {
      return after_interrupt(fail(files.settled(outcome.error())), shop->interrupt());
    }
    outcome->output = output;
    outcome->cache = cache;
    PLANEX_ASSIGN(outcome->output_sha256, files.sha256());
    export_kept(*outcome, files);
    if (auto printed = print(*outcome, files, shop->interrupt().cancellation()); !printed) {
      return after_interrupt(fail(std::move(printed).error()), shop->interrupt());
    }
    return request_.goal && !outcome->is_reached ? kExitFindings : kExitFine;
  }

 private:
  Result<void> settle() {
    PLANEX_ASSIGN(request_.quantize,
                  options_.request(
                      "planex search model.onnx --data pictures/ --goal 20dB -o model.int8.onnx"));
    if (!goal_.empty()) {
      PLANEX_ASSIGN(request_.goal, quantize::parse_goal(goal_));
    }
    request_.most_layers = most_layers_;
    if (!share_.empty()) {
      PLANEX_ASSIGN(request_.most_macs_ratio, parse_share(share_));
      if (cost_.empty()) cost_ = "macs";
    }
    for (const auto axis : {quantize::CostAxis::kLayers, quantize::CostAxis::kMacs,
                            quantize::CostAxis::kBytes, quantize::CostAxis::kMs}) {
      if (to_string(axis) == cost_) request_.axis = axis;
    }
    // Beside the model, if that is a file.
    if (request_.state.empty() && request_.quantize.output != kStandardOutput) {
      request_.state = request_.quantize.output + ".search-state";
    }
    if (trtexec_type_ == "fp32") request_.kept_type = onnx::DataType::kFloat;
    if (engine_.empty()) return {};
    PLANEX_ASSIGN(request_.node_ms, node_times(engine_));
    return {};
  }

  Result<void> make_points_folder(const std::string& folder) {
    if (!measures_) return {};
    request_.points_folder = base::join_path(folder, "front");
    std::error_code error;
    std::filesystem::create_directory(request_.points_folder, error);
    if (!error) return {};
    return fail({.code = ErrorCode::kIo,
                 .message = "can't make a folder: " + error.message(),
                 .file = request_.points_folder});
  }

  // Alternately, so that whatever slows the machine slows all.
  Result<void> time_front(const Environment& environment, const Shop& shop,
                          quantize::SearchOutcome& outcome) const {
    std::vector<std::vector<std::string>> engines(outcome.front.size());
    for (std::size_t run = 0; run < run_count_; ++run) {
      for (std::size_t point = 0; point < engines.size(); ++point) {
        const std::string folder =
            base::join_path(request_.points_folder, base::format("run_{}_{}", point, run));
        const drive::ProcessRequest process{.model = outcome.front[point].path,
                                            .output_dir = folder,
                                            .threads = base::format("{}", options_.threads()),
                                            .flags = {"--profile-ms", "100", "--rounds", "2"},
                                            .program_dir = environment.program_dir};
        ProgressLine progress;
        PLANEX_ASSIGN(const drive::ProcessOutcome done,
                      drive::process(process, progress, shop.interrupt().cancellation()));
        engines[point].push_back(done.engine);
      }
    }
    PLANEX_ASSIGN(const auto medians, session::timed_models(engines));
    for (std::size_t point = 0; point < medians.size(); ++point) {
      outcome.front[point].median_ms = medians[point].median_ms;
      outcome.front[point].median_low_ms = medians[point].low_ms;
      outcome.front[point].median_high_ms = medians[point].high_ms;
    }
    outcome.run_count = run_count_;
    return {};
  }

  void export_kept(const quantize::SearchOutcome& outcome, ModelOutput& files) const {
    if (!nodes_file_.empty()) {
      std::string text;
      for (const std::string& node : outcome.kept) text += node + "\n";
      files.add(nodes_file_, text);
    }
    if (!trtexec_file_.empty()) files.add(trtexec_file_, outcome.precision_options + "\n");
  }

  Result<void> print(const quantize::SearchOutcome& outcome, ModelOutput& files,
                     const drive::Cancellation& cancellation) const {
    const session::Writers writers{
        .document = {render::search_document(), outcome},
        .rows = [&] { return record::rows_of(outcome.layers, render::search_layer_fields()); },
        .markdown = [] { return std::string(); },
        .text =
            [&](const render::TableStyle& style) { return render::search_text(outcome, style); }};
    const std::string document = session::write(writers, options_.view());
    // Write the record of how the model was made beside it.
    files.add(outcome.output + ".search.json",
              session::json_of(writers.document, render::JsonStyle::kPretty));
    PLANEX_TRY(files.commit(cancellation));
    PLANEX_TRY(print_beside(document, files.is_standard_output()));
    return {};
  }

  QuantizeOptions options_;
  tune::SearchRequest request_;
  std::string goal_, share_, cost_, engine_, nodes_file_, trtexec_file_, trtexec_type_ = "fp16";
  std::optional<std::size_t> most_layers_;
  bool measures_ = false;
  std::size_t run_count_ = 2;
};

}  // namespace

std::unique_ptr<Command> make_search_command() { return std::make_unique<SearchCommand>(); }

}  // namespace planex::cli
