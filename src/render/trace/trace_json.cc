#include "render/trace/trace_json.h"

#include <cstdint>
#include <optional>
#include <vector>

#include "base/text.h"
#include "base/try.h"
#include "render/json/json_writer.h"
#include "render/words/exact_time_text.h"
#include "render/words/pieces.h"

namespace planex::render {
namespace {

using analyze::TimeBasis;
using analyze::TimelineSlice;
using base::format;
using model::DType;
using model::PlanModel;

// Threads with the number of their process count as main threads and look different.
constexpr std::int64_t kThreadsOfAProcess = 1000;

std::string_view basis_word(TimeBasis basis) {
  return basis == TimeBasis::kMedian ? "median" : basis == TimeBasis::kMean ? "mean" : "none";
}

class TraceWriter {
 public:
  TraceWriter(std::span<const TraceEngine> engines, const DocumentSink& sink)
      : engines_(engines), pieces_(sink) {}

  Result<void> write() {
    std::string& text = pieces_.text();
    text = "{\"displayTimeUnit\":\"ms\",\n\"otherData\":";
    write_about();
    text += json_.take();
    text += ",\n\"traceEvents\":[";
    for (std::size_t i = 0; i < engines_.size(); ++i) {
      process_ = static_cast<std::int64_t>(i) + 1;
      PLANEX_TRY(write_names(engines_[i]));
      PLANEX_TRY(write_slices(engines_[i]));
      PLANEX_TRY(write_kernels(engines_[i]));
      PLANEX_TRY(write_memory(engines_[i]));
    }
    text += "\n]}\n";
    return pieces_.finish();
  }

 private:
  void write_about() {
    json_.begin_object();
    json_.member("schema", "planex.trace/1");
    json_.key("engines").begin_array();
    for (const TraceEngine& engine : engines_) {
      const model::EngineTable& about = engine.model->engine;
      const analyze::Timeline& timeline = engine.timeline;
      json_.begin_object();
      json_.member("name", engine.label);
      json_.text_member("producer", engine.model->text(about.producer[0]));
      json_.text_member("producer_version", engine.model->text(about.producer_version[0]));
      json_.text_member("device", engine.model->text(about.device[0]));
      json_.member("basis", basis_word(timeline.basis));
      json_.member("slices", timeline.slices.size());
      json_.key("layers_us");
      timeline.total ? json_.raw(microseconds_text(*timeline.total)) : json_.null();
      json_.key("end_us").raw(microseconds_text(timeline.end));
      json_.member("layers_without_time", timeline.without_time);
      json_.member("negative_times", timeline.negative);
      json_.member("streams_wait_for_each_other", timeline.is_ordered);
      json_.member("kernels", engine.kernels.slices.size());
      json_.member("kernels_without_time", engine.kernels.without_time);
      json_.end_object();
    }
    json_.end_array();
    json_.end_object();
  }

  std::int64_t thread_of(std::uint32_t track) const {
    return process_ * kThreadsOfAProcess + track;
  }

  JsonWriter& begin_event(std::string_view phase, std::int64_t thread) {
    json_.begin_object();
    json_.member("ph", phase).member("pid", process_).member("tid", thread);
    return json_;
  }

  Result<void> end_event() {
    json_.end_object();
    std::string& text = pieces_.text();
    text += is_first_ ? "\n" : ",\n";
    is_first_ = false;
    text += json_.take();
    return pieces_.end_record();
  }

  template <typename T>
  Result<void> write_fact(std::int64_t thread, std::string_view kind, std::string_view key,
                          const T& value) {
    begin_event("M", thread).member("name", kind).key("args").begin_object();
    json_.member(key, value).end_object();
    return end_event();
  }

  Result<void> write_names(const TraceEngine& engine) {
    const model::EngineTable& about = engine.model->engine;
    PLANEX_TRY(write_fact(thread_of(0), "process_name", "name", engine.label));
    std::string labels(engine.model->text(about.producer[0]));
    for (const auto text : {about.producer_version[0], about.device[0]}) {
      if (!engine.model->text(text).empty()) labels += format(" {}", engine.model->text(text));
    }
    labels += format(", {} times", basis_word(engine.timeline.basis));
    PLANEX_TRY(write_fact(thread_of(0), "process_labels", "labels", labels));
    PLANEX_TRY(write_fact(thread_of(0), "process_sort_index", "sort_index", process_));
    std::vector<bool> is_used(engine.timeline.streams.size());
    for (const TimelineSlice& slice : engine.timeline.slices) is_used[slice.track] = true;
    for (std::uint32_t track = 0; track < is_used.size(); ++track) {
      if (!is_used[track]) continue;
      const std::string name = format("stream {}", engine.timeline.streams[track]);
      PLANEX_TRY(write_fact(thread_of(track), "thread_name", "name", name));
      PLANEX_TRY(write_fact(thread_of(track), "thread_sort_index", "sort_index", track));
    }
    return {};
  }

