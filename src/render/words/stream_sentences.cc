#include "render/words/stream_sentences.h"

#include <algorithm>

#include "base/text.h"
#include "render/words/numbers.h"

namespace planex::render {
namespace {

using analyze::StreamUse;
using analyze::StreamUses;
using base::counted;
using base::format;

// Share of the window; a shorter wait is within the difference between clocks.
constexpr double kMinShare = 0.01;

// Whether streams differ in it, so that names need it.
template <typename Get>
bool differs(const StreamUses& uses, Get get) {
  return std::ranges::any_of(
      uses.streams, [&](const StreamUse& use) { return get(use) != get(uses.streams.front()); });
}

}  // namespace

std::vector<std::string> stream_names(const StreamUses& uses) {
  std::vector<std::string> names;
  if (uses.streams.empty()) return names;
  const bool has_processes = differs(uses, [](const StreamUse& use) { return use.process; });
  const bool has_devices = differs(uses, [](const StreamUse& use) { return use.device; });
  const bool has_contexts = differs(uses, [](const StreamUse& use) { return use.context; });
  for (const StreamUse& use : uses.streams) {
    std::string name;
    if (has_processes) name += format("process {}, ", use.process);
    if (has_devices && use.device) name += format("device {}, ", *use.device);
    if (has_contexts && use.context) name += format("context {}, ", *use.context);
    names.push_back(name + format("stream {}", use.stream));
  }
  return names;
}

std::optional<std::string> stream_sentence(const StreamUses& uses) {
  if (uses.streams.size() < 2) return std::nullopt;
  const std::string head = format("{} side by side in {} ms of the trace",
                                  counted(uses.streams.size(), "stream"), ms_text(uses.window_ms));
  if (!uses.are_waits_known) {
    return head +
           "; which stream waits for which is unknown: the export lacks the calls that queued "
           "their work";
  }
  const auto known = static_cast<std::size_t>(std::ranges::count_if(
      uses.streams, [](const StreamUse& use) { return use.waiting_ms.has_value(); }));
  const std::string of_known = known == uses.streams.size()
                                   ? ""
                                   : format(" (queueing times are known for {} of them)", known);
  if (!uses.longest_wait) return head + "; none waits while another runs" + of_known;
  const StreamUse& longest = uses.streams[*uses.longest_wait];
  if (longest.waiting_share.value_or(0) < kMinShare) {
    return head + "; none waits for long while another runs" + of_known;
  }
  const std::vector<std::string> names = stream_names(uses);
  std::string text =
      format("{}; {} has work queued but runs nothing for {} ms ({}) while others run", head,
             names[*uses.longest_wait], ms_text(*longest.waiting_ms),
             percent_text(*longest.waiting_share));
  if (longest.waits_while) {
    text += format(", {} ms of it while {} runs", ms_text(*longest.waits_while_ms),
                   names[*longest.waits_while]);
  }
  return text;
}

}  // namespace planex::render
