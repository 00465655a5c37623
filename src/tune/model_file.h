// A model that is read in order to change it: its bytes, what they say, and which nodes make and
// read what.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "arrays/sample_folder.h"
#include "arrays/slices.h"
#include "base/files.h"
#include "drive/inference.h"
#include "onnx/edit.h"
#include "onnx/links.h"
#include "onnx/model.h"
#include "onnx/values.h"
#include "planex/error.h"

namespace planex::tune {

// An error without a file is about the model.
Error about_model(Error error, const std::string& model);

// Whether a file looks like an ONNX model.
bool is_model(const std::string& path);

// Puts the files with a model's external data into a folder of the program's own, where a changed
// model looks for them; those that are there stay. Errors: kIo.
Result<void> link_data(const std::string& model, const std::string& folder);

class ModelFile {
 public:
  // Errors: kNotFound, kBadInput, kUnsupported; file is set.
  static Result<std::unique_ptr<ModelFile>> open(const std::string& path);

  // The model at a later opset, in memory. Errors: those of onnx::upgrade().
  Result<std::unique_ptr<ModelFile>> raised(std::int64_t opset);

  const std::string& path() const { return path_; }
  std::size_t size_bytes() const { return bytes_->view().size(); }
  const onnx::Model& model() const { return model_; }
  const onnx::Links& links() const { return *links_; }
  onnx::Values& values() { return *values_; }

  // Writes the changed model to `path`, which is in a folder of the program's own, and next to it
  // the files with its external data, if they are not there yet. Errors: kIo, kUnsupported.
  Result<void> write(const onnx::Edit& edit, const std::string& path) const;
  // The bytes of the changed model alone. Errors: as above.
  Result<std::string> changed(const onnx::Edit& edit) const;

 private:
  ModelFile() = default;
  // Fills the members that are derived from the bytes.
  Result<void> read();

  std::string path_;
  std::shared_ptr<const base::Bytes> bytes_;
  onnx::Model model_;
  std::unique_ptr<onnx::Links> links_;
  std::unique_ptr<onnx::Values> values_;
};

// A node's name; without one "TENSOR (Conv)", by its first output; empty for kNoIndex.
std::string node_name(const onnx::Model& model, onnx::Index node);

// The requirements for samples: an input of the graph that is not an initializer.
struct ModelInput {
  std::string name;
  arrays::ElementType type = arrays::ElementType::kFloat32;
  std::vector<std::int64_t> dims;  // -1: any
  bool has_shape = false;
};

// Errors: kUnsupported (an input that is not a tensor, or has a type that samples can't have).
Result<std::vector<ModelInput>> inputs_of(const onnx::Model& model);

// "1x3x?x?"; "of unknown rank".
std::string shape_text(const ModelInput& input);

// A tensor that results are judged by.
struct JudgedOutput {
  std::string output;  // output of the graph
  std::string tensor;
  bool has_classes = false;  // along its last axis
  arrays::Split split;       // parts of it that are judged separately
};

// For each of the graph's outputs, in their order, the output itself; where a Softmax, LogSoftmax
// or Sigmoid makes it, possibly followed by steps that only change shapes, the input of that node,
// as probabilities near 0 and 1 hide errors. Classes exist where a Softmax runs over the last axis,
// and in two-dimensional outputs of a Gemm or MatMul. `as_returned`: always the output itself.
std::vector<JudgedOutput> judged_outputs(const onnx::Model& model, const onnx::Links& links,
                                         bool as_returned);

// Slices of these are compared separately, where they are compared.
void add_splits(drive::InferencePass& pass, const std::vector<JudgedOutput>& outputs);

}  // namespace planex::tune
