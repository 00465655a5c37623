#include "tune/comparison.h"

#include <algorithm>
#include <utility>

#include "base/files.h"
#include "base/text.h"
#include "base/try.h"

namespace planex::tune {
namespace {

bool is_weighted(std::string_view op_type) {
  return op_type == "Conv" || op_type == "ConvTranspose" || op_type == "Gemm" ||
         op_type == "MatMul";
}

}  // namespace

Result<std::unique_ptr<Comparison>> Comparison::open(const LayerAccuracyRequest& request,
                                                     const Workshop& workshop) {
  std::unique_ptr<Comparison> made(new Comparison(request, workshop));
  made->result_.reference = request.reference;
  made->result_.subject = request.subject;
  PLANEX_ASSIGN(made->reference_, ModelFile::open(request.reference));
  PLANEX_ASSIGN(made->subject_, ModelFile::open(request.subject));
  PLANEX_ASSIGN(const auto inputs, inputs_of(made->reference_->model()));
  PLANEX_ASSIGN(made->data_, load_data(request.data, inputs, "samples", workshop));
  made->result_.sample_count = made->data_.sample_count;
  made->find_outputs();
  if (request.has_layers) made->find_layers();
  if (made->outputs_.empty() && made->result_.layers.empty()) {
    return fail({.code = ErrorCode::kBadInput,
                 .message = base::format("it has no tensor in common with {} by name",
                                         base::quoted(request.reference)),
                 .file = request.subject,
                 .hint = "Tensors are matched by name: both models must come from the same one."});
  }
  return made;
}

quantize::ModelView Comparison::reference_view() {
  return {reference_->model(), reference_->links(), reference_->values()};
}
quantize::ModelView Comparison::subject_view() {
  return {subject_->model(), subject_->links(), subject_->values()};
}

void Comparison::find_outputs() {
  for (JudgedOutput& output :
       judged_outputs(reference_->model(), reference_->links(), workshop().judges_as_returned)) {
    if (subject_->links().find(output.tensor) != nullptr) {
      outputs_.push_back(std::move(output));
    } else {
      result_.notes.push_back(
          base::format("{} does not exist in {}", base::quoted(output.tensor), request_.subject));
    }
  }
}

// Outputs of weighted layers, tensors that the subject quantizes, outputs of nodes whose inputs it
// quantizes.
void Comparison::find_layers() {
  const onnx::Model& model = reference_->model();
  const onnx::Model& quantized = subject_->model();
  const auto is_op = [&](onnx::Index node, std::string_view op_type) {
    return node != onnx::kNoIndex && quantized.nodes[node].op_type == op_type;
  };
  for (const onnx::Node& node : model.nodes_of(model.graphs.front())) {
    for (const std::string_view tensor : model.outputs_of(node)) {
      const onnx::Link* there = subject_->links().find(tensor);
      if (there == nullptr || there->node == onnx::kNoIndex) continue;
      if (is_op(there->node, "QuantizeLinear") || is_op(there->node, "DequantizeLinear")) continue;
      const bool is_quantized = std::ranges::any_of(there->readers, [&](onnx::Reader reader) {
        return is_op(reader.node, "QuantizeLinear");
      });
      const bool reads_quantized =
          std::ranges::any_of(quantized.inputs_of(quantized.nodes[there->node]), [&](auto name) {
            const onnx::Link* input = subject_->links().find(name);
            return input != nullptr && is_op(input->node, "DequantizeLinear");
          });
      if (!is_quantized && !reads_quantized && !is_weighted(node.op_type)) continue;
      result_.layers.push_back({.tensor = std::string(tensor),
                                .node = std::string(node.name),
                                .op_type = std::string(node.op_type)});
    }
  }
}

TensorNames Comparison::output_names() const {
  TensorNames names;
  for (const JudgedOutput& output : outputs_) names.push_back(output.tensor);
  return names;
}

Result<const PairsOfSubject*> Comparison::pairs() {
  if (!pairs_) {
    PairsOfSubject found;
    const quantize::ModelView view = subject_view();
    PLANEX_ASSIGN(found.existing, quantize::read_existing(view.model, view.links, view.values));
    found.layers = quantize::quantized_layers(view, found.existing);
    PLANEX_ASSIGN(found.weights, quantize::float_weights(view, found.existing, reference_view()));
    onnx::Edit edit;
    quantize::keep_only(view, found.existing, found.weights, quantize::Kept::none(), edit);
    PLANEX_ASSIGN(found.base_path, write_variant(edit, "base"));
    pairs_ = std::move(found);
  }
  return pairs_->layers.empty() ? nullptr : &*pairs_;
}

Result<drive::InferenceResult> Comparison::infer(std::vector<drive::InferencePass> passes,
                                                 const std::string& step, std::size_t samples) {
  drive::InferenceJob job;
  job.samples = data_.folder;
  if (samples > 0) job.sample_count = std::min(samples, data_.sample_count);
  job.passes = std::move(passes);
  for (drive::InferencePass& pass : job.passes) add_splits(pass, outputs_);
  return runner_.run(std::move(job), step);
}

Result<std::string> Comparison::write_variant(const onnx::Edit& edit, std::string_view name) {
  std::string path = base::join_path(workshop().folder, base::format("{}.onnx", name));
  PLANEX_TRY(subject_->write(edit, path));
  return path;
}

std::vector<quantize::JudgedTensor> Comparison::judged(const drive::PassResult& pass,
                                                       std::string_view from,
                                                       std::string_view to) const {
  std::vector<quantize::JudgedTensor> tensors;
  for (const JudgedOutput& output : outputs_) {
    for (const drive::ComparedTensor& one : pass.compared) {
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

void add_model(drive::InferencePass& pass, std::string id, std::string path,
               drive::Arithmetic arithmetic, const TensorNames& taps) {
  pass.models.push_back({.id = std::move(id),
                         .path = std::move(path),
                         .arithmetic = arithmetic,
                         .taps = taps,
                         .config = {}});
}

void add_comparison(drive::InferencePass& pass, const std::string& from, const std::string& to,
                    const TensorNames& tensors) {
  for (const std::string& tensor : tensors) pass.compared.push_back({{from, tensor}, {to, tensor}});
}

}  // namespace planex::tune
