#include "quantize/suspects.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace planex::quantize {
namespace {

// The noise that arrived at a tensor.
struct Arrived {
  double gap_db = 0;
  double noise = 0;
};

constexpr double kMaxDb = 130;  // float32 can represent no more

double noise_of(double db) { return std::pow(10.0, -std::clamp(db, -kMaxDb, kMaxDb) / 10); }

}  // namespace

std::vector<Suspicion> suspects(const onnx::Model& model, const std::vector<LayerAccuracy>& layers,
                                Fault fault) {
  std::unordered_map<std::string_view, std::size_t> places;
  for (std::size_t i = 0; i < layers.size(); ++i) places.emplace(layers[i].tensor, i);
  std::unordered_map<std::string_view, Arrived> arrived;
  std::vector<Suspicion> found;
  for (const onnx::Node& node : model.nodes_of(model.graphs.front())) {
    Arrived before;
    for (const std::string_view input : model.inputs_of(node)) {
      const auto at = arrived.find(input);
      if (at == arrived.end()) continue;
      before.gap_db = std::max(before.gap_db, at->second.gap_db);
      before.noise = std::max(before.noise, at->second.noise);
    }
    for (const std::string_view output : model.outputs_of(node)) {
      Arrived here = before;
      if (const auto at = places.find(output); at != places.end()) {
        const LayerAccuracy& layer = layers[at->second];
        const auto simulated = db_or_infinite(layer.simulated);
        const auto engine = db_or_infinite(layer.engine);
        if (simulated) {
          here.noise = noise_of(*simulated);
          Suspicion suspicion{.layer = at->second, .model_noise = here.noise - before.noise};
          if (engine) {
            here.gap_db =
                std::clamp(*simulated, -kMaxDb, kMaxDb) - std::clamp(*engine, -kMaxDb, kMaxDb);
            suspicion.engine_db = here.gap_db - before.gap_db;
          }
          found.push_back(suspicion);
        }
      }
      arrived[output] = here;
    }
  }
  const bool engine_first = fault != Fault::kModel;
  const auto rank = [&](const Suspicion& one) {
    const bool is_engine = one.engine_db >= kLayerFaultDb;
    return std::pair(is_engine == engine_first, is_engine ? one.engine_db : one.model_noise);
  };
  std::erase_if(found, [](const Suspicion& one) {
    return one.engine_db < kLayerFaultDb && one.model_noise <= 0;
  });
  std::ranges::stable_sort(found, std::ranges::greater{}, rank);
  return found;
}

}  // namespace planex::quantize
