#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <string_view>

#include "graph/group_drafts.h"

namespace planex::graph {
namespace {

constexpr std::size_t kMinSeriesTurns = 3;
// Maximum number of nodes between two instances, or beside them in a group that then becomes one
// series.
constexpr std::uint32_t kMaxBetween = 2;

class Series {
 public:
  Series(const DraftForest& forest, const Scopes& scopes, const Shapes& shapes)
      : forest_(forest), scopes_(scopes), shapes_(shapes) {}

  std::vector<GroupDraft> run() {
    const auto children = forest_.children();
    for (std::size_t group = 0; group < children.size(); ++group) {
      find_in(group, children[group]);
    }
    return std::move(found_);
  }

 private:
  struct Turn {
    Scopes::Id outside = Scopes::kNone;
    std::string_view stem;  // "enc" of enc3, nothing of layers.3
    std::optional<std::size_t> number;
    std::uint64_t shape = 0;
  };

  Turn turn_of(const GroupDraft& draft) const {
    Turn turn;
    if (draft.kind != GroupKind::kScope) return turn;
    turn.outside = draft.outside;
    const std::string_view part = scopes_.scope(first_below(draft)).part;
    turn.stem = part.substr(0, part.find_last_not_of("0123456789") + 1);
    const std::string_view digits = part.substr(turn.stem.size());
    std::size_t number = 0;
    const auto [stop, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (error == std::errc() && !digits.empty()) turn.number = number;
    // layer1 to layer4 of a network can well differ; a scope named by a number alone is meant as an
    // instance.
    turn.shape = turn.stem.empty() ? shapes_.of(draft) : shapes_.exact(draft);
    return turn;
  }

  // The outermost scope that the draft adds to what is around it.
  Scopes::Id first_below(const GroupDraft& draft) const {
    Scopes::Id scope = draft.scope;
    while (scopes_.scope(scope).parent != draft.outside) scope = scopes_.scope(scope).parent;
    return scope;
  }

  // Counted by their names; those with a stem must be exactly the same.
  static bool continues(const Turn& before, const Turn& next) {
    return before.number && next.number && *before.number < *next.number &&
           before.outside == next.outside && before.stem == next.stem &&
           (next.stem.empty() || before.shape == next.shape);
  }

  void find_in(std::size_t group, const std::vector<std::uint32_t>& list) {
    if (list.size() < kMinSeriesTurns) return;
    std::vector<Turn> turns;
    turns.reserve(list.size());
    for (const std::uint32_t draft : list) turns.push_back(turn_of(forest_.drafts[draft]));
    std::size_t first = 0;
    for (std::size_t i = 1; i <= list.size(); ++i) {
      const bool goes_on =
          i < list.size() && continues(turns[i - 1], turns[i]) &&
          forest_.drafts[list[i]].first - forest_.drafts[list[i - 1]].end <= kMaxBetween;
      if (goes_on) continue;
      if (i - first >= kMinSeriesTurns && are_alike(std::span(turns).subspan(first, i - first))) {
        add(group, forest_.drafts[list[first]], forest_.drafts[list[i - 1]], i - first,
            list.size());
      }
      first = i;
    }
  }

  // At least half of them have one shape; if there are few, all.
  static bool are_alike(std::span<const Turn> turns) {
    std::map<std::uint64_t, std::size_t> counts;
    std::size_t most = 0;
    for (const Turn& turn : turns) most = std::max(most, ++counts[turn.shape]);
    return turns.size() == kMinSeriesTurns ? most == kMinSeriesTurns : most * 2 >= turns.size();
  }

  void add(std::size_t group, const GroupDraft& first, const GroupDraft& last, std::size_t turns,
           std::size_t siblings) {
    GroupDraft series{.kind = GroupKind::kSeries, .first = first.first, .end = last.end};
    if (group < forest_.drafts.size() && turns == siblings) {
      const GroupDraft& around = forest_.drafts[group];
      if (around.kind == GroupKind::kScope && around.size() - series.size() <= kMaxBetween) {
        series.first = around.first;
        series.end = around.end;
      }
    }
    found_.push_back(std::move(series));
  }

  const DraftForest& forest_;
  const Scopes& scopes_;
  const Shapes& shapes_;
  std::vector<GroupDraft> found_;
};

}  // namespace

std::vector<GroupDraft> series_drafts(const DraftForest& forest, const Scopes& scopes,
                                      const Shapes& shapes) {
  return Series(forest, scopes, shapes).run();
}

}  // namespace planex::graph
