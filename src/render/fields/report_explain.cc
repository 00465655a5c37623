#include "render/fields/report_explain.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "render/fields/blocks.h"
#include "render/fields/common.h"
#include "render/fields/precision.h"
#include "render/fields/reformats.h"
#include "render/fields/speed.h"
#include "render/words/reformat_sentences.h"

namespace planex::render {
namespace {

using analyze::AttentionBlock;
using analyze::Blocks;
using analyze::ConvolutionWindow;
using analyze::Neighbour;
using analyze::OpaqueBlock;
using analyze::PointwiseExplanation;
using analyze::PointwiseGroup;
using analyze::PointwiseLayer;
using analyze::PrecisionExplanation;
using analyze::PrecisionIsland;
using analyze::ReadType;
using analyze::ReformatExplanation;
using analyze::ReformatGroup;
using analyze::ReformatRow;
using analyze::SpeedOfLight;
using analyze::SpeedRow;
using model::PlanModel;
using record::Fields;

using Windows = std::vector<ConvolutionWindow>;

constexpr std::string_view kIdOfLayer = "Position of the record in the engine's own list.";

// "layer_id" of a row that has a layer.
template <typename Row>
Fields<Row, PlanModel> report_layer_id_fields() {
  return Fields<Row, PlanModel>("", "").field("layer_id", "", kIdOfLayer, &Row::layer).never_null();
}

std::string_view name_or_empty(const PlanModel& model, model::TensorId tensor) {
  return tensor.is_null() ? std::string_view() : model.text(model.tensors.name[tensor.index()]);
}

// Which times the figures are, and their sum.
template <typename T>
Fields<T, PlanModel> report_basis_fields(std::string_view name, std::string_view description) {
  return Fields<T, PlanModel>(name, description)
      .maybe("time_basis", "", "Which times of layers.", &T::basis)
      .field("layers_time_ms", "ms", "Sum of all layers, to which shares refer.", &T::layers_ms);
}

// A row of `layers`; null if it is not judged, because it does no work.
struct LayerSpeed {
  const SpeedRow* row = nullptr;
  std::size_t layer = 0;
};

std::vector<LayerSpeed> speed_of_layers(const SpeedOfLight& speed, const PlanModel& model) {
  std::vector<LayerSpeed> rows(model.layers.row_count());
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i].layer = i;
  for (const SpeedRow& row : speed.rows) rows[row.layer.index()].row = &row;
  return rows;
}

const Fields<LayerSpeed, PlanModel>& report_layer_speed_fields() {
  const auto real = [](std::optional<double> SpeedRow::* value) {
    return
        [value](const LayerSpeed& of) { return of.row == nullptr ? std::nullopt : of.row->*value; };
  };
  const auto word = [](auto SpeedRow::* value) {
    return [value](const LayerSpeed& of) {
      return of.row == nullptr ? std::string_view() : to_string(of.row->*value);
    };
  };
  static const auto kFields =
      Fields<LayerSpeed, PlanModel>("ReportSpeedLayer", "Bounds of one row of `layers`.")
          .field("memory_ms", "ms", "bytes divided by the device's bandwidth.",
                 real(&SpeedRow::memory_ms))
          .field("compute_ms", "ms", "Its operations divided by the device's peak for rate_type.",
                 real(&SpeedRow::compute_ms))
          .field("launch_ms", "ms", "Time of the fastest layer.", real(&SpeedRow::launch_ms))
          .field("bytes", "bytes",
                 "What it reads and writes at least, if that is not footprint_bytes.",
                 [](const LayerSpeed& of, const PlanModel& model) {
                   const bool differs = of.row != nullptr &&
                                        of.row->bytes != model.layers.footprint_bytes.get(of.layer);
                   return differs ? of.row->bytes : std::nullopt;
                 })
          .maybe("limit", "", "Which column is the bound; null: unknown.", word(&SpeedRow::limit))
          .one_of({"memory", "compute", "launch"})
          .maybe("rate_type", "", "The type whose peak it is compared with.",
                 word(&SpeedRow::rate_type))
          .maybe("rate_evidence", "", "How that type is known.", word(&SpeedRow::rate_evidence))
          .field("observed_bound_ms", "ms",
                 "Its bound at the best rates that layers of this engine reached.",
                 real(&SpeedRow::observed_bound_ms));
  return kFields;
}

// [layer, port, layer, port …]
std::vector<std::int64_t> pairs_of(const std::vector<Neighbour>& neighbours) {
  std::vector<std::int64_t> list;
  for (const Neighbour& neighbour : neighbours) {
    list.push_back(static_cast<std::int64_t>(neighbour.layer.index()));
    list.push_back(static_cast<std::int64_t>(neighbour.port));
  }
  return list;
}

std::string_view differs(const ReformatRow& row) {
  constexpr std::string_view kWords[] = {
      "",        "type",         "layout",         "type layout",
      "strides", "type strides", "layout strides", "type layout strides"};
  return kWords[(row.type_differs ? 1 : 0) + (row.layout_differs ? 2 : 0) +
                (row.strides_differ ? 4 : 0)];
}

const Fields<ReformatRow, PlanModel>& report_reformat_fields() {
  using Row = ReformatRow;
  static const auto kFields =
      Fields<Row, PlanModel>("ReportReformat", "A conversion, and why it is there.")
          .with(report_layer_id_fields<Row>())
          .field("kind", "", "What it does.", &Row::kind)
          .field("from_port", "", "Row of `ports`: what it reads.", &Row::from)
          .field("to_port", "", "Row of `ports`: what it writes.", &Row::to)
          .maybe("from_dtype", "", "Type that it reads.", &Row::from_type)
          .maybe("to_dtype", "", "Type that it writes.", &Row::to_type)
          .maybe("differs", "", "Words: type, layout, strides.", differs)
          .field("producers", "", "Before the chain, alternating: a layer, a port.",
                 [](const Row& row) { return pairs_of(row.producers); })
          .field("consumers", "", "After the chain, alternating: a layer, a port.",
                 [](const Row& row) { return pairs_of(row.consumers); })
          .field("at_engine_input", "", "It converts an input of the engine.",
                 &Row::at_engine_input)
          .field("at_engine_output", "", "It converts an output of the engine.",
                 &Row::at_engine_output)
          .field("verdict", "", "Whether it can be removed.", &Row::verdict)
          .maybe("changed_by", "", "Who can change that: model, caller or nobody.",
                 &Row::changed_by)
          .maybe("reason", "", "Why it is there.", &Row::reason)
          .maybe("confidence", "", "How sure that is.", &Row::confidence)
          .maybe("cause", "", "The same in words.",
                 [](const Row& row, const PlanModel& model) { return reformat_cause(model, row); })
          .maybe("advice", "", "What to change.",
                 [](const Row& row, const PlanModel& model) { return reformat_advice(model, row); })
          .maybe("io_format", "", "The format that the caller would bind.", &Row::io_format)
          .field("cause_layer_id", "", "The layer that causes it.", &Row::cause_layer)
          .field("tensors", "", "Tensors to put Q/DQ on.",
                 [](const Row& row, const PlanModel& model) {
                   std::vector<std::string_view> names;
                   for (const model::TensorId tensor : row.tensors) {
                     names.push_back(name_or_empty(model, tensor));
                   }
                   return names;
                 })
          .field("group", "", "Its chain: a row of `groups`.", &Row::group);
  return kFields;
}

const Fields<ReformatGroup, PlanModel>& report_chain_fields() {
  static const auto kFields =
      Fields<ReformatGroup, PlanModel>("ReportReformatGroup", "A chain of conversions.")
          .maybe("tensor", "", "The tensor at the start of the chain.",
                 [](const ReformatGroup& group, const PlanModel& model) {
                   return name_or_empty(model, group.root);
                 })
          .field("writer_layer_id", "", "The layer that writes it.", &ReformatGroup::writer);
  return kFields;
}

const Fields<PrecisionIsland, PlanModel>& report_island_fields() {
  using Island = PrecisionIsland;
  static const auto kFields =
      Fields<Island, PlanModel>("ReportIsland", "Connected wide tensors.")
          .field("ends", "", "Where narrow layers are next to it.", &Island::ends)
          .maybe("tensor", "", "The first wide tensor in execution order.",
                 [](const Island& island, const PlanModel& model) {
                   return name_or_empty(model, island.root);
                 })
          .maybe("dtype", "", "Its type.", &Island::root_type)
          .field("writer_layer_id", "", "What writes it; null at the engine's input.",
                 &Island::root_writer)
          .field("tensor_count", "count", "Its wide tensors.", &Island::tensor_count)
          .field("layer_ids", "", "Its layers in execution order.",
                 [](const Island& island) {
                   std::vector<model::LayerId> ids;
                   for (const analyze::IslandLayer& of : island.layers) ids.push_back(of.layer);
                   return ids;
                 })
          .never_null()
          .field("roles", "", "What each does in the island.",
                 [](const Island& island) {
                   std::vector<std::string_view> roles;
                   for (const auto& of : island.layers) roles.push_back(to_string(of.role));
                   return roles;
                 })
          .field("wide_bytes", "bytes", "Bytes moved in the wide types.", &Island::wide_bytes)
          .field("narrow_bytes", "bytes", "The same elements in the narrow type.",
                 &Island::narrow_bytes);
  return kFields;
}

const Fields<AttentionBlock>& report_attention_fields() {
  static const auto kFields =
      Fields<AttentionBlock>("ReportAttention", "Layers that compute attention.")
          .field("layer_ids", "", "Its layers in execution order.", &AttentionBlock::layers)
          .never_null()
          .field("evidence", "", "How it is known: kernel, sources or graph.",
                 &AttentionBlock::evidence)
          .maybe("evidence_text", "", "What was recognized.", &AttentionBlock::evidence_text);
  return kFields;
}

const Fields<OpaqueBlock, PlanModel>& report_opaque_fields() {
  static const auto kFields =
      Fields<OpaqueBlock, PlanModel>("ReportOpaque", "A layer that hides others.")
          .with(report_layer_id_fields<OpaqueBlock>())
          .field("operation_count", "count", "Operations of the source model in it.",
                 &OpaqueBlock::operation_count)
          .maybe("first", "", "The first node of the stretch that it hides.", &OpaqueBlock::first)
          .maybe("last", "", "The last node of that stretch.", &OpaqueBlock::last)
          .field("part_types", "", "Types of its operations, the most frequent first.",
                 [](const OpaqueBlock& block) {
                   std::vector<std::string_view> types;
                   for (const OpaqueBlock::Part& part : block.parts) types.push_back(part.type);
                   return types;
                 })
          .field("part_counts", "count", "How many of each type.", [](const OpaqueBlock& block) {
            std::vector<std::int64_t> counts;
            for (const OpaqueBlock::Part& part : block.parts) counts.push_back(part.count);
            return counts;
          });
  return kFields;
}

const Fields<PointwiseLayer, PlanModel>& report_pointwise_layer_fields() {
  static const auto kFields =
      Fields<PointwiseLayer, PlanModel>("ReportPointwiseLayer", "What a pointwise layer computes.")
          .with(report_layer_id_fields<PointwiseLayer>())
          .field("operation_count", "count", "Operations that it fuses.",
                 &PointwiseLayer::operation_count)
          .field("evidence", "",
                 "parameters: the layer lists them; name: the kernel's name does, cut to four "
                 "letters.",
                 &PointwiseLayer::evidence)
          .field("operations", "", "Its operations, at most 64.", &PointwiseLayer::operations);
  return kFields;
}

const Fields<PointwiseGroup>& report_pointwise_group_fields() {
  static const auto kFields =
      Fields<PointwiseGroup>("ReportPointwiseGroup", "Layers that fuse as many operations.")
          .field("operation_count", "count", "Operations of each.",
                 &PointwiseGroup::operation_count)
          .object("totals", "Sums over the layers.", totals_fields(), &PointwiseGroup::totals)
          .field("ms_per_operation", "ms",
                 "Their time divided by the number of all their operations.",
                 &PointwiseGroup::ms_per_operation);
  return kFields;
}

const Fields<ConvolutionWindow, PlanModel>& report_window_fields() {
  static const auto kFields =
      Fields<ConvolutionWindow, PlanModel>("ReportWindow", "The window of a convolution.")
          .with(report_layer_id_fields<ConvolutionWindow>())
          .field("kernel", "", "Its size, a number for each spatial dimension.",
                 &ConvolutionWindow::kernel)
          .field("stride", "", "Its steps in each spatial dimension.", &ConvolutionWindow::stride)
          .field("dilation", "", "The distance between its elements.", &ConvolutionWindow::dilation)
          .field("groups", "count", "Groups of channels.", &ConvolutionWindow::groups)
          .field("evidence", "",
                 "parameters: the layer lists it; operation: its ONNX operation; weights: the dims "
                 "of its weights.",
                 &ConvolutionWindow::evidence);
  return kFields;
}

}  // namespace

