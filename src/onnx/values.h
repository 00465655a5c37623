// Values of a model's constant tensors: raw, typed, in external files.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/files.h"
#include "onnx/model.h"
#include "planex/error.h"

namespace planex::onnx {

class Values {
 public:
  // `folder`: the model's folder, which contains external data; a location that leaves it is
  // rejected.
  Values(std::string_view file, const Model& model, const base::FileSource& files,
         std::string folder);

  // float, double, float16, bfloat16, the FP8 types and integers, as float32; row-major.
  // Errors: kUnsupported (type), kBadInput (sizes, location), kNotFound, kIo (external).
  Result<std::vector<float>> floats(const Tensor& tensor);
  // Integers as they are stored. Errors: as above; kUnsupported for floats.
  Result<std::vector<std::int64_t>> ints(const Tensor& tensor);
  // Bytes as TensorProto.raw_data would have them.
  Result<std::string> raw(const Tensor& tensor);

 private:
  // In the form of raw_data; `memory` owns what is not stored that way.
  Result<std::string_view> stored(const Tensor& tensor, std::string& memory);
  Result<std::string_view> external(const Tensor& tensor);

  std::string_view file_;
  const Model& model_;
  const base::FileSource& files_;
  std::string folder_;
  std::map<std::string, std::shared_ptr<const base::Bytes>, std::less<>> external_;
};

}  // namespace planex::onnx
