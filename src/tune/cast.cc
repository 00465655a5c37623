#include "tune/cast.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <set>
#include <system_error>
#include <utility>
#include <vector>

#include "base/files.h"
#include "base/text.h"
#include "base/try.h"
#include "drive/inference.h"
#include "onnx/small_floats.h"
#include "onnx/types.h"
#include "tune/cast_search.h"
#include "tune/migrate.h"
#include "tune/model_file.h"
#include "tune/runner.h"

namespace planex::tune {
namespace {

using base::format;
using drive::Arithmetic;
using drive::InferenceJob;
using drive::InferencePass;
using onnx::DataType;
using onnx::Index;
using onnx::kNoIndex;
using quantize::CastOutcome;
using quantize::CastTensor;
using quantize::CastTry;
using quantize::JudgedTensor;

// Q/DQ with scales in float16 or bfloat16.
constexpr std::int64_t kOpsetOfSmallScales = 19;
// How many tensors are observed in one pass: the values of one sample are in memory.
constexpr std::size_t kTapsAtOnce = 128;
constexpr std::size_t kMaxTries = 16;
// The minimum gain of a node in float.
constexpr double kMinGainDb = 0.1;

// One trial cast of the model.
struct Attempt {
  quantize::CastPlan plan;
  quantize::CastCounts counts;
  Losses losses;
  std::vector<JudgedTensor> outputs;
  double worst_db = 0;
};

class Caster {
 public:
  Caster(const CastRequest& request, const Workshop* workshop)
      : request_(request), workshop_(workshop), options_(request.options) {}

  Result<CastOutcome> run() {
    PLANEX_TRY(read_command());
    PLANEX_ASSIGN(file_, ModelFile::open(result_.model));
    result_.opset_before = file_->model().graphs.front().opset;
    if (options_.type == DataType::kUndefined) return stay();
    PLANEX_TRY(check_output());
    PLANEX_TRY(raise());
    PLANEX_TRY(take_types());
    types_ = std::make_unique<onnx::Types>(file_->model());
    if (request_.data) {
      PLANEX_TRY(load());
      PLANEX_TRY(observe());
    }
    Attempt attempt;
    PLANEX_ASSIGN(attempt, cast());
    if (request_.data) {
      PLANEX_TRY(judge(attempt));
      if (request_.keep_below_db) PLANEX_TRY(search(attempt));
    }
    PLANEX_TRY(write(attempt));
    describe(attempt);
    return std::move(result_);
  }

 private:
  void note(std::string words) { result_.notes.push_back(std::move(words)); }

  // --- The trtexec command

  Result<void> read_command() {
    result_.model = request_.model;
    options_.type = request_.type.value_or(DataType::kUndefined);
    if (request_.command.empty()) {
      if (request_.type) return {};
      return fail(ErrorCode::kUsage, "no type to cast to", "--to fp16, or --to bf16");
    }
    PLANEX_ASSIGN(migration_, trtexec::migrate(request_.command));
    if (result_.model.empty()) result_.model = migration_.model;
    result_.old_command = request_.command;
    if (!request_.type) {
      options_.type = type_wanted(migration_).value_or(DataType::kUndefined);
      options_.casts_rest = migration_.has_fp16 || migration_.has_bf16;
    }
    return {};
  }

  // A command that only asks for float.
  Result<CastOutcome> stay() {
    PLANEX_ASSIGN(const auto notes, take_over(migration_, file_->model(), std::nullopt, options_));
    result_.notes.insert(result_.notes.end(), notes.begin(), notes.end());
    note(request_.output.empty()
             ? std::string("the command asks for no type that the model does not already have: it "
                           "stays as it is")
             : format("the command asks for no type that the model does not already have: it stays "
                      "as it is, and {} is not written",
                      request_.output));
    result_.opset = result_.opset_before;
    tell_command(result_.model);
    return std::move(result_);
  }

  void tell_command(std::string_view model) {
    if (request_.command.empty()) return;
    for (const trtexec::MigratedOption& option : migration_.options) {
      result_.options.push_back(
          {option.option, std::string(to_string(option.change)), option.now, option.why});
      if (option.now.starts_with("--onnx=")) {
        result_.options.back().now = format("--onnx={}", model);
        if (model != migration_.model) result_.options.back().change = "replaced";
      }
    }
    result_.new_command = trtexec::migrated_command(migration_, model);
  }