const ReportDocument<SpeedOfLight>& report_speed_document() {
  static const ReportDocument<SpeedOfLight> kDocument = {
      "planex.report-speed/2", "Speed of light, in the report's data",
      SpeedFields("ReportSpeed", "How close each layer comes to the device's limits.")
          .with(speed_head_fields())
          .with(speed_tail_fields())
          .table("layers", "A row for each row of `layers`.", report_layer_speed_fields(),
                 speed_of_layers)};
  return kDocument;
}

const ReportDocument<ReformatExplanation>& report_reformats_document() {
  using Explanation = ReformatExplanation;
  static const ReportDocument<Explanation> kDocument = {
      "planex.report-reformats/2", "Why an engine converts, in the report's data",
      report_basis_fields<Explanation>("ReportReformats", "Why an engine converts.")
          .with(reformat_totals_fields(), std::identity{})
          .table("groups", "Chains of conversions, the most time first.", report_chain_fields(),
                 [](const Explanation& of) -> const auto& { return of.groups; })
          .table("reformats", "In execution order.", report_reformat_fields(),
                 [](const Explanation& of) -> const auto& { return of.rows; })};
  return kDocument;
}

const ReportDocument<PrecisionExplanation>& report_precision_document() {
  using Explanation = PrecisionExplanation;
  const auto reads = Fields<ReadType, PlanModel>("ReportReadType", "What a layer reads.")
                         .with(report_layer_id_fields<ReadType>())
                         .maybe("dtype", "", "Type that it reads.", &ReadType::type);
  static const ReportDocument<Explanation> kDocument = {
      "planex.report-precision/1", "Where the precision changes, in the report's data",
      Fields<Explanation, PlanModel>("ReportPrecision", "Where the precision changes.")
          .with(precision_head_fields(), std::identity{})
          .table("read_dtype",
                 "Layers that read a different type from what their `precision` says.", reads,
                 [](const Explanation& of) -> const auto& { return of.read_types; })
          .table("islands", "Most time first.", report_island_fields(),
                 [](const Explanation& of) -> const auto& { return of.islands; })};
  return kDocument;
}

