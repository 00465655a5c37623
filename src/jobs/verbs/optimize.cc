#include "jobs/verbs/optimize.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <system_error>
#include <thread>
#include <utility>

#include "base/files.h"
#include "base/numbers.h"
#include "base/text.h"
#include "base/try.h"
#include "drive/model_files.h"
#include "drive/sha256.h"
#include "jobs/optimize/by_hand.h"
#include "jobs/optimize/output_judge.h"
#include "jobs/optimize/process_bench.h"
#include "jobs/optimize/proposals.h"
#include "jobs/optimize/reproduce.h"
#include "jobs/optimize/samples.h"
#include "jobs/optimize/saved_search.h"
#include "jobs/optimize/search.h"
#include "jobs/shop.h"
#include "model/capsule.h"
#include "planex/archive.h"
#include "planex/session.h"
#include "render/fields/optimize.h"
#include "render/text/optimize_text.h"
#include "session/answer/format.h"
#include "session/open/optimized.h"
#include "session/verbs/process.h"
#include "tune/runner.h"

namespace planex::jobs {
namespace {

namespace fs = std::filesystem;

using analyze::OptimizeOutcome;
using base::format;
using Clock = std::chrono::steady_clock;

// Models up to this size together are in the capsule with their weights: packing them takes some
// ten seconds. Larger ones are packed on demand.
constexpr std::uint64_t kMaxPackedBytes = std::uint64_t{256} << 20;

// Without data, for results that must be the same.
constexpr std::size_t kRandomSamples = 8;

// "90s", "10m", "2h", "600". Errors: kUsage.
Result<std::chrono::duration<double>> time_of(std::string_view text) {
  constexpr double kMinute = 60, kHour = 3600;
  std::string_view digits = text;
  double unit = 1;
  if (!text.empty() && std::string_view("smh").contains(text.back())) {
    unit = text.back() == 's' ? 1 : text.back() == 'm' ? kMinute : kHour;
    digits.remove_suffix(1);
  }
  const auto number = base::number_in<double>(digits);
  if (number && *number > 0) return std::chrono::duration<double>(*number * unit);
  return fail(ErrorCode::kUsage, format("--budget {} is not a time", base::quoted(text)),
              "90s, 10m or 2h");
}

Result<void> put_file(const fs::path& from, const fs::path& to) {
  PLANEX_ASSIGN(const auto bytes, base::disk().read(from.string(), base::Access::kSparse));
  return base::write_file_atomically(to.string(), bytes->view());
}

// With the files that its weights are in.
Result<void> copy_model(const std::string& model, const std::string& target) {
  const fs::path from = fs::path(model).parent_path(), to = fs::path(target).parent_path();
  for (const std::string& name : drive::model_data_files(model)) {
    std::error_code ignored;
    fs::create_directories((to / name).parent_path(), ignored);
    PLANEX_TRY(put_file(from / name, to / name));
  }
  return put_file(model, target);
}

class Optimizer {
 public:
  Optimizer(OptimizeRequest request, const Context& context)
      : request_(std::move(request)), context_(context) {}

  Result<Answer> run() {
    PLANEX_TRY(check());
    PLANEX_TRY(take_model());
    PLANEX_TRY(prepare());
    if (request_.prints_plan) return plan();
    PLANEX_TRY(continue_or_begin());
    auto best = optimize();
    const bool is_stopped = !best && best.error().code == ErrorCode::kCancelled;
    outcome_.is_interrupted = is_stopped;
    if (!best) {
      // What was proven so far stands, with its record.
      if (!outcome_.steps.empty()) PLANEX_TRY(write_record());
      return fail(best.error());
    }
    PLANEX_TRY(finish(*best));
    return answer();
  }

 private:
  Result<void> check() {
    PLANEX_ASSIGN(budget_, time_of(request_.budget));
    if (request_.aim == "throughput") aim_ = analyze::Aim::kThroughput;
    if (request_.aim == "memory") aim_ = analyze::Aim::kMemory;
    if (request_.goal != "same") {
      PLANEX_ASSIGN(goal_, quantize::parse_goal(request_.goal));
      if (!request_.data.is_given()) {
        return fail(
            ErrorCode::kUsage,
            format("--goal {} needs --data to compare results on", base::quoted(request_.goal)),
            "planex optimize model.onnx --data pictures/ --goal 20dB -o best/");
      }
    }
    return {};
  }

