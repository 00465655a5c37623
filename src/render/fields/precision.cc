#include "render/fields/precision.h"

#include <functional>

#include "render/fields/common.h"

namespace planex::render {
namespace {

using analyze::IslandLayer;
using analyze::LayerTotals;
using analyze::PrecisionCell;
using analyze::PrecisionExplanation;
using analyze::PrecisionIsland;
using model::PlanModel;
using record::Fields;

Fields<PrecisionCell> cell_fields() {
  return Fields<PrecisionCell>("PrecisionChange", "Layers that read one type and write another.")
      .maybe("from", "", "Type of their first data input.", &PrecisionCell::from)
      .maybe("to", "", "Type of their first output.", &PrecisionCell::to)
      .object("all", "All of them: conversions + matrix + others.", totals_fields(),
              &PrecisionCell::all)
      .object("conversions", "Layers that only change type or layout.", totals_fields(),
              &PrecisionCell::conversions)
      .object("matrix", "Convolutions and matrix products.", totals_fields(),
              &PrecisionCell::matrix)
      .object("others", "Other layers.", totals_fields(), &PrecisionCell::others);
}

Fields<IslandLayer, PlanModel> island_layer_fields() {
  return Fields<IslandLayer, PlanModel>("IslandLayer", "A layer of an island.")
      .with(named_layer_fields(), &IslandLayer::layer)
      .field("role", "",
             "writes-wide: computes in the narrow type and writes the wide one; runs-wide: reads "
             "and writes the wide type; reads-wide: computes in the narrow type and reads a wide "
             "second input; converts: between the types.",
             &IslandLayer::role)
      .maybe("from", "", "Type of its first data input.",
             [](const IslandLayer& of, const PlanModel& model) {
               return model.layers.precision[of.layer.index()];
             })
      .maybe("to", "", "Type of its first output.",
             [](const IslandLayer& of, const PlanModel& model) {
               return model.layers.output_precision[of.layer.index()];
             });
}

Fields<PrecisionIsland, PlanModel> island_fields() {
  return Fields<PrecisionIsland, PlanModel>(
             "PrecisionIsland", "Connected wide tensors, and the layers that touch them.")
      .field("ends", "",
             "Where narrow layers are: between: before it and after it; head: before it only; "
             "stem: after it only; alone: neither.",
             &PrecisionIsland::ends)
      .field("tensor", "", "The first wide tensor in execution order.",
             [](const PrecisionIsland& island, const PlanModel& model) {
               return model.text(model.tensors.name[island.root.index()]);
             })
      .maybe("dtype", "", "Its type.", &PrecisionIsland::root_type)
      .object("writer", "What writes it; null at the engine's input.", named_layer_fields(),
              [](const PrecisionIsland& island) { return known(island.root_writer); })
      .field("tensor_count", "count", "Its wide tensors.", &PrecisionIsland::tensor_count)
      .list("layers", "In execution order.", island_layer_fields(), &PrecisionIsland::layers)
      .object("totals", "Sums over its layers.", totals_fields(), &PrecisionIsland::all)
      .object("conversions", "Layers that only change type or layout.", totals_fields(),
              &PrecisionIsland::conversions)
      .field("wide_bytes", "bytes", "Bytes moved in the wide types.", &PrecisionIsland::wide_bytes)
      .field("narrow_bytes", "bytes", "The same elements in the narrow type.",
             &PrecisionIsland::narrow_bytes);
}

}  // namespace

std::vector<PrecisionRow> precision_rows(const PlanModel& model,
                                         const PrecisionExplanation& explanation) {
  std::vector<PrecisionRow> rows;
  for (const PrecisionCell& cell : explanation.cells) {
    rows.push_back({.section = "transition",
                    .from = cell.from,
                    .to = cell.to,
                    .all = cell.all,
                    .conversions = cell.conversions,
                    .matrix = cell.matrix});
  }
  for (std::size_t i = 0; i < explanation.islands.size(); ++i) {
    const PrecisionIsland& island = explanation.islands[i];
    for (const IslandLayer& entry : island.layers) {
      const std::size_t layer = entry.layer.index();
      rows.push_back({.section = "island",
                      .island = i,
                      .ends = to_string(island.ends),
                      .role = to_string(entry.role),
                      .tensor = island.root,
                      .layer = entry.layer,
                      .from = model.layers.precision[layer],
                      .to = model.layers.output_precision[layer],
                      .all = {.count = 1,
                              .time_ms = model.time_ms(entry.layer),
                              .share = model.layers.share.get(layer),
                              .io_bytes = model.layers.io_bytes.get(layer)}});
    }
  }
  return rows;
}

const Fields<PrecisionRow, PlanModel>& precision_row_fields() {
  using Totals = std::optional<LayerTotals>;
  const auto count = [](Totals PrecisionRow::* of) {
    return [of](const PrecisionRow& row) {
      return row.*of ? std::optional((row.*of)->count) : std::nullopt;
    };
  };
  const auto time_ms = [](Totals PrecisionRow::* of) {
    return [of](const PrecisionRow& row) {
      return row.*of ? (row.*of)->time_ms : std::optional<double>();
    };
  };
  static const auto kFields =
      Fields<PrecisionRow, PlanModel>("PrecisionRow", "A pair of types, or a layer of an island.")
          .field("section", "", "Which of the two it is.", &PrecisionRow::section)
          .one_of({"transition", "island"})
          .field("island", "", "Index of the island.", &PrecisionRow::island)
          .maybe("ends", "", "Where narrow layers are next to the island.", &PrecisionRow::ends)
          .maybe("tensor", "", "The island's first wide tensor.",
                 [](const PrecisionRow& row, const PlanModel& model) {
                   return row.tensor.is_null() ? std::string_view()
                                               : model.text(model.tensors.name[row.tensor.index()]);
                 })
          .with(maybe_layer_fields(), &PrecisionRow::layer)
          .maybe("role", "", "What the layer does in the island.", &PrecisionRow::role)
          .maybe("from", "", "Type of the first data input.", &PrecisionRow::from)
          .maybe("to", "", "Type of the first output.", &PrecisionRow::to)
          .with(Fields<LayerTotals>("", "")
                    .field("layers", "count", "Layers.", &LayerTotals::count)
                    .field("time_ms", "ms", "Their time.", &LayerTotals::time_ms)
                    .field("share", "ratio", "Share of the sum of all layer times.",
                           &LayerTotals::share)
                    .field("io_bytes", "bytes", "Activations read and written, without padding.",
                           &LayerTotals::io_bytes),
                &PrecisionRow::all)
          .field("conversions", "count", "Layers that only change type or layout.",
                 count(&PrecisionRow::conversions))
          .field("conversion_ms", "ms", "Their time.", time_ms(&PrecisionRow::conversions))
          .field("matrix", "count", "Convolutions and matrix products.",
                 count(&PrecisionRow::matrix))
          .field("matrix_ms", "ms", "Their time.", time_ms(&PrecisionRow::matrix));
  return kFields;
}

const Fields<PrecisionExplanation>& precision_head_fields() {
  const auto totals =
      Fields<PrecisionExplanation>("PrecisionTotals", "all = in_islands + outside_islands.")
          .object("all", "All layers that do work.", totals_fields(), &PrecisionExplanation::all)
          .object("changing", "Layers that read one type and write another.", totals_fields(),
                  &PrecisionExplanation::changing)
          .object("types_unknown", "Layers with a type that is not in the files.", totals_fields(),
                  &PrecisionExplanation::unknown)
          .object("in_islands", "Layers in islands.", totals_fields(),
                  &PrecisionExplanation::in_islands)
          .object("outside_islands", "Other layers.", totals_fields(),
                  &PrecisionExplanation::outside);
  static const auto kFields =
      Fields<PrecisionExplanation>("PrecisionHead", "Which types layers read and write.")
          .maybe("time_basis", "", "Which times of layers.", &PrecisionExplanation::basis)
          .field("layers_time_ms", "ms", "Sum over all layers.", &PrecisionExplanation::layers_ms)
          .object("totals", "", totals, std::identity{})
          .list("transitions", "Most time first; they add up to the engine.", cell_fields(),
                &PrecisionExplanation::cells)
          .field("island_base", "",
                 "What islands are surrounded by: quantized: floats between quantized layers; "
                 "half: FP32 between FP16 or BF16 layers; none: one precision only, as far as "
                 "types are known.",
                 &PrecisionExplanation::base);
  return kFields;
}

const record::Document<PrecisionExplanation, PlanModel>& precision_document() {
  static const record::Document<PrecisionExplanation, PlanModel> kDocument = {
      "planex.explain-precision/1",
      "Where precision changes: planex explain precision --format json",
      Fields<PrecisionExplanation, PlanModel>("ExplainPrecision",
                                              "Where precision changes, and what forces it.")
          .with(engine_name_fields<PrecisionExplanation>())
          .with(precision_head_fields(), std::identity{})
          .list("islands", "Islands between narrow layers first, then most time first.",
                island_fields(), &PrecisionExplanation::islands)};
  return kDocument;
}

}  // namespace planex::render
