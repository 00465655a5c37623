#include "analyze/timing/streams.h"

namespace planex::analyze {

std::optional<StreamUses> find_streams(const model::PlanModel& model) {
  const model::StreamsTable& table = model.streams;
  if (table.row_count() == 0) return std::nullopt;
  StreamUses found;
  found.window_ms = table.window_ms.get(0).value_or(0);
  if (found.window_ms <= 0) return std::nullopt;
  for (std::size_t row = 0; row < table.row_count(); ++row) {
    StreamUse use{.process = table.process.get(row).value_or(0),
                  .stream = table.stream.get(row).value_or(0),
                  .device = table.device.get(row),
                  .context = table.context.get(row),
                  .inferences = table.inferences.get(row).value_or(0),
                  .launches = table.launches.get(row).value_or(0),
                  .busy_ms = table.busy_ms.get(row).value_or(0),
                  .overlapped_ms = table.overlapped_ms.get(row).value_or(0),
                  .waiting_ms = table.waiting_ms.get(row)};
    use.busy_share = use.busy_ms / found.window_ms;
    if (use.busy_ms > 0) use.overlapped_share = use.overlapped_ms / use.busy_ms;
    if (use.waiting_ms) use.waiting_share = *use.waiting_ms / found.window_ms;
    found.are_waits_known = found.are_waits_known || use.waiting_ms.has_value();
    found.streams.push_back(use);
  }
  const model::StreamPairsTable& pairs = model.stream_pairs;
  const auto count = static_cast<std::int64_t>(found.streams.size());
  for (std::size_t row = 0; row < pairs.row_count(); ++row) {
    const auto stream = pairs.stream_id.get(row).value_or(-1);
    const auto other = pairs.other_id.get(row).value_or(-1);
    if (stream < 0 || other < 0 || stream >= count || other >= count) continue;
    StreamPairUse pair{.stream = static_cast<std::size_t>(stream),
                       .other = static_cast<std::size_t>(other),
                       .overlapped_ms = pairs.overlapped_ms.get(row).value_or(0),
                       .waiting_ms = pairs.waiting_ms.get(row)};
    found.pairs.push_back(pair);
    StreamUse& use = found.streams[pair.stream];
    if (pair.waiting_ms.value_or(0) > use.waits_while_ms.value_or(0)) {
      use.waits_while = pair.other;
      use.waits_while_ms = pair.waiting_ms;
    }
  }
  for (std::size_t place = 0; place < found.streams.size(); ++place) {
    const double waiting = found.streams[place].waiting_ms.value_or(0);
    const double longest =
        found.longest_wait ? *found.streams[*found.longest_wait].waiting_ms : 0.0;
    if (waiting > longest) found.longest_wait = place;
  }
  return found;
}

}  // namespace planex::analyze
