#include "analyze/align/source_operations.h"

#include <algorithm>

namespace planex::analyze::matching {
namespace {

constexpr double kProductWeight = 4;
constexpr double kMovementWeight = 0.5;

// Share of the counted names of the engine with fewer names that must occur in the other one, where
// nothing else confirms them. Engines of one model share all but those that were optimized away;
// two models share some by accident.
constexpr double kCommonEnough = 0.75;

// Layers of each operation, from the operations of each layer.
Lists turned(const Lists& lists, std::size_t rows) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
  pairs.reserve(lists.items.size());
  for (std::uint32_t row = 0; row < lists.size(); ++row) {
    for (const std::uint32_t item : lists[row]) pairs.emplace_back(item, row);
  }
  return grouped(pairs, rows);
}

// A layer that only converts is named after its operation where it represents one (QuantizeLinear_
// 40), and after the layer that it serves where the compiler added it.
bool is_called_after_operation(std::string_view name) {
  return !name.empty() && !name.starts_with("Reformatting CopyNode") &&
         name.find("_myl") == name.npos;
}

}  // namespace

SourceOperations::SourceOperations(const Side& a, const Side& b) {
  of_a_ = number(a);
  of_b_ = number(b);
  a_of_ = turned(of_a_, size());
  b_of_ = turned(of_b_, size());
}

Operation SourceOperations::id_of(std::string_view name, std::string_view type) {
  const auto [at, is_new] = ids_.try_emplace(name, static_cast<Operation>(facts_.size()));
  if (is_new) {
    Facts facts;
    facts.moves_only = names_movement(name, type);
    facts.is_product = !facts.moves_only && names_product(name, type);
    if (facts.moves_only) facts.weight = kMovementWeight;
    if (facts.is_product) facts.weight = kProductWeight;
    facts.counted = counted_name(name);
    facts.is_trusted = !facts.counted;
    facts_.push_back(facts);
  }
  return at->second;
}

Lists SourceOperations::number(const Side& side) {
  const model::PlanModel& model = *side.model;
  const bool is_runtime = model.text(model.engine.producer[0]) == "onnxruntime";
  Lists lists;
  lists.first.reserve(side.size() + 1);
  for (std::size_t spot = 0; spot < side.size(); ++spot) {
    const model::LayerId layer = side.layers[spot];
    const auto first = static_cast<std::ptrdiff_t>(lists.items.size());
    const model::RowRange sources = model.sources_of(layer);
    for (std::size_t row = sources.first; row < sources.end(); ++row) {
      std::string_view name = model.text(model.sources.op_name[row]);
      if (is_runtime) name = name_before_fusion(name);
      if (name.empty()) continue;
      lists.items.push_back(id_of(name, model.text(model.sources.op_type[row])));
    }
    if (sources.count == 0 && side.traits[spot].family == model::Family::kReformat) {
      const std::string_view name = model.text(model.layers.name[layer.index()]);
      if (is_called_after_operation(name)) lists.items.push_back(id_of(name, {}));
    }
    std::sort(lists.items.begin() + first, lists.items.end());
    lists.items.erase(std::unique(lists.items.begin() + first, lists.items.end()),
                      lists.items.end());
    lists.first.push_back(static_cast<std::uint32_t>(lists.items.size()));
  }
  return lists;
}

void SourceOperations::judge_counted_names(std::span<const std::pair<Spot, Spot>> vouched) {
  // Numbers of one word that both layers of a pair have once each: that of one engine, and whether
  // the other has the same.
  struct CommonNumber {
    std::uint64_t number = 0;
    bool is_equal = false;
    auto operator<=>(const CommonNumber&) const = default;
  };
  std::vector<CommonNumber> numbers_in_a, numbers_in_b;
  const auto words_of = [this](std::span<const Operation> operations) {
    std::vector<CountedName> words;
    for (const Operation operation : operations) {
      if (facts_[operation].counted) words.push_back(*facts_[operation].counted);
    }
    std::ranges::sort(words, {}, &CountedName::word);
    // Words that occur more than once prove nothing.
    std::vector<CountedName> once;
    for (std::size_t at = 0; at < words.size();) {
      std::size_t end = at + 1;
      while (end < words.size() && words[end].word == words[at].word) ++end;
      if (end == at + 1) once.push_back(words[at]);
      at = end;
    }
    return once;
  };
  for (const auto& [a, b] : vouched) {
    const std::vector<CountedName> words_a = words_of(of_a(a)), words_b = words_of(of_b(b));
    for (const CountedName& word : words_a) {
      const auto at = std::ranges::lower_bound(words_b, word.word, {}, &CountedName::word);
      if (at == words_b.end() || at->word != word.word) continue;
      const bool is_equal = at->number == word.number;
      numbers_in_a.push_back({word.number, is_equal});
      numbers_in_b.push_back({at->number, is_equal});
    }
  }
  std::ranges::sort(numbers_in_a);
  std::ranges::sort(numbers_in_b);

  std::size_t in_a = 0, in_b = 0, in_both = 0;
  for (Operation operation = 0; operation < size(); ++operation) {
    if (!facts_[operation].counted) continue;
    const bool is_in_a = !a_of(operation).empty(), is_in_b = !b_of(operation).empty();
    in_a += is_in_a;
    in_b += is_in_b;
    in_both += is_in_a && is_in_b;
  }
  const bool are_common =
      static_cast<double>(in_both) >= kCommonEnough * static_cast<double>(std::min(in_a, in_b));
  // All models start counting the same way, so what is before the first pair is confirmed.
  const auto runs_alike = [](const std::vector<CommonNumber>& numbers, std::uint64_t number) {
    const auto behind = std::ranges::lower_bound(numbers, number, {}, &CommonNumber::number);
    if (behind != numbers.end() && (behind->is_equal || behind->number == number)) {
      return behind->is_equal;
    }
    return behind == numbers.begin() || std::prev(behind)->is_equal;
  };
  for (Facts& facts : facts_) {
    if (!facts.counted) continue;
    const std::uint64_t number = facts.counted->number;
    facts.is_trusted = numbers_in_a.empty()
                           ? are_common
                           : runs_alike(numbers_in_a, number) && runs_alike(numbers_in_b, number);
  }
}

}  // namespace planex::analyze::matching
