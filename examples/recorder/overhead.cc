// What recording costs: nanoseconds of an inference that does nothing, without a recorder, with one
// that is off, and with one that is on; and of a layer that a profiler tells.
//
//   overhead FOLDER
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

#include "planex/recorder/tensorrt.h"
#include "played_runtime.h"

namespace {

constexpr int kInferences = 200'000;
constexpr int kRounds = 5;

// The least of a few rounds, of one inference.
template <typename Run>
double ns_of(Run run) {
  double least = 1e18;
  for (int round = 0; round < kRounds; ++round) {
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < kInferences; ++i) run();
    const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - start;
    least = std::min(least, took.count() / kInferences);
  }
  return least;
}

double recorded_ns(nvinfer1::IExecutionContext& context, nvinfer1::ICudaEngine& engine,
                   const planex::recorder::Options& options) {
  planex::recorder::Recorder recorder(options);
  planex::recorder::TensorRtRecorder recorded(recorder, engine, context);
  return ns_of([&] {
    auto inference = recorded.inference();
    context.enqueueV3(nullptr);
    inference.enqueued();
  });
}

}  // namespace

int main(int count, char** words) {
  if (count != 2) {
    std::fprintf(stderr, "usage: %s FOLDER\n", words[0]);
    return 2;
  }
  constexpr int kLayers = 100;
  std::vector<PlayedLayer> layers;
  for (int i = 0; i < kLayers; ++i) layers.push_back({"layer_" + std::to_string(i), 0.01F});
  const auto engine = make_engine("{}");
  const auto context = make_context(layers);
  planex::recorder::Options on;
  on.folder = words[1];
  on.max_inferences = 10'000'000;
  on.max_profiled = 0;
  const double none = ns_of([&] { context->enqueueV3(nullptr); });
  const double off = recorded_ns(*context, *engine, {});
  const double with = recorded_ns(*context, *engine, on);
  on.max_profiled = 1'000'000'000;
  const double profiled = recorded_ns(*context, *engine, on);
  // Ten of a hundred inferences are profiled.
  const double layer = (profiled - with) / (kLayers * 0.1);
  std::printf("{\"none_ns\": %.1f, \"off_ns\": %.1f, \"on_ns\": %.1f, \"layer_ns\": %.1f}\n", none,
              off, with, layer);
  return 0;
}
