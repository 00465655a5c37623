#include "ingest/tensorrt/log/measurement_lines.h"

#include <string>

#include "base/text.h"
#include "ingest/tensorrt/log/log_banner.h"
#include "ingest/tensorrt/log/log_numbers.h"

namespace planex::ingest::tensorrt {
namespace {

constexpr std::string_view kInference = "inference_options";

}  // namespace

// "Average on 10 runs - GPU latency: a ms - Host latency: b ms (end to end c ms, enqueue d ms)"
void MeasurementLines::take_average(std::string_view text) {
  constexpr std::array<std::string_view, kFieldCount> kLabels = {
      "GPU latency: ", "Host latency: ", "enqueue ", "end to end "};
  runs_per_average_ = number_word(text);
  for (std::size_t field = 0; field < kFieldCount; ++field) {
    const std::string_view word = word_after(text, kLabels[field]);
    if (!word.empty()) averages_[field].push_back(word);
  }
}

bool MeasurementLines::take(const LogLine& line) {
  std::string_view text = line.text;
  if (line.severity == LogSeverity::kWarning) {
    if (text.starts_with("The CUDA graph capture on the stream has failed") ||
        text.starts_with("CUDA graph capture failed")) {
      graph_capture_failed_ = true;
    }
    return false;  // still a warning
  }
  if (line.severity != LogSeverity::kInfo || line.from_library) return false;
  if (take_start(text, "Average on ")) {
    take_average(text);
  } else if (take_start(text, "Timing trace has ")) {
    queries_ = number_word(text);
    measured_s_ = word_after(text, " over ");
  } else if (take_start(text, "Warmup completed ")) {
    warmup_queries_ = number_word(text);
    warmup_ms_ = word_after(text, " over ");
  } else if (take_start(text, "... Omitting ")) {
    omitted_ = number_word(text);
  } else if (text.starts_with("The e2e network timing is not reported")) {
    summary_left_out_ = true;
  } else {
    return text.starts_with("Trace averages of ");
  }
  return true;
}

void MeasurementLines::add_rows(const SectionLines& sections, int major_version,
                                std::string_view command, const Artefact& artefact,
                                model::ModelBuilder& builder) const {
  const auto add = [&](std::string_view key, std::string_view value) {
    if (!value.empty()) builder.add_metadata("measurement", key, value, artefact.path);
  };
  if (sections.has_section(kInference)) {
    // A printed value is reliable in every version, although 11.0 inverted the defaults. Without
    // one, the version decides.
    const auto printed = [&](std::string_view key) { return sections.value(kInference, key); };
    const auto on_or_off = [](std::string_view value) -> std::string_view {
      return value == "Enabled" ? "on" : value == "Disabled" ? "off" : value;
    };
    constexpr int kFlagsFrom = 7, kAlwaysSeparateFrom = 11;
    std::string_view transfers = on_or_off(printed("Data transfers"));
    if (transfers.empty() && major_version == kFlagsFrom) transfers = "on";
    std::string_view separate = on_or_off(printed("Separate profiling"));
    if (major_version >= kAlwaysSeparateFrom) separate = "on";
    std::string_view streams = printed("Inference Streams");
    if (streams.empty()) streams = printed("Streams");
    std::string_view graph = on_or_off(printed("CUDA Graph"));
    if (graph_capture_failed_) graph = "off: capture failed";
    add("data_transfers", transfers);
    add("spin_wait", on_or_off(printed("Spin-wait")));
    add("cuda_graph", graph);
    add("streams", streams);
    add("multithreading", on_or_off(printed("Multithreading")));
    add("separate_profile_run", separate);
    if (has_option(command, "dumpProfile") || has_option(command, "exportProfile")) {
      add("profiler", separate == "on" ? "in a run of its own" : "during the measurement");
    }
  }
  add("queries", queries_);
  add("measured_s", measured_s_);
  add("warmup_queries", warmup_queries_);
  add("warmup_ms", warmup_ms_);
  add_averages(artefact, builder);
}

void MeasurementLines::add_averages(const Artefact& artefact, model::ModelBuilder& builder) const {
  constexpr std::array<std::string_view, kFieldCount> kKeys = {"compute_ms", "latency_ms",
                                                               "enqueue_ms", "end_to_end_ms"};
  // TensorRT 8 prints all of them; a curve needs no more points than this.
  constexpr std::size_t kMaxPoints = 1000;
  const auto add = [&](std::string_view key, std::string_view value) {
    if (!value.empty()) builder.add_metadata("trace_averages", key, value, artefact.path);
  };
  const std::size_t count = averages_[kCompute].size();
  if (count == 0) return;
  const std::size_t step = (count + kMaxPoints - 1) / kMaxPoints;
  add("runs_per_average", runs_per_average_);
  add("averages", base::format("{}", count));
  add("omitted_queries", omitted_);
  if (step > 1) add("every", base::format("{}", step));
  for (std::size_t field = 0; field < kFieldCount; ++field) {
    const std::vector<std::string_view>& words = averages_[field];
    if (words.empty()) continue;
    std::string list = "[";
    for (std::size_t i = 0; i < words.size(); i += step) {
      if (i > 0) list += ", ";
      list += real_of(words[i]) ? words[i] : std::string_view("null");
    }
    add(kKeys[field], list + "]");
  }
}

}  // namespace planex::ingest::tensorrt
