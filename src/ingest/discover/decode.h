// Converts the bytes of a file to the text that readers expect: UTF-8 without a byte-order mark,
// unpacked if it was compressed with gzip. Plain text is passed on without a copy.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/files.h"
#include "model/builder.h"
#include "planex/error.h"

namespace planex::ingest {

// No file of an engine is larger, packed or unpacked; a packed file that exceeds this was made to
// fill the memory.
inline constexpr std::uint64_t kMaxFileBytes = std::uint64_t{8} << 30;
// Deflate reaches 1032:1 on zeros; the most repetitive layer files stay below 50:1. Small files can
// have any ratio.
inline constexpr std::uint64_t kMaxUnpackedRatio = 128;
inline constexpr std::uint64_t kRatioCountsFromBytes = std::uint64_t{64} << 20;

// Why `unpacked` bytes out of `packed` ones are too many; empty if they are not.
std::string too_much(std::uint64_t packed, std::uint64_t unpacked);

struct Decoded {
  std::shared_ptr<const base::Bytes> bytes;
  // What was changed, as codes `compressed`, `byte-order-mark`, `utf-16`, `color-codes`,
  // `pasted-text`; empty: the bytes are unchanged.
  std::vector<model::DiagnosticFacts> diagnostics;
};

// Unpacks gzip (all members), converts UTF-16 to UTF-8 (half pairs become U+FFFD) and removes a
// byte-order mark. From lines of text it also removes terminal color codes and whatever surrounds a
// pasted text (pasted_text.h). All other bytes stay unchanged.
// Errors: kBadInput (a compressed file that is truncated, damaged, or too large when unpacked),
// kUnsupported (a file beyond kMaxFileBytes).
Result<Decoded> decode(std::shared_ptr<const base::Bytes> bytes, const std::string& path);

// Whether a file begins like gzip.
bool is_packed(std::string_view head);

// The same for the start of a file, as far as it goes: to find out what kind of file it is. At most
// `limit` bytes.
// Errors: kBadInput (a compressed file that is damaged in this part).
Result<std::string> decode_head(std::string head, std::size_t limit, const std::string& path);

}  // namespace planex::ingest
