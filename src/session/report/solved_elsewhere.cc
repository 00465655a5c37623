#include "session/report/solved_elsewhere.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>
#include <unordered_set>
#include <utility>

namespace planex::session {
namespace {

using analyze::ComparedEngine;
using analyze::LayerPair;
using analyze::MatchBy;
using model::LayerId;
using model::PlanModel;

// Below this a match by source operations has rivals.
constexpr double kMinCertainty = 0.9;

// One of two engines, and its side of their pairs.
struct Side {
  std::size_t engine = 0;
  const PlanModel* model = nullptr;
  const lint::LintReport* report = nullptr;
  std::vector<LayerId> LayerPair::* layers = nullptr;
};

bool is_comparable(const ComparedEngine& a, const ComparedEngine& b) {
  const model::EngineTable& one = a.model->engine;
  const model::EngineTable& other = b.model->engine;
  const std::string_view device = a.model->text(one.device[0]);
  return !device.empty() && device == b.model->text(other.device[0]) &&
         one.batch_size.get(0) == other.batch_size.get(0) && a.basis == b.basis &&
         a.basis != analyze::TimeBasis::kNone;
}

// Null where one of the layers has no time.
std::optional<double> sum_ms(const PlanModel& model, const std::vector<LayerId>& layers) {
  double sum = 0;
  for (const LayerId layer : layers) {
    const auto ms = model.time_ms(layer);
    if (!ms) return std::nullopt;
    sum += *ms;
  }
  return sum;
}

class Search {
 public:
  Search(Side here, Side there, std::span<const LayerPair> pairs)
      : here_(here), there_(there), pairs_(pairs) {
    pair_of_.resize(here.model->layers.row_count());
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      for (const LayerId layer : pairs[i].*here.layers) pair_of_[layer.index()] = i;
    }
    for (const lint::RuleStatus& status : there.report->rules) {
      if (status.outcome != lint::RuleOutcome::kSkipped) ran_.insert(status.info->id);
    }
    for (const lint::Finding& finding : there.report->findings) {
      if (!finding.layer.is_null()) found_.insert(key(finding.rule, finding.layer));
    }
  }

  std::optional<render::SolvedElsewhere> solved(std::size_t index) const {
    const lint::Finding& finding = here_.report->findings[index];
    if (finding.layer.is_null() || !ran_.contains(finding.rule)) return std::nullopt;
    std::vector<std::size_t> place;
    if (!add(finding.layer, place)) return std::nullopt;
    for (const lint::SavedTime& saved : finding.savings) {
      if (!add(saved.layer, place)) return std::nullopt;
    }
    std::ranges::sort(place);
    place.erase(std::ranges::unique(place).begin(), place.end());
    render::SolvedElsewhere solved{.finding = index, .engine = there_.engine};
    for (const std::size_t pair : place) {
      append(pairs_[pair].*here_.layers, solved.here);
      append(pairs_[pair].*there_.layers, solved.there);
    }
    for (const LayerId layer : solved.there) {
      if (found_.contains(key(finding.rule, layer))) return std::nullopt;
    }
    const auto here_ms = sum_ms(*here_.model, solved.here);
    const auto there_ms = sum_ms(*there_.model, solved.there);
    if (!here_ms || !there_ms) return std::nullopt;
    solved.here_ms = *here_ms;
    solved.there_ms = *there_ms;
    solved.delta_ms = *there_ms - *here_ms;
    return solved;
  }

 private:
  // There are few rules, and their ids live as long as the report.
  using Key = std::pair<std::string_view, std::size_t>;
  struct HashOfKey {
    std::size_t operator()(const Key& of) const {
      return std::hash<std::string_view>()(of.first) * 31 + of.second;
    }
  };
  static Key key(std::string_view rule, LayerId layer) { return {rule, layer.index()}; }

  static void append(const std::vector<LayerId>& layers, std::vector<LayerId>& to) {
    to.insert(to.end(), layers.begin(), layers.end());
  }

  // False if it is not certain which layers of the other engine do what this one does.
  bool add(LayerId layer, std::vector<std::size_t>& place) const {
    const auto pair = pair_of_[layer.index()];
    if (!pair) return false;
    const LayerPair& layers = pairs_[*pair];
    const bool is_gone = (layers.*there_.layers).empty();
    const bool is_sure = (layers.by == MatchBy::kSource || layers.by == MatchBy::kName) &&
                         layers.certainty >= kMinCertainty;
    if (!is_gone && !is_sure) return false;
    place.push_back(*pair);
    return true;
  }

  Side here_, there_;
  std::span<const LayerPair> pairs_;
  std::vector<std::optional<std::size_t>> pair_of_;
  std::unordered_set<std::string_view> ran_;
  std::unordered_set<Key, HashOfKey> found_;
};

}  // namespace

std::vector<std::vector<render::SolvedElsewhere>> solved_elsewhere(
    const analyze::Comparison& comparison, std::span<const lint::LintReport* const> reports) {
  std::vector<std::vector<render::SolvedElsewhere>> all(comparison.engines.size());
  for (const analyze::EngineDifference& difference : comparison.differences) {
    const ComparedEngine& first = comparison.engines.front();
    const ComparedEngine& other = comparison.engines[difference.engine];
    if (!is_comparable(first, other)) continue;
    const Side a{0, first.model, reports[0], &LayerPair::a};
    const Side b{difference.engine, other.model, reports[difference.engine], &LayerPair::b};
    for (const auto& [here, there] : {std::pair{a, b}, {b, a}}) {
      const Search search(here, there, difference.layers.pairs);
      for (std::size_t i = 0; i < here.report->findings.size(); ++i) {
        if (auto solved = search.solved(i)) all[here.engine].push_back(std::move(*solved));
      }
    }
  }
  for (auto& list : all) {
    std::ranges::stable_sort(list, {}, &render::SolvedElsewhere::finding);
  }
  return all;
}

}  // namespace planex::session
