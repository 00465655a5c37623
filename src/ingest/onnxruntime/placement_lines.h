// Lines of ONNX Runtime's session log that say which provider got which node, and why.
//
// One list comes in three forms, all of them verbose messages: since 1.8 one line per node, before
// that all nodes of a provider in one line; if one provider got everything, its nodes are only
// counted.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace planex::ingest::onnxruntime {

struct PlacedNode {
  std::string_view type;  // empty: the line contains only the name
  std::string_view name;  // may be empty
  std::uint64_t byte_offset = 0;
};

struct PlacedProvider {
  std::string_view name;
  std::optional<std::int64_t> stated_count;
  std::vector<PlacedNode> nodes;
  std::uint64_t byte_offset = 0;
};

// What a session reported about placement.
struct PlacedSession {
  std::vector<PlacedProvider> providers;
  std::size_t node_count() const;
};

// Why a node did not go to the preferred provider.
struct Fallback {
  std::string_view type;  // empty: not said
  std::string_view node;
  std::string reason;
};

struct PlacementLog {
  std::vector<PlacedSession> sessions;
  std::vector<Fallback> fallbacks;
  struct Copies {
    std::int64_t count = 0;
    std::string_view graph, provider;
  };
  std::vector<Copies> copies;  // "2 Memcpy nodes are added to the graph G for P"
  struct Message {
    std::string_view text;
    std::uint64_t byte_offset = 0;
  };
  std::vector<Message> not_created;  // "Failed to create CUDAExecutionProvider…"
  std::vector<Message> partitions;   // what a provider says about its share of the graph
  bool warns_of_cpu = false;         // "Some nodes were not assigned to the preferred…"
  std::size_t line_count = 0;        // of ONNX Runtime's own lines, or of those above
};

// Views point into `text`, which is a whole log or part of one, with or without the logger's
// prefixes. Cost: O(size).
PlacementLog read_placement_lines(std::string_view text);

// Whether a text contains such lines, or any with ONNX Runtime's prefix.
bool has_runtime_prefix(std::string_view line);

}  // namespace planex::ingest::onnxruntime
