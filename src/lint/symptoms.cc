#include "lint/symptoms.h"

#include <algorithm>
#include <unordered_map>

namespace planex::lint {
namespace {

// A hostile file may have any number of findings of one layer; real ones have a few.
constexpr std::size_t kMaxOfLayer = 64;

bool covers(const Finding& cause, LayerId layer) {
  return cause.layer == layer ||
         std::ranges::find(cause.savings, layer, &SavedTime::layer) != cause.savings.end();
}

bool covers(const Finding& cause, const Finding& symptom) {
  return covers(cause, symptom.layer) &&
         std::ranges::all_of(symptom.savings,
                             [&](const SavedTime& saved) { return covers(cause, saved.layer); });
}

}  // namespace

std::vector<std::optional<std::size_t>> fold_symptoms(std::span<const FindingOfRule> findings) {
  std::unordered_map<std::size_t, std::vector<std::size_t>> by_layer;  // what saves it
  const auto add = [&](LayerId layer, std::size_t index) {
    if (layer.is_null()) return;
    std::vector<std::size_t>& list = by_layer[layer.index()];
    if (list.size() < kMaxOfLayer && (list.empty() || list.back() != index)) list.push_back(index);
  };
  for (std::size_t i = 0; i < findings.size(); ++i) {
    // What saves nothing measured is no cause of lost time.
    if (findings[i].finding->savings.empty()) continue;
    add(findings[i].finding->layer, i);
    for (const SavedTime& saved : findings[i].finding->savings) add(saved.layer, i);
  }
  std::vector<std::optional<std::size_t>> causes(findings.size());
  for (std::size_t i = 0; i < findings.size(); ++i) {
    const Finding& symptom = *findings[i].finding;
    if (findings[i].depth == 0 || symptom.layer.is_null() || symptom.savings.empty()) continue;
    const auto candidates = by_layer.find(symptom.layer.index());
    if (candidates == by_layer.end()) continue;
    std::optional<std::size_t> best;
    for (const std::size_t other : candidates->second) {
      if (findings[other].depth >= findings[i].depth ||
          (best && findings[other].depth >= findings[*best].depth)) {
        continue;
      }
      if (covers(*findings[other].finding, symptom)) best = other;
    }
    causes[i] = best;
  }
  // Depth falls along the way, so each way ends.
  for (auto& cause : causes) {
    while (cause && causes[*cause]) cause = causes[*cause];
  }
  return causes;
}

}  // namespace planex::lint
