// A program with its own OpenVINO that records what it runs:
//
//   PLANEX_RECORD=run openvino_program MODEL COUNT
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <openvino/openvino.hpp>

#include "planex/recorder/openvino.h"

namespace {

void run(const char* model, long inferences) {
  planex::recorder::Recorder recorder(planex::recorder::options_from_environment("classifier"));
  ov::Core core;
  ov::CompiledModel compiled =
      core.compile_model(model, "CPU", ov::enable_profiling(recorder.is_on()));
  planex::recorder::record_engine(recorder, compiled);
  ov::InferRequest request = compiled.create_infer_request();
  for (const auto& input : compiled.inputs()) {
    ov::Tensor tensor = request.get_tensor(input);
    std::memset(tensor.data(), 0, tensor.get_byte_size());
  }
  for (long i = 0; i < inferences; ++i) {
    auto inference = recorder.inference();
    request.start_async();
    inference.enqueued();
    request.wait();
  }
  planex::recorder::record_layers(recorder, request);
}

}  // namespace

int main(int count, char** words) {
  if (count != 3) {
    std::fprintf(stderr, "usage: %s MODEL COUNT\n", words[0]);
    return 2;
  }
  try {
    run(words[1], std::atol(words[2]));
  } catch (const std::exception& exception) {
    std::fprintf(stderr, "%s\n", exception.what());
    return 1;
  }
  return 0;
}
