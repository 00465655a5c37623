// Steps over the fields of one protobuf message, without copying and without knowing its schema.
//
// This is not a protobuf library: no groups (ONNX has none), nothing is written, and a nested
// message is a span of bytes until a caller steps over its fields too. Format:
// https://protobuf.dev/programming-guides/encoding/
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "planex/error.h"

namespace planex::onnx {

enum class Wire : std::uint8_t { kVarint = 0, kFixed64 = 1, kBytes = 2, kFixed32 = 5 };

// A length-delimited part of the file, and where it starts.
struct Span {
  std::string_view bytes;
  std::uint64_t offset = 0;
};

struct Field {
  std::uint32_t number = 0;
  Wire wire = Wire::kVarint;
  std::uint64_t value = 0;  // the number of a varint, the bits of a fixed field
  Span span;                // kBytes only

  bool is_bytes(std::uint32_t wanted) const { return number == wanted && wire == Wire::kBytes; }
  bool is_varint(std::uint32_t wanted) const { return number == wanted && wire == Wire::kVarint; }
};

class WireReader {
 public:
  explicit WireReader(Span span) : span_(span) {}

  // Goes to the next field. False at the end of the message, and where it is damaged: then status()
  // is an error. A field of bytes that is longer than the message leaves the available part in
  // `field`.
  bool next(Field& field);

  // Reads a bare varint, as packed lists have them. False as above.
  bool next_varint(std::uint64_t& value);

  // Where the next field starts.
  std::uint64_t offset() const { return span_.offset + position_; }

  // kBadInput with the byte offset. Once damaged, a reader stays damaged.
  Result<void> status() const;
  bool is_damaged() const { return !damage_.empty(); }

  // Whether the damage is that the message ends inside a field: true for a file that was cut short,
  // and for the beginning of any file.
  bool is_cut() const { return is_cut_; }

 private:
  bool read_varint(std::uint64_t& value);
  bool skip(std::uint64_t count);
  bool read_fixed(unsigned byte_count, std::uint64_t& value);
  bool damaged(std::string what);
  bool cut(std::string what);

  Span span_;
  std::size_t position_ = 0;
  std::string damage_;  // what was found instead, empty while there is no error
  bool is_cut_ = false;
};

// The content of a field of bytes; of several, the last, as protobuf has it. Empty: there is none.
// Errors: kBadInput (damaged).
Result<std::string_view> bytes_of(std::string_view message, std::uint32_t number);

}  // namespace planex::onnx