  // The one that an earlier search began with, if its capsule is named.
  Result<void> take_model() {
    if (session::is_capsule_name(request_.model)) {
      std::string folder = request_.output;
      if (request_.prints_plan) {
        PLANEX_ASSIGN(base::ScratchFolder scratch, base::ScratchFolder::create());
        scratch_.emplace(std::move(scratch));
        folder = scratch_->path();
      }
      PLANEX_ASSIGN(const session::PackedModel packed,
                    session::packed_original(request_.model, base::disk()));
      for (const session::PackedFile& file : packed.files) {
        const std::string target = base::join_path(folder, file.place);
        std::error_code ignored;
        fs::create_directories(fs::path(target).parent_path(), ignored);
        PLANEX_TRY(base::write_file_atomically(target, file.bytes->view()));
      }
      request_.model = base::join_path(folder, packed.place);
    }
    if (tune::is_model(request_.model)) return {};
    return fail({.code = ErrorCode::kBadInput,
                 .message = "it is not an ONNX model",
                 .file = request_.model,
                 .hint = "planex optimize MODEL.onnx -o best/"});
  }

  Result<void> prepare() {
    process_ = request_.process;
    process_.engine = request_.engine;
    process_.flags = request_.flags;
    process_.shapes = request_.data.shapes;
    const int threads = base::number_in<int>(process_.threads.value_or("1")).value_or(1);
    auto shop = Shop::open(context_, threads);
    if (shop) {
      shop_ = *std::move(shop);
      if (goal_ && goal_->is_of_outputs) shop_->judge_as_returned();
    } else if (request_.data.is_given()) {
      // Without OpenVINO, only what leaves the model as it is can be tried.
      return fail(shop.error());
    }
    needs_ = {
        .engine = request_.engine,
        .target = quantize::target_of(request_.engine == "trtexec" ? "tensorrt" : request_.engine),
        .data = &request_.data,
        .goal = goal_,
        .aim = aim_,
        .max_threads = request_.max_threads > 0
                           ? request_.max_threads
                           : static_cast<int>(std::thread::hardware_concurrency()),
        .threads = threads,
        .judge_samples = request_.judge_samples,
        .process = &process_,
        .shop = shop_.get()};
    needs_.deadline = start_ + std::chrono::duration_cast<Clock::duration>(budget_);
    PLANEX_TRY(ask_engine());
    proposals_ = proposals(needs_, request_.kinds);
    return {};
  }

  // Once: its version and its knobs don't change while it is searched.
  Result<void> ask_engine() {
    const bool tries_options = request_.kinds.empty() ||
                               std::ranges::find(request_.kinds, "options") != request_.kinds.end();
    if (request_.engine != "trtexec" || !tries_options) return {};
    PLANEX_ASSIGN(needs_.trtexec, drive::ask_trtexec(process_, context_.cancellation));
    return {};
  }

  Result<Answer> plan() {
    for (const Proposal& proposal : proposals_) {
      outcome_.steps.push_back(step_of(proposal));
      outcome_.steps.back().reason = proposal.what;
    }
    describe();
    return answer();
  }

  // What an earlier run of the same command decided stands; what it has not tried, or could not, is
  // tried now.
  Result<void> continue_or_begin() {
    PLANEX_ASSIGN(state_.asked, asked());
    if (!request_.is_fresh) {
      PLANEX_ASSIGN(auto saved, saved_search(request_.output, state_.asked, context_.cancellation));
      if (saved) earlier_ = *std::move(saved);
    }
    std::erase_if(earlier_.steps, [](const analyze::OptimizeStep& step) {
      return step.state == analyze::StepState::kFailed ||
             step.state == analyze::StepState::kNotTried;
    });
    // It would be that of another best.
    std::error_code ignored;
    fs::remove(capsule(), ignored);
    return make_folder(request_.output);
  }

