// What went wrong, and where: the error type of the whole library.
//
// This is not a diagnostic. A diagnostic is something odd in an input that was read all the same (a
// row of the `diagnostics` table); an Error means that there is no result.
#ifndef PLANEX_ERROR_H_
#define PLANEX_ERROR_H_

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <utility>

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
  kInternal,      // A bug of ours.
};

struct Error {
  ErrorCode code = ErrorCode::kInternal;
  // One line: what was found, quoting the offending value, and what was expected.
  std::string message;
  // The file it is about; empty when it is about none.
  std::string file;
  // RFC 6901 pointer into `file`; empty when unknown or not JSON.
  std::string json_pointer;
  // Offset from the start of `file`, in bytes.
  std::optional<std::uint64_t> byte_offset;
  // More lines of context: the layer it is in, the tool's own words.
  std::string context;
  // What to do about it.
  std::string hint;
};

template <typename T>
using Result = std::expected<T, Error>;

inline std::unexpected<Error> fail(Error error) { return std::unexpected<Error>(std::move(error)); }

inline std::unexpected<Error> fail(ErrorCode code, std::string message, std::string hint = {}) {
  Error error;
  error.code = code;
  error.message = std::move(message);
  error.hint = std::move(hint);
  return std::unexpected<Error>(std::move(error));
}

}  // namespace planex

#endif  // PLANEX_ERROR_H_
