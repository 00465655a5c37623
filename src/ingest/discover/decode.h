// From the bytes of a file to the text that readers expect: UTF-8 without a byte-order mark,
// unpacked where it was packed with gzip. What is text already is handed on without a copy.
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

// No file of an engine is larger, be it so or unpacked; a packed one that is was made to fill the
// memory.
inline constexpr std::uint64_t kMaxFileBytes = std::uint64_t{8} << 30;
// Deflate reaches 1032:1 on zeros; the most repetitive layer files stay below 50:1. Small files
// may be as dense as they like.
inline constexpr std::uint64_t kMaxUnpackedRatio = 128;
inline constexpr std::uint64_t kRatioCountsFromBytes = std::uint64_t{64} << 20;

// Why `unpacked` bytes out of `packed` ones are too many, or an empty text.
std::string too_much(std::uint64_t packed, std::uint64_t unpacked);

struct Decoded {
  std::shared_ptr<const base::Bytes> bytes;
  // What was done, as codes `compressed`, `byte-order-mark`, `utf-16`, `color-codes`,
  // `pasted-text`; empty: these are the same bytes.
  std::vector<model::DiagnosticFacts> diagnostics;
};

// Unpacks gzip (all members), turns UTF-16 into UTF-8 (half pairs become U+FFFD) and leaves out a
// byte-order mark and, from lines of text, the color codes of a terminal and what stands around a
// pasted text (pasted_text.h). Other bytes stay as they
// are, whatever they are.
// Errors: kBadInput (a packed file that is cut or damaged, or that unpacks to too much),
// kUnsupported (a file beyond kMaxFileBytes).
Result<Decoded> decode(std::shared_ptr<const base::Bytes> bytes, const std::string& path);

// Whether a file begins as gzip does.
bool is_packed(std::string_view head);

// The same for the start of a file, as far as it goes: for those who only want to know what it is.
// At most `limit` bytes.
// Errors: kBadInput (a packed file that is damaged where it is looked at).
Result<std::string> decode_head(std::string head, std::size_t limit, const std::string& path);

}  // namespace planex::ingest