  // What makes two searches the same: the model, and every option but those below.
  Result<std::string> asked() {
    constexpr std::string_view kFree[] = {"output", "budget", "try", "fresh", "print-plan"};
    PLANEX_ASSIGN(const drive::FileDigest digest,
                  drive::digest_file(request_.model, context_.cancellation));
    model_sha256_ = digest.sha256;
    std::string text = digest.sha256;
    for (const session::Option& option : options_of(request_)) {
      if (option.name == "model" || std::ranges::find(kFree, option.name) != std::end(kFree)) {
        continue;
      }
      for (const std::string& value : session::values_of(option)) {
        text += format("\n{}={}", option.name, value);
      }
    }
    return text;
  }

  std::string own_model() const { return base::join_path(request_.output, "model.onnx"); }

  // The best of the earlier search.
  Recipe earlier_best() const {
    Recipe best{.model = earlier_.model_sha256.empty() ? request_.model : own_model(),
                .words = earlier_.words,
                .quantized_to = earlier_.quantized_to};
    // What was simplified before it was quantized is gone.
    if (!best.quantized_to.empty()) best.float_model = request_.model;
    return best;
  }

  Result<std::unique_ptr<OutputJudge>> make_judge() {
    if (!shop_) return std::unique_ptr<OutputJudge>();
    PLANEX_ASSIGN(const auto file, tune::ModelFile::open(request_.model));
    PLANEX_ASSIGN(const auto inputs, tune::inputs_of(file->model()));
    PLANEX_ASSIGN(const tune::DataRequest data, data_request(request_.data));
    tune::SampleRange samples;
    if (request_.data.is_given()) {
      // Those that no scale was chosen on.
      PLANEX_ASSIGN(const tune::SplitRequest wanted, split_request(needs_));
      PLANEX_ASSIGN(const tune::Split split, tune::load_split(wanted, inputs, shop_->workshop()));
      samples = split.judge.count > 0 ? split.judge : split.calibration;
    } else {
      PLANEX_ASSIGN(samples, random_samples(inputs, data.shapes,
                                            base::join_path(shop_->workshop().folder, "random"),
                                            kRandomSamples, request_.data.seed));
    }
    outcome_.sample_count = samples.count;
    runner_.emplace(shop_->workshop());
    const bool is_openvino = request_.engine == "openvino";
    return std::make_unique<OutputJudge>(
        samples, is_openvino ? drive::Arithmetic::kEngine : drive::Arithmetic::kSimulated,
        request_.flags, *runner_);
  }

  Result<Recipe> optimize() {
    describe();
    PLANEX_ASSIGN(base::ScratchFolder scratch, base::ScratchFolder::create());
    scratch_.emplace(std::move(scratch));
    PLANEX_ASSIGN(const auto judge, make_judge());
    bench_.emplace(process_, base::join_path(scratch_->path(), "runs"), aim_, request_.device,
                   context_);
    needs_.measure_layers = [this, count = 0](const Recipe& recipe) mutable {
      return bench_->run_layers(recipe, format("layers-{}", ++count));
    };
    SearchTask task{.start = {.model = request_.model},
                    .proposals = proposals_,
                    .goal = goal_,
                    .budget = budget_,
                    .aim = aim_,
                    .max_latency_ms = request_.max_latency_ms,
                    .folder = base::join_path(scratch_->path(), "steps")};
    if (!earlier_.kept.empty()) task.earlier_best = earlier_best();
    task.decided = earlier_.steps;
    task.earlier_seconds = earlier_.spent_seconds;
    placed_ = earlier_.kept.size();
    state_.words = earlier_.words;
    state_.model_sha256 = earlier_.model_sha256;
    state_.quantized_to = earlier_.quantized_to;
    if (placed_ > 0) describe_best(earlier_best());
    task.clock = [start = start_] {
      return std::chrono::duration<double>(Clock::now() - start).count();
    };
    task.progress = [this](const std::string& what, double done) {
      context_.progress.update(request_.engine, what, done);
    };
    task.record = [this](const OptimizeOutcome& outcome, const Recipe& best) -> Result<void> {
      if (outcome.kept.size() > placed_) {
        placed_ = outcome.kept.size();
        PLANEX_TRY(place(best));
      }
      PLANEX_TRY(write_state());
      return write_record();
    };
    return search(task, *bench_, judge.get(), context_.cancellation, outcome_);
  }

