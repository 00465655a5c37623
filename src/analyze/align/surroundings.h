// The surroundings of each layer in the data flow, as hashes and as matches.
#pragma once

#include <span>
#include <vector>

#include "analyze/align/grouping.h"

namespace planex::analyze::matching {

// How much of a layer itself goes into its hash.
enum class Detail : std::uint8_t {
  kAll,      // type, all dims
  kOutline,  // family, dims of the first input and output
  kResult,   // family and dims of the first output
};
Key outline(const Traits& traits, Detail detail, const Places& places);

// Hashes of growing surroundings, as in the colour refinement of Weisfeiler and Lehman: of the
// layer, of the layers that write what it reads and of those that read what it writes, of theirs,
// and so on. Other readers of an input are not included, so that a tensor read by all layers (a
// mask) adds nothing about them. Layers that only move or convert are passed over. A layer that is
// matched has the hash of its match and nothing around it. [radius][layer], for radius 0 to
// `radius`. Cost: O(radius · ports).
std::vector<std::vector<Key>> surroundings(const Side& side, std::span<const GroupId> groups,
                                           const Places& places, Detail detail, int radius);

// A match next to a layer, and on which side.
struct NearMatch {
  GroupId group = kNoGroup;
  bool reads = false;  // it reads what the layer writes; else it writes what the layer reads
  auto operator<=>(const NearMatch&) const = default;
};

// Matches around each free layer, a few of them, ascending.
class NearMatches {
 public:
  static constexpr std::size_t kMax = 8;

  NearMatches(const Side& side, std::span<const GroupId> groups);
  std::span<const NearMatch> of(Spot spot) const {
    return std::span(items_).subspan(first_[spot], first_[spot + 1] - first_[spot]);
  }

 private:
  std::vector<std::uint32_t> first_;
  std::vector<NearMatch> items_;
};

// For each layer, the match of the one other layer that its first input comes from, or that its
// first output goes to: where that flow has one writer and one reader. kNoGroup elsewhere.
class FlowMatches {
 public:
  FlowMatches(const Side& side, std::span<const GroupId> groups);
  GroupId writer(Spot spot) const { return writer_[spot]; }
  GroupId reader(Spot spot) const { return reader_[spot]; }

 private:
  std::vector<GroupId> writer_, reader_;
};

}  // namespace planex::analyze::matching
