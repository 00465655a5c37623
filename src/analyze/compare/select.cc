#include "analyze/compare/select.h"

#include <algorithm>
#include <functional>

#include "base/text.h"

namespace planex::analyze {
namespace {

using Wanted = std::function<bool(const LayerPair&)>;

bool has_type(const model::PlanModel& model, std::span<const model::LayerId> layers,
              std::string_view type) {
  return std::ranges::any_of(layers, [&](model::LayerId layer) {
    return base::lower(model.text(model.layers.type[layer.index()])) == type;
  });
}

std::vector<std::string_view> words() {
  std::vector<std::string_view> words = {"changed", "mismatch-precision", "mismatch-tactic"};
  for (auto kind = 0; kind <= static_cast<int>(ChangeKind::kTime); ++kind) {
    words.push_back(to_string(static_cast<ChangeKind>(kind)));
  }
  return words;
}

Result<Wanted> wanted(const model::PlanModel& a, const model::PlanModel& b, std::string_view only) {
  if (only.empty()) return Wanted([](const LayerPair&) { return true; });
  if (only == "changed") return Wanted([](const LayerPair& pair) { return !pair.changes.empty(); });
  if (only == "mismatch-precision") {
    return Wanted([](const LayerPair& pair) {
      return pair.has(ChangeKind::kInputPrecision) || pair.has(ChangeKind::kOutputPrecision) ||
             pair.has(ChangeKind::kComputePrecision);
    });
  }
  if (only == "mismatch-tactic") only = to_string(ChangeKind::kTactic);
  constexpr std::string_view kType = "type=";
  if (only.starts_with(kType)) {
    const std::string type = base::lower(only.substr(kType.size()));
    return Wanted([&a, &b, type](const LayerPair& pair) {
      return has_type(a, pair.a, type) || has_type(b, pair.b, type);
    });
  }
  for (auto value = 0; value <= static_cast<int>(ChangeKind::kTime); ++value) {
    const auto kind = static_cast<ChangeKind>(value);
    if (only == to_string(kind))
      return Wanted([kind](const LayerPair& pair) { return pair.has(kind); });
  }
  const std::vector<std::string_view> known = words();
  std::string hint = base::format("Use type=T or one of {}.", base::join_words(known));
  if (const auto near = base::nearest(only, known)) hint = base::format("Did you mean {}?", *near);
  return fail(ErrorCode::kUsage, base::format("pairs cannot be selected by {}", base::quoted(only)),
              std::move(hint));
}

}  // namespace

Result<std::vector<std::size_t>> select_pairs(const PairList& list, const model::PlanModel& a,
                                              const model::PlanModel& b, std::string_view only) {
  auto is_wanted = wanted(a, b, only);
  if (!is_wanted) return fail(std::move(is_wanted).error());
  std::vector<std::size_t> selected;
  for (std::size_t i = 0; i < list.pairs.size(); ++i) {
    if ((*is_wanted)(list.pairs[i])) selected.push_back(i);
  }
  return selected;
}

}  // namespace planex::analyze
