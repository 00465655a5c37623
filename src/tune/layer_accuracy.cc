#include "tune/layer_accuracy.h"

#include <algorithm>
#include <map>
#include <memory>
#include <string_view>
#include <utility>

#include "base/try.h"
#include "tune/bisect.h"
#include "tune/comparison.h"
#include "tune/difference_maps.h"
#include "tune/engine_taps.h"
#include "tune/extract.h"
#include "tune/lone_layers.h"
#include "tune/saved_engine.h"
#include "tune/scores.h"

namespace planex::tune {
namespace {

using drive::Arithmetic;
using quantize::LayerAccuracy;

// All tensors at once: in this arithmetic tapping changes nothing.
Result<void> simulate(Comparison& comparison) {
  quantize::LayerAccuracies& result = comparison.result();
  TensorNames taps = comparison.output_names();
  for (const LayerAccuracy& layer : result.layers) {
    if (std::ranges::find(taps, layer.tensor) == taps.end()) taps.push_back(layer.tensor);
  }
  drive::InferencePass pass;
  pass.has_classes = true;
  add_model(pass, "float", comparison.request().reference, Arithmetic::kFloat, taps);
  add_model(pass, "simulated", comparison.request().subject, Arithmetic::kSimulated, taps);
  add_comparison(pass, "float", "simulated", taps);
  PLANEX_ASSIGN(const drive::InferenceResult seen, comparison.infer({pass}, "simulate"));
  result.simulated = comparison.judged(seen.passes.front(), "float", "simulated");
  std::map<std::string_view, const drive::ComparedTensor*> by_name;
  for (const drive::ComparedTensor& one : seen.passes.front().compared) {
    by_name[one.subject.tensor] = &one;
  }
  for (LayerAccuracy& layer : result.layers) {
    const auto found = by_name.find(layer.tensor);
    if (found != by_name.end()) layer.simulated = found->second->difference;
  }
  return {};
}

Result<void> score(Comparison& comparison) {
  quantize::LayerAccuracies& result = comparison.result();
  const LayerAccuracyRequest& wanted = comparison.request();
  ScoreRequest request;
  request.model = wanted.reference;
  request.quantized = wanted.subject;
  request.judged = comparison.outputs();
  request.samples = {.folder = comparison.samples(), .count = comparison.data().sample_count};
  request.metrics = wanted.metrics;
  PLANEX_ASSIGN(Scores scores, score_models(request, comparison.runner(), result.notes));
  result.labels = std::move(scores.labels);
  result.metrics = std::move(scores.metrics);
  return {};
}

}  // namespace

Result<quantize::LayerAccuracies> layer_accuracy(const LayerAccuracyRequest& request,
                                                 const Workshop& workshop) {
  if (!request.engine_outputs.empty()) return saved_engine_accuracy(request, workshop);
  PLANEX_ASSIGN(const std::unique_ptr<Comparison> comparison, Comparison::open(request, workshop));
  quantize::LayerAccuracies& result = comparison->result();
  PLANEX_TRY(simulate(*comparison));
  PLANEX_TRY(look_into_engine(*comparison));
  PLANEX_TRY(score(*comparison));
  result.fault = quantize::fault_of(result.simulated, result.engine);
  if (request.has_layers) PLANEX_TRY(look_at_lone_layers(*comparison));
  if (request.maps > 0) PLANEX_TRY(draw_maps(*comparison));
  const bool needs_bisection = !request.extracted.empty() && !has_engine_fault(result);
  if (request.bisects || needs_bisection) PLANEX_TRY(bisect(*comparison));
  if (!request.cured.empty()) PLANEX_TRY(write_cured(*comparison));
  if (!request.extracted.empty()) PLANEX_TRY(extract_fault(*comparison));
  result.runtime_version = comparison->runner().runtime_version();
  result.isa = comparison->runner().isa();
  result.has_vnni = comparison->runner().has_vnni();
  return std::move(result);
}

}  // namespace planex::tune