  // The best model is in its place as soon as it is proven.
  Result<void> place(const Recipe& best) {
    if (best.model != request_.model && best.model != own_model()) {
      PLANEX_TRY(copy_model(best.model, own_model()));
      // Without a stop in between: what is proven is to be recorded.
      PLANEX_ASSIGN(const drive::FileDigest digest, drive::digest_file(own_model(), {}));
      state_.model_sha256 = digest.sha256;
    }
    state_.words = best.words;
    state_.quantized_to = best.quantized_to;
    describe_best(best);
    return {};
  }

  void describe_best(const Recipe& best) {
    const std::string model = best.model == request_.model ? request_.model : own_model();
    if (model != request_.model) outcome_.best_model = model;
    outcome_.command = process_by_hand(process_, {.model = model, .words = best.words});
  }

  Result<void> write_state() {
    state_.steps = outcome_.steps;
    state_.kept = outcome_.kept;
    state_.spent_seconds = outcome_.spent_seconds;
    return save_search(request_.output, state_);
  }

  // How to have the best without planex.
  Result<void> write_script(const Recipe& best) const {
    Reproduced what{.engine = request_.engine,
                    .model = "model.onnx",
                    .shapes = process_.shapes,
                    .threads = needs_.threads,
                    .words = process_.flags};
    if (best.model == request_.model) {
      std::error_code ignored;
      what.model = fs::absolute(request_.model, ignored).string();
      what.packed = base::join_path(model::kOriginalFolder, base::file_name_of(request_.model));
    }
    what.words.insert(what.words.end(), best.words.begin(), best.words.end());
    const Script script = reproducing_script(what);
    if (script.name.empty()) return {};
    return base::write_file_atomically(base::join_path(request_.output, script.name), script.text);
  }

  // The engine with times of layers, beside that of the model as it is.
  Result<void> finish(const Recipe& best) {
    outcome_.best_engine.clear();
    std::vector<OpenRequest> engines;
    const auto run = [&](const Recipe& recipe, const std::string& name) -> Result<void> {
      // Another best model before, of another name.
      const fs::path earlier = fs::path(request_.output) / name;
      std::error_code ignored;
      if (fs::exists(earlier / "manifest.json", ignored)) fs::remove_all(earlier, ignored);
      PLANEX_ASSIGN(std::string engine,
                    bench_->run_fully(recipe, base::join_path(request_.output, name)));
      OpenRequest opened{.path = std::move(engine), .name = name};
      // Of the best, the copy that stays.
      const bool is_best = name == "best" && !outcome_.best_model.empty();
      opened.source_model = is_best ? outcome_.best_model : recipe.model;
      engines.push_back(std::move(opened));
      return {};
    };
    PLANEX_TRY(write_script(best));
    PLANEX_TRY(run({.model = request_.model}, "first"));
    if (!outcome_.kept.empty()) {
      PLANEX_TRY(run(best, "best"));
      outcome_.best_engine = engines.back().path;
    }
    outcome_.rerun = rerun();
    PLANEX_TRY(write_record());
    PLANEX_ASSIGN(const Session session, Session::open(engines));
    ReportRequest report;
    report.optimize = base::join_path(request_.output, "optimize.json");
    PLANEX_ASSIGN(const std::string page, session.report(report));
    PLANEX_TRY(base::write_file_atomically(base::join_path(request_.output, "report.html"), page));
    return write_capsule();
  }

  std::string capsule() const { return base::join_path(request_.output, "optimize.planex"); }

  // Of the model as it is and the best, with the files that their weights are in.
  bool are_models_small() const {
    std::uint64_t bytes = 0;
    const auto add = [&](const std::string& file) {
      std::error_code error;
      const auto size = fs::file_size(file, error);
      if (!error) bytes += size;
    };
    for (const std::string& model : {request_.model, outcome_.best_model}) {
      if (model.empty()) continue;
      add(model);
      for (const std::string& name : drive::model_data_files(model)) {
        add((fs::path(model).parent_path() / name).string());
      }
    }
    return bytes <= kMaxPackedBytes;
  }

