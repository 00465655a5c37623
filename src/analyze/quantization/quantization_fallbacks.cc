#include <algorithm>
#include <map>
#include <utility>

#include "analyze/quantization/quantization.h"

namespace planex::analyze {

std::vector<FallbackGroup> fallback_groups(const QuantizationExplanation& explanation) {
  std::map<std::pair<FallbackReason, const engines::EngineRule*>, FallbackGroup> groups;
  for (const QuantizationRow& row : explanation.rows) {
    if (row.reason != FallbackReason::kNone) groups[{row.reason, row.rule}].rows.push_back(&row);
  }
  std::vector<FallbackGroup> list;
  for (auto& [reason, group] : groups) {
    std::ranges::stable_sort(group.rows, std::ranges::greater{}, [](const QuantizationRow* row) {
      return row->time_ms.value_or(0) + row->conversion_ms.value_or(0);
    });
    list.push_back(std::move(group));
  }
  std::ranges::stable_sort(list, std::ranges::greater{}, [](const FallbackGroup& group) {
    return group.rows.front()->run == QuantizedRun::kWritesFloat ? 0 : group.rows.size();
  });
  return list;
}

}  // namespace planex::analyze
