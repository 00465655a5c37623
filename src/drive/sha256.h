// SHA-256 of a file, read in pieces because models may be larger than memory; and of bytes in
// memory.
#pragma once

#include <cstdint>
#include <string>

#include "base/sha256.h"
#include "drive/cancellation.h"
#include "planex/error.h"

namespace planex::drive {

struct FileDigest {
  std::uint64_t size_bytes = 0;
  std::string sha256;  // 64 hexadecimal digits.
};

// Errors: kNotFound, kIo, kCancelled; file is set.
Result<FileDigest> digest_file(const std::string& path, const Cancellation& cancellation);

using base::sha256_of;

}  // namespace planex::drive
