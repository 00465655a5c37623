#include "lint/symptoms.h"

#include <algorithm>
#include <unordered_map>

namespace planex::lint {
namespace {

// A hostile file can have any number of findings for one layer; real ones have a few.
constexpr std::size_t kMaxOfLayer = 64;

// Layers of a finding, ascending: one finding can be about all of an engine.
struct Subject {
  std::vector<LayerId> named;  // by also_about
  std::vector<LayerId> all;

  explicit Subject(const Finding& finding) : named(finding.also_about) {
    all = named;
    all.push_back(finding.layer);
    for (const SavedTime& saved : finding.savings) all.push_back(saved.layer);
    std::ranges::sort(named);
    std::ranges::sort(all);
  }
};

bool covers(const Subject& cause, const Finding& symptom) {
  // If no saving is known, only the cause itself can name the layer as its own.
  if (symptom.savings.empty()) return std::ranges::binary_search(cause.named, symptom.layer);
  return std::ranges::binary_search(cause.all, symptom.layer) &&
         std::ranges::all_of(symptom.savings, [&](const SavedTime& saved) {
           return std::ranges::binary_search(cause.all, saved.layer);
         });
}

}  // namespace

std::vector<std::optional<std::size_t>> fold_symptoms(std::span<const FindingOfRule> findings) {
  std::unordered_map<std::size_t, std::vector<std::size_t>> by_layer;  // the findings that save it
  const auto add = [&](LayerId layer, std::size_t index) {
    if (layer.is_null()) return;
    std::vector<std::size_t>& list = by_layer[layer.index()];
    if (list.size() < kMaxOfLayer && (list.empty() || list.back() != index)) list.push_back(index);
  };
  for (std::size_t i = 0; i < findings.size(); ++i) {
    // A finding that saves nothing and names nothing is not a cause of lost time.
    if (findings[i].finding->savings.empty() && findings[i].finding->also_about.empty()) continue;
    add(findings[i].finding->layer, i);
    for (const SavedTime& saved : findings[i].finding->savings) add(saved.layer, i);
    for (const LayerId layer : findings[i].finding->also_about) add(layer, i);
  }
  std::vector<Subject> subjects;
  for (const FindingOfRule& one : findings) subjects.emplace_back(*one.finding);
  std::vector<std::optional<std::size_t>> causes(findings.size());
  for (std::size_t i = 0; i < findings.size(); ++i) {
    const Finding& symptom = *findings[i].finding;
    if (findings[i].depth == 0 || symptom.layer.is_null()) continue;
    const auto candidates = by_layer.find(symptom.layer.index());
    if (candidates == by_layer.end()) continue;
    std::optional<std::size_t> best;
    for (const std::size_t other : candidates->second) {
      if (findings[other].depth >= findings[i].depth ||
          (best && findings[other].depth >= findings[*best].depth)) {
        continue;
      }
      if (covers(subjects[other], symptom)) best = other;
    }
    causes[i] = best;
  }
  // Depth decreases along the chain, so every chain ends.
  for (auto& cause : causes) {
    while (cause && causes[*cause]) cause = causes[*cause];
  }
  return causes;
}

}  // namespace planex::lint
