#include <algorithm>
#include <array>
#include <iterator>
#include <span>
#include <vector>

#include "analyze/align/band.h"
#include "analyze/align/looks.h"
#include "analyze/align/sequences.h"
#include "analyze/align/stages.h"

namespace planex::analyze::matching {
namespace {

// A pair is kept if the alignments that contain it have at least this share of all, by weight.
constexpr double kSure = 0.99;
// Rounds that estimate how many layers have no partner, before the final one.
constexpr int kRounds = 2;
// Share of pairs of neighbours that swapped places: branches, either of which may run first.
constexpr double kSwapped = 0.02;
// Assumed number of layers without a partner where none is seen.
constexpr double kMinAlone = 0.05;
// Share of layers without a partner before anything is known of two engines; and the maximum share
// assumed.
constexpr double kAlone = 0.02;
constexpr double kMaxAlone = 0.4;
// Number of layers considered before and after the first guess: at least this many even in the
// longest engines, and in shorter ones as many as give this number of pairs.
constexpr std::size_t kMinWidth = 64;
constexpr std::size_t kCells = 128'000;
// Weight of two layers that both stem from operations but share none, where all others share some.
constexpr double kMinOddsOfStrangers = 0.02;

// Families, and layers that only move or convert.
constexpr std::size_t kKinds = static_cast<std::size_t>(model::Family::kNull) + 2;
using Kinds = std::array<double, kKinds>;

struct WeighedPair {
  Spot a = 0, b = 0;
  double certainty = 0;
  MatchBy by = MatchBy::kOrder;
};

bool is_weak(const Group& group) {
  return group.by == MatchBy::kShape || group.by == MatchBy::kOrder;
}

class OrderWeigher {
 public:
  explicit OrderWeigher(Grouping& grouping) : grouping_(grouping), looks_(grouping) {}

  void run() {
    take_weak_matches();
    make_segments();
    alone_.fill(kAlone);
    start_round();
    for (Segment& segment : segments_) find_way(segment);
    for (int round = 0; round < kRounds; ++round) {
      start_round();
      for (const Segment& segment : segments_) weigh(segment, nullptr);
      estimate();
    }
    start_round();
    std::vector<WeighedPair> kept;
    for (const Segment& segment : segments_) weigh(segment, &kept);
    for (const WeighedPair& pair : kept) grouping_.match(pair.a, pair.b, pair.by, pair.certainty);
  }

 private:
  // Layers without strong evidence between two matches that have it; positions in the lists.
  struct Segment {
    std::size_t a = 0, a_end = 0, b = 0, b_end = 0;
    std::vector<Step> way;  // along which the band lies, from its start on

    std::size_t rows() const { return a_end - a; }
    std::size_t columns() const { return b_end - b; }
  };

  void start_round() {
    looks_.set_odds(level_odds_);
    expected_.fill(0);
    partners_.fill(0);
    const auto set_alone = [this](const Side& side, const std::vector<Spot>& free,
                                  std::vector<double>& alone) {
      alone.clear();
      for (const Spot spot : free) alone.push_back(alone_[kind_of(side.traits[spot])]);
    };
    set_alone(grouping_.a(), free_a_, a_alone_);
    set_alone(grouping_.b(), free_b_, b_alone_);
  }

  // Layers that only move data come and go from build to build; layers that multiply hardly ever
  // do.
  static double usually_alone(std::size_t kind) {
    constexpr double kMoves = 0.1, kProduct = 0.005;
    if (kind == kKinds - 1) return kMoves;
    const auto family = static_cast<model::Family>(kind);
    const bool is_product = family == model::Family::kConvolution || family == model::Family::kGemm;
    return is_product ? kProduct : kAlone;
  }

  static std::size_t kind_of(const Traits& traits) {
    return traits.moves_only ? kKinds - 1 : static_cast<std::size_t>(traits.family);
  }

