// The handles of planex.h, and how to make a call that can fail.
#pragma once

#include <exception>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/files.h"
#include "base/text.h"
#include "c_api/request_options.h"
#include "planex/planex.h"
#include "planex/session.h"

struct planex_session {
  // They outlive the session, which reads files again for a report.
  std::vector<std::shared_ptr<const planex::base::FileSource>> disks;
  planex::Session session;
  std::vector<std::string> labels;
};
struct planex_table {
  planex::ArrowTable table;
};
struct planex_document {
  std::string text;
};
struct planex_error {
  planex::Error error;
};

namespace planex::c_api {

inline void report(Error error, planex_error** out) noexcept {
  if (out != nullptr) *out = new (std::nothrow) planex_error{std::move(error)};
}

// The result of `work`, on the heap; null if it failed or threw.
template <typename T, typename Work>
T* guarded(planex_error** error, const Work& work) noexcept {
  Error problem;
  try {
    auto done = work();
    if (done) return new T(*std::move(done));
    problem = std::move(done).error();
  } catch (const std::bad_alloc&) {
    problem.message.assign("out of memory");  // short enough to be stored in the object
  } catch (const std::exception& exception) {
    try {
      problem.message = base::format("a bug in planex: {}", exception.what());
    } catch (...) {
      problem.message.assign("out of memory");
    }
  }
  report(std::move(problem), error);
  return nullptr;
}

inline std::string_view text_of(const char* text) { return text == nullptr ? "" : text; }

inline std::vector<OptionText> texts_of(const planex_option* options, size_t count) {
  std::vector<OptionText> result;
  for (const planex_option& option : std::span(options, options == nullptr ? 0 : count)) {
    result.push_back({.name = text_of(option.name), .value = text_of(option.value)});
  }
  return result;
}

}  // namespace planex::c_api
