#include "tune/saved_engine.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "arrays/accuracy.h"
#include "arrays/npy.h"
#include "arrays/open_arrays.h"
#include "base/files.h"
#include "base/text.h"
#include "base/try.h"
#include "quantize/existing.h"
#include "quantize/only.h"
#include "tune/model_file.h"
#include "tune/runner.h"
#include "tune/scores.h"
#include "tune/stored.h"

namespace planex::tune {
namespace {

using drive::Arithmetic;
using quantize::JudgedTensor;
using quantize::LayerAccuracies;
using quantize::LayerAccuracy;

// A tensor of the model and the engine's saved values of it, iteration by iteration.
struct SavedTensor {
  std::string name;  // name in the model
  std::vector<const arrays::Array*> iterations;
  // Of one sample.
  std::size_t sample_bytes = 0;
  std::vector<std::int64_t> shape;
};

class SavedEngine {
 public:
  SavedEngine(const LayerAccuracyRequest& request, const Workshop& workshop)
      : request_(request), runner_(workshop) {}

  Result<LayerAccuracies> run() {
    PLANEX_TRY(open());
    PLANEX_TRY(match());
    PLANEX_TRY(run_models());
    PLANEX_TRY(count_samples());
    PLANEX_TRY(store_engine());
    PLANEX_TRY(compare());
    PLANEX_ASSIGN(Scores scores, score_stored(seen_, scored(), runner_, result_.notes));
    result_.labels = std::move(scores.labels);
    result_.metrics = std::move(scores.metrics);
    if (!result_.simulated.empty()) {
      result_.fault = quantize::fault_of(result_.simulated, result_.engine);
    }
    result_.runtime_version = runner_.runtime_version();
    result_.isa = runner_.isa();
    result_.has_vnni = runner_.has_vnni();
    return std::move(result_);
  }

 private:
  Result<void> open() {
    PLANEX_ASSIGN(saved_, arrays::open_arrays(request_.engine_outputs, base::disk()));
    PLANEX_ASSIGN(const std::size_t place,
                  arrays::run_called(saved_, request_.engine_outputs, request_.runner));
    iterations_ = &saved_.runs[place].iterations;
    result_.engine_outputs = request_.engine_outputs;
    result_.engine_outputs_format = to_string(saved_.format);
    result_.notes = saved_.remarks;
    result_.reference = request_.reference;
    result_.subject = request_.subject.empty() ? request_.reference : request_.subject;
    PLANEX_ASSIGN(model_, ModelFile::open(request_.reference));
    PLANEX_ASSIGN(const auto inputs, inputs_of(model_->model()));
    DataRequest data = request_.data;
    data.is_ordered = true;
    PLANEX_ASSIGN(data_, load_data(data, inputs, "samples", runner_.workshop()));
    judged_ = judged_outputs(model_->model(), model_->links(), false);
    return open_subject();
  }

  // Which file is run as float, and which one is simulated.
  Result<void> open_subject() {
    float_path_ = request_.reference;
    simulated_path_ = request_.subject;
    if (!simulated_path_.empty()) {
      PLANEX_ASSIGN(subject_, ModelFile::open(simulated_path_));
      return {};
    }
    const quantize::ModelView view{model_->model(), model_->links(), model_->values()};
    PLANEX_ASSIGN(const quantize::Existing existing,
                  quantize::read_existing(view.model, view.links, view.values));
    if (quantize::quantized_layers(view, existing).empty()) return {};
    // Weights are the integers times their scales: no others are known.
    PLANEX_ASSIGN(const auto weights, quantize::float_weights(view, existing, view));
    onnx::Edit edit;
    quantize::keep_only(view, existing, weights, quantize::Kept::none(), edit);
    simulated_path_ = request_.reference;
    float_path_ = base::join_path(runner_.workshop().folder, "base.onnx");
    PLANEX_TRY(model_->write(edit, float_path_));
    result_.notes.emplace_back(
        "float is the model without its Q/DQ, so the rounding loss of weights does not show; name "
        "the float model and the quantized model with --engine-outputs");
    return {};
  }

  const onnx::Links& subject_links() const {
    return subject_ ? subject_->links() : model_->links();
  }

