#include "analyze/explain/memory_film.h"

#include <algorithm>
#include <limits>

#include "analyze/explain/memory_packing.h"
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

// By tensor: the type at the end of its first writer, else of its first reader.
std::vector<model::DType> types_of(const PlanModel& model) {
  std::vector<model::DType> types(model.tensors.row_count(), model::DType::kNull);
  std::vector<bool> is_written(types.size());
  for (std::size_t row = 0; row < model.layers.row_count(); ++row) {
    if (!model.is_shown(LayerId(row))) continue;
    const model::RowRange ports = model.ports_of(LayerId(row));
    for (std::size_t port = ports.first; port < ports.end(); ++port) {
      const std::size_t tensor = model.ports.tensor_id[port].index();
      const bool writes = model.ports.direction[port] == model::Direction::kOutput;
      if (is_written[tensor] || (!writes && types[tensor] != model::DType::kNull)) continue;
      types[tensor] = model.ports.dtype[port];
      is_written[tensor] = writes;
    }
  }
  return types;
}

// Offsets that the file gives, regions one above the other in their order. False where one is
// missing, is negative or does not fit.
bool take_offsets(const PlanModel& model, MemoryFilm& film) {
  const model::TensorsTable& table = model.tensors;
  const auto region_of = [&](const FilmTensor& one) {
    const auto region = table.region_id.get(one.tensor.index());
    return region ? region->index() : 0;
  };
  // Tensors of no region lie in the first.
  std::vector<base::CheckedInt> base(std::max<std::size_t>(model.regions.row_count(), 1) + 1, 0);
  for (const FilmTensor& one : film.tensors) {
    const auto offset = table.offset_bytes.get(one.tensor.index());
    if (!offset || *offset < 0) return false;
    const auto end = (base::CheckedInt(*offset) + one.bytes).value();
    if (!end) return false;
    // Where the next region begins, for now: the size of this one.
    base::CheckedInt& size = base[region_of(one) + 1];
    size = std::max(*size.value(), *end);
  }
  for (std::size_t region = 1; region < base.size(); ++region) base[region] += base[region - 1];
  if (!base.back().value()) return false;
  for (FilmTensor& one : film.tensors) {
    const std::int64_t bottom = *base[region_of(one)].value();
    one.offset_bytes = bottom + table.offset_bytes[one.tensor.index()];
  }
  film.height_bytes = base.back().value();
  film.offsets = FilmOffsets::kGiven;
  return true;
}

void fill_tensors(const PlanModel& model, const LiveFilm& live,
                  const std::vector<std::size_t>& frame_of, MemoryFilm& film) {
  const std::vector<model::DType> types = types_of(model);
  std::vector<PackedLife> lives;
  for (const LiveRange& range : live.ranges) {
    const std::size_t first = frame_of[range.first.index()], last = frame_of[range.last.index()];
    film.tensors.push_back({.tensor = range.tensor,
                            .dtype = types[range.tensor.index()],
                            .bytes = range.bytes,
                            .first_frame = first,
                            .last_frame = last,
                            .offset_bytes = std::nullopt});
    lives.push_back({first, last, range.bytes});
  }
  if (lives.empty() || take_offsets(model, film)) return;
  const Packing packing = pack_by_size(lives, film.frames.size());
  for (std::size_t i = 0; i < lives.size(); ++i) {
    film.tensors[i].offset_bytes = packing.offset_bytes[i];
  }
  film.height_bytes = packing.height_bytes;
  film.offsets = FilmOffsets::kPacked;
}

}  // namespace

std::string_view to_string(FilmOffsets offsets) {
  switch (offsets) {
    case FilmOffsets::kGiven:
      return "given";
    case FilmOffsets::kPacked:
      return "packed";
    case FilmOffsets::kNone:
      break;
  }
  return {};
}

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
  fill_tensors(model, live, frame_of, film);
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
