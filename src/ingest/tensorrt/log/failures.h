// Known texts of failed runs, in plain words.
#ifndef PLANEX_INGEST_TENSORRT_LOG_FAILURES_H_
#define PLANEX_INGEST_TENSORRT_LOG_FAILURES_H_

#include <cstddef>
#include <span>
#include <string_view>

namespace planex::ingest::tensorrt {

struct KnownFailure {
  std::string_view text;    // stands in the error
  std::string_view words;   // what went wrong
  std::string_view advice;  // what to do
};

// Most telling first: an early entry is a cause, a late one what follows from it.
std::span<const KnownFailure> known_failures();

// Position of the first entry that follows from an error before it, and is no cause itself.
std::size_t first_consequence();

// Position in known_failures() of the first entry whose text is in `error`; their number where
// there is none.
std::size_t find_failure(std::string_view error);

}  // namespace planex::ingest::tensorrt

#endif  // PLANEX_INGEST_TENSORRT_LOG_FAILURES_H_