  Result<void> match() {
    std::map<std::string, std::string> by_file;  // empty: several tensors have the same name
    if (saved_.has_file_names) {
      for (const onnx::Link& link : model_->links().all()) {
        const auto [place, is_new] =
            by_file.emplace(arrays::file_like(link.name), std::string(link.name));
        if (!is_new) place->second.clear();
      }
    }
    std::map<std::string, std::size_t> places;
    std::vector<std::string> unknown;
    for (const arrays::Iteration& iteration : *iterations_) {
      for (const arrays::NamedArray& array : iteration.arrays) {
        std::string name = array.name;
        if (!is_tensor(name) && saved_.has_file_names) {
          const auto found = by_file.find(arrays::file_like(name));
          name = found == by_file.end() ? std::string() : found->second;
        }
        if (!is_tensor(name)) {
          // Inputs that were saved with the outputs are known.
          const onnx::Link* link = model_->links().find(array.name);
          const bool is_input = link != nullptr && link->is_input;
          if (!is_input && std::ranges::find(unknown, array.name) == unknown.end()) {
            unknown.push_back(array.name);
          }
          continue;
        }
        const auto [place, is_new] = places.emplace(name, tensors_.size());
        if (is_new) tensors_.push_back({.name = name});
        tensors_[place->second].iterations.push_back(&array.array);
      }
    }
    if (tensors_.empty()) {
      return fail({.code = ErrorCode::kBadInput,
                   .message = base::format(
                       "it has no tensor with the name of one that {} computes{}",
                       base::quoted(request_.reference),
                       unknown.empty() ? std::string() : ", but " + base::quoted(unknown.front())),
                   .file = request_.engine_outputs,
                   .hint = "Tensors are matched by name, as the model has them."});
    }
    for (const std::string& name : unknown) {
      result_.notes.push_back(
          base::format("{} does not exist in {}", base::quoted(name), request_.reference));
    }
    return {};
  }

  bool is_tensor(const std::string& name) const {
    const onnx::Link* link = model_->links().find(name);
    return !name.empty() && link != nullptr && link->node != onnx::kNoIndex;
  }

  Result<void> run_models() {
    drive::InferencePass pass;
    const auto add = [&](const char* id, const std::string& path, Arithmetic arithmetic,
                         const onnx::Links& links) {
      drive::InferenceModel model{.id = id, .path = path, .arithmetic = arithmetic};
      for (const SavedTensor& tensor : tensors_) {
        if (links.find(tensor.name) == nullptr) continue;
        model.taps.push_back(tensor.name);
        pass.stored.push_back({id, tensor.name});
      }
      pass.models.push_back(std::move(model));
    };
    add("float", float_path_, Arithmetic::kFloat, model_->links());
    if (!simulated_path_.empty()) {
      add("simulated", simulated_path_, Arithmetic::kSimulated, subject_links());
    }
    drive::InferenceJob job;
    job.samples = data_.folder;
    if (result_.sample_count > 0) job.sample_count = result_.sample_count;
    PLANEX_ASSIGN(job.output_dir, make_folder(runner_.workshop().folder, "results"));
    engine_dir_ = job.output_dir;
    job.passes.push_back(std::move(pass));
    PLANEX_ASSIGN(drive::InferenceResult seen, runner_.run(std::move(job), "float and simulated"));
    seen_ = std::move(seen.passes.front());
    return {};
  }

  // How many samples of each tensor the engine saved; tensors of other sizes are left out.
  Result<void> count_samples() {
    std::vector<std::string> mismatches;
    std::vector<SavedTensor> kept;
    std::size_t saved_count = 0;
    for (SavedTensor& tensor : tensors_) {
      PLANEX_ASSIGN(const auto reference, find_stored(seen_, "float", tensor.name));
      if (!reference) continue;
      const auto one = static_cast<std::size_t>(
          std::max<std::int64_t>(arrays::element_count(reference->shape()).value_or(0), 1));
      std::size_t samples = 0;
      bool fits = true;
      const arrays::ElementType type = tensor.iterations.front()->type;
      for (const arrays::Array* array : tensor.iterations) {
        const std::size_t elements = array->data.size() / arrays::bytes_per_element(array->type);
        fits = fits && elements > 0 && elements % one == 0 && array->type == type;
        samples += elements / one;
      }
      if (fits && (saved_count == 0 || samples == saved_count)) {
        saved_count = samples;
        tensor.sample_bytes = one * arrays::bytes_per_element(type);
        tensor.shape = reference->shape();
        kept.push_back(std::move(tensor));
        continue;
      }
      mismatches.push_back(base::format(
          "{} is {} in the engine's outputs, but a sample of the model has {}",
          base::quoted(tensor.name), arrays::shape_text(tensor.iterations.front()->shape),
          arrays::shape_text(reference->shape())));
    }
    if (kept.empty()) {
      return fail({.code = ErrorCode::kBadInput,
                   .message = mismatches.empty() ? "none of its tensors could be seen in the model"
                                                 : mismatches.front(),
                   .file = request_.engine_outputs});
    }
    tensors_ = std::move(kept);
    result_.notes.insert(result_.notes.end(), mismatches.begin(), mismatches.end());
    result_.sample_count = std::min(saved_count, data_.sample_count);
    if (saved_count == data_.sample_count) return {};
    result_.notes.push_back(base::format(
        "the engine saved outputs of {}, but {} of the data were run: the first {} are compared",
        base::counted(saved_count, "sample"), data_.sample_count, result_.sample_count));
    // The user's programs get results for the same samples.
    return data_.sample_count > saved_count ? run_models() : Result<void>();
  }

