// A tensor of all samples as one .npy file, written sample by sample.
#pragma once

#include <openvino/runtime/tensor.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/files.h"
#include "planex/error.h"

namespace planex::drive {

class StoredTensorWriter {
 public:
  // `samples`: how many times add() will be called.
  StoredTensorWriter(std::string path, std::size_t samples)
      : path_(std::move(path)), samples_(samples) {}

  // The file begins with the first sample. bfloat16 is written as float32, because NumPy lacks it.
  // Errors: kIo, kUnsupported (another shape than before, a type NumPy does not have).
  Result<void> add(const ov::Tensor& tensor);
  Result<void> finish();

  const std::string& path() const { return path_; }

 private:
  std::string path_;
  std::size_t samples_;
  ov::Shape shape_;
  std::optional<base::FileWriter> file_;
  std::vector<float> scratch_;
};

// "MODEL.TENSOR.npy" with "_" for characters that don't belong in a file name, no longer than file
// systems allow, and not in `taken`. The result is added to `taken`.
std::string stored_name(const std::string& model, const std::string& tensor,
                        std::set<std::string>& taken);

}  // namespace planex::drive
