#include "analyze/explain/memory_film.h"

#include <algorithm>
#include <limits>

#include "base/checked.h"

namespace planex::analyze {
namespace {

using model::LayerId;
using model::PlanModel;

// Frames that touch the memory, ascending.
std::vector<std::size_t> frames_touching(const PlanModel& model, const LiveFilm& live,
                                         const std::vector<FilmFrame>& frames,
                                         const PeakHolder& holder) {
  std::vector<std::size_t> touching;
  for (std::size_t frame = 0; frame < frames.size(); ++frame) {
    const LayerId layer = frames[frame].layer;
    if (layer < holder.first || layer > holder.last) continue;
    const model::RowRange ports = model.ports_of(layer);
    for (std::size_t port = ports.first; port < ports.end(); ++port) {
      if (live.memory_of[model.ports.tensor_id[port].index()] == holder.tensor) {
        touching.push_back(frame);
        break;
      }
    }
  }
  return touching;
}

std::int64_t peak_without(const std::vector<FilmFrame>& frames, const PeakHolder& holder,
                          const std::vector<std::size_t>& touching) {
  std::int64_t peak = 0;
  auto next = touching.begin();
  for (std::size_t frame = 0; frame < frames.size(); ++frame) {
    const bool touches = next != touching.end() && *next == frame;
    if (touches) ++next;
    const bool is_held = !touching.empty() && frame > touching.front() && frame < touching.back();
    peak = std::max(peak, frames[frame].live_bytes - (is_held && !touches ? holder.bytes : 0));
  }
  return peak;
}

// By tensor: the memories that a layer reads or writes.
std::vector<bool> memories_of(const PlanModel& model, const LiveFilm& live, LayerId layer) {
  std::vector<bool> touched(model.tensors.row_count());
  const model::RowRange ports = model.ports_of(layer);
  for (std::size_t port = ports.first; port < ports.end(); ++port) {
    touched[live.memory_of[model.ports.tensor_id[port].index()].index()] = true;
  }
  return touched;
}

}  // namespace

MemoryFilm memory_film(const PlanModel& model, const MemorySummary& memory) {
  MemoryFilm film;
  const LiveFilm live = live_film(model);
  film.peak = live.peak;
  film.memory = memory;
  if (live.live_bytes.empty()) return film;
  std::vector<std::size_t> frame_of(model.layers.row_count(), 0);
  for (std::size_t row = 0; row < model.layers.row_count(); ++row) {
    frame_of[row] = film.frames.size();
    if (!model.is_shown(LayerId(row))) continue;
    film.frames.push_back(
        {LayerId(row), live.live_bytes[row], model.layers.scratch_bytes.get(row)});
  }
  if (film.peak.layer.is_null()) return film;
  film.peak_frame = frame_of[film.peak.layer.index()];
  const std::vector<bool> used = memories_of(model, live, film.peak.layer);
  for (const LiveRange& range : live.at_peak) {
    PeakHolder holder{
        .tensor = range.tensor, .bytes = range.bytes, .first = range.first, .last = range.last};
    holder.span =
        static_cast<std::int64_t>(frame_of[range.last.index()] - frame_of[range.first.index()] + 1);
    base::CheckedInt product = holder.bytes;
    product *= holder.span;
    holder.byte_layers = product.value().value_or(std::numeric_limits<std::int64_t>::max());
    holder.is_carried = !used[range.tensor.index()];
    (holder.is_carried ? film.carried_bytes : film.used_bytes) += holder.bytes;
    film.holders.push_back(holder);
  }
  // Several streams have no one order in which a tensor could be moved away and back.
  if (film.peak.stream_count != 1) return film;
  std::size_t asked = 0;
  for (std::size_t i = 0; i < film.holders.size() && asked < kMostCarried; ++i) {
    PeakHolder& holder = film.holders[i];
    if (!holder.is_carried) continue;
    ++asked;
    holder.peak_without_bytes =
        peak_without(film.frames, holder, frames_touching(model, live, film.frames, holder));
    const auto best = film.best_to_move;
    if (*holder.peak_without_bytes > *film.peak.bytes - *film.peak.bytes / kWorthwhile) continue;
    if (!best || holder.peak_without_bytes < film.holders[*best].peak_without_bytes) {
      film.best_to_move = i;
    }
  }
  return film;
}

}  // namespace planex::analyze
