#include <array>

#include "drive/driver.h"
#include "drive/openvino.h"
#include "drive/python_driver.h"
#include "drive/trtexec.h"

namespace planex::drive {

std::span<const DriverInfo> drivers() {
  static const std::array<DriverInfo, 5> kDrivers = {
      kOpenvinoDriver, kTrtexecDriver, kTensorrtDriver, kTensorrtRtxDriver, kOnnxruntimeDriver};
  return kDrivers;
}

std::span<const ArtefactKind> artefact_kinds() {
  static constexpr auto kKinds = std::to_array<ArtefactKind>({
      {"graph", ".graph.json"},
      {"profile", ".profile.json"},
      {"times", ".times.json"},
      {"machine", ".machine.json"},
      {"quantize", ".quantize.json"},
      {"search", ".search.json"},
      {"trace", ".trace.json"},
      {"optimized-model", ".optimized.onnx"},
      {"optimized-model-data", ".optimized.onnx.data"},
      {"build-log", ".build.log"},
      {"times-log", ".times.log"},
      {"profile-log", ".profile.log"},
      {"engine", ".engine"},
  });
  return kKinds;
}

}  // namespace planex::drive
