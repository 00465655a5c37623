#include "ingest/nsight/graph_nodes.h"

#include <array>
#include <string_view>

#include "base/try.h"

namespace planex::ingest::nsight {

std::uint32_t GraphNodes::number_of(Key key) {
  return numbers_.try_emplace(key, static_cast<std::uint32_t>(numbers_.size())).first->second;
}

Result<std::vector<Node>> GraphNodes::read(SqliteFile& file, Numberings numberings) const {
  std::vector<Node> nodes(numbers_.size());
  if (nodes.empty()) return nodes;
  struct Event {
    Node captured;  // no thread: only copies are known
    std::optional<std::int64_t> original;
  };
  ByKey<Event> events;
  constexpr std::array<std::string_view, 4> kColumns = {"start", "globalTid", "graphNodeId",
                                                        "originalGraphNodeId"};
  PLANEX_TRY(file.scan("CUDA_GRAPH_NODE_EVENTS", kColumns, [&](const SqliteFile::Row& row) {
    const auto start = row.number(0), id = row.number(2), original = row.number(3);
    if (!start || !is_time(*start) || !id) return;
    const std::int64_t thread = row.number(1).value_or(0);
    const std::int64_t process = numberings.has_processes ? process_of_thread(thread) : 0;
    Event& event = events[{numberings.processes.of(process), *id}];
    if (original && *original != 0 && *original != *id) {
      if (!event.original) event.original = original;
    } else if (event.captured.thread == kNone || *start < event.captured.captured) {
      event.captured = {.captured = *start, .thread = numberings.threads.of(thread)};
    }
  }));
  // Copies of copies are only a few levels deep; in a corrupt file they may form a cycle.
  constexpr int kMaxSteps = 16;
  for (const auto& [key, number] : numbers_) {
    Key at = key;
    for (int step = 0; step < kMaxSteps; ++step) {
      const auto found = events.find(at);
      if (found == events.end()) break;
      if (!found->second.original) {
        nodes[number] = found->second.captured;
        break;
      }
      at.id = *found->second.original;
    }
  }
  return nodes;
}

}  // namespace planex::ingest::nsight
