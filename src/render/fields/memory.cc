#include "render/fields/memory.h"

#include <functional>
#include <vector>

#include "render/fields/common.h"
#include "render/words/memory_sentences.h"

namespace planex::render {
namespace {

using analyze::LivePeak;
using analyze::MemorySummary;
using analyze::MemoryTimeline;
using analyze::PeakContributor;
using analyze::TimelineFrame;
using analyze::TimelineTensor;
using model::LayerId;
using model::PlanModel;
using record::Fields;

using MemoryFields = Fields<MemoryTimeline, PlanModel>;

// With layers in place of frames.
struct TensorRow {
  const TimelineTensor* tensor;
  LayerId first, last;
};

std::vector<TensorRow> tensor_rows(const MemoryTimeline& timeline) {
  std::vector<TensorRow> rows;
  rows.reserve(timeline.tensors.size());
  for (const TimelineTensor& tensor : timeline.tensors) {
    rows.push_back({&tensor, timeline.frames[tensor.first_frame].layer,
                    timeline.frames[tensor.last_frame].layer});
  }
  return rows;
}

MemoryFields peak_fields() {
  const auto of_peak = [](const MemoryTimeline& timeline) -> const LivePeak& {
    return timeline.peak;
  };
  return MemoryFields("MemoryPeak", "When the most memory is live, and how much.")
      .with(Fields<LivePeak, PlanModel>("", "")
                .field("bytes", "bytes", "Activations that are live at once; null: unknown.",
                       &LivePeak::bytes)
                .with(maybe_layer_fields(), &LivePeak::layer)
                .field("with_scratch_bytes", "bytes",
                       "The same with the scratch memory of layers; null if none records its own.",
                       &LivePeak::with_scratch_bytes)
                .field("contributor_count", "count", "Tensors that are live at the peak.",
                       &LivePeak::contributor_count)
                .field("stream_count", "count", "Streams; with several, bytes is an upper bound.",
                       &LivePeak::stream_count)
                .field("tensors_without_size", "count",
                       "Tensors that are not in the sum, which is then a lower bound.",
                       &LivePeak::tensors_without_size),
            of_peak)
      .field("used_bytes", "bytes", "The part of the peak that its layer reads or writes.",
             &MemoryTimeline::used_bytes)
      .field("live_through_bytes", "bytes", "The part of the peak that waits for later layers.",
             &MemoryTimeline::live_through_bytes)
      .field("best_contributor_to_move", "",
             "Index into contributors of the tensor without which the peak is lowest; null if that "
             "is less than 1 % lower.",
             &MemoryTimeline::best_contributor_to_move);
}

Fields<MemorySummary> other_fields() {
  return Fields<MemorySummary>("OtherMemory", "Memory other than activations.")
      .field("weight_bytes", "bytes", "Weights, biases and constants in their stored types.",
             &MemorySummary::weight_bytes)
      .field("input_bytes", "bytes", "The engine's inputs, which are the caller's.",
             &MemorySummary::input_bytes)
      .field("output_bytes", "bytes", "The engine's outputs, which are the caller's.",
             &MemorySummary::output_bytes)
      .field("reported_activation_bytes", "bytes",
             "Activations with scratch memory, as the builder reports them.",
             &MemorySummary::reported_activation_bytes)
      .field("reported_scratch_bytes", "bytes", "Scratch memory, as the builder reports it.",
             &MemorySummary::reported_scratch_bytes)
      .field(
          "reported_device_persistent_bytes", "bytes",
          "What an execution context reserves for as long as it exists, as the builder reports it.",
          &MemorySummary::reported_device_persistent_bytes);
}

Fields<PeakContributor, PlanModel> contributor_fields() {
  return Fields<PeakContributor, PlanModel>("PeakContributor", "A tensor that is live at the peak.")
      .with(tensor_fields(), &PeakContributor::tensor)
      .field("bytes", "bytes", "Its memory.", &PeakContributor::bytes)
      .field("first_layer_id", "", "The first layer that touches it.", &PeakContributor::first)
      .never_null()
      .field("last_layer_id", "", "The last layer that touches it.", &PeakContributor::last)
      .never_null()
      .field("span", "count", "Layers from the first to the last, both counted.",
             &PeakContributor::span)
      .field("byte_layers", "", "bytes × span.", &PeakContributor::byte_layers)
      .field("is_live_through", "",
             "The layer at the peak neither reads nor writes it: it waits for a later one.",
             &PeakContributor::is_live_through)
      .field("peak_without_bytes", "bytes",
             "The peak if it were not live between the layers that touch it; null unless it is one "
             "of the largest that wait, on one stream.",
             &PeakContributor::peak_without_bytes);
}

Fields<TimelineFrame> frame_bytes_fields() {
  return Fields<TimelineFrame>("FrameBytes", "Memory that is live while a layer runs.")
      .field("live_bytes", "bytes", "Activations.", &TimelineFrame::live_bytes)
      .field("scratch_bytes", "bytes", "Scratch memory that the layer reserves.",
             &TimelineFrame::scratch_bytes);
}

Fields<TensorRow> tensor_row_fields() {
  const auto of_tensor = [](const TensorRow& row) -> const TimelineTensor& { return *row.tensor; };
  return Fields<TensorRow>("TimelineTensor", "One memory during its lifetime.")
      .with(Fields<TimelineTensor>("", "")
                .field("tensor_id", "", "The largest of several names for one memory.",
                       &TimelineTensor::tensor)
                .never_null()
                .maybe("dtype", "", "Its type where it is written.", &TimelineTensor::dtype)
                .field("bytes", "bytes", "Its size.", &TimelineTensor::bytes),
            of_tensor)
      .field("first_layer_id", "", "The first layer that touches it.", &TensorRow::first)
      .never_null()
      .field("last_layer_id", "", "The last layer that touches it.", &TensorRow::last)
      .never_null()
      .with(Fields<TimelineTensor>("", "").field("offset_bytes", "bytes",
                                                 "Its place; null if it was not placed: with very "
                                                 "many memories, the smallest are not.",
                                                 &TimelineTensor::offset_bytes),
            of_tensor);
}

}  // namespace

const Fields<TimelineFrame, PlanModel>& memory_frame_fields() {
  static const auto kFields =
      Fields<TimelineFrame, PlanModel>("MemoryFrame", "Memory that is live while a layer runs.")
          .with(layer_fields(), &TimelineFrame::layer)
          .with(frame_bytes_fields(), std::identity{});
  return kFields;
}

const record::Document<MemoryTimeline, PlanModel>& memory_document() {
  const auto frames = Fields<TimelineFrame>("MemoryFrames", "Live memory, layer by layer.")
                          .field("layer_id", "", "The layer that runs.", &TimelineFrame::layer)
                          .never_null()
                          .with(frame_bytes_fields());
  static const record::Document<MemoryTimeline, PlanModel> kDocument = {
      "planex.explain-memory/2", "Memory timeline: planex explain memory --format json",
      MemoryFields("ExplainMemory", "Which memory is live when, and which tensors need the most.")
          .with(engine_name_fields<MemoryTimeline>())
          .object(
              "conclusion", "",
              Fields<Conclusion>("MemoryConclusion", "The answer in words.")
                  .field("headline", "", "The peak, or why it is unknown.", &Conclusion::headline)
                  .maybe("text", "", "Which tensors make up the peak, and what would lower it.",
                         &Conclusion::text),
              [](const MemoryTimeline& timeline, const PlanModel& model) {
                return memory_conclusion(model, timeline);
              })
          .maybe("other_memory_text", "", "Memory other than activations, in words.",
                 other_memory_text)
          .object("peak", "", peak_fields(), std::identity{})
          .object("other_memory", "", other_fields(), &MemoryTimeline::memory)
          .list("contributors", "Tensors that are live at the peak, largest first.",
                contributor_fields(), &MemoryTimeline::contributors)
          .columns("frames", "Lists of one length, in execution order.", frames,
                   &MemoryTimeline::frames)
          .maybe("offsets", "",
                 "given: by the file; packed: the largest first, each at the lowest free place.",
                 &MemoryTimeline::offsets)
          .field("height_bytes", "bytes", "The end of the highest of the placed tensors.",
                 &MemoryTimeline::height_bytes)
          .columns("tensors",
                   "Memories of activations that have a size, one row each: on one stream, the "
                   "memories that are live in a frame add up to its live_bytes.",
                   tensor_row_fields(), tensor_rows)};
  return kDocument;
}

}  // namespace planex::render