  // Separates what was matched by shape and order: it is only the first guess at the path.
  void take_weak_matches() {
    guess_of_a_.assign(grouping_.a().size(), {});
    std::vector<GroupId> weak;
    for (GroupId group = 0; group < grouping_.groups().size(); ++group) {
      const Group& match = grouping_.groups()[group];
      if (match.a.empty()) continue;
      if (!is_weak(match)) {
        strong_.emplace_back(std::ranges::min(match.a), std::ranges::min(match.b));
        continue;
      }
      weak.push_back(group);
      guesses_.emplace_back(match.a[0], match.b[0]);
      guess_of_a_[match.a[0]] = {
          .a = match.a[0], .b = match.b[0], .certainty = match.certainty, .by = match.by};
    }
    for (const GroupId group : weak) grouping_.unmatch(group);
    std::ranges::sort(strong_);
    strong_ = longest_ascending(strong_);
    std::ranges::sort(guesses_);
    std::vector<Step> all;
    std::ranges::merge(strong_, guesses_, std::back_inserter(all));
    guesses_ = longest_ascending(all);
  }

  static std::size_t below(const std::vector<Spot>& spots, Spot spot) {
    return static_cast<std::size_t>(std::ranges::lower_bound(spots, spot) - spots.begin());
  }

  void make_segments() {
    const auto has_operations = [](const Side& side, Spot spot) {
      const model::RowRange sources = side.model->sources_of(side.layers[spot]);
      for (std::size_t row = sources.first; row < sources.end(); ++row) {
        if (!side.model->text(side.model->sources.op_name[row]).empty()) return true;
      }
      return false;
    };
    const auto list_free = [&](const Side& side, std::span<const GroupId> groups,
                               std::vector<Spot>& free, std::vector<bool>& is_known) {
      std::size_t known = 0, matched = 0;
      for (Spot spot = 0; spot < side.size(); ++spot) {
        const bool is_free = groups[spot] == kNoGroup;
        const bool knows = has_operations(side, spot);
        known += knows;
        matched += knows && !is_free;
        if (!is_free) continue;
        free.push_back(spot);
        is_known.push_back(knows);
      }
      return known == 0 ? 0 : static_cast<double>(matched) / static_cast<double>(known);
    };
    const double in_a = list_free(grouping_.a(), grouping_.groups_of_a(), free_a_, a_is_known_);
    const double in_b = list_free(grouping_.b(), grouping_.groups_of_b(), free_b_, b_is_known_);
    odds_of_strangers_ = std::max(kMinOddsOfStrangers, 1 - std::min(in_a, in_b));
    Segment segment;
    const auto end_segment = [&](Spot a, Spot b) {
      segment.a_end = below(free_a_, a);
      segment.b_end = below(free_b_, b);
      if (segment.a_end > segment.a && segment.b_end > segment.b) segments_.push_back(segment);
      segment = {.a = segment.a_end, .a_end = 0, .b = segment.b_end, .b_end = 0, .way = {}};
    };
    for (const auto& [a, b] : strong_) end_segment(a, b);
    end_segment(kNoSpot, kNoSpot);
    const std::size_t layers = std::max<std::size_t>(1, std::max(free_a_.size(), free_b_.size()));
    width_ = std::max(kMinWidth, kCells / layers);
  }

  std::vector<Step> guessed_way(const Segment& segment) const {
    std::vector<Step> way;
    auto guess = std::ranges::lower_bound(guesses_, free_a_[segment.a], {}, &Step::first);
    for (; guess != guesses_.end(); ++guess) {
      if (guess->first > free_a_[segment.a_end - 1]) break;
      const std::size_t a = below(free_a_, guess->first), b = below(free_b_, guess->second);
      if (b >= segment.b_end) break;
      if (b < segment.b) continue;
      way.emplace_back(static_cast<std::uint32_t>(a - segment.a),
                       static_cast<std::uint32_t>(b - segment.b));
    }
    return way;
  }

  // The first guess loses the path where hardly anything is unique; then following it from the
  // start finds more.
  void find_way(Segment& segment) {
    segment.way = guessed_way(segment);
    const std::size_t rows = segment.rows(), columns = segment.columns();
    if (std::max(rows, columns) <= width_) return;
    const Band::Weights weights = weights_of(segment);
    band_.set(rows, columns, segment.way, width_);
    const double guessed = band_.log_weight(weights);
    std::vector<Step> followed = band_.follow(rows, columns, weights, width_);
    band_.set(rows, columns, followed, width_);
    if (band_.log_weight(weights) > guessed) segment.way = std::move(followed);
  }

