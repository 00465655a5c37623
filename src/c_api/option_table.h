// How a table of options is written, and read: an option's name, and what its value does to a
// request.
#pragma once

#include <concepts>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/numbers.h"
#include "base/text.h"
#include "base/try.h"
#include "c_api/request_options.h"
#include "planex/error.h"
#include "session/answer/words.h"

namespace planex::c_api {

// --- Values
// ---------------------------------------------------------------------------------------

inline Result<void> assign(std::string& target, std::string_view value) {
  target = value;
  return {};
}

inline Result<void> assign(bool& target, std::string_view value) {
  if (value != "true" && value != "false") {
    return fail(ErrorCode::kUsage,
                base::format("{} is neither true nor false", base::quoted(value)));
  }
  target = value == "true";
  return {};
}

template <typename T>
  requires(std::integral<T> || std::floating_point<T>)
Result<void> assign(T& target, std::string_view value) {
  if (const auto number = base::number_in<T>(value)) {
    target = *number;
    return {};
  }
  return fail(ErrorCode::kUsage,
              base::format("{} is no {}", base::quoted(value),
                           std::floating_point<T> ? "number" : "whole number that fits"));
}

template <typename T>
Result<void> assign(std::vector<T>& target, std::string_view value) {
  return assign(target.emplace_back(), value);
}

template <typename T>
Result<void> assign(std::optional<T>& target, std::string_view value) {
  return assign(target.emplace(), value);
}

template <typename T, std::size_t kCount>
Result<void> assign_word(T& target, const session::Word<T> (&words)[kCount],
                         std::string_view value) {
  if (const auto found = session::value_of_word(std::span(words), value)) {
    target = *found;
    return {};
  }
  std::vector<std::string_view> names;
  for (const session::Word<T>& word : words) names.emplace_back(word.word);
  return fail(ErrorCode::kUsage,
              base::format("{} is none of {}", base::quoted(value), base::join_words(names)));
}

// --- Tables of options
// ----------------------------------------------------------------------------

// A row: the option's name, and what its value does to the request.
template <typename R>
struct Option {
  std::string_view name;
  Result<void> (*set)(R& request, std::string_view value);
};

#define PLANEX_OPTION(Request, name, member)                                                     \
  Option<Request> {                                                                              \
    name, [](Request& request, std::string_view value) { return assign(request.member, value); } \
  }
#define PLANEX_WORD_OPTION(Request, name, member, words)         \
  Option<Request> {                                              \
    name, [](Request& request, std::string_view value) {         \
      return assign_word(request.member, session::words, value); \
    }                                                            \
  }

template <typename R, std::size_t kCount>
Result<void> set_option(R& request, const Option<R> (&options)[kCount], const OptionText& given) {
  for (const Option<R>& option : options) {
    if (option.name != given.name) continue;
    auto done = option.set(request, given.value);
    if (done) return {};
    Error error = std::move(done).error();
    error.message = base::format("{}: {}", given.name, error.message);
    return fail(std::move(error));
  }
  std::vector<std::string_view> names;
  for (const Option<R>& option : options) names.push_back(option.name);
  const auto near = base::nearest(given.name, names);
  return fail(ErrorCode::kUsage, base::format("there is no option {}", base::quoted(given.name)),
              near ? base::format("did you mean {}?", *near)
                   : base::format("there are {}", base::join_words(names)));
}

template <typename R, std::size_t kCount>
Result<R> request_of(const Option<R> (&table)[kCount], Options options) {
  R request;
  for (const OptionText& given : options) PLANEX_TRY(set_option(request, table, given));
  return request;
}

}  // namespace planex::c_api
