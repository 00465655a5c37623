// How strongly the looks of two layers suggest that they are the same, as odds.
#pragma once

#include <array>
#include <vector>

#include "analyze/align/grouping.h"

namespace planex::analyze::matching {

// How similar two layers are: everything known is equal; kind and dims of the first input and
// output are equal; kind and dims of the output are equal; or they are similar (likeness()).
inline constexpr std::size_t kLevels = 4;
inline constexpr std::size_t kUnlike = kLevels;
// Share of each level among pairs that are the same.
using LevelOdds = std::array<double, kLevels>;
inline constexpr LevelOdds kFirstLevelOdds = {0.8, 0.1, 0.06, 0.04};

class Looks {
 public:
  explicit Looks(const Grouping& grouping);

  void set_odds(const LevelOdds& odds);
  // How much more likely these looks are if the two layers are the same than if they are any two:
  // rare looks count more. 0 where the layers can't be the same.
  double odds(Spot a, Spot b) const {
    const std::uint32_t x = look_of_a_[a], y = look_of_b_[b];
    return table_.empty() ? odds_of(x, y) : table_[x * looks_b_.size() + y];
  }
  std::size_t level(Spot a, Spot b) const { return level_of(look_of_a_[a], look_of_b_[b]); }

 private:
  struct Look {
    std::array<Key, kLevels - 1> keys{};
    // Layers of both engines that have this key.
    std::array<double, kLevels - 1> rarity{};
    Spot spot = 0;  // one with these looks
  };

  std::size_t level_of(std::uint32_t x, std::uint32_t y) const;
  double odds_of(std::uint32_t x, std::uint32_t y) const;

  const Grouping& grouping_;
  std::vector<std::uint32_t> look_of_a_, look_of_b_;
  std::vector<Look> looks_a_, looks_b_;
  LevelOdds level_odds_ = kFirstLevelOdds;
  std::vector<double> table_;  // of all looks of A with all of B, where they are few
};

}  // namespace planex::analyze::matching
