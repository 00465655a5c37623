#include "serve/documents.h"

#include <algorithm>
#include <atomic>
#include <list>
#include <mutex>
#include <optional>
#include <utility>

#include "base/try.h"
#include "serve/digest.h"
#include "serve/page_policy.h"
#include "session/open/internals.h"

namespace planex::serve {
namespace {

using Bytes = std::shared_ptr<const std::string>;

// Some engines, side by side, as of one time.
struct Opened {
  std::string key;
  std::uint64_t file_bytes = 0;

  // Held while the engines are read, or something is made from them: a second request waits, and
  // finds what the first one made.
  std::mutex work;
  std::vector<std::shared_ptr<const base::FileSource>> sources;  // before what reads from them
  std::optional<Session> session;

  // Held for a moment.
  std::mutex mutex;
  Bytes page, data;

  Bytes made(Document kind) {
    const std::lock_guard lock(mutex);
    return kind == Document::kPage ? page : data;
  }
  void keep(Document kind, Bytes bytes) {
    const std::lock_guard lock(mutex);
    (kind == Document::kPage ? page : data) = std::move(bytes);
  }

  // The bytes it keeps.
  std::atomic<std::uint64_t> kept_bytes{0};
};

}  // namespace

std::string version_of(const std::vector<EngineToOpen>& engines) {
  std::string text;
  for (const EngineToOpen& engine : engines) text += engine.id + engine.stamp;
  return digest(text);
}

class Documents::State {
 public:
  explicit State(const DocumentLimits& limits) : limits_(limits) {}

  Result<Bytes> document(Document kind, const std::vector<EngineToOpen>& engines) {
    const std::shared_ptr<Opened> opened = slot(engines);
    if (Bytes made = opened->made(kind)) return made;
    Bytes document;
    {
      const std::lock_guard lock(opened->work);
      document = opened->made(kind);
      if (document == nullptr) {
        if (*sent_bytes_ > limits_.max_sent_bytes) {
          return fail(ErrorCode::kCancelled, "too many reports are being sent; try again");
        }
        PLANEX_TRY(open(*opened, engines));
        // Measuring this machine would write a file.
        const ReportRequest request{
            .format = kind == Document::kPage ? Format::kText : Format::kJson,
            .speed = {.may_measure = false}};
        PLANEX_ASSIGN(std::string text, opened->session->report(request));
        if (kind == Document::kPage) text = as_served(text, opened->key);
        document = counted(std::move(text));
        opened->keep(kind, document);
      }
      weigh(*opened);
    }
    make_room();
    return document;
  }

  Result<std::string> query(const std::vector<EngineToOpen>& engines, std::string_view sql,
                            Format format, const QueryLimits& limits) {
    const std::shared_ptr<Opened> opened = slot(engines);
    Result<std::string> answer;
    {
      const std::lock_guard lock(opened->work);
      PLANEX_TRY(open(*opened, engines));
      answer = opened->session->query(sql, {.format = format}, limits);
      weigh(*opened);
    }
    make_room();
    return answer;
  }

 private:
  // The slot of some engines, which becomes the most recent one.
  std::shared_ptr<Opened> slot(const std::vector<EngineToOpen>& engines) {
    const std::string key = version_of(engines);
    const std::lock_guard lock(mutex_);
    const auto found = std::ranges::find(slots_, key, [](const auto& slot) { return slot->key; });
    if (found != slots_.end()) {
      slots_.splice(slots_.begin(), slots_, found);
    } else {
      auto opened = std::make_shared<Opened>();
      opened->key = key;
      for (const EngineToOpen& engine : engines) opened->file_bytes += engine.size_bytes;
      slots_.push_front(std::move(opened));
    }
    return slots_.front();
  }

  // `opened.work` is held.
  static Result<void> open(Opened& opened, const std::vector<EngineToOpen>& engines) {
    if (opened.session) return {};
    std::vector<OpenRequest> requests;
    std::vector<const base::FileSource*> files;
    opened.sources.clear();
    for (const EngineToOpen& engine : engines) {
      requests.push_back({.path = engine.path});
      files.push_back(engine.files.get());
      opened.sources.push_back(engine.files);
    }
    PLANEX_ASSIGN(opened.session, session::Internals::open(requests, files));
    return {};
  }

  static void weigh(Opened& opened) {
    std::uint64_t bytes = opened.session ? opened.file_bytes : 0;
    for (const Document kind : {Document::kPage, Document::kData}) {
      if (const Bytes made = opened.made(kind)) bytes += made->size();
    }
    opened.kept_bytes = bytes;
  }

  // Releases what was requested longest ago. Those who still use it keep it alive.
  void make_room() {
    const std::lock_guard lock(mutex_);
    std::uint64_t kept = 0;
    for (auto next = slots_.begin(); next != slots_.end();) {
      kept += (*next)->kept_bytes;
      const bool is_failed = (*next)->kept_bytes == 0 && next->use_count() == 1;
      next = kept > limits_.max_kept_bytes || is_failed ? slots_.erase(next) : std::next(next);
    }
  }

  Bytes counted(std::string text) {
    const auto size = text.size();
    *sent_bytes_ += size;
    return {new const std::string(std::move(text)),
            [counter = sent_bytes_, size](const std::string* bytes) {
              *counter -= size;
              delete bytes;
            }};
  }

  const DocumentLimits limits_;
  // Of all living documents. Connections may outlive this object.
  const std::shared_ptr<std::atomic<std::uint64_t>> sent_bytes_ =
      std::make_shared<std::atomic<std::uint64_t>>(0);
  std::mutex mutex_;
  std::list<std::shared_ptr<Opened>> slots_;  // the most recent first
};

Documents::Documents(const DocumentLimits& limits) : state_(std::make_unique<State>(limits)) {}
Documents::~Documents() = default;

Result<std::shared_ptr<const std::string>> Documents::document(
    Document kind, const std::vector<EngineToOpen>& engines) {
  return state_->document(kind, engines);
}

Result<std::string> Documents::query(const std::vector<EngineToOpen>& engines, std::string_view sql,
                                     Format format, const QueryLimits& limits) {
  return state_->query(engines, sql, format, limits);
}

}  // namespace planex::serve
