// What tests ask of a model's metadata and diagnostics.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "model/plan_model.h"

namespace planex::test {

// What value_of() gives for a missing row.
inline constexpr std::string_view kMissing = "(missing)";

// The first value of a key in `metadata`.
inline std::string value_of(const model::PlanModel& model, std::string_view section,
                            std::string_view key) {
  for (std::size_t row = 0; row < model.metadata.row_count(); ++row) {
    if (model.text(model.metadata.section[row]) == section &&
        model.text(model.metadata.key[row]) == key) {
      return std::string(model.text(model.metadata.value[row]));
    }
  }
  return std::string(kMissing);
}

// The keys of a section of `metadata`.
inline std::set<std::string> keys_of(const model::PlanModel& model, std::string_view section) {
  std::set<std::string> keys;
  for (std::size_t row = 0; row < model.metadata.row_count(); ++row) {
    if (model.text(model.metadata.section[row]) == section) {
      keys.emplace(model.text(model.metadata.key[row]));
    }
  }
  return keys;
}

// The messages of the diagnostics of one code.
inline std::vector<std::string> messages_of(const model::PlanModel& model, std::string_view code) {
  std::vector<std::string> messages;
  for (std::size_t row = 0; row < model.diagnostics.row_count(); ++row) {
    if (model.text(model.diagnostics.code[row]) == code) {
      messages.emplace_back(model.text(model.diagnostics.message[row]));
    }
  }
  return messages;
}

// With the line ends of Windows.
inline std::string with_crlf(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '\n') result += '\r';
    result += c;
  }
  return result;
}

}  // namespace planex::test
