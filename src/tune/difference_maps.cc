#include "tune/difference_maps.h"

#include <algorithm>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "base/text.h"
#include "base/try.h"
#include "quantize/difference_map.h"
#include "tune/stored.h"

namespace planex::tune {
namespace {

using drive::Arithmetic;
using drive::InferencePass;
using quantize::LayerAccuracy;
using quantize::Planes;
using quantize::Tap;

constexpr std::string_view kShownModels[] = {"float", "simulated", "engine"};

// The engine's result is for the tensor itself.
bool is_seen_in_engine(const LayerAccuracy& layer) {
  return layer.tap == Tap::kVerified && layer.seen_tensor.empty();
}

struct Drawn {
  const LayerAccuracy* layer = nullptr;
  Planes planes;
};

class Maps {
 public:
  explicit Maps(Comparison& comparison) : comparison_(comparison), result_(comparison.result()) {}

  Result<void> run() {
    PLANEX_TRY(choose());
    if (drawn_.empty()) {
      result_.notes.emplace_back("no tensor that differs has height and width: there are no maps");
      return {};
    }
    PLANEX_TRY(store());
    for (const Drawn& one : drawn_) PLANEX_TRY(draw(one));
    return {};
  }

 private:
  // What the map shows.
  static double loss_of(const LayerAccuracy& layer) {
    const bool is_of_engine = is_seen_in_engine(layer) && layer.engine;
    const auto& difference = is_of_engine ? layer.engine : layer.simulated;
    return difference && difference->sqnr_db ? *difference->sqnr_db
                                             : std::numeric_limits<double>::infinity();
  }

  // The worst tensors that have a shape to draw, which is known only after a run.
  Result<void> choose() {
    std::vector<const LayerAccuracy*> order;
    InferencePass pass;
    add_model(pass, "float", comparison_.request().reference, Arithmetic::kFloat, {});
    for (const LayerAccuracy& layer : result_.layers) {
      if (loss_of(layer) == std::numeric_limits<double>::infinity()) continue;
      order.push_back(&layer);
      pass.observed.push_back({"float", layer.tensor});
    }
    if (order.empty()) return {};
    std::ranges::stable_sort(order, {}, [](const LayerAccuracy* layer) { return loss_of(*layer); });
    PLANEX_ASSIGN(const drive::InferenceResult seen, comparison_.infer({pass}, "maps", 1));
    std::map<std::string_view, const drive::ObservedTensor*> shapes;
    for (const drive::ObservedTensor& one : seen.passes.front().observed) {
      shapes[one.tensor.tensor] = &one;
    }
    for (const LayerAccuracy* layer : order) {
      const auto found = shapes.find(layer->tensor);
      if (found == shapes.end()) continue;
      const auto planes = quantize::planes_of(found->second->shape);
      if (!planes) continue;
      drawn_.push_back({layer, *planes});
      if (drawn_.size() == comparison_.request().maps) break;
    }
    return {};
  }

  // An engine with two tensors tapped differs from an engine with one tapped.
  Result<void> store() {
    const LayerAccuracyRequest& request = comparison_.request();
    drive::InferenceJob job;
    job.samples = comparison_.samples();
    job.sample_count = 1;
    PLANEX_ASSIGN(job.output_dir, make_folder(comparison_.workshop().folder, "maps"));
    InferencePass pass;
    TensorNames taps;
    for (const Drawn& one : drawn_) taps.push_back(one.layer->tensor);
    add_model(pass, "float", request.reference, Arithmetic::kFloat, taps);
    add_model(pass, "simulated", request.subject, Arithmetic::kSimulated, taps);
    for (const std::string& tensor : taps) {
      pass.stored.push_back({"float", tensor});
      pass.stored.push_back({"simulated", tensor});
    }
    job.passes.push_back(std::move(pass));
    InferencePass plain;
    add_model(plain, "engine", request.subject, Arithmetic::kEngine, {});
    job.passes.push_back(std::move(plain));
    for (const Drawn& one : drawn_) {
      if (!is_seen_in_engine(*one.layer)) continue;
      InferencePass tapped;
      add_model(tapped, "engine", request.subject, Arithmetic::kEngine, {one.layer->tensor});
      tapped.stored.push_back({"engine", one.layer->tensor});
      job.passes.push_back(std::move(tapped));
    }
    PLANEX_ASSIGN(const drive::InferenceResult seen,
                  comparison_.runner().run(std::move(job), "draw maps"));
    const std::string& untapped = seen.passes[1].models.front().output_digest;
    for (const drive::PassResult& done : seen.passes) {
      const drive::RanModel& model = done.models.back();
      if (model.id == "engine" && model.output_digest != untapped) continue;
      for (const drive::StoredTensor& stored : done.stored) {
        paths_[stored.tensor.tensor][stored.tensor.model] = stored.path;
      }
    }
    return {};
  }

  Result<void> draw(const Drawn& one) {
    const std::size_t count = one.planes.channels * one.planes.height * one.planes.width;
    std::vector<float> reference;
    for (const std::string_view model : kShownModels) {
      const auto& paths = paths_[one.layer->tensor];
      const auto path = paths.find(model);
      if (path == paths.end()) continue;
      PLANEX_ASSIGN(const StoredSamples stored, StoredSamples::open(path->second));
      if (stored.count() == 0) continue;
      std::vector<float> values = arrays::floats_of(stored.sample(0));
      if (values.size() < count || (model != "float" && reference.empty())) continue;
      values.resize(count);
      const bool is_reference = model == "float";
      if (is_reference) reference = values;
      auto map = quantize::difference_map(reference, is_reference ? std::vector<float>() : values,
                                          one.planes);
      if (!map) {
        result_.notes.push_back(
            base::format("{} contains NaN or infinity: there is no map of it", one.layer->tensor));
        return {};
      }
      map->tensor = one.layer->tensor;
      map->shown = model;
      result_.maps.push_back(std::move(*map));
    }
    return {};
  }

  Comparison& comparison_;
  quantize::LayerAccuracies& result_;
  std::vector<Drawn> drawn_;
  // Paths by tensor, then by model.
  std::map<std::string, std::map<std::string, std::string, std::less<>>, std::less<>> paths_;
};

}  // namespace

Result<void> draw_maps(Comparison& comparison) { return Maps(comparison).run(); }

}  // namespace planex::tune
