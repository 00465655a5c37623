// What memory is held when, and who holds the most: `planex explain memory`.
#ifndef PLANEX_ANALYZE_EXPLAIN_MEMORY_FILM_H_
#define PLANEX_ANALYZE_EXPLAIN_MEMORY_FILM_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "analyze/live_ranges.h"
#include "analyze/memory.h"
#include "model/plan_model.h"

namespace planex::analyze {

// While one layer runs.
struct FilmFrame {
  model::LayerId layer;
  std::int64_t live_bytes = 0;                // activations, by the definition of live_ranges.h
  std::optional<std::int64_t> scratch_bytes;  // that the layer reserves for itself
};

// A tensor that is live at the peak.
struct PeakHolder {
  model::TensorId tensor;
  std::int64_t bytes = 0;
  model::LayerId first, last;    // that touch it
  std::int64_t span = 0;         // frames from the first to the last, both counted
  std::int64_t byte_layers = 0;  // bytes · span; saturates
  // The layer at the peak neither reads nor writes it: it waits for a later one.
  bool is_carried = false;
  // The peak, were the tensor not held between the layers that touch it (computed again, or moved
  // away and back): of carried ones among the first kMostCarried, on one stream; else null.
  std::optional<std::int64_t> peak_without_bytes;
};

struct MemoryFilm {
  // Records of the shown profile in execution order. Its greatest live_bytes is peak.bytes. Empty
  // where the peak is not known.
  std::vector<FilmFrame> frames;
  LivePeak peak;
  std::optional<std::size_t> peak_frame;
  // Greatest first, then by tensor: all that is live at the peak.
  std::vector<PeakHolder> holders;
  // Sums over holders: peak.bytes = used_bytes + carried_bytes on one stream; with several, what
  // other streams hold counts as carried.
  std::int64_t used_bytes = 0, carried_bytes = 0;
  // The carried holder without which the peak is lowest, an index into holders; null where that is
  // less than a hundredth lower: another layer needs as much.
  std::optional<std::size_t> best_to_move;
  // Held beside it all the time, and what the builder says.
  MemorySummary memory;
};

// Cost: that of live_film(), besides O(layers + ports) for each of kMostCarried holders.
MemoryFilm memory_film(const model::PlanModel& model, const MemorySummary& memory);

inline constexpr std::size_t kMostCarried = 10;
inline constexpr std::int64_t kWorthwhile = 100;  // of the peak, one part in so many

}  // namespace planex::analyze

#endif  // PLANEX_ANALYZE_EXPLAIN_MEMORY_FILM_H_
