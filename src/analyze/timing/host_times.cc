#include "analyze/timing/host_times.h"

#include <array>
#include <cstddef>
#include <utility>

#include "base/statistics.h"

namespace planex::analyze {
namespace {

using model::IterationsTable;
using model::PlanModel;

struct PartColumn {
  std::string_view id;
  model::Real IterationsTable::* column;
  std::string_view heading;  // in trtexec's performance summary
};
constexpr auto kHostParts =
    std::to_array<PartColumn>({{"latency", &IterationsTable::latency_ms, "Latency"},
                               {"compute", &IterationsTable::compute_ms, "GPU Compute Time"},
                               {"enqueue", &IterationsTable::enqueue_ms, "Enqueue Time"},
                               {"h2d", &IterationsTable::h2d_ms, "H2D Latency"},
                               {"d2h", &IterationsTable::d2h_ms, "D2H Latency"}});

// Only if every inference has it.
std::optional<HostPart> part_of_times(const IterationsTable& table, const PartColumn& part) {
  std::vector<double> samples;
  for (std::size_t row = 0; row < table.row_count(); ++row) {
    const auto ms = (table.*part.column).get(row);
    if (!ms) return std::nullopt;
    samples.push_back(*ms);
  }
  if (samples.empty()) return std::nullopt;
  const auto statistics = base::sample_statistics(std::move(samples));
  return HostPart{part.id, statistics.median, statistics.max};
}

}  // namespace

std::optional<HostTimes> find_host_times(const PlanModel& model, const Reconciliation& time) {
  if (!time.end_to_end) return std::nullopt;
  HostTimes result;
  result.source = time.end_to_end->source == "times" ? "times" : "log";
  const bool is_of_times = result.source == "times";
  for (const PartColumn& part : kHostParts) {
    const auto known = is_of_times ? part_of_times(model.iterations, part) : std::nullopt;
    if (known) result.parts.push_back(*known);
    if (is_of_times) continue;
    if (const auto figures = performance_figures(model, part.heading)) {
      result.parts.push_back({part.id, figures->median_ms, figures->max_ms});
    }
  }
  const auto is_left_out = [](const HostPart& part) {
    return (part.id == "h2d" || part.id == "d2h") && part.max_ms == 0;
  };
  result.has_no_transfers = std::erase_if(result.parts, is_left_out) == 2;
  if (result.parts.size() < 2) return std::nullopt;
  for (const PartColumn& part : kHostParts) {
    if (part.id != time.end_to_end->field) continue;
    result.end_to_end_part = part.id;
    if (is_of_times) result.first_ms = (model.iterations.*part.column).get(0);
  }
  return result;
}

}  // namespace planex::analyze