  // The command that searches again, here or where the capsule is.
  std::string rerun() {
    const bool is_packed = are_models_small();
    if (!is_packed) {
      outcome_.notes.push_back(format(
          "optimize.planex has the models without their weights, which are large; to pack them, "
          "too: planex archive {} --with-weights -o {}",
          base::shell_word(request_.output), base::shell_word(capsule())));
    }
    OptimizeRequest plain;
    return search_by_hand(is_packed ? capsule() : request_.model, options_of(request_),
                          options_of(plain));
  }

  // Everything that a search leaves, as one file: it is opened as the folder is.
  Result<void> write_capsule() {
    const ArchiveRequest archive{.engine = {.path = request_.output},
                                 .output = capsule(),
                                 .with_weights = are_models_small()};
    const auto made = archive_engine(archive, {.format = Format::kJson});
    if (made || made.error().code != ErrorCode::kUnsupported) {
      return made ? Result<void>() : fail(made.error());
    }
    outcome_.notes.push_back("there is no capsule: " + made.error().message);
    outcome_.rerun.clear();
    return write_record();
  }

  void describe() {
    outcome_.model = request_.model;
    outcome_.model_sha256 = model_sha256_;
    outcome_.folder = request_.output;
    outcome_.engine = request_.engine;
    outcome_.aim = aim_;
    outcome_.max_latency_ms = request_.max_latency_ms;
    outcome_.goal = goal_ ? quantize::to_string(*goal_) : "same";
    outcome_.budget_seconds = budget_.count();
    if (aim_ == analyze::Aim::kThroughput && request_.engine == "onnxruntime") {
      outcome_.notes.emplace_back(
          "planex runs one inference at a time in ONNX Runtime, so throughput is that of one");
    }
    if (!shop_) {
      outcome_.notes.emplace_back(
          "OpenVINO is not here to compare results, so only options of the engine are tried");
    }
    if (needs_.trtexec && !needs_.trtexec->why_no_knobs.empty()) {
      outcome_.notes.push_back(needs_.trtexec->why_no_knobs);
    }
  }

  session::Writers writers() const {
    return {
        .document = {render::optimize_document(), outcome_},
        .rows = [this] { return record::rows_of(outcome_.steps, render::optimize_step_fields()); },
        .text =
            [this](const render::TableStyle& style) {
              return render::optimize_text(outcome_, style);
            }};
  }

  Result<void> write_record() const {
    return base::write_file_atomically(
        base::join_path(request_.output, "optimize.json"),
        session::json_of(writers().document, render::JsonStyle::kPretty));
  }

  Answer answer() const { return {.document = session::write(writers(), context_.view)}; }

  OptimizeRequest request_;
  const Context& context_;
  const Clock::time_point start_ = Clock::now();
  std::chrono::duration<double> budget_{};
  std::optional<quantize::Goal> goal_;
  analyze::Aim aim_ = analyze::Aim::kLatency;
  drive::ProcessRequest process_;
  std::unique_ptr<Shop> shop_;
  ProposalNeeds needs_;
  std::vector<Proposal> proposals_;
  std::optional<base::ScratchFolder> scratch_;
  std::optional<tune::Runner> runner_;
  std::optional<ProcessBench> bench_;
  std::size_t placed_ = 0;
  std::string model_sha256_;
  // Of an earlier run of the same command, and of this one.
  SavedSearch earlier_, state_;
  OptimizeOutcome outcome_;
};

}  // namespace

session::Options options_of(OptimizeRequest& request) {
  session::Options options = {PLANEX_OPTIMIZE_OPTIONS(PLANEX_BIND)};
  choose_engine(options);
  for (session::Option& option : options_of(request.data)) {
    if (option.name != "preview" && option.name != "labels") options.push_back(std::move(option));
  }
  for (session::Option& option : session::options_of(request.process)) {
    constexpr std::string_view kTaken[] = {"threads", "program", "python", "timeout", "launcher"};
    for (const std::string_view name : kTaken) {
      if (option.name == name) options.push_back(option);
    }
  }
  return options;
}

Result<Answer> run(const OptimizeRequest& request, const Context& context) {
  return Optimizer(request, context).run();
}

}  // namespace planex::jobs
