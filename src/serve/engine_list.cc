#include "serve/engine_list.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <thread>
#include <utility>

#include "analyze/engine_row.h"
#include "base/confined_disk.h"
#include "base/text.h"
#include "ingest/discover/discover.h"
#include "render/json/engines_json.h"
#include "render/words/sentences.h"
#include "serve/digest.h"
#include "serve/engine_files.h"
#include "session/machine/engine_speed.h"
#include "session/open/engine.h"

namespace planex::serve {
namespace {

using base::format;
using Clock = std::chrono::steady_clock;

// While engines are read: interval between listings, and between searches of the folders.
constexpr std::chrono::milliseconds kListEvery{250};
constexpr std::chrono::milliseconds kReadFor{1500};
// An engine is read again only after this multiple of its reading time: constantly changing files
// must not keep a core busy.
constexpr int kPausePerReading = 5;
// Searching the folders may take this fraction of the time.
constexpr int kPausePerLook = 20;

struct Entry {
  render::ListedEngine listed;
  std::string path;
  std::shared_ptr<const base::FileSource> files;
  // The folder it was found in, at the last search.
  std::shared_ptr<const SeenFolder> folder;
  // Files that the engine was read from; empty: it was not read.
  FilePaths used;
  // The stamp of its files at the last search, and when it was read.
  std::string stamp, read_stamp;
  std::optional<std::int64_t> youngest_ns;
  Clock::time_point not_before{};
  // For dropped engines: the drop they came with.
  std::string drop;

