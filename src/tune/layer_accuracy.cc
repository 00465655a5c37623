#include "tune/layer_accuracy.h"

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <utility>

#include "base/text.h"
#include "base/try.h"
#include "drive/inference.h"
#include "tune/model_file.h"

namespace planex::tune {
namespace {

using drive::Arithmetic;
using drive::ComparedTensor;
using drive::InferenceJob;
using drive::InferencePass;
using quantize::JudgedTensor;
using quantize::LayerAccuracies;
using quantize::LayerAccuracy;
using quantize::Tap;

using TensorNames = std::vector<std::string>;

bool is_weighted(std::string_view op_type) {
  return op_type == "Conv" || op_type == "ConvTranspose" || op_type == "Gemm" ||
         op_type == "MatMul";
}

class Comparison {
 public:
  Comparison(const LayerAccuracyRequest& request, const Workshop& workshop)
      : request_(request), workshop_(workshop) {}

  Result<LayerAccuracies> run() {
    result_.reference = request_.reference;
    result_.subject = request_.subject;
    PLANEX_ASSIGN(reference_, ModelFile::open(request_.reference));
    PLANEX_ASSIGN(subject_, ModelFile::open(request_.subject));
    PLANEX_ASSIGN(const auto inputs, inputs_of(reference_->model()));
    PLANEX_ASSIGN(const Data data, load_data(request_.data, inputs, "samples", workshop_));
    samples_ = data.folder;
    result_.sample_count = data.sample_count;
    find_outputs();
    if (request_.has_layers) find_layers();
    if (outputs_.empty() && result_.layers.empty()) {
      return fail({.code = ErrorCode::kBadInput,
                   .message = base::format("it has no tensor of {} by name",
                                           base::quoted(request_.reference)),
                   .file = request_.subject,
                   .hint = "Tensors are matched by name: the two must come from one model."});
    }
    PLANEX_TRY(simulate());
    PLANEX_TRY(look_into_engine());
    return std::move(result_);
  }

 private:
  void find_outputs() {
    for (JudgedOutput& output : judged_outputs(reference_->model(), reference_->links())) {
      if (subject_->links().find(output.tensor) != nullptr) {
        outputs_.push_back(std::move(output));
      } else {
        result_.notes.push_back(
            base::format("{} is no tensor of {}", base::quoted(output.tensor), request_.subject));
      }
    }
  }

  // Outputs of weighted layers, and tensors that the subject quantizes.
  void find_layers() {
    const onnx::Model& model = reference_->model();
    for (const onnx::Node& node : model.nodes_of(model.graphs.front())) {
      for (const std::string_view tensor : model.outputs_of(node)) {
        const onnx::Link* there = subject_->links().find(tensor);
        if (there == nullptr || there->node == onnx::kNoIndex) continue;
        const bool is_quantized = std::ranges::any_of(there->readers, [&](onnx::Reader reader) {
          return subject_->model().nodes[reader.node].op_type == "QuantizeLinear";
        });
        if (!is_quantized && !is_weighted(node.op_type)) continue;
        result_.layers.push_back({.tensor = std::string(tensor),
                                  .node = std::string(node.name),
                                  .op_type = std::string(node.op_type)});
      }
    }
  }

  TensorNames output_names() const {
    TensorNames names;
    for (const JudgedOutput& output : outputs_) names.push_back(output.tensor);
    return names;
  }

  Result<drive::InferenceResult> infer(std::vector<InferencePass> passes, const std::string& step) {
    InferenceJob job;
    job.samples = samples_;
    job.threads = workshop_.threads;
    job.passes = std::move(passes);
    auto result =
        drive::infer(job, workshop_.program, workshop_.progress_of(step), workshop_.cancellation);
    if (result) {
      result_.runtime_version = result->runtime_version;
      result_.isa = result->isa;
      result_.has_vnni = result->has_vnni;
    }
    return result;
  }

  void add_model(InferencePass& pass, const std::string& id, Arithmetic arithmetic,
                 const TensorNames& taps) const {
    const bool is_float = arithmetic == Arithmetic::kFloat;
    pass.models.push_back({.id = id,
                           .path = is_float ? request_.reference : request_.subject,
                           .arithmetic = arithmetic,
                           .taps = taps,
                           .config = {}});
  }

  static void compare(InferencePass& pass, const std::string& from, const std::string& to,
                      const TensorNames& tensors) {
    for (const std::string& tensor : tensors) {
      pass.compared.push_back({{from, tensor}, {to, tensor}});
    }
  }

  std::vector<JudgedTensor> judged(const drive::PassResult& pass, std::string_view from,
                                   std::string_view to) const {
    std::vector<JudgedTensor> tensors;
    for (const JudgedOutput& output : outputs_) {
      for (const ComparedTensor& one : pass.compared) {
        if (one.reference.model != from || one.subject.model != to ||
            one.subject.tensor != output.tensor) {
          continue;
        }
        tensors.push_back({output.tensor, one.difference, {}});
        if (output.has_classes) tensors.back().agreement = one.agreement;
        break;
      }
    }
    return tensors;
  }