  // Stored like the models' tensors: samples along the first axis.
  Result<void> store_engine() {
    std::size_t number = 0;
    for (const SavedTensor& tensor : tensors_) {
      std::vector<std::int64_t> shape = {static_cast<std::int64_t>(result_.sample_count)};
      shape.insert(shape.end(), tensor.shape.begin(), tensor.shape.end());
      const std::string path = base::join_path(engine_dir_, base::format("saved.{}.npy", number++));
      PLANEX_ASSIGN(base::FileWriter writer, base::FileWriter::create(path));
      PLANEX_TRY(writer.write(arrays::npy_header_text(tensor.iterations.front()->type, shape)));
      std::size_t left = result_.sample_count * tensor.sample_bytes;
      for (const arrays::Array* array : tensor.iterations) {
        const std::string_view piece = std::string_view(array->data).substr(0, left);
        PLANEX_TRY(writer.write(piece));
        left -= piece.size();
      }
      PLANEX_TRY(writer.finish());
      seen_.stored.push_back({{"engine", tensor.name}, path});
    }
    return {};
  }

  Result<std::optional<StoredDifference>> difference(std::string_view from, std::string_view to,
                                                     const std::string& tensor,
                                                     const arrays::Split* split) const {
    PLANEX_ASSIGN(const auto reference, find_stored(seen_, from, tensor));
    PLANEX_ASSIGN(const auto subject, find_stored(seen_, to, tensor));
    if (!reference || !subject) return std::optional<StoredDifference>();
    return difference_of(*reference, *subject, result_.sample_count, split);
  }

  Result<void> compare() {
    // In the order of the model.
    for (const onnx::Node& node : model_->model().nodes_of(model_->model().graphs.front())) {
      for (const std::string_view output : model_->model().outputs_of(node)) {
        if (std::ranges::find(tensors_, output, &SavedTensor::name) == tensors_.end()) continue;
        PLANEX_TRY(compare(std::string(output), node));
      }
    }
    return {};
  }

  Result<void> compare(const std::string& name, const onnx::Node& node) {
    const auto judged = std::ranges::find_if(judged_, [&](const JudgedOutput& output) {
      return output.output == name || output.tensor == name;
    });
    const arrays::Split* const split = judged == judged_.end() ? nullptr : &judged->split;
    PLANEX_ASSIGN(const auto simulated, difference("float", "simulated", name, split));
    PLANEX_ASSIGN(const auto engine, difference("float", "engine", name, split));
    PLANEX_ASSIGN(const auto parted, difference("simulated", "engine", name, split));
    if (!engine) return {};
    if (judged == judged_.end()) {
      LayerAccuracy layer{
          .tensor = name, .node = std::string(node.name), .op_type = std::string(node.op_type)};
      if (simulated) layer.simulated = simulated->difference;
      layer.engine = engine->difference;
      result_.layers.push_back(std::move(layer));
      return {};
    }
    const auto add = [&](const std::optional<StoredDifference>& one,
                         std::vector<JudgedTensor>& list) {
      if (!one) return;
      list.push_back({name, one->difference, {}});
      if (judged->has_classes) list.back().agreement = one->agreement;
    };
    add(simulated, result_.simulated);
    add(engine, result_.engine);
    add(parted, result_.engine_to_simulated);
    return {};
  }

  // Labels are compared with what was saved: the logits, or the Softmax of them.
  ScoreRequest scored() const {
    ScoreRequest request{.model = float_path_,
                         .quantized = simulated_path_,
                         .judged = judged_,
                         .samples = {.folder = data_.folder, .count = result_.sample_count},
                         .metrics = request_.metrics};
    for (JudgedOutput& output : request.judged) {
      const bool has_tensor =
          std::ranges::find(tensors_, output.tensor, &SavedTensor::name) != tensors_.end();
      if (!has_tensor) output.tensor = output.output;
    }
    return request;
  }

  const LayerAccuracyRequest& request_;
  Runner runner_;
  arrays::SavedArrays saved_;
  const std::vector<arrays::Iteration>* iterations_ = nullptr;
  std::unique_ptr<ModelFile> model_, subject_;
  Data data_;
  std::vector<JudgedOutput> judged_;
  std::string float_path_, simulated_path_;  // the second is empty: nothing is quantized
  std::vector<SavedTensor> tensors_;
  drive::PassResult seen_;
  std::string engine_dir_;
  LayerAccuracies result_;
};

}  // namespace

Result<LayerAccuracies> saved_engine_accuracy(const LayerAccuracyRequest& request,
                                              const Workshop& workshop) {
  return SavedEngine(request, workshop).run();
}

}  // namespace planex::tune
