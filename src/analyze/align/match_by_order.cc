#include <algorithm>
#include <cmath>
#include <vector>

#include "analyze/align/sequences.h"
#include "analyze/align/stages.h"
#include "analyze/align/surroundings.h"

namespace planex::analyze::matching {
namespace {

// A gap of at most this many pairs is aligned with all pairs considered: 256 by 256 layers take a
// few milliseconds.
constexpr std::size_t kMaxCells = 65'536;
// A larger gap is first cut where its sequences agree. Beyond this many layers without a partner,
// the best cut is not worth its cost.
constexpr std::size_t kMaxEdits = 1'000;

// Two layers less similar than this do different things.
constexpr double kAlike = 0.45;
// Gain for each matched layer that both are next to, and loss for each other one.
constexpr double kNearMatch = 0.2, kOtherMatches = 0.1;

// Free layers of both engines between two matches; positions in the lists of free layers.
struct Gap {
  std::size_t a = 0, a_end = 0, b = 0, b_end = 0;

  std::size_t rows() const { return a_end - a; }
  std::size_t columns() const { return b_end - b; }
  bool is_empty() const { return rows() == 0 || columns() == 0; }
  bool is_small() const { return rows() <= kMaxCells / columns(); }
};

class OrderMatcher {
 public:
  explicit OrderMatcher(Grouping& grouping)
      : grouping_(grouping),
        near_a_(grouping.a(), grouping.groups_of_a()),
        near_b_(grouping.b(), grouping.groups_of_b()) {
    for (Spot a = 0; a < grouping.a().size(); ++a) {
      if (grouping.a_is_free(a)) free_a_.push_back(a);
    }
    for (Spot b = 0; b < grouping.b().size(); ++b) {
      if (grouping.b_is_free(b)) free_b_.push_back(b);
    }
  }

  void run() {
    std::vector<Gap> gaps = gaps_between_matches();
    while (!gaps.empty()) {
      const Gap gap = gaps.back();
      gaps.pop_back();
      if (gap.is_empty()) continue;
      if (gap.is_small()) {
        align_gap(gap);
      } else {
        cut(gap, gaps);
      }
    }
  }

 private:
  // The longest run of matches in the same order in both engines separates the rest.
  std::vector<Gap> gaps_between_matches() const {
    std::vector<Step> pairs;
    for (const Group& group : grouping_.groups()) {
      if (group.a.empty()) continue;
      pairs.emplace_back(std::ranges::min(group.a), std::ranges::min(group.b));
    }
    std::ranges::sort(pairs);
    std::vector<Gap> gaps;
    Gap gap;
    const auto end_gap = [&](Spot a, Spot b) {
      gap.a_end = below(free_a_, a);
      gap.b_end = below(free_b_, b);
      if (!gap.is_empty()) gaps.push_back(gap);
      gap = {.a = gap.a_end, .b = gap.b_end};
    };
    for (const auto& [a, b] : longest_ascending(pairs)) end_gap(a, b);
    end_gap(kNoSpot, kNoSpot);
    return gaps;
  }

  static std::size_t below(const std::vector<Spot>& spots, Spot spot) {
    return static_cast<std::size_t>(std::ranges::lower_bound(spots, spot) - spots.begin());
  }

