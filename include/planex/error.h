// What went wrong, and where: the error type of the whole library.
//
// This is not a diagnostic. A diagnostic is something unexpected in an input that could still be
// read (a row of the `diagnostics` table); an Error means that there is no result.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

namespace planex {

// Small and stable. The command line maps each to an exit code.
enum class ErrorCode : std::uint8_t {
  kUsage,         // The caller asked for something that does not exist.
  kNotFound,      // A file or folder is missing or can't be opened.
  kBadInput,      // A file was read and is not what it should be.
  kUnsupported,   // Well-formed, but of a kind or version that planex does not read.
  kExternalTool,  // A program that planex started failed.
  kIo,            // Reading or writing failed half way.
  kCancelled,     // The user stopped it.
  kInternal,      // A bug in planex.
};

struct Error {
  ErrorCode code = ErrorCode::kInternal;
  // One line: what was found, quoting the offending value, and what was expected.
  std::string message;
  // The file it is about; empty if it is not about a file.
  std::string file;
  // RFC 6901 pointer into `file`; empty when unknown or not JSON.
  std::string json_pointer;
  // Offset from the start of `file`, in bytes.
  std::optional<std::uint64_t> byte_offset;
  // More lines of context: the layer, the tool's own message.
  std::string context;
  // What to do about it.
  std::string hint;
};

// An error on its way into a Result: the return value of fail().
struct Failure {
  Error error;
};

inline Failure fail(Error error) { return {std::move(error)}; }

inline Failure fail(ErrorCode code, std::string message, std::string hint = {}) {
  Error error;
  error.code = code;
  error.message = std::move(message);
  error.hint = std::move(hint);
  return {std::move(error)};
}

// Result::value() throws this if there is no value; nothing else in the library throws it.
class NoValue : public std::logic_error {
 public:
  explicit NoValue(Error error)
      : std::logic_error(error.message), error_(std::make_shared<const Error>(std::move(error))) {}

  const Error& error() const noexcept { return *error_; }

 private:
  // Shared, since copying an exception must not throw.
  std::shared_ptr<const Error> error_;
};

template <typename T>
class Result;

template <typename T>
inline constexpr bool kIsResult = false;
template <typename T>
inline constexpr bool kIsResult<Result<T>> = true;

// A value, or the reason why there is none. These are the parts of std::expected that are needed:
// C++20 does not have it, and a library and its users must agree on the type, whatever standard
// each is compiled with.
template <typename T>
class [[nodiscard]] Result {
 public:
  using value_type = T;
  using error_type = Error;

  Result()
    requires std::is_default_constructible_v<T>
      : state_(std::in_place_index<0>) {}
  template <typename U = T>
    requires(!kIsResult<std::remove_cvref_t<U>> &&
             !std::is_same_v<std::remove_cvref_t<U>, Failure> && std::is_constructible_v<T, U>)
  explicit(!std::is_convertible_v<U, T>) Result(U&& value)  // NOLINT(google-explicit-constructor)
      : state_(std::in_place_index<0>, std::forward<U>(value)) {}
  Result(Failure failure)  // NOLINT(google-explicit-constructor)
      : state_(std::in_place_index<1>, std::move(failure.error)) {}
  // A value of another type that converts to this one.
  template <typename U>
    requires(!std::is_same_v<U, T> && std::is_convertible_v<U, T>)
  Result(Result<U> other)  // NOLINT(google-explicit-constructor)
      : Result(other ? Result(*std::move(other)) : Result(Failure{std::move(other).error()})) {}

  bool has_value() const noexcept { return state_.index() == 0; }
  explicit operator bool() const noexcept { return has_value(); }

  // Only for a Result with a value; as with std::optional, this is not checked.
  T& operator*() & noexcept { return *std::get_if<0>(&state_); }
  const T& operator*() const& noexcept { return *std::get_if<0>(&state_); }
  T&& operator*() && noexcept { return std::move(*std::get_if<0>(&state_)); }
  T* operator->() noexcept { return std::get_if<0>(&state_); }
  const T* operator->() const noexcept { return std::get_if<0>(&state_); }

  // Throws NoValue if there is no value.
  T& value() & { return check(), **this; }
  const T& value() const& { return check(), **this; }
  T&& value() && { return check(), std::move(**this); }
  template <typename U>
  T value_or(U&& other) const& {
    return has_value() ? **this : static_cast<T>(std::forward<U>(other));
  }
  template <typename U>
  T value_or(U&& other) && {
    return has_value() ? std::move(**this) : static_cast<T>(std::forward<U>(other));
  }

  // Only for a Result without a value.
  Error& error() & noexcept { return *std::get_if<1>(&state_); }
  const Error& error() const& noexcept { return *std::get_if<1>(&state_); }
  Error&& error() && noexcept { return std::move(*std::get_if<1>(&state_)); }

  // It has a value, equal to this one.
  template <typename U>
    requires(!kIsResult<U>)
  friend bool operator==(const Result& result, const U& value) {
    return result.has_value() && *result == value;
  }

 private:
  void check() const {
    if (!has_value()) throw NoValue(error());
  }

  std::variant<T, Error> state_;
};

// Success, or the reason of the failure.
template <>
class [[nodiscard]] Result<void> {
 public:
  using value_type = void;
  using error_type = Error;

  Result() = default;
  Result(Failure failure)  // NOLINT(google-explicit-constructor)
      : error_(std::move(failure.error)) {}

  bool has_value() const noexcept { return !error_; }
  explicit operator bool() const noexcept { return has_value(); }
  // Throws NoValue if it failed.
  void value() const {
    if (error_) throw NoValue(*error_);
  }

  // Only for a Result that failed.
  Error& error() & noexcept { return *error_; }
  const Error& error() const& noexcept { return *error_; }
  Error&& error() && noexcept { return std::move(*error_); }

 private:
  std::optional<Error> error_;
};

}  // namespace planex
