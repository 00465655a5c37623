#include "render/fields/speed.h"

#include <functional>
#include <string_view>

#include "render/fields/common.h"

namespace planex::render {
namespace {

using analyze::BestSeen;
using analyze::DeviceChoice;
using analyze::DeviceLimits;
using analyze::SpeedGroup;
using analyze::SpeedOfLight;
using analyze::SpeedRow;
using model::DType;
using model::PlanModel;
using record::Fields;

record::Map<double> rates_of(const model::Rates& rates) {
  record::Map<double> map;
  for (std::size_t i = 0; i < static_cast<std::size_t>(DType::kNull); ++i) {
    const auto type = static_cast<DType>(i);
    if (const auto rate = rates.of(type)) map.emplace_back(to_string(type), *rate);
  }
  return map;
}

Fields<DeviceChoice> speed_device_fields() {
  const auto limits =
      Fields<DeviceLimits>("DeviceLimits", "The limits of the device.")
          .field("name", "", "The device, as the table of devices calls it.", &DeviceLimits::name)
          .maybe("source", "", "Where its peaks come from.", &DeviceLimits::source)
          .maybe("bandwidth_source", "", "Where its bandwidth comes from.",
                 &DeviceLimits::bandwidth_source)
          .maybe("note", "", "What the table says about the device.", &DeviceLimits::note)
          .field("bytes_per_s", "bytes/s", "Bandwidth of its memory.", &DeviceLimits::bytes_per_s)
          .field("matrix_flops_per_s", "flop/s", "Operations per second of matrix units, by type.",
                 [](const DeviceLimits& of) { return rates_of(of.matrix_flops_per_s); })
          .field("vector_flops_per_s", "flop/s", "Operations per second of vector units, by type.",
                 [](const DeviceLimits& of) { return rates_of(of.vector_flops_per_s); })
          .field("remarks", "", "Sentences: what was scaled, derived or left open.",
                 &DeviceLimits::remarks);
  return Fields<DeviceChoice>("SpeedDevice", "The device limits that layers are compared with.")
      .maybe("reported_name", "", "The device, as the engine's files call it.",
             [](const DeviceChoice& choice) -> const std::string& { return choice.facts.name; })
      .maybe("problem", "", "Why there are no limits.", &DeviceChoice::problem)
      .maybe("hint", "", "What to do about it.", &DeviceChoice::hint)
      .maybe("remedy", "", "Which option helps.", &DeviceChoice::remedy)
      .object("limits", "The limits; null if it is unknown which device ran the engine.", limits,
              &DeviceChoice::limits);
}

// The sums of a group, without the group's name.
Fields<SpeedGroup> speed_group_fields() {
  return Fields<SpeedGroup>("SpeedTotal", "Sums over layers that do work.")
      .field("count", "count", "Layers.", &SpeedGroup::count)
      .field("time_ms", "ms", "Time of layers that have one.", &SpeedGroup::time_ms)
      .field("bound_ms", "ms", "Bounds of those that have a time and a bound.",
             &SpeedGroup::bound_ms)
      .field("headroom_ms", "ms", "Time of those layers above their bounds.",
             &SpeedGroup::headroom_ms)
      .field("unknown_bound_ms", "ms", "Time of layers without a bound.",
             &SpeedGroup::unknown_bound_ms)
      .field("reached", "ratio", "bound_ms / (bound_ms + headroom_ms).", &SpeedGroup::reached)
      .field("memory_count", "count", "Layers that memory limits.", &SpeedGroup::memory_count)
      .field("compute_count", "count", "Layers that arithmetic limits.", &SpeedGroup::compute_count)
      .field("launch_count", "count", "Layers with too little work to take longer than a launch.",
             &SpeedGroup::launch_count)
      .field("unknown_count", "count", "Layers without a bound.", &SpeedGroup::unknown_count);
}

// `rate`: the name of the figure.
Fields<BestSeen, PlanModel> speed_best_fields(std::string_view name, std::string_view rate,
                                              std::string_view unit) {
  return Fields<BestSeen, PlanModel>(name, "The best of the engine's own layers.")
      .field(rate, unit, "The rate that it achieved.", &BestSeen::per_s)
      .with(layer_fields(), &BestSeen::layer);
}

}  // namespace

const Fields<SpeedRow, PlanModel>& speed_layer_fields() {
  static const auto kFields =
      Fields<SpeedRow, PlanModel>("SpeedLayer", "How close a layer comes to the device's limits.")
          .with(layer_fields(), &SpeedRow::layer)
          .with(layer_type_fields(), &SpeedRow::layer)
          .field("time_ms", "ms", "Its time under the basis.", &SpeedRow::time_ms)
          .field("bound_ms", "ms",
                 "The largest of memory_ms, compute_ms and launch_ms; null unless the bytes are "
                 "known, and for a layer that can have many operations also these.",
                 &SpeedRow::bound_ms)
          .field("headroom_ms", "ms",
                 "time_ms - bound_ms; negative where the layer is faster than its bound.",
                 &SpeedRow::headroom_ms)
          .field("reached", "ratio", "bound_ms / time_ms.", &SpeedRow::reached)
          .maybe("limit", "",
                 "What the bound follows from; launch: no layer of the engine takes less; null: "
                 "bytes or operations are not known.",
                 &SpeedRow::limit)
          .maybe("faster_than_bound", "",
                 "Why it is faster than its bound: it reads parts of its tensors, reads from a "
                 "cache, or multiplies less than the full product.",
                 &SpeedRow::faster_than_bound)
          .field("bytes", "bytes",
                 "What it reads and writes at least: footprint_bytes without the positions that a "
                 "convolution's strides leave out.",
                 &SpeedRow::bytes)
          .field("flops", "count", "Its operations: 2 per multiply-accumulate.",
                 [](const SpeedRow& row, const PlanModel& model) {
                   return model.layers.flops.get(row.layer.index());
                 })
          .field("memory_ms", "ms", "bytes divided by the device's bandwidth.",
                 &SpeedRow::memory_ms)
          .field("compute_ms", "ms", "Its operations divided by the device's peak for rate_type.",
                 &SpeedRow::compute_ms)
          .field("launch_ms", "ms",
                 "Time of the fastest layer; null in engines of fewer than 8 layers.",
                 &SpeedRow::launch_ms)
          .maybe("rate_type", "", "The type whose peak it is compared with.", &SpeedRow::rate_type)
          .maybe("rate_evidence", "",
                 "How that type is known: the kernel says it; from the type of the first input; "
                 "assumed: FP32 tensors that may compute in TF32.",
                 &SpeedRow::rate_evidence)
          .field("tensor_cores", "",
                 "1 where the kernel is known to use matrix units, 0 where it is known not to.",
                 [](const SpeedRow& row, const PlanModel& model) {
                   return model.layers.tensor_cores.get(row.layer.index());
                 })
          .field("bytes_per_s", "bytes/s", "Bandwidth that it achieved.", &SpeedRow::bytes_per_s)
          .field("flops_per_s", "flop/s", "Operations per second that it achieved.",
                 &SpeedRow::flops_per_s)
          .field("observed_bound_ms", "ms",
                 "Its bound at the best rates that layers of this engine reached.",
                 &SpeedRow::observed_bound_ms)
          .field("observed_headroom_ms", "ms", "Its time above observed_bound_ms.",
                 &SpeedRow::observed_headroom_ms);
  return kFields;
}

const SpeedFields& speed_head_fields() {
  static const auto kFields =
      SpeedFields("SpeedHead", "Sums over layers, and the limits they are compared with.")
          .object("device", "", speed_device_fields(), &SpeedOfLight::device)
          .maybe("basis", "", "Which times of layers.", &SpeedOfLight::basis)
          .maybe("no_measure", "",
                 "Why the layer times do not represent the engine: then no layer has one here.",
                 [](const SpeedOfLight& speed) {
                   return speed.no_measure ? model::words_of(*speed.no_measure)
                                           : std::string_view();
                 })
          .field("at_once", "count",
                 "Inferences that ran at once, as far as the files say; 1 otherwise.",
                 &SpeedOfLight::at_once)
          .field("layers_time_ms", "ms", "Σ layers: total.time_ms + others_ms.",
                 &SpeedOfLight::layers_ms)
          .field("others_ms", "ms", "Time of records that do no work.", &SpeedOfLight::others_ms)
          .object("total", "time_ms = bound_ms + headroom_ms + unknown_bound_ms.",
                  speed_group_fields(), &SpeedOfLight::total)
          .list("by_type", "By headroom_ms, descending.",
                Fields<SpeedGroup>("SpeedOfType", "Sums over layers of one type.")
                    .maybe("type", "", "Type of the layers.", &SpeedGroup::key)
                    .with(speed_group_fields()),
                &SpeedOfLight::by_type);
  return kFields;
}

const SpeedFields& speed_tail_fields() {
  const auto best =
      SpeedFields("SpeedBestSeen", "The best that layers of this engine achieved.")
          .object("bandwidth", "Bandwidth of layers that read all of their tensors, from memory.",
                  speed_best_fields("BestBandwidth", "bytes_per_s", "bytes/s"),
                  &SpeedOfLight::best_bytes)
          .list("flops", "Operations per second, by type.",
                Fields<BestSeen, PlanModel>("BestFlops", "The best of a type.")
                    .field("type", "", "Type of the operations.", &BestSeen::type)
                    .with(speed_best_fields("", "flops_per_s", "flop/s")),
                &SpeedOfLight::best_flops);
  const auto faster =
      Fields<SpeedOfLight>("FasterThanBound", "Layers that are faster than their bounds.")
          .field("count", "count", "Layers.", &SpeedOfLight::beyond_count)
          .field("ms", "ms", "By how much, in total.", &SpeedOfLight::beyond_ms)
          .field("parts", "count", "Layers that can read or write only parts of their tensors.",
                 &SpeedOfLight::faster_by_parts)
          .field("cache", "count", "Layers that read what was still in a cache.",
                 &SpeedOfLight::faster_by_cache)
          .field("rate", "count",
                 "Layers that multiply less than the full product, or exceed the stated peak.",
                 &SpeedOfLight::faster_by_rate);
  const auto overhead =
      Fields<SpeedOfLight>("SpeedOverhead", "The part of the times that is the profiler's own.")
          .field("us_per_layer", "us", "Per layer.", &SpeedOfLight::overhead_us_per_layer)
          .field("ms", "ms", "In total.", &SpeedOfLight::overhead_ms);
  static const auto kFields =
      SpeedFields("SpeedTail", "What is known from the engine's own layers.")
          .object("best_seen", "", best, std::identity{})
          .object("faster_than_bound", "", faster, std::identity{})
          .field("floor_ms", "ms", "Time of the fastest layer.", &SpeedOfLight::floor_ms)
          .object("overhead", "", overhead, std::identity{});
  return kFields;
}

const record::Document<SpeedOfLight, PlanModel>& speed_document() {
  static const record::Document<SpeedOfLight, PlanModel> kDocument = {
      "planex.explain-speed/2", "Speed of light: planex explain speed --format json",
      SpeedFields("ExplainSpeed", "How close each layer comes to the device's limits.")
          .with(engine_name_fields<SpeedOfLight>())
          .with(speed_head_fields())
          .list("layers", "By time above the limit, descending.", speed_layer_fields(),
                &SpeedOfLight::rows)
          .with(speed_tail_fields())};
  return kDocument;
}

}  // namespace planex::render
