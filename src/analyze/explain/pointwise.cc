#include "analyze/explain/pointwise.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "analyze/work/work.h"
#include "base/json_text.h"
#include "base/text.h"

namespace planex::analyze {
namespace {

using model::Family;
using model::LayerId;
using model::PlanModel;

// Words in names that compute nothing.
constexpr std::array<std::string_view, 9> kMoves = {"Cast", "Conc", "Copy", "Move", "Resh",
                                                    "Slic", "Sque", "Tran", "Unsq"};

struct Statements {
  std::int64_t count = 0;
  std::vector<std::string> kept;
};

// The texts of a JSON list of texts, as in the file. Nothing for anything else. Escapes stay as
// they are: the lists contain identifiers and numbers.
std::optional<Statements> statements_of(std::string_view list) {
  if (!base::is_json_value(list)) return std::nullopt;
  list = base::trimmed(list);
  if (list.size() < 2 || list.front() != '[') return std::nullopt;
  Statements result;
  for (std::size_t at = 1; at < list.size();) {
    const char c = list[at];
    if (c == '[' || c == '{') return std::nullopt;
    if (c != '"') {
      ++at;
      continue;
    }
    std::size_t end = at + 1;
    while (end < list.size() && list[end] != '"') end += list[end] == '\\' ? 2U : 1U;
    if (end >= list.size()) return std::nullopt;
    if (result.kept.size() < kMaxOperations) {
      result.kept.push_back(pointwise_statement(list.substr(at + 1, end - at - 1)));
    }
    ++result.count;
    at = end + 1;
  }
  return result;
}

Statements words_of(std::string_view kernel_name) {
  constexpr std::string_view kPrefix = "__myl_";
  kernel_name.remove_prefix(std::min(kPrefix.size(), kernel_name.size()));
  std::string_view rest = kernel_name.substr(0, kernel_name.find('_'));
  Statements result;
  while (!rest.empty()) {
    std::size_t end = 1;
    while (end < rest.size() && !(rest[end] >= 'A' && rest[end] <= 'Z')) ++end;
    const std::string_view word = rest.substr(0, end);
    rest.remove_prefix(end);
    if (std::ranges::find(kMoves, word) != kMoves.end()) continue;
    if (result.kept.size() < kMaxOperations) result.kept.emplace_back(word);
    ++result.count;
  }
  return result;
}

class PointwiseExplainer {
 public:
  PointwiseExplainer(const PlanModel& model, const Reconciliation& time)
      : model_(model),
        times_(model, time),
        counts_{model.strings.find("NbOperations"), model.strings.find("NbInstructions")},
        lists_{model.strings.find("Operations"), model.strings.find("Instructions")} {}

  PointwiseExplanation run() {
    result_.basis = times_.basis();
    result_.layers_ms = times_.sum_ms();
    for (std::size_t row = 0; row < model_.layers.row_count(); ++row) {
      const LayerId layer(row);
      if (!model_.does_work(layer)) continue;
      if (model_.layers.family[row] == Family::kPointwise) {
        add_pointwise(layer);
      } else {
        add_kernel(layer);
      }
    }
    for (auto& [count, group] : groups_) result_.groups.push_back(std::move(group));
    for (PointwiseGroup& group : result_.groups) {
      const auto timed = static_cast<double>(group.totals.count - group.totals.without_time);
      const double operations = timed * static_cast<double>(group.operation_count);
      if (group.totals.time_ms && operations > 0) {
        group.ms_per_operation = *group.totals.time_ms / operations;
      }
    }
    return std::move(result_);
  }

 private:
  std::string_view first_of(LayerId layer, const std::array<base::StringId, 2>& keys) const {
    const std::string_view value = model_.attribute(layer, keys[0]);
    return value.empty() ? model_.attribute(layer, keys[1]) : value;
  }

  void add_pointwise(LayerId layer) {
    auto listed = statements_of(first_of(layer, lists_));
    const auto count = base::integer_in(first_of(layer, counts_));
    // Where a list is cut off, the layer reports more than it lists.
    const std::int64_t most = std::max(listed ? listed->count : 0, count.value_or(0));
    if (most <= 0) {
      times_.add(layer, result_.unknown);
      return;
    }
    add({.layer = layer,
         .operation_count = most,
         .operations = listed ? std::move(listed->kept) : std::vector<std::string>{},
         .evidence = PointwiseEvidence::kParameters});
  }

  void add_kernel(LayerId layer) {
    const std::string_view name = model_.text(model_.layers.name[layer.index()]);
    if (named_product(name) != NamedProduct::kNone) return;
    Statements words = words_of(name);
    if (words.count == 0) return;
    add({.layer = layer,
         .operation_count = words.count,
         .operations = std::move(words.kept),
         .evidence = PointwiseEvidence::kName});
  }

  void add(PointwiseLayer layer) {
    PointwiseGroup& group = groups_[layer.operation_count];
    group.operation_count = layer.operation_count;
    times_.add(layer.layer, group.totals);
    times_.add(layer.layer, result_.all);
    result_.layers.push_back(std::move(layer));
  }

  const PlanModel& model_;
  const LayerTimes times_;
  const std::array<base::StringId, 2> counts_, lists_;
  std::map<std::int64_t, PointwiseGroup> groups_;
  PointwiseExplanation result_;
};

}  // namespace

std::string_view to_string(PointwiseEvidence evidence) {
  return evidence == PointwiseEvidence::kParameters ? "parameters" : "name";
}

std::string pointwise_statement(std::string_view text) {
  text = base::trimmed(text);
  for (const std::string_view prefix : {"auto const ", "auto "}) {
    if (text.starts_with(prefix)) {
      text.remove_prefix(prefix.size());
      break;
    }
  }
  if (text.ends_with(';')) text.remove_suffix(1);
  std::string result;
  constexpr std::string_view kScope = "pwgen::";
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t scope = std::min(text.find(kScope, at), text.size());
    result += text.substr(at, scope - at);
    at = scope + (scope < text.size() ? kScope.size() : 0);
  }
  return result;
}

PointwiseExplanation explain_pointwise(const PlanModel& model, const Reconciliation& time) {
  return PointwiseExplainer(model, time).run();
}

}  // namespace planex::analyze