  bool must_be_read() const { return read_stamp.empty() || read_stamp != stamp; }
};

// Dropped files live as long as something needs them; this is their size.
struct Drop {
  std::uint64_t size_bytes = 0;
  Clock::time_point asked_for;
};

void stamp(Entry& entry) {
  FilesStamp now = stamp_of(*entry.folder, entry.path, entry.used);
  entry.stamp = std::move(now.text);
  entry.youngest_ns = now.youngest_ns;
}

void weigh(Entry& entry) {
  const FilesWeight weight = weight_of(*entry.folder, entry.path, entry.used);
  entry.listed.size_bytes = weight.size_bytes;
  entry.listed.modified_ns = weight.modified_ns;
}

std::string as_shown(std::string_view path) {
  return std::string(path.starts_with("./") ? path.substr(2) : path);
}

std::int64_t now_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

}  // namespace

class EngineList::State {
 public:
  State(ListOptions options, std::shared_ptr<const base::FileSource> disk)
      : options_(std::move(options)),
        disk_(std::move(disk)),
        finder_(*disk_, options_.places, options_.limits) {
    for (const std::string& place : options_.places) {
      std::error_code code;
      const auto real = std::filesystem::canonical(place, code);
      real_places_.emplace_back(place, code ? place : real.generic_string());
    }
    publish();
    thread_ = std::thread([this] { run(); });
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {
    stop();
    thread_.join();
  }

  std::shared_ptr<const Listing> listing() const {
    const std::lock_guard lock(mutex_);
    return listing_;
  }

  std::optional<EngineToOpen> find(std::string_view id) {
    const std::lock_guard lock(mutex_);
    const auto found = entries_.find(id);
    if (found == entries_.end()) return std::nullopt;
    Entry& entry = found->second;
    if (const auto drop = drops_.find(entry.drop); drop != drops_.end()) {
      drop->second.asked_for = Clock::now();
    }
    return EngineToOpen{
        .id = found->first,
        .path = entry.path,
        .files = entry.files,
        .stamp = entry.stamp,
        .state = entry.must_be_read() ? render::EngineState::kWaiting : entry.listed.state,
        .size_bytes = entry.listed.size_bytes};
  }

  Result<std::vector<std::string>> add_dropped(DroppedFiles dropped) {
    const std::shared_ptr<const base::FileSource> files = std::move(dropped.files);
    Seen seen = EngineFinder(*files, {""}, options_.limits).look();
    if (seen.folders.empty()) return fail(no_engine(*files));
    const std::string drop = digest_of(*files);
    std::vector<std::string> ids;
    const std::lock_guard lock(mutex_);
    drops_[drop] = {.size_bytes = dropped.size_bytes, .asked_for = Clock::now()};
    const std::int64_t dropped_at = now_ns();
    for (const auto& folder : seen.folders) {
      for (const std::string& path : folder->engines) {
        const std::string id = digest(format("dropped\n{}\n{}", drop, path));
        ids.push_back(id);
        if (entries_.contains(id)) continue;
        Entry entry{.path = path, .files = files, .folder = folder, .drop = drop};
        entry.listed.id = id;
        entry.listed.place = path.empty() ? name_of_drop(*files) : path;
        entry.listed.is_dropped = true;
        entry.stamp = id;
        weigh(entry);
        entry.listed.modified_ns = dropped_at;
        entries_.emplace(id, std::move(entry));
        order_.push_back(id);
        urgent_.push_back(id);
      }
    }
    forget_drops();
    publish();
    wake_.notify_all();
    return ids;
  }

  void stop() {
    const std::lock_guard lock(mutex_);
    is_stopping_ = true;
    wake_.notify_all();
  }
  bool is_stopped() const { return is_stopped_; }

 private:
  // --- Dropped files. The lock is held. ---

  static std::string digest_of(const base::FileSource& files) {
    std::string text;
    std::vector<std::string> folders = {""};
    while (!folders.empty()) {
      const std::string folder = std::move(folders.back());
      folders.pop_back();
      for (const base::FileEntry& file :
           files.list(folder).value_or(std::vector<base::FileEntry>())) {
        const auto bytes = files.read(file.path);
        text += format("{}\n{}\n", file.path, bytes ? digest((*bytes)->view()) : "");
      }
      const auto inner = files.list_folders(folder).value_or(std::vector<std::string>());
      folders.insert(folders.end(), inner.begin(), inner.end());
    }
    return digest(text);
  }

  // Why there is none, in the words of the error from opening it.
  static Error no_engine(const base::FileSource& files) {
    auto opened = ingest::discover({.path = {}}, files);
    Error error = opened
                      ? Error{.code = ErrorCode::kBadInput, .message = "no engine was found here"}
                      : std::move(opened).error();
    error.code = ErrorCode::kBadInput;
    error.file = {};
    return error;
  }

  // Files without a folder: the first of them.
  static std::string name_of_drop(const base::FileSource& files) {
    const auto listed = files.list("").value_or(std::vector<base::FileEntry>());
    return listed.empty() ? "dropped files" : listed.front().path;
  }

  void forget_drops() {
    const auto now = Clock::now();
    std::uint64_t size_bytes = 0;
    for (const auto& [drop, weight] : drops_) size_bytes += weight.size_bytes;
    while (!drops_.empty()) {
      const auto oldest = std::ranges::min_element(
          drops_, {}, [](const auto& drop) { return drop.second.asked_for; });
      const bool is_too_old = now - oldest->second.asked_for > options_.keep_dropped;
      // The last one may have any size: it has just arrived.
      const bool is_too_much = size_bytes > options_.max_dropped_bytes && drops_.size() > 1;
      if (!is_too_old && !is_too_much) return;
      size_bytes -= oldest->second.size_bytes;
      std::erase_if(entries_, [&](const auto& entry) {
        if (entry.second.drop != oldest->first) return false;
        std::erase(order_, entry.first);
        return true;
      });
      drops_.erase(oldest);
    }
  }

  // --- What is found. ---

  std::string id_of(const std::string& path) const {
    // Independent of the folder where planex was started, so that addresses stay valid.
    std::string_view best_place, best_real;
    for (const auto& [place, real] : real_places_) {
      if ((place == "." || is_or_holds(place, path)) && place.size() >= best_place.size()) {
        best_place = place;
        best_real = real;
      }
    }
    std::string_view rest = path;
    if (best_place != ".") rest.remove_prefix(best_place.size());
    while (rest.starts_with('/') || rest.starts_with("./")) rest.remove_prefix(1);
    return digest(format("{}/{}", best_real, rest == "." ? "" : rest));
  }

  // Adds what a search found to the list. The lock is held.
  void take(const Seen& seen) {
    std::vector<std::string> order;
    std::set<std::string> found;
    for (const auto& folder : seen.folders) {
      for (const std::string& path : folder->engines) {
        const std::string id = id_of(path);
        auto [place, is_new] = entries_.try_emplace(id);
        Entry& entry = place->second;
        if (is_new) {
          entry.path = path;
          entry.files = disk_;
          entry.listed.id = id;
          entry.listed.place = as_shown(path);
        }
        if (entry.folder != folder) {
          entry.folder = folder;
          stamp(entry);
          if (entry.used.empty()) weigh(entry);
        }
        entry.listed.is_stale = !entry.read_stamp.empty() && entry.must_be_read();
        if (found.insert(id).second) order.push_back(id);
      }
    }
    for (const std::string& id : order_) {
      if (found.contains(id)) continue;
      if (entries_.at(id).listed.is_dropped) {
        order.push_back(id);
      } else {
        entries_.erase(id);
      }
    }
    order_ = std::move(order);
    left_out_ = seen.left_out;
    is_searching_ = false;
  }

  // Whether the engine must be read and its files no longer change. The lock is held.
  bool is_due(const Entry& entry) const {
    if (!entry.must_be_read()) return false;
    if (entry.listed.is_dropped) return true;
    if (entry.not_before > Clock::now()) return false;
    const std::int64_t now = now_ns();
    const auto rest = std::chrono::duration_cast<std::chrono::nanoseconds>(options_.rest);
    // Dates in the future come from other machines' clocks and mean nothing.
    return !entry.youngest_ns || *entry.youngest_ns <= now - rest.count() ||
           *entry.youngest_ns > now;
  }

  std::vector<std::string> due() const {
    std::vector<std::string> ids;
    for (const std::string& id : order_) {
      if (is_due(entries_.at(id))) ids.push_back(id);
    }
    return ids;
  }

  // Reads what is due, dropped engines first, as somebody is waiting for them, until it is time to
  // search the folders again. Returns whether everything was read.
  bool read_due(std::unique_lock<std::mutex>& lock) {
    auto listed = Clock::now();
    const auto until = listed + kReadFor;
    bool is_listed = true;
    const auto read_one = [&](const std::string& id) {
      const auto entry = entries_.find(id);
      if (entry == entries_.end() || !is_due(entry->second)) return;
      read(lock, entry->second);
      is_listed = Clock::now() - listed >= kListEvery;
      if (!is_listed) return;
      publish();
      listed = Clock::now();
    };
    const auto read_urgent = [&] {
      while (!urgent_.empty() && !is_stopping_) {
        const std::string first = std::move(urgent_.back());
        urgent_.pop_back();
        read_one(first);
      }
    };
    bool is_over = false;
    for (const std::string& id : due()) {
      read_urgent();
      is_over = is_stopping_ || Clock::now() >= until;
      if (is_over) break;
      read_one(id);
    }
    read_urgent();
    if (!is_listed) publish();
    return !is_over;
  }

  void read(std::unique_lock<std::mutex>& lock, Entry& entry) {
    const std::string id = entry.listed.id;
    const OpenRequest request{.path = entry.path};
    const auto files = entry.files;
    lock.unlock();
    const auto begin = Clock::now();
    auto engine = opened(request, *files);
    const auto taken = Clock::now() - begin;
    lock.lock();
    const auto found = entries_.find(id);
    if (found == entries_.end()) return;  // gone meanwhile
    Entry& now = found->second;
    now.not_before = Clock::now() + kPausePerReading * taken;
    now.used.clear();
    if (engine) {
      now.listed.state = render::EngineState::kReady;
      now.listed.row = std::move(engine->row);
      now.listed.headline = std::move(engine->headline);
      now.listed.reached_ratio = engine->reached_ratio;
      now.listed.error.clear();
      now.used = std::move(engine->files);
    } else {
      now.listed.state = render::EngineState::kFailed;
      now.listed.error = describe(engine.error(), false);
      now.listed.row = {};
      now.listed.headline.clear();
      now.listed.reached_ratio.reset();
    }
    if (now.listed.is_dropped) {
      now.read_stamp = now.stamp;
      return;
    }
    // Only now it is known which files count. Where they changed while they were read, the next
    // look sees it: this is the stamp of the folder before.
    stamp(now);
    now.read_stamp = now.stamp;
    now.listed.is_stale = false;
    weigh(now);
  }

  struct ReadEngine {
    analyze::EngineFigures row;
    std::string headline;
    std::optional<double> reached_ratio;
    FilePaths files;
  };
  static Result<ReadEngine> opened(const OpenRequest& request, const base::FileSource& files) {
    try {
      auto engine = session::open_engine(request, files);
      if (!engine) return fail(std::move(engine).error());
      ReadEngine read{.row = analyze::engine_row(engine->model, engine->summary),
                      .headline = {},
                      .reached_ratio = {},
                      .files = {}};
      if (auto said = render::conclusion(engine->model, engine->summary)) {
        read.headline = std::move(said->headline);
      }
      // A list must not keep the CPU busy to measure it.
      const auto speed = session::speed_of(engine->model, engine->summary, {.may_measure = false});
      if (speed) read.reached_ratio = speed->total.reached;
      for (const base::StringId file : engine->model.files.file.values()) {
        read.files.emplace(engine->model.text(file));
      }
      return read;
    } catch (const std::exception& exception) {
      return fail(ErrorCode::kInternal, format("the engine can't be read: {}", exception.what()));
    }
  }

  // The lock is held.
  void publish() {
    render::EngineList list{.places = options_.places,
                            .engines = {},
                            .trends = {},
                            .left_out = left_out_,
                            .is_searching = is_searching_};
    for (const std::string& id : order_) list.engines.push_back(entries_.at(id).listed);
    std::vector<analyze::DatedRow> rows;
    for (const render::ListedEngine& engine : list.engines) {
      const bool has_date = engine.state == render::EngineState::kReady && !engine.is_dropped;
      rows.push_back({has_date ? &engine.row : nullptr, engine.modified_ns});
    }
    list.trends = analyze::run_trends(rows);
    auto listing = std::make_shared<Listing>();
    listing->json = render::engines_json(list);
    listing->etag = format("\"{}\"", digest(listing->json));
    listing_ = std::move(listing);
  }

  void run() {
    while (!is_stopping_) {
      const auto begin = Clock::now();
      const Seen seen = finder_.look([this] { return is_stopping_.load(); });
      const auto look_took = Clock::now() - begin;
      std::unique_lock lock(mutex_);
      if (is_stopping_) break;
      take(seen);
      forget_drops();
      publish();
      const bool is_all = read_due(lock);
      if (is_stopping_) break;
      if (!is_all) continue;
      const auto pause = std::max<Clock::duration>(options_.look_every, look_took * kPausePerLook);
      wake_.wait_for(lock, pause, [this] { return is_stopping_ || !urgent_.empty(); });
    }
    is_stopped_ = true;
  }

  const ListOptions options_;
  const std::shared_ptr<const base::FileSource> disk_;
  EngineFinder finder_;  // used by the thread only
  std::vector<std::pair<std::string, std::string>> real_places_;

  mutable std::mutex mutex_;
  std::condition_variable wake_;
  std::map<std::string, Entry, std::less<>> entries_;  // by id
  std::vector<std::string> order_;                     // ids, as they are listed
  std::map<std::string, Drop> drops_;
  std::vector<std::string> urgent_;  // ids of engines that were dropped just now
  std::shared_ptr<const Listing> listing_;
  std::string left_out_;
  bool is_searching_ = true;
  std::atomic<bool> is_stopping_{false}, is_stopped_{false};
  std::thread thread_;
};

EngineList::EngineList(std::unique_ptr<State> state) : state_(std::move(state)) {}
EngineList::~EngineList() = default;

Result<std::unique_ptr<EngineList>> EngineList::start(ListOptions options) {
  auto disk = base::confined_disk(options.places);
  if (!disk) return fail(std::move(disk).error());
  std::shared_ptr<const base::FileSource> shared = std::move(*disk);
  auto state = std::make_unique<State>(std::move(options), std::move(shared));
  return std::unique_ptr<EngineList>(new EngineList(std::move(state)));
}

std::shared_ptr<const Listing> EngineList::listing() const { return state_->listing(); }
std::optional<EngineToOpen> EngineList::find(std::string_view id) { return state_->find(id); }
Result<std::vector<std::string>> EngineList::add_dropped(DroppedFiles dropped) {
  return state_->add_dropped(std::move(dropped));
}
void EngineList::stop() { state_->stop(); }
bool EngineList::is_stopped() const { return state_->is_stopped(); }

}  // namespace planex::serve
