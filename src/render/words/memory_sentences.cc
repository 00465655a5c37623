#include "render/words/memory_sentences.h"

#include "base/text.h"
#include "render/words/display_width.h"
#include "render/words/numbers.h"

namespace planex::render {
namespace {

using analyze::MemoryTimeline;
using analyze::PeakContributor;
using base::counted;
using base::format;
using model::PlanModel;

std::string quoted_layer(const PlanModel& model, model::LayerId layer) {
  return name_in_sentence(model.text(model.layers.name[layer.index()]));
}

std::string quoted_tensor(const PlanModel& model, model::TensorId tensor) {
  return name_in_sentence(model.text(model.tensors.name[tensor.index()]));
}

}  // namespace

std::vector<std::string> peak_sentences(const PlanModel& model, const MemoryTimeline& timeline) {
  std::vector<std::string> lines;
  const analyze::LivePeak& peak = timeline.peak;
  if (!peak.bytes) {
    lines.push_back(
        peak.stream_count > static_cast<std::int64_t>(analyze::kMaxStreams)
            ? format("the engine has {} streams or more: too many to order", analyze::kMaxStreams)
            : std::string("activation memory unknown: no activation has a size"));
    return lines;
  }
  if (peak.layer.is_null()) {
    lines.emplace_back("no activation is live between layers");
    return lines;
  }
  const bool is_lower_bound = peak.tensors_without_size > 0;
  lines.push_back(format("{}{} of activations live at once{}, at layer {}, {}",
                         is_lower_bound ? "at least " : "", size_text(*peak.bytes),
                         is_lower_bound ? "" : " at most", peak.layer.index(),
                         quoted_layer(model, peak.layer)));
  lines.push_back(format("{}: {} that this layer reads or writes, {} that wait for later layers",
                         counted(static_cast<std::size_t>(peak.contributor_count), "tensor"),
                         size_text(timeline.used_bytes), size_text(timeline.live_through_bytes)));
  if (peak.with_scratch_bytes) {
    lines.push_back(format("with the scratch memory that layers reserve: {} at most",
                           size_text(*peak.with_scratch_bytes)));
  }
  if (peak.tensors_without_size > 0) {
    lines.push_back(format("{} left out, size unknown",
                           counted(static_cast<std::size_t>(peak.tensors_without_size), "tensor")));
  }
  if (peak.stream_count > 1) {
    lines.push_back(
        format("{} run concurrently, ordered by their signals and waits, so this is an upper bound",
               counted(static_cast<std::size_t>(peak.stream_count), "stream")));
  }
  return lines;
}

std::string other_memory_text(const MemoryTimeline& timeline) {
  std::string text;
  const auto part = [&](const std::optional<std::int64_t>& bytes, std::string_view what) {
    if (!bytes) return;
    text += format("{}{} {}", text.empty() ? "in addition: " : ", ", size_text(*bytes), what);
  };
  const analyze::MemorySummary& memory = timeline.memory;
  part(memory.weight_bytes, "of weights");
  part(memory.input_bytes, "of inputs");
  part(memory.output_bytes, "of outputs");
  part(memory.reported_device_persistent_bytes, "persistent");
  if (memory.reported_activation_bytes) {
    text += format("{}the builder reserves {} for activations", text.empty() ? "" : "; ",
                   size_text(*memory.reported_activation_bytes));
  }
  return text;
}

std::string peak_advice(const PlanModel& model, const MemoryTimeline& timeline) {
  if (!timeline.peak.bytes || timeline.peak.layer.is_null() || timeline.peak.stream_count != 1)
    return {};
  if (timeline.live_through_bytes == 0) {
    return "this layer itself reads and writes all of it: only a smaller batch, smaller types or "
           "fusing the layer with a neighbor lowers the peak";
  }
  if (!timeline.best_contributor_to_move) {
    return "removing any one of the waiting tensors lowers the peak by less than 1 %: other layers "
           "need as much";
  }
  const PeakContributor& contributor = timeline.contributors[*timeline.best_contributor_to_move];
  const std::int64_t without = *contributor.peak_without_bytes;
  const std::string name = quoted_tensor(model, contributor.tensor);
  return format(
      "{} ({}) is live from layer {} to layer {} without being used; without it in between, the "
      "peak would be {}, {} less",
      name, size_text(contributor.bytes), contributor.first.index(), contributor.last.index(),
      size_text(without), size_text(*timeline.peak.bytes - without));
}

Conclusion memory_conclusion(const PlanModel& model, const MemoryTimeline& timeline) {
  const std::vector<std::string> clauses = peak_sentences(model, timeline);
  Conclusion conclusion{sentence(clauses.front()), {}};
  for (std::size_t i = 1; i < clauses.size(); ++i) conclusion.text += sentence(clauses[i]) + " ";
  // It may begin with a name, which stays as it is.
  const std::string advice = peak_advice(model, timeline);
  if (!advice.empty())
    conclusion.text += timeline.best_contributor_to_move ? advice + "." : sentence(advice);
  if (conclusion.text.ends_with(' ')) conclusion.text.pop_back();
  return conclusion;
}

std::string name_in_sentence(std::string_view name) {
  constexpr std::size_t kMaxColumns = 60;
  return elide_middle(printable(name), kMaxColumns);
}

}  // namespace planex::render
