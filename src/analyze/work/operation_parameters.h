// Reads single parameters of an operation: a JSON object of numbers, texts and lists of them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace planex::analyze {

// One object's text, searched for every query: operations ask for one or two keys.
class OperationParameters {
 public:
  explicit OperationParameters(std::string_view json) : json_(json) {}

  // Nothing where the key is missing or its value is of another kind.
  std::optional<std::int64_t> integer(std::string_view key) const;
  std::optional<std::vector<std::int64_t>> integers(std::string_view key) const;
  // Without its quotes; nothing where it has escapes.
  std::optional<std::string_view> text(std::string_view key) const;

 private:
  // The value as written, at the top level of the object only.
  std::optional<std::string_view> value(std::string_view key) const;

  std::string_view json_;
};

}  // namespace planex::analyze
