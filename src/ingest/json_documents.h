// JSON documents in a text that also contains other things: the lines of a log, separators.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "ingest/json_input.h"

namespace planex::ingest {

// Scans a text once. A document begins where an object has its first key, a list its first object
// or text, or a line is one text. It ends with the bracket that closes it.
class JsonDocuments {
 public:
  explicit JsonDocuments(std::string_view text, std::size_t from = 0) : text_(text), at_(from) {}

  // The next document, or nothing if there is no complete one left.
  std::optional<ByteRange> next();

  // Where the last document without an end begins, if there is one.
  std::optional<std::size_t> unclosed() const { return unclosed_; }

 private:
  bool begins_document(std::size_t at) const;

  std::string_view text_;
  std::size_t at_ = 0;
  std::optional<std::size_t> unclosed_;
};

// The first key, unchanged, of the object that begins `text`; empty if it has none.
std::string_view first_key(std::string_view text);

// Whether `text` is one document, or begins with one.
bool begins_as_json(std::string_view text);

// Whether `text` contains anything but blanks.
bool has_content(std::string_view text);

}  // namespace planex::ingest
