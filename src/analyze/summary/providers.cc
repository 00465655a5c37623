#include "analyze/summary/providers.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "analyze/work/sums.h"
#include "base/numbers.h"

namespace planex::analyze {
namespace {

using model::LayerId;
using model::PlanModel;

// As the reader of the log writes them.
constexpr std::string_view kPlacement = "placement", kCopies = "placement_copies",
                           kFallback = "placement_fallback";

class ProviderFinder {
 public:
  ProviderFinder(const PlanModel& model, const Reconciliation& time) : model_(model), time_(time) {}

  std::optional<ProviderReport> find() {
    add_layers();
    add_facts();
    if (loads_.empty() && fallbacks_.empty() && !report_.copy_count) return std::nullopt;
    for (auto& [name, load] : loads_) {
      load.provider = name;
      load.share = time_.share(load.time_ms);
      report_.providers.push_back(std::move(load));
    }
    std::ranges::stable_sort(report_.providers, [](const ProviderLoad& a, const ProviderLoad& b) {
      return std::pair(a.time_ms.value_or(-1), a.layer_count.value_or(-1)) >
             std::pair(b.time_ms.value_or(-1), b.layer_count.value_or(-1));
    });
    report_.copy_share = time_.share(report_.copy_ms);
    for (auto& [key, group] : fallbacks_) report_.fallbacks.push_back(std::move(group));
    std::ranges::stable_sort(report_.fallbacks, std::ranges::greater(), &ProviderFallbacks::count);
    return std::move(report_);
  }

 private:
  void add_layers() {
    const model::LayersTable& layers = model_.layers;
    for (std::size_t row = 0; row < layers.row_count(); ++row) {
      const LayerId layer(row);
      types_.try_emplace(model_.text(layers.name[row]), model_.text(layers.raw_type[row]));
      if (layers.provider.is_null(row) || !model_.does_work(layer)) continue;
      const auto ms = layer_time(model_, row, time_.basis);
      if (!report_.copy_count) report_.copy_count = 0;
      if (is_provider_copy(model_, layer)) {
        ++*report_.copy_count;
        add_to(report_.copy_ms, ms);
        continue;
      }
      ProviderLoad& load = loads_[model_.text(layers.provider[row])];
      load.layer_count = load.layer_count.value_or(0) + 1;
      add_to(load.time_ms, ms);
    }
  }

  void add_facts() {
    const model::MetadataTable& facts = model_.metadata;
    const bool has_layers = report_.copy_count.has_value();
    std::set<std::pair<std::string_view, std::string_view>> seen;  // a provider may be requested
                                                                   // twice
    for (std::size_t row = 0; row < facts.row_count(); ++row) {
      const std::string_view section = model_.text(facts.section[row]);
      const std::string_view key = model_.text(facts.key[row]);
      const std::string_view value = model_.text(facts.value[row]);
      const auto number = base::number_in<std::int64_t>(value);
      if (section == kPlacement && !has_layers) {
        loads_[key].layer_count = number;
      } else if (section == kCopies && !has_layers && number) {
        report_.copy_count = report_.copy_count.value_or(0) + *number;
      } else if (section == kFallback && seen.emplace(key, value).second) {
        add_fallback(key, value);
      }
    }
  }

  // "Conv (conv_1)", " (conv_1)".
  void add_fallback(std::string_view node, std::string_view reason) {
    const std::size_t open = node.find(" (");
    std::string_view type = node.substr(0, open), name;
    if (open != node.npos && node.ends_with(')')) {
      name = node.substr(open + 2, node.size() - open - 3);
    }
    if (const auto known = types_.find(name); type.empty() && known != types_.end()) {
      type = known->second;
    }
    ProviderFallbacks& group = fallbacks_[{type, reason}];
    group.type = type;
    group.reason = reason;
    ++group.count;
    if (!name.empty()) group.nodes.emplace_back(name);
  }

  const PlanModel& model_;
  const Reconciliation& time_;
  ProviderReport report_;
  std::map<std::string_view, ProviderLoad> loads_;
  std::map<std::pair<std::string_view, std::string_view>, ProviderFallbacks> fallbacks_;
  std::unordered_map<std::string_view, std::string_view> types_;  // by layer
};

}  // namespace

bool is_provider_copy(const PlanModel& model, LayerId layer) {
  const std::string_view type = model.text(model.layers.raw_type[layer.index()]);
  return type == "MemcpyToHost" || type == "MemcpyFromHost";
}

std::optional<ProviderReport> find_providers(const PlanModel& model, const Reconciliation& time) {
  return ProviderFinder(model, time).find();
}

}  // namespace planex::analyze
