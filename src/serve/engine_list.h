// The engines that are served: found below the given places by a thread that keeps searching, and
// dropped by pages. For each, a row of figures is kept; the engines themselves are read one at a
// time, and released again.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/files.h"
#include "planex/error.h"
#include "render/json/engines_json.h"
#include "serve/dropped_files.h"
#include "serve/engine_finder.h"

namespace planex::serve {

// What is needed to open an engine. It stays valid when the engine leaves the list.
struct EngineToOpen {
  std::string id;
  std::string path;
  // The source that the path refers to.
  std::shared_ptr<const base::FileSource> files;
  // A text that changes when its files change.
  std::string stamp;
  // Also waiting if its files changed after it was read.
  render::EngineState state = render::EngineState::kWaiting;
  // Of its files, as far as known.
  std::uint64_t size_bytes = 0;
};

// The current planex.engines/1.
struct Listing {
  std::string json;
  std::string etag;  // with its quotes
};

struct ListOptions {
  std::vector<std::string> places;
  FinderLimits limits;
  // Between two searches of the folders, and more if a search takes long.
  std::chrono::milliseconds look_every{1500};
  // Files written more recently than this may be incomplete: they are skipped until they are older.
  std::chrono::milliseconds rest{700};
  // Dropped files that were not requested for this long are discarded; and the oldest, beyond this
  // size.
  std::chrono::minutes keep_dropped{120};
  std::uint64_t max_dropped_bytes = std::uint64_t{1} << 30;
};

// Can be used by any thread.
class EngineList {
 public:
  // Errors: those of base::confined_disk().
  static Result<std::unique_ptr<EngineList>> start(ListOptions options);
  // Waits for the engine that is being read.
  ~EngineList();
  EngineList(const EngineList&) = delete;
  EngineList& operator=(const EngineList&) = delete;

  // Never waits for an engine.
  std::shared_ptr<const Listing> listing() const;
  std::optional<EngineToOpen> find(std::string_view id);
  // The ids of the engines among the files; the same files again are the same engines.
  // Errors: kBadInput (no engine among them), with what they contain.
  Result<std::vector<std::string>> add_dropped(DroppedFiles dropped);
  // Asks the thread to end, without waiting for it.
  void stop();
  // Whether it has ended.
  bool is_stopped() const;

 private:
  class State;
  explicit EngineList(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

}  // namespace planex::serve
