// What the steps of `planex accuracy FLOAT.onnx QUANTIZED.onnx` share: the two models, the samples,
// the tensors that are judged, and the results so far.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "drive/inference.h"
#include "onnx/edit.h"
#include "planex/error.h"
#include "quantize/accuracy.h"
#include "quantize/existing.h"
#include "quantize/only.h"
#include "tune/data.h"
#include "tune/layer_accuracy.h"
#include "tune/model_file.h"
#include "tune/runner.h"

namespace planex::tune {

using TensorNames = std::vector<std::string>;

// The Q/DQ of the quantized model, and the model without any.
struct PairsOfSubject {
  quantize::Existing existing;
  std::vector<quantize::QuantizedLayer> layers;
  std::vector<quantize::FloatWeight> weights;  // for existing.weights
  std::string base_path;                       // the model without Q/DQ, in the workshop's folder
};

class Comparison {
 public:
  // Opens the models and the data. Errors: those of load_data(); kBadInput (no common tensor).
  static Result<std::unique_ptr<Comparison>> open(const LayerAccuracyRequest& request,
                                                  const Workshop& workshop);

  const LayerAccuracyRequest& request() const { return request_; }
  const Workshop& workshop() const { return runner_.workshop(); }
  ModelFile& reference() { return *reference_; }
  ModelFile& subject() { return *subject_; }
  quantize::ModelView reference_view();
  quantize::ModelView subject_view();
  const std::string& samples() const { return data_.folder; }
  const Data& data() const { return data_; }
  TensorNames output_names() const;
  // Tensors that both models have.
  const std::vector<JudgedOutput>& outputs() const { return outputs_; }
  quantize::LayerAccuracies& result() { return result_; }

  // Read on the first call, which also writes the model without Q/DQ. Null where the quantized
  // model has none. Errors: those of read_existing(), float_weights() and of writing.
  Result<const PairsOfSubject*> pairs();

  // Over the samples: the first `samples` of them; 0: all. Errors: those of Runner::run().
  Result<drive::InferenceResult> infer(std::vector<drive::InferencePass> passes,
                                       const std::string& step, std::size_t samples = 0);
  // For jobs that store tensors or run on other samples: these are set in the job.
  Runner& runner() { return runner_; }

  // The quantized model with these edits, in the workshop's folder. Errors: those of writing.
  Result<std::string> write_variant(const onnx::Edit& edit, std::string_view name);

  // The judged outputs of a pass, model `to` compared with model `from`.
  std::vector<quantize::JudgedTensor> judged(const drive::PassResult& pass, std::string_view from,
                                             std::string_view to) const;

 private:
  Comparison(const LayerAccuracyRequest& request, const Workshop& workshop)
      : request_(request), runner_(workshop) {}
  void find_outputs();
  void find_layers();

  const LayerAccuracyRequest& request_;
  Runner runner_;
  std::unique_ptr<ModelFile> reference_, subject_;
  Data data_;
  std::vector<JudgedOutput> outputs_;
  std::optional<PairsOfSubject> pairs_;
  quantize::LayerAccuracies result_;
};

// Adds a model to a pass.
void add_model(drive::InferencePass& pass, std::string id, std::string path,
               drive::Arithmetic arithmetic, const TensorNames& taps);
// Compares the same tensors of two models of a pass.
void add_comparison(drive::InferencePass& pass, const std::string& from, const std::string& to,
                    const TensorNames& tensors);

}  // namespace planex::tune
