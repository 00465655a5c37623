// A program with its own TensorRT runtime that records what it runs:
//
//   PLANEX_RECORD=run tensorrt_program ENGINE.graph.json COUNT [wait|exit] LAYER=MS …
//
// Without PLANEX_RECORD nothing is recorded. "wait": runs until a signal ends it; "exit": ends with
// exit() in the middle.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "planex/recorder/tensorrt.h"
#include "played_runtime.h"

int main(int count, char** words) {
  if (count < 3) {
    std::fprintf(stderr, "usage: %s ENGINE.graph.json COUNT [wait|exit] LAYER=MS …\n", words[0]);
    return 2;
  }
  std::stringstream json;
  json << std::ifstream(words[1]).rdbuf();
  const long inferences = std::atol(words[2]);
  std::string ending;
  std::vector<PlayedLayer> layers;
  for (int i = 3; i < count; ++i) {
    const std::string word = words[i];
    const std::size_t equals = word.rfind('=');
    if (equals == std::string::npos) {
      ending = word;
    } else {
      layers.push_back({word.substr(0, equals), std::stof(word.substr(equals + 1))});
    }
  }

  const auto engine = make_engine(json.str());
  const auto context = make_context(layers);

  auto options = planex::recorder::options_from_environment("detector");
  options.writes_when_ended = ending == "wait";
  planex::recorder::Recorder recorder(options);
  planex::recorder::TensorRtRecorder recorded(recorder, *engine, *context);
  for (long i = 0; i < inferences; ++i) {
    auto inference = recorded.inference();
    context->enqueueV3(nullptr);
    inference.enqueued();
    // Waiting for the stream: the layers' time.
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
  std::puts("done");
  std::fflush(stdout);
  if (ending == "exit") std::exit(0);
  while (ending == "wait") std::this_thread::sleep_for(std::chrono::milliseconds(50));
  return 0;
}
