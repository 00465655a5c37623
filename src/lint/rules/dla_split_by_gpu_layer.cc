#include <array>
#include <vector>

#include "base/text.h"
#include "lint/layer_facts.h"

namespace planex::lint::dla_split_by_gpu_layer_rule {
namespace {

using base::format;

constexpr std::array kNeeds = {Need::kLinks};

constexpr RuleInfo kInfo = {
    .id = "dla-split-by-gpu-layer",
    .pack = Pack::kTensorRt,
    .severity = Severity::kWarning,
    .summary = "layers on the GPU are between two parts on the DLA",
    .rationale =
        "The DLA hands its result to the GPU and waits for the GPU's result: two hand-overs, "
        "usually with copies into another layout. A DLA core also holds at most 16 parts, for all "
        "engines together",
    .fix =
        "Replace the operation with one that the DLA supports, or move it to the start or the end "
        "of the network; the build log says why it fell back",
    .needs = kNeeds,
    .source =
        "NVIDIA's TensorRT documentation, DLA Supported Layers and Restrictions: a network is "
        "split "
        "where a layer can't run on the DLA, and a core loads at most 16 parts; issues "
        "jetson_dla_tutorial 3 and TensorRT 3365",
    .evidence =
        "the parts before and after, the time of the layers between, and why they fell back",
    .estimate =
        "not known: no file says how long the DLA waits, or how long these layers would take on "
        "it"};

constexpr std::string_view kPartType = "DLA";

bool is_part(const Context& context, LayerId layer) { return context.type(layer) == kPartType; }

// The tensors of an engine that come after a part on the DLA (found by following layers in
// execution order), and those that come before one (in reverse order).
class Sides {
 public:
  explicit Sides(const Context& context)
      : model_(context.model()),
        from_part_(model_.tensors.row_count()),
        to_part_(model_.tensors.row_count()) {
    const std::size_t count = context.layer_count();
    for (std::size_t row = 0; row < count; ++row) pass(context, LayerId(row), from_part_, true);
    for (std::size_t row = count; row-- > 0;) pass(context, LayerId(row), to_part_, false);
  }

  bool is_between(LayerId layer) const {
    return touches(layer, model::Direction::kInput, from_part_) &&
           touches(layer, model::Direction::kOutput, to_part_);
  }

 private:
  bool touches(LayerId layer, model::Direction direction, const std::vector<bool>& marks) const {
    const model::RowRange ports = model_.ports_of(layer);
    for (std::size_t port = ports.first; port < ports.end(); ++port) {
      const TensorId tensor = model_.ports.tensor_id[port];
      if (model_.ports.direction[port] == direction && !tensor.is_null() && marks[tensor.index()]) {
        return true;
      }
    }
    return false;
  }

  void pass(const Context& context, LayerId layer, std::vector<bool>& marks, bool is_forward) {
    const auto near = is_forward ? model::Direction::kInput : model::Direction::kOutput;
    if (!is_part(context, layer) && !touches(layer, near, marks)) return;
    const model::RowRange ports = model_.ports_of(layer);
    for (std::size_t port = ports.first; port < ports.end(); ++port) {
      const TensorId tensor = model_.ports.tensor_id[port];
      if (model_.ports.direction[port] != near && !tensor.is_null()) marks[tensor.index()] = true;
    }
  }

  const model::PlanModel& model_;
  std::vector<bool> from_part_, to_part_;
};

// Why the layer, or an operation that went into it, fell back; empty where no log says.
std::string_view reason_of(const model::PlanModel& model, LayerId layer) {
  const auto is_of_layer = [&](std::string_view name) {
    if (model.text(model.layers.name[layer.index()]) == name) return true;
    const model::RowRange sources = model.sources_of(layer);
    for (std::size_t row = sources.first; row < sources.end(); ++row) {
      if (model.text(model.sources.op_name[row]) == name) return true;
    }
    return false;
  };
  const model::MetadataTable& table = model.metadata;
  for (std::size_t row = 0; row < table.row_count(); ++row) {
    if (model.text(table.section[row]) != "dla_fallbacks") continue;
    const std::string_view reason = model.text(table.value[row]);
    if (!reason.empty() && is_of_layer(model.text(table.key[row]))) return reason;
  }
  return {};
}

// The layers between two parts, in the order of execution.
struct Gap {
  LayerId before, behind;  // parts
  std::vector<LayerId> layers;
};

void add_finding(const Context& context, const Gap& gap, FindingSink& sink) {
  // Conversions are there only because of the others.
  std::vector<std::string> names;
  LayerId first;
  double ms = 0;
  bool is_timed = false;
  for (const LayerId layer : gap.layers) {
    if (const auto time = context.time_ms(layer)) {
      ms += *time;
      is_timed = true;
    }
    if (context.model().layers.is_reformat.get(layer.index()) == 1) continue;
    if (first.is_null()) first = layer;
    names.push_back(context.name(layer));
  }
  if (first.is_null()) return;
  FindingDraft draft;
  draft.layer = first;
  draft.message = format("{} on the GPU between two parts on the DLA",
                         names.size() == 1 ? "a layer" : base::counted(names.size(), "layer"));
  draft.evidence = format("{} after {} and before {}", listed(names), context.name(gap.before),
                          context.name(gap.behind));
  if (is_timed) {
    draft.evidence += format("; {} with conversions", share_text(context, ms));
  }
  const std::string_view reason = reason_of(context.model(), first);
  if (!reason.empty()) draft.evidence += format("; it fell back: {}", base::quoted(reason, 160));
  for (const LayerId layer : gap.layers) {
    if (layer != first) draft.also_about.push_back(layer);
  }
  draft.fix = format(
      "Replace {} with an operation that the DLA supports, or move {} to the start or the end of "
      "the network, so that only one part is left",
      listed(names, 1), names.size() == 1 ? "it" : "them");
  draft.estimate_method =
      "not known: no file says how long the DLA waits, or how long these layers would take on it";
  sink.add(std::move(draft));
}

void run(const Context& context, FindingSink& sink) {
  const std::size_t count = context.layer_count();
  std::vector<LayerId> next_part(count);
  LayerId part;
  for (std::size_t row = count; row-- > 0;) {
    next_part[row] = part;
    if (is_part(context, LayerId(row))) {
      part = LayerId(row);
      sink.looked_at();
    }
  }
  if (part.is_null()) return;
  const Sides sides(context);
  Gap gap;
  const auto close = [&] {
    if (!gap.layers.empty()) add_finding(context, gap, sink);
    gap.layers.clear();
  };
  for (std::size_t row = 0; row < count; ++row) {
    const LayerId layer(row);
    if (is_part(context, layer)) {
      close();
      gap.before = layer;
    } else if (context.works(layer) && !gap.before.is_null() && !next_part[row].is_null() &&
               sides.is_between(layer)) {
      gap.behind = next_part[row];
      gap.layers.push_back(layer);
    }
  }
}

}  // namespace
}  // namespace planex::lint::dla_split_by_gpu_layer_rule

PLANEX_LINT_RULE(dla_split_by_gpu_layer)
