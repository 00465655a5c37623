// Writes JSON into a string, or piece by piece to a sink.
//  The output is always valid and always the same: doubles as the shortest text that reads back as
// the same number, NaN and infinities as null, bytes that are not UTF-8 as U+FFFD. Keys keep the
// order in which they are written.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/data_table.h"

namespace planex::render {

enum class JsonStyle : std::uint8_t {
  kCompact,
  kPretty,  // indented by two
};

// Every key() is followed by one value, every begin by its end; anything else is a bug of the
// caller.
class JsonWriter {
 public:
  using Sink = std::function<void(std::string_view)>;

  explicit JsonWriter(JsonStyle style = JsonStyle::kCompact);
  // Compact, in pieces of about a quarter of a MB: a large document is never whole in memory.
  // finish() passes on the last piece.
  explicit JsonWriter(Sink sink);
  JsonWriter(JsonWriter&&) noexcept;
  JsonWriter& operator=(JsonWriter&&) noexcept;
  ~JsonWriter();

  // Folders, absolute and with a slash at the end, that are removed from each text from now on
  // where a path begins with them. Keys stay.
  void hide_folders(std::vector<std::string> folders);

  JsonWriter& begin_object();
  JsonWriter& end_object();
  JsonWriter& begin_array();
  JsonWriter& end_array();
  JsonWriter& key(std::string_view name);

  JsonWriter& null();
  JsonWriter& value(std::string_view text);
  // Without this a literal would become a bool.
  JsonWriter& value(const char* text) { return value(std::string_view(text)); }
  JsonWriter& value(const std::string& text) { return value(std::string_view(text)); }
  JsonWriter& value(bool truth);
  JsonWriter& value(double number);
  template <std::signed_integral T>
  JsonWriter& value(T number) {
    return integer(number);
  }
  template <std::unsigned_integral T>
    requires(!std::same_as<T, bool>)
  JsonWriter& value(T number) {
    return unsigned_integer(number);
  }
  JsonWriter& value(const model::Value& value_of_table);
  template <typename T>
  JsonWriter& value(const std::optional<T>& maybe) {
    return maybe ? value(*maybe) : null();
  }

  template <typename T>
  JsonWriter& member(std::string_view name, const T& of) {
    return key(name).value(of);
  }

  // A text, or null if it is empty: an unknown value has no text.
  JsonWriter& text_member(std::string_view name, std::string_view text) {
    key(name);
    return text.empty() ? null() : value(text);
  }

  // Text that is JSON already, taken as it is.
  JsonWriter& raw(std::string_view json);

  // Bytes that no sink has taken yet.
  std::size_t size() const;
  // The document; the writer is then empty. For a writer without a sink.
  std::string take();
  // For a writer with a sink.
  void finish();

 private:
  class Impl;

  JsonWriter& integer(std::int64_t number);
  JsonWriter& unsigned_integer(std::uint64_t number);

  std::unique_ptr<Impl> impl_;
};

}  // namespace planex::render
