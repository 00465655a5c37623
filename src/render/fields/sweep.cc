#include "render/fields/sweep.h"

#include <string_view>

#include "render/words/sweep_sentences.h"

namespace planex::render {
namespace {

using analyze::ChangedTactic;
using analyze::LotteryLayer;
using analyze::LotteryTactic;
using analyze::Sweep;
using analyze::SweepAxis;
using analyze::SweepCell;
using analyze::SweepCliff;
using analyze::SweepLottery;
using record::Fields;

Fields<SweepAxis> axis_fields() {
  return Fields<SweepAxis>("SweepAxis", "What was varied.")
      .field("name", "", "batch, threads, precision, shape:INPUT, or an option of the engine.",
             &SweepAxis::name)
      .field("values", "", "Its values, as they were requested.", &SweepAxis::values)
      .field("is_ordered", "", "All values are numbers, or shapes.", &SweepAxis::is_ordered);
}

std::string_view cell_error_text(const SweepCell& cell, std::string Error::* text) {
  return cell.error ? std::string_view((*cell.error).*text) : std::string_view();
}

Fields<ChangedTactic> changed_tactic_fields() {
  return Fields<ChangedTactic>("SweepChangedTactic", "A layer that runs a different kernel.")
      .field("layer", "", "Its name in the second cell.", &ChangedTactic::layer)
      .maybe("a_tactic", "", "The kernel in the first cell.", &ChangedTactic::a_tactic)
      .maybe("b_tactic", "", "The kernel in the second.", &ChangedTactic::b_tactic)
      .field("a_ms", "ms", "Its time in the first cell.", &ChangedTactic::a_ms)
      .field("b_ms", "ms", "Its time in the second.", &ChangedTactic::b_ms);
}

Fields<SweepCliff> cliff_fields() {
  return Fields<SweepCliff>("SweepCliff", "A step that costs more than its work explains.")
      .field("axis", "", "Place of the axis.", &SweepCliff::axis)
      .field("a", "", "Place of the cell before the step.", &SweepCliff::a)
      .field("b", "", "Place of the cell after it.", &SweepCliff::b)
      .field("a_ms", "ms", "Time of an inference before; where several run at once, of an item.",
             &SweepCliff::a_ms)
      .field("b_ms", "ms", "The same after.", &SweepCliff::b_ms)
      .field("time_ratio", "ratio", "After ÷ before.", &SweepCliff::time_ratio)
      .field("low_ratio", "ratio", "Lower end of the 95 % interval of that ratio.",
             &SweepCliff::low_ratio)
      .field("high_ratio", "ratio", "Upper end of that interval.", &SweepCliff::high_ratio)
      .field("work_ratio", "ratio", "What more work explains, at most.", &SweepCliff::work_ratio)
      .field("basis", "",
             "How the work is measured: macs (or traffic, where that grows by more), items, none "
             "(both do the same).",
             &SweepCliff::basis)
      .field("excess_ms", "ms", "b_ms - a_ms * work_ratio.", &SweepCliff::excess_ms)
      .field("paired_layers", "count", "Layers that do the same in both.",
             &SweepCliff::paired_layers)
      .field("changed_count", "count", "Of these, those that run a different kernel.",
             &SweepCliff::changed_count)
      .list("changed", "The most expensive of them.", changed_tactic_fields(),
            &SweepCliff::changed);
}

Fields<analyze::SweepScaling> scaling_fields() {
  using analyze::ScalingPoint;
  using analyze::SweepScaling;
  const auto point =
      Fields<ScalingPoint>("SweepScalingPoint", "A number of inferences at once.")
          .field("cell", "", "Place of the cell.", &ScalingPoint::cell)
          .field("items_per_s", "1/s", "Items of all inferences.", &ScalingPoint::items_per_s)
          .field("latency_ms", "ms", "Latency of one inference alongside the others.",
                 &ScalingPoint::latency_ms)
          .field("throughput_ratio", "ratio", "Ratio to the first point.",
                 &ScalingPoint::throughput_ratio)
          .field("latency_ratio", "ratio", "Ratio to the first point.",
                 &ScalingPoint::latency_ratio);
  return Fields<SweepScaling>("SweepScaling", "The effect of more inferences at once.")
      .field("axis", "", "Place of the axis.", &SweepScaling::axis)
      .field("enough", "",
             "The place in `points` after which more inferences bring no more throughput, only "
             "latency; null: throughput grows up to the last.",
             &SweepScaling::enough)
      .list("points", "By the axis, ascending.", point, &SweepScaling::points);
}

Fields<SweepLottery> lottery_fields() {
  const auto tactic =
      Fields<LotteryTactic>("SweepLotteryTactic", "A kernel that some builds chose.")
          .field("tactic", "", "The kernel.", &LotteryTactic::tactic)
          .field("run_count", "count", "Builds that chose it.", &LotteryTactic::run_count)
          .field("time_ms", "ms", "Mean time of the layer in these.", &LotteryTactic::time_ms);
  const auto layer =
      Fields<LotteryLayer>("SweepLotteryLayer", "A layer whose kernel differs from build to build.")
          .field("layer", "", "Its name.", &LotteryLayer::layer)
          .field("cost_ms", "ms", "Mean over all builds minus that of the fastest kernel.",
                 &LotteryLayer::cost_ms)
          .list("tactics", "Its kernels, fastest first.", tactic, &LotteryLayer::tactics);
  return Fields<SweepLottery>("SweepLottery", "A cell whose builds chose different kernels.")
      .field("cell", "", "Place of the cell.", &SweepLottery::cell)
      .field("run_count", "count", "Builds that were compared.", &SweepLottery::run_count)
      .field("layer_count", "count", "Layers that all of them have.", &SweepLottery::layer_count)
      .field("cost_ms", "ms", "Sum over the layers.", &SweepLottery::cost_ms)
      .list("layers", "The layers, costliest first.", layer, &SweepLottery::layers);
}

Fields<SweepCell> fields_of_a_cell() {
  return Fields<SweepCell>("SweepCell", "One point of the grid.")
      .field("id", "", "Its folder.", &SweepCell::id)
      .field("values", "", "Its value on each axis.", &SweepCell::values)
      .field("state", "", "done, failed or pending.", &SweepCell::state)
      .field("run_count", "count", "Builds that finished.", &SweepCell::run_count)
      .maybe("engine_file", "", "The file to open, of the run in the middle.", &SweepCell::engine)
      .field("latency_ms", "ms", "End to end, without the profiler: mean of its runs' medians.",
             &SweepCell::latency_ms)
      .field("latency_low_ms", "ms", "Lower end of its 95 % interval.", &SweepCell::latency_low_ms)
      .field("latency_high_ms", "ms", "Upper end of that interval.", &SweepCell::latency_high_ms)
      .field("batch_size", "count", "Items of one inference.", &SweepCell::batch_size)
      .field("concurrent", "count", "Inferences that ran at once.", &SweepCell::concurrent)
      .field("items_per_s", "1/s", "Throughput in items.", &SweepCell::items_per_s)
      .field("item_ms", "ms", "1000 / items_per_s.", &SweepCell::item_ms)
      .field("layer_count", "count", "Layers that do work.", &SweepCell::layer_count)
      .field("layers_ms", "ms", "Sum of the times of layers.", &SweepCell::layers_ms)
      .field("reformat_count", "count", "Conversions of layout or type.",
             &SweepCell::reformat_count)
      .field("reformats_ms", "ms", "Their time.", &SweepCell::reformats_ms)
      .field("macs", "count", "Multiply-accumulates of an inference.", &SweepCell::macs)
      .field("traffic_bytes", "bytes", "What layers read and write.", &SweepCell::traffic_bytes)
      .field("weight_bytes", "bytes", "Weights as they are stored.", &SweepCell::weight_bytes)
      .field("peak_bytes", "bytes", "Peak of activations.", &SweepCell::peak_bytes)
      .field("memory_bytes", "bytes", "weight_bytes + peak_bytes.", &SweepCell::memory_bytes)
      .field("is_on_throughput_front", "",
             "No cell has both a shorter latency and a greater throughput.",
             &SweepCell::is_on_throughput_front)
      .field("is_on_memory_front", "", "No cell has both a shorter latency and less memory.",
             &SweepCell::is_on_memory_front)
      .maybe("error", "", "Why it failed.",
             [](const SweepCell& cell) { return cell_error_text(cell, &Error::message); })
      .maybe("error_hint", "", "What to do about it.",
             [](const SweepCell& cell) { return cell_error_text(cell, &Error::hint); })
      .maybe("error_context", "", "The engine's own message.",
             [](const SweepCell& cell) { return cell_error_text(cell, &Error::context); })
      .field("report_engine", "", "Place among the report's engines.", &SweepCell::report_engine)
      .left_out();
}

}  // namespace

const Fields<SweepCell>& sweep_cell_fields() {
  static const auto kFields = fields_of_a_cell();
  return kFields;
}

const record::Document<Sweep>& sweep_document() {
  static const record::Document<Sweep> kDocument = {
      "planex.sweep/1", "A sweep: planex sweep --format json",
      Fields<Sweep>("Sweep", "Builds of a model over a grid.")
          .field("model", "", "The model's file.", &Sweep::model)
          .field("repeats", "count", "Builds of each cell that were requested.", &Sweep::repeats)
          .list("axes", "What was varied.", axis_fields(), &Sweep::axes)
          .field("done_count", "count", "Cells that are measured.", &Sweep::done_count)
          .field("failed_count", "count", "Cells that failed.", &Sweep::failed_count)
          .field("pending_count", "count", "Cells that were not run.", &Sweep::pending_count)
          .field("run_spread_ratio", "ratio",
                 "How much runs of one cell differ: standard deviation over all cells; null: no "
                 "cell was run twice.",
                 &Sweep::run_spread_ratio)
          .field("spread_freedom", "count", "Degrees of freedom of it.", &Sweep::spread_freedom)
          .field("sentences", "", "The conclusions, in words.", &sweep_sentences)
          .list("cells", "In the order of the grid: the last axis changes fastest.",
                sweep_cell_fields(), &Sweep::cells)
          .field("step_count", "count", "Steps along ordered axes that could be judged.",
                 &Sweep::step_count)
          .list("cliffs", "Steps that cost more than their work, largest excess first.",
                cliff_fields(), &Sweep::cliffs)
          .field("throughput_front", "",
                 "Places of cells that no other beats in latency and throughput, by latency.",
                 &Sweep::throughput_front)
          .field("memory_front", "",
                 "Places of cells that no other beats in latency and memory, by latency.",
                 &Sweep::memory_front)
          .field("lottery_cells", "count", "Cells with several builds whose kernels are known.",
                 &Sweep::lottery_cells)
          .list("scaling", "Along axes that vary how many inferences run at once.",
                scaling_fields(), &Sweep::scaling)
          .list("lottery", "Cells whose builds chose different kernels.", lottery_fields(),
                &Sweep::lottery)};
  return kDocument;
}

}  // namespace planex::render