  Result<void> take_types() {
    if (!request_.command.empty()) {
      PLANEX_ASSIGN(const auto notes,
                    take_over(migration_, file_->model(), options_.type, options_));
      result_.notes.insert(result_.notes.end(), notes.begin(), notes.end());
    }
    return take_layers(request_.layer_precisions, request_.layer_output_types, file_->model(),
                       options_.type, options_, result_.notes);
  }

  // --- The model

  Result<void> check_output() const {
    if (request_.output.empty()) {
      return fail(ErrorCode::kUsage, "no name for the cast model: -o FILE");
    }
    if (!base::is_same_file(request_.output, result_.model)) return {};
    return fail({.code = ErrorCode::kUsage,
                 .message = "the output would overwrite the model",
                 .file = request_.output,
                 .hint = "choose another name for -o"});
  }

  Result<void> raise() {
    std::int64_t wanted = quantize::opset_of_casts(options_.type);
    if (has_pairs(file_->model())) wanted = std::max(wanted, kOpsetOfSmallScales);
    if (wanted > result_.opset_before) {
      auto raised = file_->raised(wanted);
      if (!raised) {
        Error error = raised.error();
        error.file = result_.model;
        return fail(std::move(error));
      }
      file_ = std::move(*raised);
    }
    result_.opset = file_->model().graphs.front().opset;
    return {};
  }

  Result<Attempt> cast() {
    Attempt attempt;
    edit_ = onnx::Edit();
    const auto with_file = [&](Error error) {
      if (error.file.empty()) error.file = result_.model;
      return fail(std::move(error));
    };
    auto plan =
        quantize::plan_casts(file_->model(), file_->links(), *types_, file_->values(), options_);
    if (!plan) return with_file(plan.error());
    auto counts = quantize::write_casts(file_->model(), file_->links(), *types_, file_->values(),
                                        *plan, options_, edit_);
    if (!counts) return with_file(counts.error());
    attempt.plan = std::move(*plan);
    attempt.counts = *counts;
    return attempt;
  }

  Result<void> write(const Attempt& attempt) {
    if (attempt.plan.small_nodes == 0) {
      note("no node is cast: see why each stays in float");
    }
    PLANEX_TRY(file_->write(edit_, request_.staged.empty() ? request_.output : request_.staged));
    result_.output = request_.output;
    return {};
  }

  // --- Measuring

  Result<void> load() {
    if (workshop_ == nullptr)
      return fail(ErrorCode::kInternal,
                  "there is data but nothing to run "
                  "it with");
    PLANEX_ASSIGN(const std::vector<ModelInput> inputs, inputs_of(file_->model()));
    DataRequest wanted = *request_.data;
    if (wanted.limit == 0) wanted.limit = request_.sample_limit;
    PLANEX_ASSIGN(data_, load_data(wanted, inputs, "samples", *workshop_));
    result_.notes.insert(result_.notes.end(), data_.notes.begin(), data_.notes.end());
    result_.sample_count = data_.sample_count;
    result_.judge_count = std::min(data_.sample_count, request_.judge_limit);
    result_.preparation = data_.preparation;
    for (const auto& [path, why] : data_.refused) result_.refused.push_back({path, why});
    for (const onnx::Link& link : file_->links().all()) {
      const bool is_constant = file_->links().constant(link.name) != kNoIndex;
      if (is_constant || types_->of(link.name) != DataType::kFloat) continue;
      measured_.emplace_back(link.name);
    }
    return {};
  }

  Result<drive::InferenceResult> infer(InferenceJob job, const std::string& step) {
    Runner runner(*workshop_);
    job.samples = data_.folder;
    PLANEX_ASSIGN(drive::InferenceResult result, runner.run(std::move(job), step));
    result_.runtime_version = runner.runtime_version();
    result_.isa = runner.isa();
    return result;
  }

  // Calls `add` for each group of tensors with the pass that observes it.
  template <typename Add>
  static void in_groups(InferenceJob& job, const std::vector<std::string>& tensors, Add add) {
    for (std::size_t first = 0; first < tensors.size(); first += kTapsAtOnce) {
      InferencePass pass;
      const std::size_t end = std::min(tensors.size(), first + kTapsAtOnce);
      for (std::size_t place = first; place < end; ++place) add(pass, tensors[place]);
      job.passes.push_back(std::move(pass));
    }
  }

