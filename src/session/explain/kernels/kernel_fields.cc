#include "session/explain/kernels/kernel_fields.h"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/quantities.h"
#include "model/plan_model.h"
#include "render/fields/columns.h"
#include "render/fields/common.h"
#include "session/explain/kernels/kernel_sentences.h"

namespace planex::session::kernels_topic {
namespace {

using analyze::KernelExplanation;
using analyze::KernelTotals;
using analyze::LayerKernels;
using model::KernelsTable;
using model::PlanModel;
using record::Fields;
using render::column_field;
using render::column_info;
using render::engine_name_fields;
using render::maybe_layer_fields;
using render::named_layer_fields;
using render::RowFields;

using ExplanationFields = Fields<KernelExplanation, PlanModel>;

template <typename Column, typename... As>
RowFields kernels_column(Column KernelsTable::* column, std::string_view name, As... as) {
  return column_field(column_info("kernels", name), &PlanModel::kernels, column, as...);
}

// A row of `kernels` without the names of it and its layer; `as`: what becomes of dimensions.
template <typename As>
RowFields launch_fields(As as) {
  return RowFields("", "")
      .with(kernels_column(&KernelsTable::short_name, "short_name"))
      .with(kernels_column(&KernelsTable::stream, "stream"))
      .with(kernels_column(&KernelsTable::start_us, "start_us"))
      .with(kernels_column(&KernelsTable::count, "count"))
      .with(kernels_column(&KernelsTable::median_us, "median_us"))
      .with(kernels_column(&KernelsTable::mean_us, "mean_us"))
      .with(kernels_column(&KernelsTable::min_us, "min_us"))
      .with(kernels_column(&KernelsTable::max_us, "max_us"))
      .with(kernels_column(&KernelsTable::total_ms, "total_ms"))
      .with(kernels_column(&KernelsTable::grid, "grid", as))
      .with(kernels_column(&KernelsTable::block, "block", as))
      .with(kernels_column(&KernelsTable::registers, "registers"))
      .with(kernels_column(&KernelsTable::shared_bytes, "shared_bytes"));
}

RowFields kernel_fields() {
  return RowFields("Kernel", "A kernel in one place of an inference.")
      .with(kernels_column(&KernelsTable::index, "index"))
      .with(kernels_column(&KernelsTable::name, "name"))
      .with(launch_fields(std::identity{}));
}

ExplanationFields sums_fields() {
  const auto compared =
      Fields<KernelExplanation>("KernelsCompared", "Sums over layers that have both times.")
          .field("layers_time_ms", "ms", "Time of the layers in the profile.",
                 &KernelExplanation::compared_layers_ms)
          .field("kernels_time_ms", "ms", "Time of their kernels.",
                 &KernelExplanation::compared_kernels_ms)
          .field("difference_ms", "ms", "layers_time_ms - kernels_time_ms.",
                 &KernelExplanation::difference_ms)
          .field("difference_share", "ratio", "Share of layers_time_ms.",
                 &KernelExplanation::difference_share);
  return ExplanationFields("KernelSums", "Times of kernels compared with times of layers.")
      .maybe("time_basis", "", "Which times of layers.", &KernelExplanation::basis)
      .field("are_times_of_kernels", "",
             "There was no profile: the layers' times are sums of kernels.",
             &KernelExplanation::are_times_of_kernels)
      .field("inferences", "count", "The most inferences that a kernel was measured in.",
             &KernelExplanation::inferences)
      .field("layers_time_ms", "ms", "Sum over all layers.", &KernelExplanation::layers_ms)
      .field("kernels_time_ms", "ms", "Sum of kernel_ms.", &KernelExplanation::kernels_ms)
      .field("end_to_end_ms", "ms", "Median, from times that were measured without the trace.",
             &KernelExplanation::end_to_end_ms)
      .object("compared", "Layers that have both.", compared, std::identity{})
      .field("layers_with_kernels", "count", "Layers that launch kernels.",
             &KernelExplanation::with_kernels)
      .field("layers_without_kernels", "count", "Layers that do work and launch none.",
             &KernelExplanation::without_kernels)
      .field("layers_without_kernels_ms", "ms", "Time of those layers.",
             &KernelExplanation::without_kernels_ms)
      .field("launches", "count", "Places of kernels in an inference.",
             &KernelExplanation::launches);
}

Fields<LayerKernels, PlanModel> layer_kernels_fields() {
  return Fields<LayerKernels, PlanModel>("LayerKernels", "What a layer launches.")
      .with(named_layer_fields(), &LayerKernels::layer)
      .field("time_ms", "ms", "Its time in the profile, under the basis.", &LayerKernels::time_ms)
      .field("kernel_ms", "ms", "Median over inferences of the sum of its kernels.",
             &LayerKernels::kernel_ms)
      .field("difference_ms", "ms",
             "time_ms - kernel_ms; null where one is missing, or the times are those of the "
             "kernels.",
             &LayerKernels::difference_ms)
      .field("share", "ratio", "kernel_ms as a share of kernels_time_ms.", &LayerKernels::share)
      .list("kernels", "In the order in which they are launched.", kernel_fields(),
            &LayerKernels::rows);
}

Fields<KernelTotals, PlanModel> kernel_totals_fields() {
  return Fields<KernelTotals, PlanModel>("KernelTotals", "All launches of a kernel by layers.")
      .maybe("name", "", "Name of the kernel.",
             [](const KernelTotals& kernel, const PlanModel& model) {
               return model.text(kernel.name);
             })
      .field("launches", "count", "Places in an inference where it is launched.",
             &KernelTotals::rows)
      .field("layers", "count", "Layers that launch it.", &KernelTotals::layers)
      .field("time_ms", "ms", "Sum of the medians of its places.", &KernelTotals::time_ms)
      .field("share", "ratio", "Share of the sum over all kernels.", &KernelTotals::share);
}

Fields<analyze::StreamUses> stream_uses_fields() {
  using analyze::StreamPairUse;
  using analyze::StreamUse;
  const auto stream =
      Fields<StreamUse>("StreamUse", "A stream of the device.")
          .field("process", "", "Its process, numbered from 0.", &StreamUse::process)
          .field("device", "", "The device that it belongs to.", &StreamUse::device)
          .field("context", "", "The CUDA context that it belongs to.", &StreamUse::context)
          .field("stream", "", "Its number there.", &StreamUse::stream)
          .field("inferences", "count",
                 "Inferences of this engine that ran on it; 0: work of others.",
                 &StreamUse::inferences)
          .field("launches", "count", "Kernels, copies and fills.", &StreamUse::launches)
          .field("busy_ms", "ms", "Time in which it ran something.", &StreamUse::busy_ms)
          .field("busy_share", "ratio", "Share of window_ms.", &StreamUse::busy_share)
          .field("overlapped_ms", "ms", "Part of busy_ms in which another stream ran, too.",
                 &StreamUse::overlapped_ms)
          .field("overlapped_share", "ratio", "Share of busy_ms.", &StreamUse::overlapped_share)
          .field("waiting_ms", "ms",
                 "Time in which work was queued on it, it ran nothing, and another stream ran; "
                 "null: unknown.",
                 &StreamUse::waiting_ms)
          .field("waiting_share", "ratio", "Share of window_ms.", &StreamUse::waiting_share)
          .field("waits_while", "",
                 "The stream that ran during most of the wait: its place in `streams`, from 0.",
                 &StreamUse::waits_while)
          .field("waits_while_ms", "ms", "How long that was.", &StreamUse::waits_while_ms);
  const auto pair =
      Fields<StreamPairUse>("StreamPairUse", "Two streams.")
          .field("stream", "", "The place of one in `streams`, from 0.", &StreamPairUse::stream)
          .field("other", "", "The place of the other.", &StreamPairUse::other)
          .field("overlapped_ms", "ms", "Time in which both ran something.",
                 &StreamPairUse::overlapped_ms)
          .field("waiting_ms", "ms", "Time in which the first waits and the other runs.",
                 &StreamPairUse::waiting_ms);
  return Fields<analyze::StreamUses>("StreamUses", "Streams of the device, running side by side.")
      .field("window_ms", "ms", "Time from the first to the last work of this engine's inferences.",
             &analyze::StreamUses::window_ms)
      .list("streams", "By process, device, context and number.", stream,
            &analyze::StreamUses::streams)
      .list("pairs", "Each pair, in both orders.", pair, &analyze::StreamUses::pairs)
      .field("longest_wait", "",
             "The stream that waits longest: its place in `streams`; null: none waits.",
             &analyze::StreamUses::longest_wait);
}

// A figure of the kernel's layer; null if it has none.
template <typename Get>
auto of_layer(Get get) {
  return [get](const KernelRow& row) {
    return row.of == nullptr ? std::nullopt : std::invoke(get, *row.of);
  };
}

}  // namespace

std::vector<KernelRow> kernel_rows(const KernelExplanation& explanation) {
  std::vector<KernelRow> rows;
  for (const LayerKernels& of : explanation.layers) {
    for (const std::size_t row : of.rows) rows.push_back({&of, row});
  }
  for (const std::size_t row : explanation.between.rows) rows.push_back({nullptr, row});
  for (const std::size_t row : explanation.elsewhere.rows) rows.push_back({nullptr, row});
  return rows;
}

const Fields<KernelRow, PlanModel>& kernel_row_fields() {
  static const auto kFields =
      Fields<KernelRow, PlanModel>("KernelRow", "A kernel with its layer.")
          .with(maybe_layer_fields(),
                [](const KernelRow& row) {
                  return row.of == nullptr ? model::LayerId() : row.of->layer;
                })
          .field("layer_time_ms", "ms", "Time of the layer in the profile, under the basis.",
                 of_layer(&LayerKernels::time_ms))
          .field("layer_kernel_ms", "ms",
                 "Median over inferences of the sum of the layer's kernels.",
                 of_layer(&LayerKernels::kernel_ms))
          .field("layer_difference_ms", "ms", "layer_time_ms - layer_kernel_ms.",
                 of_layer(&LayerKernels::difference_ms))
          .with(kernels_column(&KernelsTable::index, "index"), &KernelRow::row)
          .maybe("kernel", "", column_info("kernels", "name").description,
                 [](const KernelRow& row, const PlanModel& model) {
                   return model.text(model.kernels.name[row.row]);
                 })
          .with(launch_fields(
                    [](std::span<const std::int64_t> dims) { return base::dims_text(dims); }),
                &KernelRow::row);
  return kFields;
}

const record::Document<KernelExplanation, PlanModel>& kernels_document() {
  static const record::Document<KernelExplanation, PlanModel> kDocument = {
      "planex.explain-kernels/1", "Kernels: planex explain kernels --format json",
      ExplanationFields("ExplainKernels", "What layers launch, from a trace of the device.")
          .with(engine_name_fields<KernelExplanation>())
          .with(sums_fields())
          .field("sentences", "", "The conclusions, in words.",
                 [](const KernelExplanation& explanation, const PlanModel& model) {
                   return kernel_sentences(model, explanation);
                 })
          .object(
              "streams",
              "How streams were used; null if the trace does not record which streams work ran on.",
              stream_uses_fields(), &KernelExplanation::streams)
          .list("layers", "With kernels, in execution order.", layer_kernels_fields(),
                &KernelExplanation::layers)
          .list("by_kernel", "Most time first.", kernel_totals_fields(),
                &KernelExplanation::kernels)
          .list("between_layers",
                "Kernels in an inference, but in no layer's range; most time first.",
                kernel_fields(),
                [](const KernelExplanation& explanation) -> const std::vector<std::size_t>& {
                  return explanation.between.rows;
                })
          .list("outside_of_inferences",
                "Kernels outside of the engine's inferences; most time first.", kernel_fields(),
                [](const KernelExplanation& explanation) -> const std::vector<std::size_t>& {
                  return explanation.elsewhere.rows;
                })};
  return kDocument;
}

}  // namespace planex::session::kernels_topic
