#include "onnx/wire.h"

#include <utility>

#include "base/text.h"
#include "base/try.h"

namespace planex::onnx {

bool WireReader::next(Field& field) {
  field = {};
  if (is_damaged() || position_ == span_.bytes.size()) return false;
  std::uint64_t key = 0;
  if (!read_varint(key)) return false;
  constexpr std::uint64_t kGreatestNumber = 0x1FFF'FFFF;
  if ((key >> 3) == 0 || (key >> 3) > kGreatestNumber) {
    return damaged("a field number out of range");
  }
  field.number = static_cast<std::uint32_t>(key >> 3);
  field.wire = static_cast<Wire>(key & 7);
  switch (field.wire) {
    case Wire::kVarint:
      return read_varint(field.value);
    case Wire::kFixed64:
      return read_fixed(8, field.value);
    case Wire::kFixed32:
      return read_fixed(4, field.value);
    case Wire::kBytes: {
      std::uint64_t length = 0;
      if (!read_varint(length)) return false;
      const std::size_t start = position_;
      if (!skip(length)) {
        field.span = {span_.bytes.substr(start), span_.offset + start};
        return false;
      }
      field.span = {span_.bytes.substr(start, static_cast<std::size_t>(length)),
                    span_.offset + start};
      return true;
    }
  }
  return damaged(base::format("wire type {}", key & 7));
}

bool WireReader::next_varint(std::uint64_t& value) {
  return !is_damaged() && position_ != span_.bytes.size() && read_varint(value);
}

bool WireReader::read_varint(std::uint64_t& value) {
  value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    if (position_ == span_.bytes.size()) return cut("the end inside a number");
    const auto byte = static_cast<std::uint8_t>(span_.bytes[position_++]);
    value |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
    if ((byte & 0x80) == 0) return true;
  }
  return damaged("a number of more than 10 bytes");
}

bool WireReader::skip(std::uint64_t count) {
  const std::size_t left = span_.bytes.size() - position_;
  if (count > left) {
    return cut(base::format("a field of {} bytes where {} are left", count, left));
  }
  position_ += static_cast<std::size_t>(count);
  return true;
}

bool WireReader::read_fixed(unsigned byte_count, std::uint64_t& value) {
  const std::size_t start = position_;
  if (!skip(byte_count)) return false;
  value = 0;
  for (unsigned i = 0; i < byte_count; ++i) {
    value |= static_cast<std::uint64_t>(static_cast<std::uint8_t>(span_.bytes[start + i]))
             << (8 * i);
  }
  return true;
}

bool WireReader::damaged(std::string what) {
  damage_ = std::move(what);
  return false;
}

bool WireReader::cut(std::string what) {
  is_cut_ = true;
  return damaged(std::move(what));
}

Result<void> WireReader::status() const {
  if (!is_damaged()) return {};
  Error error;
  error.code = ErrorCode::kBadInput;
  error.message = base::format("not an ONNX model, or a damaged one: found {}", damage_);
  error.byte_offset = span_.offset + position_;
  error.hint = "The file may be cut short or of another format.";
  return fail(std::move(error));
}

Result<std::string_view> bytes_of(std::string_view message, std::uint32_t number) {
  std::string_view bytes;
  WireReader reader({message, 0});
  Field next;
  while (reader.next(next)) {
    if (next.is_bytes(number)) bytes = next.span.bytes;
  }
  PLANEX_TRY(reader.status());
  return bytes;
}

}  // namespace planex::onnx
