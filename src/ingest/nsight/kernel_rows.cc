#include "ingest/nsight/kernel_rows.h"

#include <algorithm>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "base/statistics.h"

namespace planex::ingest::nsight {
namespace {

using model::LayerId;

constexpr double kNsPerUs = 1e3, kNsPerMs = 1e6;

// From here on `correlation` is no longer needed: it is reused as the position of a launch among
// those of its layer in one inference.
std::uint32_t position_of(const Launch& launch) { return launch.correlation; }

class RowWriter {
 public:
  RowWriter(Trace& trace, model::ModelBuilder& builder)
      : trace_(trace), builder_(builder), gives_times_(lacks_times(builder.model())) {}

  KernelRows run() {
    KernelRows result;
    find_starts();
    measure(result);
    std::vector<Launch>& launches = trace_.launches;
    std::ranges::sort(launches, {}, [](const Launch& launch) {
      return std::tuple(launch.layer, launch.inference, launch.called, launch.start, launch.kind);
    });
    std::size_t at = 0;
    while (at < launches.size() && !launches[at].layer.is_null()) {
      const LayerId layer = launches[at].layer;
      std::size_t end = at + 1;
      while (end < launches.size() && launches[end].layer == layer) ++end;
      add_layer(layer, std::span(launches).subspan(at, end - at));
      at = end;
    }
    result.joined = at;
    result.gave_times = gives_times_ && at > 0;
    add_others(std::span(launches).subspan(at));
    return result;
  }

 private:
  static bool lacks_times(const model::PlanModel& model) {
    const auto is_null = [](double value) { return model::NullOf<double>::is_null(value); };
    return std::ranges::all_of(model.layers.mean_ms.values(), is_null) &&
           std::ranges::all_of(model.layers.median_ms.values(), is_null);
  }

  // When the first kernel of a layer started, by inference.
  void find_starts() {
    for (const Launch& launch : trace_.launches) {
      if (launch.layer.is_null()) continue;
      if (launch.inference >= starts_.size()) starts_.resize(launch.inference + 1, kMaxTime);
      std::int64_t& first = starts_[launch.inference];
      first = std::min(first, launch.start);
    }
  }

  // Per inference: the sum of the times of its launches, and the time without counting overlaps
  // twice.
  void measure(KernelRows& result) {
    std::vector<Launch>& launches = trace_.launches;
    std::ranges::sort(launches, {}, [](const Launch& launch) {
      return std::tuple(launch.layer.is_null(), launch.inference, launch.start);
    });
    std::vector<double> sums, busy;
    std::uint32_t inference = kNone;
    std::int64_t end = 0;
    for (const Launch& launch : launches) {
      if (launch.layer.is_null()) break;
      if (sums.empty() || launch.inference != inference) {
        inference = launch.inference;
        end = launch.start;
        sums.push_back(0);
        busy.push_back(0);
      }
      const std::int64_t launch_end = launch.start + launch.duration;
      sums.back() += static_cast<double>(launch.duration);
      busy.back() +=
          static_cast<double>(std::max<std::int64_t>(launch_end - std::max(launch.start, end), 0));
      end = std::max(end, launch_end);
    }
    if (sums.empty()) return;
    result.sum_ms = base::sample_statistics(std::move(sums)).median / kNsPerMs;
    result.busy_ms = base::sample_statistics(std::move(busy)).median / kNsPerMs;
  }

  void add_layer(LayerId layer, std::span<Launch> launches) {
    std::vector<double> sums;  // by inference
    std::uint32_t position = 0;
    for (std::size_t i = 0; i < launches.size(); ++i) {
      if (i == 0 || launches[i].inference != launches[i - 1].inference) {
        position = 0;
        sums.push_back(0);
      }
      launches[i].correlation = position++;
      sums.back() += static_cast<double>(launches[i].duration);
    }
    set_times(layer, std::move(sums));
    // Kernels come in the order of their first launch, whatever else other inferences launched
    // there.
    std::ranges::sort(launches, {}, [this](const Launch& launch) {
      const LaunchKind& kind = trace_.kinds[launch.kind];
      return std::tuple(position_of(launch), kind.is_kernel ? 0 : 1, kind.name, launch.inference,
                        launch.called, launch.start);
    });
    add_rows(launches, [this](const Launch& launch) {
      const LaunchKind& kind = trace_.kinds[launch.kind];
      return std::tuple(position_of(launch), kind.is_kernel, kind.name);
    });
  }