  // Refers to the segment.
  Band::Weights weights_of(const Segment& segment) {
    const auto set_odds = [this, &segment](std::size_t row, std::size_t first,
                                           std::span<double> odds) {
      const std::size_t a = segment.a + row;
      for (std::size_t at = 0; at < odds.size(); ++at) {
        const std::size_t b = segment.b + first + at;
        odds[at] = looks_.odds(free_a_[a], free_b_[b]);
        if (a_is_known_[a] && b_is_known_[b]) odds[at] *= odds_of_strangers_;
      }
    };
    return {.rows_alone = std::span(a_alone_).subspan(segment.a, segment.rows()),
            .columns_alone = std::span(b_alone_).subspan(segment.b, segment.columns()),
            .together = together_,
            .swapped = kSwapped,
            .set_odds = set_odds};
  }

  void weigh(const Segment& segment, std::vector<WeighedPair>* kept) {
    band_.set(segment.rows(), segment.columns(), segment.way, width_);
    band_.weigh(weights_of(segment), [&](std::size_t row, std::size_t column, double share) {
      const Spot a = free_a_[segment.a + row], b = free_b_[segment.b + column];
      expected_[looks_.level(a, b)] += share;
      partners_[kind_of(grouping_.a().traits[a])] += share;
      partners_[kind_of(grouping_.b().traits[b])] += share;
      if (kept == nullptr || share < kSure) return;
      constexpr double kByOrder = 0.75;
      const WeighedPair& guessed = guess_of_a_[a];
      kept->push_back(guessed.certainty > 0 && guessed.b == b
                          ? guessed
                          : WeighedPair{.a = a,
                                        .b = b,
                                        .certainty = kByOrder * likeness(grouping_.a().traits[a],
                                                                         grouping_.b().traits[b])});
    });
  }

  // Share of the layers of each kind without a partner, and how similar the others look.
  void estimate() {
    Kinds layers{}, alone{};
    for (const Side* side : {&grouping_.a(), &grouping_.b()}) {
      for (const Traits& traits : side->traits) layers[kind_of(traits)] += 1;
    }
    for (const Spot a : free_a_) alone[kind_of(grouping_.a().traits[a])] += 1;
    for (const Spot b : free_b_) alone[kind_of(grouping_.b().traits[b])] += 1;
    double all = 0, all_alone = kMinAlone, pairs = 0;
    for (std::size_t kind = 0; kind < kKinds; ++kind) {
      alone[kind] = std::max(0.0, alone[kind] - partners_[kind]);
      all += layers[kind];
      all_alone += alone[kind];
      pairs += partners_[kind] / 2;
    }
    const double steps = all_alone + (all - all_alone) / 2;
    const double rate = all_alone / all;
    const double share = all_alone / (2 * steps);
    together_ = 1 - 2 * std::min(kMaxAlone, share);
    for (std::size_t kind = 0; kind < kKinds; ++kind) {
      constexpr double kPriorLayers = 40;
      const double own =
          (alone[kind] + kPriorLayers * usually_alone(kind)) / (layers[kind] + kPriorLayers);
      alone_[kind] = std::clamp(share * own / rate, 1e-9, kMaxAlone);
    }
    constexpr double kPriorWeight = 5;
    for (std::size_t level = 0; level < kLevels; ++level) {
      level_odds_[level] =
          (expected_[level] + kPriorWeight * kFirstLevelOdds[level]) / (pairs + kPriorWeight);
    }
  }

  Grouping& grouping_;
  Looks looks_;
  Band band_;
  std::vector<Step> strong_, guesses_;
  std::vector<WeighedPair> guess_of_a_;
  std::vector<Spot> free_a_, free_b_;
  std::vector<bool> a_is_known_, b_is_known_;
  double odds_of_strangers_ = 1;
  std::vector<Segment> segments_;
  std::size_t width_ = 0;
  // By kind: the weight of a layer without a partner; expected number of layers with one.
  Kinds alone_{}, partners_{};
  std::vector<double> a_alone_, b_alone_;
  double together_ = 0.9;  // chance that the next layers of both are partners
  LevelOdds level_odds_ = kFirstLevelOdds;
  LevelOdds expected_{};
};

}  // namespace

void weigh_order(Grouping& grouping) { OrderWeigher(grouping).run(); }

}  // namespace planex::analyze::matching
