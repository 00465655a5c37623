#include "analyze/compare/engine_pairs.h"

namespace planex::analyze {
namespace {

// Alignments are symmetric, and a list of pairs includes all of either side.
Alignment mirrored(const PairList& list) {
  Alignment alignment;
  alignment.matches.reserve(list.pairs.size());
  for (const LayerPair& pair : list.pairs) {
    alignment.matches.push_back({pair.b, pair.a, pair.by, pair.certainty});
  }
  return alignment;
}

std::size_t paired_layers(std::span<const EngineToCompare> engines) {
  std::size_t layers = 0;
  for (const EngineToCompare& engine : engines) layers += engine.model->layers.row_count();
  return layers * (engines.size() - 1);
}

}  // namespace

std::vector<EngineDifference> compare_engine_pairs(std::span<const EngineToCompare> engines,
                                                   const Comparison& comparison,
                                                   const CompareOptions& options,
                                                   std::size_t max_layers) {
  std::vector<EngineDifference> engine_pairs;
  if (engines.size() < 2) return engine_pairs;
  std::vector<std::vector<MeasuredRun>> runs;
  for (const EngineToCompare& engine : engines) runs.push_back(measured_runs(engine));
  const auto add = [&](std::size_t base, std::size_t engine, const Alignment& alignment) {
    engine_pairs.push_back(difference_of(engines, base, engine, alignment, runs, options.gate));
  };
  for (const EngineDifference& difference : comparison.differences) {
    add(difference.engine, 0, mirrored(difference.layers));
  }
  if (paired_layers(engines) > max_layers) return engine_pairs;
  for (std::size_t a = 1; a < engines.size(); ++a) {
    for (std::size_t b = a + 1; b < engines.size(); ++b) {
      add(a, b, align(*engines[a].model, *engines[b].model, options.rule));
      add(b, a, mirrored(engine_pairs.back().layers));
    }
  }
  return engine_pairs;
}

}  // namespace planex::analyze
