// The engines that are served: found below the given places by a thread that keeps looking, and
// dropped by pages. What is known of each is a row of figures; the engines themselves are read, one
// at a time, and let go again.
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

// What opens an engine. It stays good when the engine leaves the list.
struct EngineToOpen {
  std::string id;
  std::string path;
  // What the path leads into.
  std::shared_ptr<const base::FileSource> files;
  // Another text when its files changed.
  std::string stamp;
  // Waiting also where its files changed since it was read.
  render::EngineState state = render::EngineState::kWaiting;
  // Of its files, as far as they are known.
  std::uint64_t size_bytes = 0;
};

// planex.engines/1 as it is now.
struct Listing {
  std::string json;
  std::string etag;  // with its quotes
};

struct ListOptions {
  std::vector<std::string> places;
  FinderLimits limits;
  // Between two looks at the folders, and more where a look takes long.
  std::chrono::milliseconds look_every{1500};
  // Files that were written less than this ago may not be whole: they are left until they rest.
  std::chrono::milliseconds rest{700};
  // Dropped files that nobody asked for this long are forgotten; and the oldest, beyond this size.
  std::chrono::minutes keep_dropped{120};
  std::uint64_t max_dropped_bytes = std::uint64_t{1} << 30;
};

// Use by any thread.
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
  // Errors: kBadInput (no engine among them), with what there is.
  Result<std::vector<std::string>> add_dropped(DroppedFiles dropped);
  // Tells the thread to end, without waiting for it.
  void stop();
  // Whether it has ended.
  bool is_stopped() const;

 private:
  class State;
  explicit EngineList(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

}  // namespace planex::serve
