// Nodes of CUDA graphs: a kernel that runs from a graph has no call of its own, but its node was
// captured once, inside its layer's range.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ingest/nsight/sqlite_file.h"
#include "ingest/nsight/trace.h"
#include "planex/error.h"

namespace planex::ingest::nsight {

class GraphNodes {
 public:
  // Each process numbers its nodes separately.
  struct Key {
    std::uint32_t process = 0;
    std::int64_t id = 0;
    bool operator==(const Key&) const = default;
  };

  // The dense number of a node that a launch names.
  std::uint32_t number_of(Key key);

  // When and where they were captured. An instantiated graph is a copy, and its nodes refer to the
  // nodes that they were copied from: those were captured. Cost: O(nodes).
  struct Numberings {
    Numbering& processes;
    Numbering& threads;
    bool has_processes;
  };
  Result<std::vector<Node>> read(SqliteFile& file, Numberings numberings) const;

 private:
  struct HashOfKey {
    std::size_t operator()(const Key& key) const {
      constexpr std::size_t kMix = 0x9E3779B97F4A7C15ULL;
      return (static_cast<std::size_t>(key.id) * kMix) ^ key.process;
    }
  };
  template <typename T>
  using ByKey = std::unordered_map<Key, T, HashOfKey>;

  ByKey<std::uint32_t> numbers_;
};

}  // namespace planex::ingest::nsight
