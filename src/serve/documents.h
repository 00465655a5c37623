// Reports and answers to queries, made from engines on request and kept as long as there is room:
// the next request for the same unchanged engines gets them at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "planex/error.h"
#include "planex/session.h"
#include "serve/engine_list.h"

namespace planex::serve {

struct DocumentLimits {
  // Limit for what is kept: documents, and the files of open engines.
  std::uint64_t max_kept_bytes = std::uint64_t{512} << 20;
  // Limit for documents being sent, kept or not; above it, no other is sent before one is done.
  std::uint64_t max_sent_bytes = std::uint64_t{2} << 30;
};

enum class Document : std::uint8_t {
  kPage,  // the report
  kData,  // planex.report/2
};

// A text that changes when the files of one of the engines change: documents made from them before
// are outdated.
std::string version_of(const std::vector<EngineToOpen>& engines);

// Can be used by any thread. The same document requested at the same time is made once.
class Documents {
 public:
  explicit Documents(const DocumentLimits& limits = {});
  ~Documents();
  Documents(const Documents&) = delete;
  Documents& operator=(const Documents&) = delete;

  // Errors: those of Session::open and Session::report; kCancelled (max_sent_bytes is reached).
  Result<std::shared_ptr<const std::string>> document(Document kind,
                                                      const std::vector<EngineToOpen>& engines);
  // Errors: those of Session::open and Session::query.
  Result<std::string> query(const std::vector<EngineToOpen>& engines, std::string_view sql,
                            Format format, const QueryLimits& limits);

 private:
  class State;
  std::unique_ptr<State> state_;
};

}  // namespace planex::serve
