#include "ingest/tensorrt/control_flow.h"

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "base/text.h"

namespace planex::ingest::tensorrt {

using model::LayerId;

std::string_view jump_kind(std::string_view key) {
  if (key == "JumpTarget") return "jump";
  if (key == "JumpTargetThen") return "jump-then";
  if (key == "JumpTargetElse") return "jump-else";
  return {};
}

void add_jumps(std::span<const Jump> jumps, const std::string& file, model::ModelBuilder& builder) {
  if (jumps.empty()) return;
  const model::PlanModel& model = builder.model();
  std::unordered_map<std::string_view, std::vector<LayerId>> layers_of;
  for (const Jump& jump : jumps) layers_of[model.text(jump.target)];
  for (std::size_t row = 0; row < model.layers.row_count(); ++row) {
    const auto found = layers_of.find(model.text(model.layers.name[row]));
    if (found != layers_of.end()) found->second.push_back(LayerId(row));
  }
  for (const Jump& jump : jumps) {
    const std::string_view name = model.text(jump.target);
    const std::vector<LayerId>& targets = layers_of[name];
    const auto after = std::ranges::upper_bound(targets, jump.layer);
    LayerId target;
    if (!targets.empty()) target = after == targets.end() ? targets.front() : *after;
    builder.add_event(jump.layer, jump.kind, std::nullopt, target);
    if (!target.is_null()) continue;
    builder.add_diagnostic(
        {.code = "jump-without-target",
         .message = base::format("{} jumps to {}, which is no layer; the jump leads nowhere",
                                 base::quoted(model.text(model.layers.name[jump.layer.index()])),
                                 base::quoted(name)),
         .file = file});
  }
}

}  // namespace planex::ingest::tensorrt
