#include <algorithm>

#include "base/find.h"
#include "lint/rule.h"

namespace planex::lint {

std::string_view to_string(Pack pack) {
  switch (pack) {
    case Pack::kGeneric:
      return "generic";
    case Pack::kTensorRt:
      return "tensorrt";
    case Pack::kTensorRtRtx:
      return "tensorrt-rtx";
    case Pack::kOpenVino:
      return "openvino";
    case Pack::kOnnxRuntime:
      return "onnxruntime";
  }
  return {};
}

std::optional<Pack> parse_pack(std::string_view id) {
  const Pack* const pack =
      base::find(kPacks, id, [](Pack candidate) { return to_string(candidate); });
  return pack == nullptr ? std::nullopt : std::optional(*pack);
}

std::string_view subject_of(Pack pack) {
  switch (pack) {
    case Pack::kGeneric:
      return "every engine";
    case Pack::kTensorRt:
      return "TensorRT engines";
    case Pack::kTensorRtRtx:
      return "TensorRT-RTX engines";
    case Pack::kOpenVino:
      return "OpenVINO engines";
    case Pack::kOnnxRuntime:
      return "ONNX Runtime engines";
  }
  return {};
}

bool applies(Pack pack, std::string_view producer) {
  switch (pack) {
    case Pack::kGeneric:
      return true;
    case Pack::kTensorRt:
      // TensorRT-RTX comes from the same compiler: the same layers, the same kernel names.
      return producer == "tensorrt" || producer == "tensorrt-rtx";
    case Pack::kTensorRtRtx:
    case Pack::kOpenVino:
    case Pack::kOnnxRuntime:
      return producer == to_string(pack);
  }
  return false;
}

}  // namespace planex::lint
