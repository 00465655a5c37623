#include "ingest/openvino/counters_reader.h"

#include "base/try.h"
#include "ingest/openvino/counter_layers.h"
#include "ingest/openvino/counters.h"
#include "ingest/openvino/text_input.h"

namespace planex::ingest::openvino {

Confidence sniff_counters(std::string_view head) {
  const std::string_view line = first_line(head);
  if (line.starts_with('{')) {
    const bool is_ours = (head.find("\"detailed_performance\"") != head.npos ||
                          head.find("\"avg_performance\"") != head.npos) &&
                         head.find("\"nodes\"") != head.npos &&
                         head.find("\"real_time\"") != head.npos;
    return is_ours ? Confidence::kSure : Confidence::kNo;
  }
  const bool is_ours = line.starts_with("layerName") && line.find("realTime") != line.npos;
  return is_ours ? Confidence::kSure : Confidence::kNo;
}

Result<void> read_counters(const Artefact& artefact, model::ModelBuilder& builder) {
  CounterList list(builder.strings());
  PLANEX_TRY(parse_counters(artefact, builder, list));
  builder.model().files.record_count.set(artefact.file_row,
                                         static_cast<std::int64_t>(list.row_count()));
  add_counter_layers(list, artefact, builder);
  return {};
}

}  // namespace planex::ingest::openvino
