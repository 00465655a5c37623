#include "lint/baseline.h"

#include <utility>

namespace planex::lint {
namespace {

// A rule's id contains no blank: the reader of the file checks that.
std::string key_of(std::string_view rule, std::string_view fingerprint) {
  return std::string(rule).append(" ").append(fingerprint);
}

}  // namespace

Baseline::Baseline(std::vector<BaselineEntry> entries, std::string reason, std::string file)
    : entries_(std::move(entries)), reason_(std::move(reason)), file_(std::move(file)) {
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    by_key_.try_emplace(key_of(entries_[i].rule, entries_[i].fingerprint), i);
  }
}

std::optional<std::size_t> Baseline::find(std::string_view rule,
                                          std::string_view fingerprint) const {
  const auto found = by_key_.find(key_of(rule, fingerprint));
  if (found == by_key_.end()) return std::nullopt;
  return found->second;
}

}  // namespace planex::lint
