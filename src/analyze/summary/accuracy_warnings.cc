#include "analyze/summary/accuracy_warnings.h"

#include <algorithm>
#include <ranges>
#include <unordered_map>

#include "base/numbers.h"
#include "trtexec/known_messages.h"

namespace planex::analyze {
namespace {

using model::LayerId;
using model::PlanModel;

// Layers by name, by the operations they come from, and by their tensors; only for names that are
// looked up.
class LayersByName {
 public:
  explicit LayersByName(const PlanModel& model) : model_(model) {}

  void want(std::string_view name) { layers_of_.try_emplace(name); }

  void find() {
    if (layers_of_.empty()) return;
    for (std::size_t row = 0; row < model_.layers.row_count(); ++row) {
      const LayerId layer(row);
      note(model_.text(model_.layers.name[row]), layer);
      const model::RowRange ports = model_.ports_of(layer);
      for (std::size_t port = ports.first; port < ports.end(); ++port) {
        const model::TensorId tensor = model_.ports.tensor_id[port];
        if (!tensor.is_null()) note(model_.text(model_.tensors.name[tensor.index()]), layer);
      }
    }
    const model::SourcesTable& sources = model_.sources;
    for (std::size_t row = 0; row < sources.row_count(); ++row) {
      note(model_.text(sources.op_name[row]), sources.layer_id[row]);
    }
  }

  const std::vector<LayerId>& layers_of(std::string_view name) const { return layers_of_.at(name); }

 private:
  void note(std::string_view name, LayerId layer) {
    const auto found = layers_of_.find(name);
    if (found != layers_of_.end()) found->second.push_back(layer);
  }

  const PlanModel& model_;
  std::unordered_map<std::string_view, std::vector<LayerId>> layers_of_;
};

}  // namespace

std::vector<AccuracyWarning> find_accuracy_warnings(const PlanModel& model) {
  std::vector<AccuracyWarning> warnings;
  const auto find = [&](std::string_view code) {
    return std::ranges::find(warnings, code, &AccuracyWarning::code);
  };
  for (std::size_t row = 0; row < model.diagnostics.row_count(); ++row) {
    const auto* known = trtexec::accuracy_warning_of(model.text(model.diagnostics.code[row]));
    if (known == nullptr || find(known->code) != warnings.end()) continue;
    warnings.push_back({.code = known->code,
                        .cause = known->cause,
                        .cure = known->cure,
                        .weight_count = std::nullopt,
                        .names = {},
                        .layers = {}});
  }
  if (warnings.empty()) return warnings;
  LayersByName layers(model);
  const model::MetadataTable& table = model.metadata;
  for (std::size_t row = 0; row < table.row_count(); ++row) {
    const std::string_view section = model.text(table.section[row]);
    const bool is_name = section == "accuracy_warnings";
    if (!is_name && section != "accuracy_warning_weights") continue;
    const auto warning = find(model.text(table.key[row]));
    if (warning == warnings.end()) continue;
    const std::string_view value = model.text(table.value[row]);
    if (is_name) {
      warning->names.emplace_back(value);
      layers.want(value);
    } else {
      warning->weight_count = base::number_in<std::int64_t>(value);
    }
  }
  layers.find();
  for (AccuracyWarning& warning : warnings) {
    for (const std::string& name : warning.names) {
      const std::vector<LayerId>& named = layers.layers_of(name);
      warning.layers.insert(warning.layers.end(), named.begin(), named.end());
    }
    std::ranges::sort(warning.layers);
    const auto rest = std::ranges::unique(warning.layers);
    warning.layers.erase(rest.begin(), rest.end());
  }
  return warnings;
}

}  // namespace planex::analyze
