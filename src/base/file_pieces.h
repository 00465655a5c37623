// Pieces of a large file, read on demand: for programs that must neither hold all of it in memory
// nor map it, since it may be truncated meanwhile.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "planex/error.h"

namespace planex::base {

class FilePieces {
 public:
  // A regular file. Errors: kNotFound, kBadInput (something else), kIo; file is set.
  static Result<std::unique_ptr<FilePieces>> open(const std::string& path);
  virtual ~FilePieces() = default;
  // When the file was opened.
  virtual std::uint64_t size_bytes() const = 0;
  // Fills `piece` from `offset` on. Errors: kIo (also where the file has ended before); file is
  // set. Several threads can call it.
  virtual Result<void> read(std::uint64_t offset, std::span<char> piece) const = 0;
};

}  // namespace planex::base
