// The findings of an earlier build, kept to see only what is new.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace planex::lint {

// A finding as it was. Rule and fingerprint identify it; the rest is for people.
struct BaselineEntry {
  std::string rule;
  std::string fingerprint;
  std::string layer;
  std::string message;
};

class Baseline {
 public:
  Baseline(std::vector<BaselineEntry> entries, std::string reason, std::string file);

  const std::string& file() const { return file_; }
  // Why its entries are accepted.
  const std::string& reason() const { return reason_; }
  std::span<const BaselineEntry> entries() const { return entries_; }

  // The entry of a finding. Cost: O(1).
  std::optional<std::size_t> find(std::string_view rule, std::string_view fingerprint) const;

 private:
  std::vector<BaselineEntry> entries_;
  std::string reason_, file_;
  std::unordered_map<std::string, std::size_t> by_key_;
};

}  // namespace planex::lint
