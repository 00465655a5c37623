// Nodes and constants that lead to no output. Exporters leave them where a part of a network was
// cut off, and other passes where they join what was before a node to what is after it.
#include <algorithm>
#include <ranges>

#include "clean/passes.h"

namespace planex::clean {

std::vector<std::string> remove_dead(Draft& draft) {
  std::vector<std::string> removed;
  const std::vector<NodeId> nodes = draft.nodes();
  for (const NodeId node : nodes | std::views::reverse) {
    const auto outputs = draft.outputs(node);
    const auto is_needed = [&](TensorId output) {
      return output != kNone &&
             (draft.tensor(output).is_pinned() || !draft.tensor(output).readers.empty());
    };
    // Without any output it may be there for what it does.
    if (outputs.empty() || std::ranges::any_of(outputs, is_needed)) continue;
    removed.push_back(draft.name_of(node));
    draft.remove(node);
  }
  std::ranges::reverse(removed);
  for (TensorId id = 0; id < draft.tensor_count(); ++id) {
    const DraftTensor& tensor = draft.tensor(id);
    if (!tensor.is_initializer || tensor.is_dropped || tensor.is_overridable ||
        tensor.is_pinned() || !tensor.readers.empty()) {
      continue;
    }
    draft.drop_initializer(id);
    removed.push_back(tensor.name);
  }
  return removed;
}

namespace {

void tell_dead(Work& work) {
  for (std::string& name : remove_dead(work.draft)) work.tell(std::move(name));
}

}  // namespace

const Pass passes::kDead{"dead", "nodes and constants that no output needs", Effect::kExact,
                         tell_dead};

}  // namespace planex::clean
