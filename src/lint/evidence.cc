#include "lint/evidence.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "lint/run.h"

namespace planex::lint {
namespace {

using model::ActionKind;

// Sorted by rule, then engine.
constexpr Evidence kEvidence[] = {
#include "lint/evidence_table.inc"
};

constexpr std::pair<std::string_view, std::string_view> evidence_key(const Evidence& evidence) {
  return {evidence.rule, evidence.engine};
}

static_assert(std::ranges::is_sorted(kEvidence, {}, evidence_key));

}  // namespace

std::string_view to_string(Proof proof) {
  switch (proof) {
    case Proof::kMeasured:
      return "measured";
    case Proof::kRecorded:
      return "recorded";
    case Proof::kNotProven:
      return "not-proven";
  }
  return {};
}

std::span<const Evidence> evidence_of(std::string_view rule) {
  const auto found = std::ranges::equal_range(kEvidence, rule, {}, &Evidence::rule);
  return {found.begin(), found.end()};
}

const Evidence* find_evidence(std::string_view rule, std::string_view engine) {
  const std::pair key(rule, engine);
  const auto* const found = std::ranges::lower_bound(kEvidence, key, {}, evidence_key);
  return found == std::end(kEvidence) || evidence_key(*found) != key ? nullptr : found;
}

Proof proof_of(std::string_view rule, std::string_view engine, model::ActionKind asked) {
  const Evidence* const evidence = find_evidence(rule, engine);
  return evidence == nullptr || evidence->asked != asked ? Proof::kNotProven : evidence->proof;
}

bool falls_short(std::string_view rule, std::string_view engine) {
  const Evidence* const evidence = find_evidence(rule, engine);
  return evidence != nullptr && falls_short(*evidence);
}

bool falls_short(const Evidence& evidence) {
  return evidence.ratio && evidence.ratio->high < kLowestRatio;
}

}  // namespace planex::lint