  // All tensors at once: in this arithmetic looking changes nothing.
  Result<void> simulate() {
    TensorNames taps = output_names();
    for (const LayerAccuracy& layer : result_.layers) {
      if (std::ranges::find(taps, layer.tensor) == taps.end()) taps.push_back(layer.tensor);
    }
    InferencePass pass;
    pass.has_classes = true;
    add_model(pass, "float", Arithmetic::kFloat, taps);
    add_model(pass, "simulated", Arithmetic::kSimulated, taps);
    compare(pass, "float", "simulated", taps);
    PLANEX_ASSIGN(const drive::InferenceResult seen, infer({pass}, "simulate"));
    result_.simulated = judged(seen.passes.front(), "float", "simulated");
    std::map<std::string_view, const ComparedTensor*> by_name;
    for (const ComparedTensor& one : seen.passes.front().compared) {
      by_name[one.subject.tensor] = &one;
    }
    for (LayerAccuracy& layer : result_.layers) {
      const auto found = by_name.find(layer.tensor);
      if (found != by_name.end()) layer.simulated = found->second->difference;
    }
    return {};
  }

  // A group of tensors stands when the engine's own outputs are those of the engine that nobody
  // looks into; else it is halved.
  Result<void> look_into_engine() {
    InferencePass plain;
    add_model(plain, "engine", Arithmetic::kEngine, {});
    InferencePass ends;
    ends.has_classes = true;
    const TensorNames outputs = output_names();
    add_model(ends, "float", Arithmetic::kFloat, outputs);
    add_model(ends, "simulated", Arithmetic::kSimulated, outputs);
    add_model(ends, "engine", Arithmetic::kEngine, outputs);
    compare(ends, "float", "engine", outputs);
    compare(ends, "simulated", "engine", outputs);
    PLANEX_ASSIGN(const drive::InferenceResult first, infer({plain, ends}, "engine"));
    result_.compile_count += 2;
    const std::string untapped = first.passes.front().models.front().output_digest;
    result_.engine = judged(first.passes.back(), "float", "engine");
    result_.engine_to_simulated = judged(first.passes.back(), "simulated", "engine");
    if (first.passes.back().models.back().output_digest != untapped) {
      result_.notes.emplace_back(
          "the engine was disturbed by looking at what goes into its last Softmax or Sigmoid: its "
          "figures of outputs are of the disturbed one");
    }
    std::deque<std::vector<std::size_t>> groups = spread_groups();
    while (!groups.empty()) {
      std::vector<std::vector<std::size_t>> round(groups.begin(), groups.end());
      groups.clear();
      PLANEX_TRY(look_at(round, untapped, groups));
    }
    return {};
  }

  // Tensors of one group lie far apart, so that no fusion is cut twice.
  std::deque<std::vector<std::size_t>> spread_groups() const {
    const std::size_t count = result_.layers.size();
    const std::size_t groups = (count + request_.taps_at_once - 1) / request_.taps_at_once;
    std::deque<std::vector<std::size_t>> spread(groups);
    for (std::size_t layer = 0; layer < count; ++layer) spread[layer % groups].push_back(layer);
    return spread;
  }

  Result<void> look_at(const std::vector<std::vector<std::size_t>>& groups,
                       const std::string& untapped, std::deque<std::vector<std::size_t>>& again) {
    std::vector<InferencePass> passes;
    for (const auto& group : groups) {
      TensorNames taps;
      for (const std::size_t layer : group) taps.push_back(result_.layers[layer].tensor);
      InferencePass pass;
      add_model(pass, "float", Arithmetic::kFloat, taps);
      add_model(pass, "engine", Arithmetic::kEngine, taps);
      compare(pass, "float", "engine", taps);
      passes.push_back(std::move(pass));
    }
    PLANEX_ASSIGN(
        const drive::InferenceResult seen,
        infer(std::move(passes), base::format("look into the engine, round {}", ++round_)));
    result_.compile_count += groups.size();
    for (std::size_t place = 0; place < groups.size(); ++place) {
      const auto& group = groups[place];
      const bool is_same = seen.passes[place].models.back().output_digest == untapped;
      if (!is_same && group.size() > 1) {
        const auto middle = group.begin() + static_cast<std::ptrdiff_t>(group.size() / 2);
        again.emplace_back(group.begin(), middle);
        again.emplace_back(middle, group.end());
        continue;
      }
      take(group, seen.passes[place], is_same ? Tap::kVerified : Tap::kDisturbed);
    }
    return {};
  }

  void take(const std::vector<std::size_t>& group, const drive::PassResult& pass, Tap tap) {
    for (const std::size_t index : group) {
      LayerAccuracy& layer = result_.layers[index];
      layer.tap = Tap::kMissing;
      for (const ComparedTensor& one : pass.compared) {
        if (one.subject.tensor != layer.tensor) continue;
        layer.engine = one.difference;
        layer.tap = tap;
      }
    }
  }

  const LayerAccuracyRequest& request_;
  const Workshop& workshop_;
  std::unique_ptr<ModelFile> reference_, subject_;
  std::string samples_;
  std::vector<JudgedOutput> outputs_;
  int round_ = 0;
  LayerAccuracies result_;
};

}  // namespace

Result<LayerAccuracies> layer_accuracy(const LayerAccuracyRequest& request,
                                       const Workshop& workshop) {
  return Comparison(request, workshop).run();
}

}  // namespace planex::tune