  Result<void> write_slices(const TraceEngine& engine) {
    const PlanModel& model = *engine.model;
    for (const TimelineSlice& slice : engine.timeline.slices) {
      const std::size_t row = slice.layer.index();
      begin_event("X", thread_of(slice.track));
      json_.key("ts").raw(microseconds_text(slice.start));
      json_.key("dur").raw(microseconds_text(slice.duration));
      const auto family = model.layers.family.get(row);
      json_.member("cat", family ? to_string(*family) : std::string_view("other"));
      const std::string_view name = model.text(model.layers.name[row]);
      json_.member("name", name.empty() ? std::string_view("(no name)") : name);
      json_.key("args").begin_object();
      write_layer(model, row);
      json_.end_object();
      PLANEX_TRY(end_event());
    }
    return {};
  }

  // Below the layers, on the axis of the trace: both begin with an inference, but gaps between
  // kernels are real, and those of layers are waits for other streams.
  Result<void> write_kernels(const TraceEngine& engine) {
    const PlanModel& model = *engine.model;
    const model::KernelsTable& kernels = model.kernels;
    const auto track_of = [&](std::size_t track) {
      return static_cast<std::uint32_t>(engine.timeline.streams.size() + track);
    };
    for (std::size_t track = 0; track < engine.kernels.streams.size(); ++track) {
      const auto stream = engine.kernels.streams[track];
      const std::string name = stream ? format("kernels, CUDA stream {}", *stream)
                                      : std::string("kernels, several CUDA streams");
      const std::int64_t thread = thread_of(track_of(track));
      PLANEX_TRY(write_fact(thread, "thread_name", "name", name));
      PLANEX_TRY(write_fact(thread, "thread_sort_index", "sort_index", track_of(track)));
    }
    for (const analyze::KernelSlice& slice : engine.kernels.slices) {
      begin_event("X", thread_of(track_of(slice.track)));
      json_.key("ts").raw(microseconds_text(slice.start));
      json_.key("dur").raw(microseconds_text(slice.duration));
      json_.member("cat", "kernel");
      const std::string_view full = model.text(kernels.name[slice.row]);
      const std::string_view function = model.text(kernels.short_name[slice.row]);
      const std::string_view name = function.empty() ? full : function;
      json_.member("name", name.empty() ? std::string_view("(no name)") : name);
      json_.key("args").begin_object();
      const model::LayerId layer = kernels.layer_id[slice.row];
      json_.member("layer_id", layer.index());
      json_.member("layer", model.text(model.layers.name[layer.index()]));
      json_.member("kernel", full);
      json_.member("start_us", kernels.start_us.get(slice.row));
      json_.member("count", kernels.count.get(slice.row));
      json_.end_object();
      PLANEX_TRY(end_event());
    }
    return {};
  }

  // What is known about a layer, under the names of the schema.
  void write_layer(const PlanModel& model, std::size_t row) {
    const model::LayersTable& layers = model.layers;
    json_.member("layer_id", row);
    const auto add_text = [&](std::string_view key, base::StringId id) {
      if (!model.text(id).empty()) json_.member(key, model.text(id));
    };
    const auto add_type = [&](std::string_view key, DType type) {
      if (type != DType::kNull) json_.member(key, to_string(type));
    };
    const auto add_number = [&](std::string_view key, const auto& column) {
      if (!column.is_null(row)) json_.member(key, column[row]);
    };
    add_text("type", layers.type[row]);
    add_type("precision", layers.precision[row]);
    add_type("output_precision", layers.output_precision[row]);
    add_type("compute_precision", layers.compute_precision[row]);
    add_text("tactic", layers.tactic[row]);
    add_number("median_ms", layers.median_ms);
    add_number("mean_ms", layers.mean_ms);
    add_number("share", layers.share);
    add_number("weight_bytes", layers.weight_bytes);
    add_number("input_bytes", layers.input_bytes);
    add_number("output_bytes", layers.output_bytes);
    add_number("macs", layers.macs);
  }

  // What is live while each layer runs. With several streams there is no such moment.
  Result<void> write_memory(const TraceEngine& engine) {
    if (engine.memory.frames.empty() || engine.timeline.streams.size() != 1) return {};
    auto frame = engine.memory.frames.begin();
    std::optional<std::int64_t> last;
    for (const TimelineSlice& slice : engine.timeline.slices) {
      while (frame != engine.memory.frames.end() && frame->layer < slice.layer) ++frame;
      if (frame == engine.memory.frames.end()) break;
      if (frame->layer != slice.layer || frame->live_bytes == last) continue;
      last = frame->live_bytes;
      PLANEX_TRY(write_count(slice.start, frame->live_bytes));
    }
    return last ? write_count(engine.timeline.end, 0) : Result<void>();
  }

  Result<void> write_count(analyze::Femtoseconds at, std::int64_t bytes) {
    begin_event("C", thread_of(0)).key("ts").raw(microseconds_text(at));
    json_.member("name", "live activations").key("args").begin_object();
    json_.member("bytes", bytes).end_object();
    return end_event();
  }

  std::span<const TraceEngine> engines_;
  Pieces pieces_;
  JsonWriter json_;
  std::int64_t process_ = 1;
  bool is_first_ = true;
};

}  // namespace

Result<void> write_trace(std::span<const TraceEngine> engines, const DocumentSink& sink) {
  return TraceWriter(engines, sink).write();
}

}  // namespace planex::render
