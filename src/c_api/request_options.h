// Requests from options: pairs of texts, as other languages pass them.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/try.h"
#include "planex/error.h"
#include "planex/session.h"
#include "session/verbs/requests.h"

namespace planex::c_api {

struct OptionText {
  std::string_view name, value;
};
using OptionTexts = std::span<const OptionText>;

// Errors: kUsage (no such option, with those that there are; not a value of it).
Result<void> set_options(const session::Options& options, OptionTexts texts);

// Errors of all that follow: those of set_options().
template <typename R>
Result<R> request_of(OptionTexts texts) {
  R request;
  PLANEX_TRY(set_options(session::options_of(request), texts));
  return request;
}

// What is asked for, and how the document looks.
template <typename R>
struct Viewed {
  R request;
  View view{.format = Format::kJson};
};

template <typename R>
Result<Viewed<R>> viewed(OptionTexts texts, session::Options more = {}) {
  Viewed<R> result;
  session::Options options = session::options_of(result.request);
  session::add(options, std::move(more));
  session::add(options, session::options_of(result.view));
  PLANEX_TRY(set_options(options, texts));
  return result;
}

// The same of a verb that takes nothing but `more`.
Result<View> view_of(OptionTexts texts, session::Options more = {});

// One engine to open. Only files inside the folders `within` are read; empty: all files.
struct EngineOptions {
  OpenRequest request;
  std::vector<std::string> within;
};
Result<std::vector<EngineOptions>> engine_options(OptionTexts texts);

}  // namespace planex::c_api