  Result<void> observe() {
    InferenceJob job;
    in_groups(job, measured_, [](InferencePass& pass, const std::string& tensor) {
      pass.observed.push_back({"float", tensor});
    });
    for (InferencePass& pass : job.passes) {
      pass.models.push_back({.id = "float", .path = result_.model});
    }
    PLANEX_ASSIGN(const drive::InferenceResult seen, infer(std::move(job), "ranges"));
    for (const drive::PassResult& pass : seen.passes) {
      for (const drive::ObservedTensor& tensor : pass.observed) PLANEX_TRY(take(tensor));
    }
    if (result_.tensors.size() < measured_.size()) {
      note(format(
          "{} not measured, because OpenVINO's reader drops them: their values are assumed to fit",
          base::counted(measured_.size() - result_.tensors.size(), "tensor was", "tensors were")));
    }
    return {};
  }

  Result<void> take(const drive::ObservedTensor& seen) {
    const std::string& name = seen.tensor.tensor;
    if (seen.nan_count > 0) {
      return fail(
          {.code = ErrorCode::kBadInput,
           .message = format("tensor {} of the float model has {} on this data", base::quoted(name),
                             base::counted(static_cast<std::size_t>(seen.nan_count), "NaN")),
           .file = result_.model,
           .hint = "The data or the model is at fault: no range can be computed from these "
                   "values."});
    }
    const double largest = std::max(std::abs(seen.min), std::abs(seen.max));
    options_.ranges[name] = largest;
    result_.tensors.push_back({.tensor = name,
                               .min = seen.min,
                               .max = seen.max,
                               .limit_ratio = largest / limit(),
                               .simulated = {}});
    return {};
  }

  double limit() const {
    constexpr double kGreatestBfloat16 = 0x1.FEp127;
    return options_.margin * (options_.type == DataType::kFloat16
                                  ? static_cast<double>(onnx::kGreatestHalf)
                                  : kGreatestBfloat16);
  }

  // Compares with the float model, in the file's own arithmetic: outputs, and all tensors where
  // nodes are searched.
  Result<void> judge(Attempt& attempt) {
    const std::string path = base::join_path(workshop_->folder, "cast.onnx");
    PLANEX_TRY(file_->write(edit_, path));
    const std::vector<JudgedOutput> judged =
        judged_outputs(file_->model(), file_->links(), workshop_->judges_as_returned);
    std::vector<std::string> tensors;
    for (const JudgedOutput& output : judged) tensors.push_back(output.tensor);
    if (request_.keep_below_db) {
      for (const std::string& tensor : measured_) {
        if (std::ranges::find(tensors, tensor) == tensors.end()) tensors.push_back(tensor);
      }
    }
    InferenceJob job;
    job.sample_count = result_.judge_count;
    in_groups(job, tensors, [](InferencePass& pass, const std::string& tensor) {
      pass.compared.push_back({{"float", tensor}, {"cast", tensor}});
    });
    for (InferencePass& pass : job.passes) {
      pass.has_classes = true;
      add_splits(pass, judged);
      pass.models = {{.id = "float", .path = result_.model},
                     {.id = "cast", .path = path, .arithmetic = Arithmetic::kSimulated}};
    }
    PLANEX_ASSIGN(const drive::InferenceResult seen, infer(std::move(job), "judge"));
    attempt.worst_db = std::numeric_limits<double>::infinity();
    for (const drive::PassResult& pass : seen.passes) {
      for (const drive::ComparedTensor& one : pass.compared) {
        if (!one.mismatch.empty()) continue;
        attempt.losses[one.subject.tensor] = one.difference;
        const auto output = std::ranges::find(judged, one.subject.tensor, &JudgedOutput::tensor);
        if (output == judged.end()) continue;
        attempt.outputs.push_back({one.subject.tensor, one.difference, {}});
        if (output->has_classes) attempt.outputs.back().agreement = one.agreement;
        constexpr double kTen = 10;
        const double noise = noise_ratio(one.difference);
        attempt.worst_db =
            std::min(attempt.worst_db, noise == 0 ? attempt.worst_db : -kTen * std::log10(noise));
      }
    }
    return {};
  }

  // --- Searching what must stay in float