  void set_times(LayerId layer, std::vector<double> sums) {
    model::LayersTable& layers = builder_.model().layers;
    const std::size_t row = layer.index();
    const auto count = static_cast<std::int64_t>(sums.size());
    const base::SampleStatistics times = base::sample_statistics(std::move(sums));
    layers.kernel_ms.set(row, times.median / kNsPerMs);
    if (!gives_times_) return;
    layers.count.set(row, count);
    layers.mean_ms.set(row, times.mean / kNsPerMs);
    layers.median_ms.set(row, times.median / kNsPerMs);
    layers.min_ms.set(row, times.min / kNsPerMs);
    layers.max_ms.set(row, times.max / kNsPerMs);
    layers.total_ms.set(row, times.sum / kNsPerMs);
  }

  void add_others(std::span<Launch> launches) {
    const auto key = [this](const Launch& launch) {
      const LaunchKind& kind = trace_.kinds[launch.kind];
      return std::tuple(!kind.is_kernel, launch.inference == kNone, kind.name);
    };
    std::ranges::sort(launches, {}, [&](const Launch& launch) {
      return std::tuple_cat(key(launch), std::tuple(launch.start, launch.kind));
    });
    const auto copies = std::ranges::find_if(
        launches, [this](const Launch& launch) { return !trace_.kinds[launch.kind].is_kernel; });
    add_rows(launches.first(static_cast<std::size_t>(copies - launches.begin())), key);
  }

  template <typename Key>
  void add_rows(std::span<Launch> launches, const Key& key) {
    for (std::size_t at = 0; at < launches.size();) {
      std::size_t end = at + 1;
      while (end < launches.size() && key(launches[end]) == key(launches[at])) ++end;
      add_row(launches.subspan(at, end - at));
      at = end;
    }
  }

  void add_row(std::span<const Launch> launches) {
    model::KernelsTable& kernels = builder_.model().kernels;
    const std::size_t row = kernels.add_row();
    const Launch& first = launches.front();
    const LaunchKind& kind = trace_.kinds[first.kind];
    kernels.layer_id.set(row, first.layer);
    if (!first.layer.is_null()) kernels.index.set(row, std::int64_t{position_of(first)});
    kernels.name.set(row, kind.text);
    kernels.short_name.set(row, kind.short_text);
    kernels.count.set(row, static_cast<std::int64_t>(launches.size()));
    set_shape(row, launches);
    std::vector<double> samples;
    samples.reserve(launches.size());
    for (const Launch& launch : launches) samples.push_back(static_cast<double>(launch.duration));
    const base::SampleStatistics times = base::sample_statistics(std::move(samples));
    kernels.mean_us.set(row, times.mean / kNsPerUs);
    kernels.median_us.set(row, times.median / kNsPerUs);
    kernels.min_us.set(row, times.min / kNsPerUs);
    kernels.max_us.set(row, times.max / kNsPerUs);
    kernels.total_ms.set(row, times.sum / kNsPerMs);
    set_start(row, launches);
  }

  // A value that differs between launches is unknown for the row.
  void set_shape(std::size_t row, std::span<const Launch> launches) {
    model::KernelsTable& kernels = builder_.model().kernels;
    const LaunchKind& first = trace_.kinds[launches.front().kind];
    bool same_stream = first.has_stream, same_grid = first.has_shape, same_block = first.has_shape;
    bool same_registers = true, same_shared = true;
    std::uint32_t last = launches.front().kind;
    for (const Launch& launch : launches) {
      if (launch.kind == last) continue;
      last = launch.kind;
      const LaunchKind& kind = trace_.kinds[last];
      same_stream = same_stream && kind.has_stream && kind.stream == first.stream;
      same_grid = same_grid && kind.has_shape && std::ranges::equal(kind.grid, first.grid);
      same_block = same_block && kind.has_shape && std::ranges::equal(kind.block, first.block);
      same_registers = same_registers && kind.registers == first.registers;
      same_shared = same_shared && kind.shared_bytes == first.shared_bytes;
    }
    if (same_stream) kernels.stream.set(row, first.stream);
    if (same_grid) kernels.grid.set(row, first.grid);
    if (same_block) kernels.block.set(row, first.block);
    if (same_registers) kernels.registers.set(row, first.registers);
    if (same_shared) kernels.shared_bytes.set(row, first.shared_bytes);
  }

  void set_start(std::size_t row, std::span<const Launch> launches) {
    std::vector<double> starts;
    starts.reserve(launches.size());
    for (const Launch& launch : launches) {
      if (launch.inference >= starts_.size() || starts_[launch.inference] == kMaxTime) continue;
      starts.push_back(static_cast<double>(launch.start - starts_[launch.inference]));
    }
    if (starts.empty()) return;
    builder_.model().kernels.start_us.set(
        row, base::sample_statistics(std::move(starts)).median / kNsPerUs);
  }

  Trace& trace_;
  model::ModelBuilder& builder_;
  bool gives_times_;
  std::vector<std::int64_t> starts_;
};

}  // namespace

KernelRows add_kernel_rows(Trace& trace, model::ModelBuilder& builder) {
  return RowWriter(trace, builder).run();
}

}  // namespace planex::ingest::nsight