const ReportDocument<Blocks>& report_blocks_document() {
  static const ReportDocument<Blocks> kDocument = {
      "planex.report-blocks/2", "Blocks, in the report's data",
      Fields<Blocks, PlanModel>("ReportBlocks", "What an engine is made of, block by block.")
          .with(blocks_head_fields(), std::identity{})
          .table("attention", "In execution order.", report_attention_fields(),
                 [](const Blocks& of) -> const auto& { return of.attention; })
          .table("opaque", "By time, descending.", report_opaque_fields(),
                 [](const Blocks& of) -> const auto& { return of.opaque; })};
  return kDocument;
}

const ReportDocument<PointwiseExplanation>& report_pointwise_document() {
  using Explanation = PointwiseExplanation;
  static const ReportDocument<Explanation> kDocument = {
      "planex.report-pointwise/1", "What pointwise layers compute, in the report's data",
      report_basis_fields<Explanation>("ReportPointwise",
                                       "What pointwise layers and generated kernels compute.")
          .object("all", "Sums over `layers`.", totals_fields(), &Explanation::all)
          .object("unknown", "Pointwise layers for which it is unknown.", totals_fields(),
                  &Explanation::unknown)
          .list("groups", "By operation_count.", report_pointwise_group_fields(),
                &Explanation::groups)
          .table("layers", "In execution order.", report_pointwise_layer_fields(),
                 [](const Explanation& of) -> const auto& { return of.layers; })};
  return kDocument;
}

const ReportDocument<Windows>& report_windows_document() {
  static const ReportDocument<Windows> kDocument = {
      "planex.report-windows/1", "Windows of convolutions, in the report's data",
      Fields<Windows, PlanModel>("ReportWindows", "The windows of an engine's convolutions.")
          .table("layers", "In execution order.", report_window_fields(),
                 [](const Windows& of) -> const auto& { return of; })};
  return kDocument;
}

}  // namespace planex::render