  Result<void> search(Attempt& best) {
    const double wanted = *request_.keep_below_db;
    std::set<Index> tried;
    const Index first = file_->model().graphs.front().nodes.first;
    while (best.worst_db < wanted && result_.tries.size() < kMaxTries) {
      const std::vector<Index> nodes =
          noisiest(file_->model(), file_->links(), best.plan, best.losses, tried);
      if (nodes.empty()) break;
      tried.insert(nodes.begin(), nodes.end());
      const std::size_t before = options_.kept.size();
      CastTry one;
      for (const Index node : nodes) {
        options_.kept.push_back(format("#{}", node - first));
        one.nodes.push_back(node_name(file_->model(), node));
      }
      Attempt next;
      PLANEX_ASSIGN(next, cast());
      PLANEX_TRY(judge(next));
      if (std::isfinite(next.worst_db)) one.worst_db = next.worst_db;
      one.is_taken =
          next.worst_db >= best.worst_db + kMinGainDb ||
          (std::isinf(best.worst_db) && best.worst_db < 0 && next.worst_db > best.worst_db);
      result_.tries.push_back(one);
      if (one.is_taken) {
        searched_.insert(nodes.begin(), nodes.end());
        best = std::move(next);
      } else {
        options_.kept.resize(before);
      }
    }
    if (best.worst_db < wanted) {
      note(format("{:.1f} dB were requested, but {} reached only {}", wanted,
                  base::counted(result_.tries.size(), "try", "tries"),
                  std::isfinite(best.worst_db) ? format("{:.1f} dB", best.worst_db)
                                               : std::string("NaN or infinities")));
    }
    // The edit still belongs to the last try.
    PLANEX_ASSIGN(const Attempt again, cast());
    best.plan = again.plan;
    best.counts = again.counts;
    return {};
  }

  // --- Telling

  void describe(const Attempt& attempt) {
    const onnx::Model& model = file_->model();
    result_.type = options_.type;
    result_.margin = options_.margin;
    result_.small_nodes = attempt.plan.small_nodes;
    result_.counts = attempt.counts;
    result_.keep_below_db = request_.keep_below_db;
    for (const quantize::KeptNode& kept : attempt.plan.kept) {
      const bool is_searched = searched_.contains(kept.node);
      result_.kept.push_back(
          {node_name(model, kept.node), std::string(model.nodes[kept.node].op_type),
           is_searched ? "loss" : std::string(kept.rule),
           is_searched ? "in the small type the outputs lose too much" : kept.why});
    }
    for (const onnx::Value& value : model.values_of(model.graphs.front())) {
      const bool is_cast = value.role != onnx::ValueRole::kInfo && value.type == DataType::kFloat &&
                           !options_.keeps_type_of(value.name);
      if (!is_cast) continue;
      const onnx::Link* link = file_->links().find(value.name);
      const bool stays = link == nullptr || link->is_captured ||
                         (value.role == onnx::ValueRole::kInput && link->initializer != kNoIndex);
      if (stays) {
        note(format("{} stays in float: it has a default, or a subgraph reads it",
                    base::quoted(value.name)));
      } else {
        result_.small_io.emplace_back(value.name);
      }
    }
    for (CastTensor& tensor : result_.tensors) {
      const onnx::Link* link = file_->links().find(tensor.tensor);
      if (link == nullptr) continue;
      tensor.is_small = link->node != kNoIndex ? attempt.plan.is_small[link->node]
                                               : !options_.keeps_type_of(tensor.tensor);
      const auto loss = attempt.losses.find(tensor.tensor);
      if (loss != attempt.losses.end()) tensor.simulated = loss->second;
    }
    result_.simulated = attempt.outputs;
    if (!request_.data) {
      note(
          "values between the nodes were not measured: without --data only the ranges of weights "
          "decide");
    }
    if (has_subgraphs()) note("the bodies of If, Loop and Scan stay in float");
    tell_command(request_.output);
  }

  bool has_subgraphs() const {
    return std::ranges::any_of(file_->model().graphs, [](const onnx::Graph& graph) {
      return graph.kind == onnx::GraphKind::kSubgraph;
    });
  }

  const CastRequest& request_;
  const Workshop* workshop_;
  quantize::CastOptions options_;
  trtexec::Migration migration_;
  std::unique_ptr<ModelFile> file_;
  std::unique_ptr<onnx::Types> types_;
  onnx::Edit edit_;  // edits of the last cast()
  Data data_;
  std::vector<std::string> measured_;
  std::set<Index> searched_;  // kept to protect the outputs
  CastOutcome result_;
};

}  // namespace

std::string cast_source(const CastRequest& request) {
  if (!request.model.empty() || request.command.empty()) return request.model;
  const auto migration = trtexec::migrate(request.command);
  return migration ? migration->model : std::string();
}

Result<CastOutcome> cast_model(const CastRequest& request, const Workshop* workshop) {
  auto outcome = Caster(request, workshop).run();
  return outcome ? std::move(outcome)
                 : fail(about_model(std::move(outcome).error(), cast_source(request)));
}

}  // namespace planex::tune
