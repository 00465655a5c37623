#include "analyze/compare/same_operation.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace planex::analyze {
namespace {

// "Conv_34": an operator's word and a running number.
struct NumberedName {
  std::string_view word;
  std::uint64_t number = 0;
};

std::optional<NumberedName> numbered(std::string_view name) {
  const std::size_t line = name.find_last_of('_');
  if (line == name.npos || line == 0 || line + 1 == name.size()) return std::nullopt;
  const std::string_view word = name.substr(0, line);
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  if (!std::ranges::all_of(word, is_letter)) return std::nullopt;
  NumberedName result{.word = word};
  const char* end = name.data() + name.size();
  const auto parsed = std::from_chars(name.data() + line + 1, end, result.number);
  if (parsed.ec != std::errc() || parsed.ptr != end) return std::nullopt;
  return result;
}

class Matcher {
 public:
  Matcher(const EngineLedger& a, const EngineLedger& b)
      : a_(a), b_(b), of_b_(b.operations.size(), kNoOperation), used_(a.operations.size()) {
    for (std::size_t i = 0; i < a.operations.size(); ++i) {
      by_name_.emplace(a.operations[i].name, i);
    }
  }

  std::vector<std::size_t> match(const Alignment* alignment) {
    const bool same_export = has_same_numbers();
    for (std::size_t i = 0; i < of_b_.size(); ++i) {
      if (!same_export && numbered(b_.operations[i].name)) continue;
      const auto found = by_name_.find(b_.operations[i].name);
      if (found != by_name_.end()) pair(found->second, i);
    }
    if (!same_export) {
      match_in_order();
      match_behind_parameters();
    }
    if (alignment != nullptr && (!same_export || shares_few_names())) match_in_layers(*alignment);
    return std::move(of_b_);
  }

 private:
  void pair(std::size_t a, std::size_t b) {
    if (used_[a] || of_b_[b] != kNoOperation) return;
    used_[a] = true;
    of_b_[b] = a;
  }

  // Whether numbers mean the same: nearly all of one engine's occur in the other.
  bool has_same_numbers() const {
    std::size_t in_a = 0, in_b = 0, in_both = 0;
    for (const LedgerOperation& operation : a_.operations) {
      if (numbered(operation.name)) ++in_a;
    }
    for (const LedgerOperation& operation : b_.operations) {
      if (!numbered(operation.name)) continue;
      ++in_b;
      if (by_name_.contains(operation.name)) ++in_both;
    }
    return in_both * 10 >= std::min(in_a, in_b) * 9;
  }

  // Another exporter named them differently.
  bool shares_few_names() const {
    std::size_t shared = 0;
    for (const LedgerOperation& operation : b_.operations) {
      if (by_name_.contains(operation.name)) ++shared;
    }
    return shared * 2 < std::min(a_.operations.size(), b_.operations.size());
  }

  using Numbers = std::map<std::string_view, std::vector<std::pair<std::uint64_t, std::size_t>>>;
  static Numbers numbers_of(const EngineLedger& engine) {
    Numbers numbers;
    for (std::size_t i = 0; i < engine.operations.size(); ++i) {
      const auto name = numbered(engine.operations[i].name);
      if (name) numbers[name->word].emplace_back(name->number, i);
    }
    for (auto& [word, list] : numbers) std::ranges::sort(list);
    return numbers;
  }

  void match_in_order() {
    const Numbers in_a = numbers_of(a_), in_b = numbers_of(b_);
    for (const auto& [word, list] : in_b) {
      const auto found = in_a.find(word);
      if (found == in_a.end() || found->second.size() != list.size()) continue;
      for (std::size_t i = 0; i < list.size(); ++i) pair(found->second[i].second, list[i].second);
    }
  }

  // Operations of a word that follow the same weight, in their order.
  void match_behind_parameters() {
    using Key = std::tuple<std::string_view, std::string_view, std::size_t>;
    std::map<Key, std::size_t> in_a;
    const auto each = [](const EngineLedger& engine, auto&& take) {
      std::map<std::pair<std::string_view, std::string_view>, std::size_t> counts;
      for (std::size_t i = 0; i < engine.operations.size(); ++i) {
        const LedgerOperation& operation = engine.operations[i];
        const auto name = numbered(operation.name);
        if (!name || operation.parameter.empty()) continue;
        take(Key{operation.parameter, name->word, counts[{operation.parameter, name->word}]++}, i);
      }
    };
    each(a_, [&](const Key& key, std::size_t i) { in_a.emplace(key, i); });
    each(b_, [&](const Key& key, std::size_t i) {
      const auto found = in_a.find(key);
      if (found != in_a.end()) pair(found->second, i);
    });
  }

  // Operations of a type in layers that do the same, in their order.
  void match_in_layers(const Alignment& alignment) {
    for (const Match& match : alignment.matches) {
      if (match.a.empty() || match.b.empty()) continue;
      std::map<std::string_view, std::vector<std::size_t>> left;
      const auto each = [](const EngineLedger& engine, std::span<const model::LayerId> layers,
                           auto&& take) {
        for (const model::LayerId layer : layers) {
          const auto shares =
              std::ranges::equal_range(engine.shares, layer, {}, &LedgerShare::layer);
          for (const LedgerShare& share : shares) {
            if (share.is_reformat_for_it) continue;
            const LedgerOperation& operation = engine.operations[share.operation];
            const auto name = numbered(operation.name);
            if (!operation.type.empty() || name) {
              take(operation.type.empty() ? name->word : operation.type, share.operation);
            }
          }
        }
      };
      each(a_, match.a, [&](std::string_view word, std::size_t i) {
        if (!used_[i]) left[word].push_back(i);
      });
      std::map<std::string_view, std::size_t> next;
      each(b_, match.b, [&](std::string_view word, std::size_t i) {
        if (of_b_[i] != kNoOperation) return;
        const auto found = left.find(word);
        if (found == left.end() || next[word] >= found->second.size()) return;
        pair(found->second[next[word]++], i);
      });
    }
  }

  const EngineLedger& a_;
  const EngineLedger& b_;
  std::unordered_map<std::string_view, std::size_t> by_name_;
  std::vector<std::size_t> of_b_;
  std::vector<bool> used_;
};

}  // namespace

std::vector<std::size_t> same_operations(const EngineLedger& a, const EngineLedger& b,
                                         const Alignment* alignment) {
  return Matcher(a, b).match(alignment);
}

}  // namespace planex::analyze