  // Cuts a large gap at pairs that agree, or at least in half.
  void cut(const Gap& gap, std::vector<Gap>& gaps) {
    const auto outlines = [this](const Side& side, const std::vector<Spot>& spots,
                                 std::size_t first, std::size_t end, Detail detail) {
      std::vector<Key> keys;
      keys.reserve(end - first);
      for (std::size_t at = first; at < end; ++at) {
        keys.push_back(outline(side.traits[spots[at]], detail, grouping_.places()));
      }
      return keys;
    };
    for (const Detail detail : {Detail::kAll, Detail::kOutline, Detail::kResult}) {
      const auto a = outlines(grouping_.a(), free_a_, gap.a, gap.a_end, detail);
      const auto b = outlines(grouping_.b(), free_b_, gap.b, gap.b_end, detail);
      std::vector<Step> steps;
      if (auto common = longest_common(a, b, kMaxEdits)) steps = std::move(*common);
      if (steps.empty()) steps = common_unique(a, b);
      if (steps.empty()) steps = common_by_count(a, b);
      if (steps.empty()) continue;
      Gap rest = gap;
      for (const auto& [x, y] : steps) {
        const Gap before{.a = rest.a, .a_end = gap.a + x, .b = rest.b, .b_end = gap.b + y};
        if (!before.is_empty()) gaps.push_back(before);
        constexpr double kByCut = 0.4;
        grouping_.match(free_a_[gap.a + x], free_b_[gap.b + y], MatchBy::kOrder, kByCut);
        rest.a = gap.a + x + 1;
        rest.b = gap.b + y + 1;
      }
      if (!rest.is_empty()) gaps.push_back(rest);
      return;
    }
  }

  double alike(Spot a, Spot b) const {
    if (!grouping_.may_match(a, b)) return 0;
    double like = likeness(grouping_.a().traits[a], grouping_.b().traits[b]);
    if (like == 0) return 0;
    const auto near_a = near_a_.of(a), near_b = near_b_.of(b);
    if (near_a.empty() || near_b.empty()) return like;
    std::size_t common = 0;
    for (const NearMatch& near : near_a) common += std::ranges::binary_search(near_b, near);
    if (common == 0) return like - kOtherMatches;
    return like + kNearMatch * static_cast<double>(common) /
                      static_cast<double>(std::min(near_a.size(), near_b.size()));
  }

  // The alignment whose pairs have the highest total similarity (Needleman and Wunsch 1970).
  void align_gap(const Gap& gap) {
    const std::size_t rows = gap.rows(), columns = gap.columns();
    alike_.assign(rows * columns, 0);
    best_.assign((rows + 1) * (columns + 1), 0);
    const auto best = [&](std::size_t row, std::size_t column) -> double& {
      return best_[row * (columns + 1) + column];
    };
    for (std::size_t row = rows; row-- > 0;) {
      for (std::size_t column = columns; column-- > 0;) {
        const double like = alike(free_a_[gap.a + row], free_b_[gap.b + column]);
        alike_[row * columns + column] = like;
        double most = std::max(best(row + 1, column), best(row, column + 1));
        if (like >= kAlike) most = std::max(most, best(row + 1, column + 1) + like);
        best(row, column) = most;
      }
    }
    for (std::size_t row = 0, column = 0; row < rows && column < columns;) {
      const double like = alike_[row * columns + column];
      const double value = best(row, column);
      if (like >= kAlike && value == best(row + 1, column + 1) + like) {
        grouping_.match(free_a_[gap.a + row], free_b_[gap.b + column], MatchBy::kOrder,
                        certainty(gap, row, column));
        ++row;
        ++column;
      } else if (value == best(row + 1, column)) {
        ++row;
      } else {
        ++column;
      }
    }
  }

  // Their similarity; less where the gap contains another layer that is just as similar.
  double certainty(const Gap& gap, std::size_t row, std::size_t column) const {
    constexpr double kByOrder = 0.75, kRival = 0.7, kAsLike = 0.02;
    const std::size_t columns = gap.columns();
    const double like = alike_[row * columns + column];
    bool has_rival = false;
    for (std::size_t other = 0; other < columns; ++other) {
      has_rival = has_rival || (other != column && alike_[row * columns + other] > like - kAsLike);
    }
    for (std::size_t other = 0; other < gap.rows(); ++other) {
      has_rival = has_rival || (other != row && alike_[other * columns + column] > like - kAsLike);
    }
    return kByOrder * std::min(like, 1.0) * (has_rival ? kRival : 1);
  }

  Grouping& grouping_;
  NearMatches near_a_, near_b_;
  std::vector<Spot> free_a_, free_b_;
  std::vector<double> alike_, best_;  // of the gap that is aligned
};

}  // namespace

void match_by_order(Grouping& grouping) { OrderMatcher(grouping).run(); }

}  // namespace planex::analyze::matching
