#include "jobs/optimize/process_bench.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "analyze/optimize/rate_run.h"
#include "analyze/verdict/verdict.h"
#include "base/files.h"
#include "base/text.h"
#include "base/try.h"
#include "session/machine/engine_speed.h"
#include "session/open/measured_engine.h"

namespace planex::jobs {
namespace {

constexpr std::chrono::milliseconds kMinPatience = std::chrono::minutes(1);
constexpr int kPatience = 20;  // times the longest run so far

// Runs differ by more than the inferences of one do, so a run is as short as these many allow:
// more runs fit into the budget.
constexpr double kInferences = 200;
constexpr double kMinDurationMs = 300;
constexpr double kMaxDurationMs = 1000;

// Words with which an engine's program measures inferences alone, or nearly. `latency_ms`: of one;
// null: not known yet.
std::vector<std::string> brief_words(std::string_view engine, std::optional<double> latency_ms) {
  if (engine != "openvino" && engine != "onnxruntime") return {};
  const double duration_ms =
      std::clamp(latency_ms.value_or(kMaxDurationMs) * kInferences, kMinDurationMs, kMaxDurationMs);
  std::vector<std::string> words = {"--duration-ms", base::format("{:.0f}", duration_ms),
                                    "--profile-ms", "100"};
  if (engine == "openvino") words.insert(words.end(), {"--rounds", "2"});
  return words;
}

// The same for layers: of inferences that are not profiled, only enough to begin with.
std::vector<std::string> layer_words(std::string_view engine) {
  if (engine == "openvino") {
    return {"--duration-ms", "200", "--profile-ms", "1500", "--rounds", "2"};
  }
  if (engine == "onnxruntime") return {"--duration-ms", "200", "--profile-ms", "1500"};
  return {};
}

// TensorRT-RTX builds for many devices on a machine that has none of them: a small GPU of the
// device table.
constexpr std::string_view kPredictedDevice = "L4";

// Phases of single builds say nothing to who waits for a search.
class Quiet final : public drive::Progress {
 public:
  void update(std::string_view, std::string_view, double) override {}
};

// Layers that do work.
std::size_t working_layers(const model::PlanModel& model) {
  std::size_t count = 0;
  for (std::size_t row = 0; row < model.layers.row_count(); ++row) {
    if (model.does_work(model::LayerId(static_cast<std::uint32_t>(row)))) ++count;
  }
  return count;
}

// See Measured.
std::optional<double> limit_ratio_of(const analyze::SpeedOfLight& speed) {
  const analyze::SpeedGroup& total = speed.total;
  if (!total.bound_ms || !total.time_ms || *total.time_ms <= 0) return std::nullopt;
  const double left_ms = total.headroom_ms.value_or(0) + total.unknown_bound_ms;
  return 1 - std::max(left_ms, 0.0) / *total.time_ms;
}

// Inferences per second; where they follow one another, what their mean allows.
std::optional<double> rate_of(const analyze::Reconciliation& time) {
  constexpr double kMsPerSecond = 1000;
  if (time.throughput_per_s && *time.throughput_per_s > 0) return time.throughput_per_s;
  if (!time.end_to_end || !time.end_to_end->mean_ms || *time.end_to_end->mean_ms <= 0) {
    return std::nullopt;
  }
  return kMsPerSecond / *time.end_to_end->mean_ms;
}

}  // namespace

ProcessBench::ProcessBench(const drive::ProcessRequest& base, std::string folder, analyze::Aim aim,
                           std::string device, const Context& context)
    : base_(base),
      folder_(std::move(folder)),
      aim_(aim),
      device_(std::move(device)),
      context_(context) {}

void ProcessBench::add_limits(const session::Engine& engine, Measured& measured) {
  ExplainRequest request;
  if (!device_.empty()) request.device = device_;
  // It would disturb what is measured later.
  request.may_measure = std::exchange(may_probe_, false);
  auto speed = session::speed_of(engine.model, engine.summary, request);
  if (speed && !speed->device.limits && base_.engine == "tensorrt-rtx") {
    request.device = kPredictedDevice;
    speed = session::speed_of(engine.model, engine.summary, request);
  }
  if (!speed) {
    measured.bound.reason = speed.error().message;
    return;
  }
  measured.bound = analyze::engine_bound(*speed);
  measured.limit_ratio = limit_ratio_of(*speed);
}

drive::ProcessRequest ProcessBench::request_of(const Recipe& recipe,
                                               const std::string& folder) const {
  drive::ProcessRequest request = base_;
  request.model = recipe.model;
  request.output_dir = folder;
  request.program_dir = context_.program_dir;
  request.flags.insert(request.flags.end(), recipe.words.begin(), recipe.words.end());
  return request;
}

Result<Measured> ProcessBench::run(const Recipe& recipe, const std::string& name) {
  const std::string folder = base::join_path(folder_, name);
  drive::ProcessRequest request = request_of(recipe, folder);
  // First, so that the user's own words count.
  const std::vector<std::string> brief = brief_words(request.engine, first_latency_ms_);
  request.flags.insert(request.flags.begin(), brief.begin(), brief.end());
  if (!request.timeout) request.timeout = patience_;
  Quiet quiet;
  const auto start = std::chrono::steady_clock::now();
  PLANEX_ASSIGN(const drive::ProcessOutcome outcome,
                drive::process(request, quiet, context_.cancellation));
  // OpenVINO now and then waits for itself for ever when it compiles for several streams. What an
  // engine's slower build options need is less than this.
  const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::steady_clock::now() - start);
  patience_ = std::max({patience_.value_or(kMinPatience), took * kPatience, kMinPatience});
  OpenRequest opened{.path = outcome.engine};
  // TensorRT's own files list no operations.
  if (request.engine != "openvino") opened.source_model = recipe.model;
  PLANEX_ASSIGN(const session::Engine engine, session::open_engine(opened, base::disk()));
  Measured measured{.run = analyze::measure_run(engine.model),
                    .bound = {},
                    .layer_count = working_layers(engine.model)};
  add_limits(engine, measured);
  measured.memory_bytes = engine.summary.memory.kept_bytes();
  const analyze::Reconciliation& time = engine.summary.time;
  if (time.end_to_end) measured.latency_ms = time.end_to_end->median_ms;
  if (!first_latency_ms_) first_latency_ms_ = measured.latency_ms;
  if (aim_ == analyze::Aim::kThroughput) {
    const auto rate = rate_of(time);
    measured.run = rate ? analyze::rate_run(measured.run, *rate) : analyze::MeasuredRun();
  }
  // Hundreds of engines would fill the disk.
  std::error_code ignored;
  std::filesystem::remove_all(folder, ignored);
  return measured;
}

Result<quantize::MeasuredEngine> ProcessBench::run_layers(const Recipe& recipe,
                                                          const std::string& name) {
  const std::string folder = base::join_path(folder_, name);
  drive::ProcessRequest request = request_of(recipe, folder);
  const std::vector<std::string> words = layer_words(request.engine);
  request.flags.insert(request.flags.begin(), words.begin(), words.end());
  Quiet quiet;
  PLANEX_ASSIGN(const drive::ProcessOutcome outcome,
                drive::process(request, quiet, context_.cancellation));
  OpenRequest opened{.path = outcome.engine, .source_model = recipe.model};
  auto measured = session::open_measured_engine(opened);
  std::error_code ignored;
  std::filesystem::remove_all(folder, ignored);
  return measured;
}

Result<std::string> ProcessBench::run_fully(const Recipe& recipe, const std::string& folder) {
  Quiet quiet;
  PLANEX_ASSIGN(drive::ProcessOutcome outcome,
                drive::process(request_of(recipe, folder), quiet, context_.cancellation));
  return std::move(outcome.engine);
}

}  // namespace planex::jobs
