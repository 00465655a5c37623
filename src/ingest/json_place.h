// The location of a value in a JSON document, as an RFC 6901 pointer.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace planex::ingest {

// A key as a pointer token: "I/O Tensors" -> "I~1O Tensors".
std::string pointer_token(std::string_view key);

// The location of a value. A chain on the stack that becomes a pointer only for an error.
class JsonPlace {
 public:
  JsonPlace() = default;  // the document itself
  JsonPlace(const JsonPlace& parent, std::string_view key) : parent_(&parent), key_(key) {}
  JsonPlace(const JsonPlace& parent, std::size_t index) : parent_(&parent), index_(index) {}

  // RFC 6901; empty for the document.
  std::string pointer() const;

 private:
  const JsonPlace* parent_ = nullptr;
  std::string_view key_;
  std::optional<std::size_t> index_;
};

}  // namespace planex::ingest
