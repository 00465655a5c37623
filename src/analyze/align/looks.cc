#include "analyze/align/looks.h"

#include <unordered_map>

#include "analyze/align/surroundings.h"

namespace planex::analyze::matching {
namespace {

constexpr std::size_t kMaxInTable = 1'000'000;
// Layers less similar than this are not the same.
constexpr double kMinLikeness = 0.45;
constexpr std::array kDetails = {Detail::kAll, Detail::kOutline, Detail::kResult};

}  // namespace

Looks::Looks(const Grouping& grouping) : grouping_(grouping) {
  std::array<std::unordered_map<Key, double>, kLevels - 1> counts;
  const auto add = [&](const Side& side, std::vector<Look>& looks,
                       std::vector<std::uint32_t>& look_of) {
    std::unordered_map<Key, std::uint32_t> known;
    for (Spot spot = 0; spot < side.size(); ++spot) {
      const Traits& traits = side.traits[spot];
      Look look{.spot = spot};
      for (std::size_t level = 0; level < kDetails.size(); ++level) {
        look.keys[level] = outline(traits, kDetails[level], grouping.places());
        ++counts[level][look.keys[level]];
      }
      // What decides whether two can be matched at all, whatever their looks.
      const Key key = mixed(mixed(look.keys[0], static_cast<Key>(traits.family)),
                            mixed(static_cast<Key>(traits.quantizes) + 1, traits.place));
      const auto [at, is_new] = known.try_emplace(key, static_cast<std::uint32_t>(looks.size()));
      if (is_new) looks.push_back(look);
      look_of.push_back(at->second);
    }
  };
  add(grouping.a(), looks_a_, look_of_a_);
  add(grouping.b(), looks_b_, look_of_b_);
  const auto layers = static_cast<double>(grouping.a().size() + grouping.b().size());
  for (std::vector<Look>* looks : {&looks_a_, &looks_b_}) {
    for (Look& look : *looks) {
      for (std::size_t level = 0; level < kDetails.size(); ++level) {
        look.rarity[level] = layers / counts[level][look.keys[level]];
      }
    }
  }
}

void Looks::set_odds(const LevelOdds& odds) {
  level_odds_ = odds;
  if (looks_a_.size() * looks_b_.size() > kMaxInTable) return;
  table_.clear();
  table_.reserve(looks_a_.size() * looks_b_.size());
  for (std::uint32_t x = 0; x < looks_a_.size(); ++x) {
    for (std::uint32_t y = 0; y < looks_b_.size(); ++y) table_.push_back(odds_of(x, y));
  }
}

std::size_t Looks::level_of(std::uint32_t x, std::uint32_t y) const {
  const Look &a = looks_a_[x], &b = looks_b_[y];
  if (!grouping_.may_match(a.spot, b.spot)) return kUnlike;
  for (std::size_t level = 0; level < kDetails.size(); ++level) {
    if (a.keys[level] == b.keys[level]) return level;
  }
  const double like = likeness(grouping_.a().traits[a.spot], grouping_.b().traits[b.spot]);
  return like >= kMinLikeness ? kLevels - 1 : kUnlike;
}

double Looks::odds_of(std::uint32_t x, std::uint32_t y) const {
  const std::size_t level = level_of(x, y);
  if (level == kUnlike) return 0;
  const double rarity = level < kDetails.size() ? looks_a_[x].rarity[level] : 1;
  return level_odds_[level] * rarity;
}

}  // namespace planex::analyze::matching
