#include <cstddef>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "analyze/complete/complete_accuracy.h"
#include "render/fields/compare.h"
#include "render/fields/compare_parts.h"

namespace planex::render {
namespace {

using analyze::Comparison;
using analyze::Femtoseconds;
using analyze::LayerPair;
using analyze::SideFacts;
using model::LayerId;
using record::Fields;

using PairFields = Fields<PairRow, CompareContext>;

std::string_view match_text(analyze::MatchBy by) {
  switch (by) {
    case analyze::MatchBy::kSource:
      return "source";
    case analyze::MatchBy::kName:
      return "exact";
    case analyze::MatchBy::kShape:
    case analyze::MatchBy::kOrder:
      return "similar";
    case analyze::MatchBy::kUnmatched:
      break;
  }
  return "none";
}

PairFields time_fields_of_pair() {
  const auto ms = [](std::optional<Femtoseconds> LayerPair::* time) {
    return [time](const PairRow& row) { return analyze::milliseconds(row.pair().*time); };
  };
  return PairFields("", "")
      .field("certainty", "", "0 to 1: how strong the evidence is.",
             [](const PairRow& row) { return row.pair().certainty; })
      .field("a_ms", "ms", "Time of its layers in the first engine.", ms(&LayerPair::a_time))
      .field("b_ms", "ms", "Time of its layers in the other one.", ms(&LayerPair::b_time))
      .field("delta_ms", "ms",
             "b minus a; a missing side counts as 0. Null if a layer has no time.",
             ms(&LayerPair::delta));
}

PairFields layer_list_fields() {
  using Layers = std::vector<LayerId> LayerPair::*;
  const auto first = [](Layers side) {
    return [side](const PairRow& row) {
      const std::vector<LayerId>& layers = row.pair().*side;
      return layers.empty() ? LayerId() : layers.front();
    };
  };
  const auto all = [](Layers side) {
    return [side](const PairRow& row) -> const std::vector<LayerId>& { return row.pair().*side; };
  };
  return PairFields("", "")
      .field("a", "", "The first of a_layers.", first(&LayerPair::a))
      .field("b", "", "The first of b_layers.", first(&LayerPair::b))
      .field("a_layers", "",
             "Layers, in execution order; several where one engine fused what the other did not.",
             all(&LayerPair::a))
      .never_null()
      .field("b_layers", "", "The same for the other engine.", all(&LayerPair::b))
      .never_null();
}

// What quantizing lost up to the layers of a pair, where both engines have records of it.
PairFields accuracy_fields() {
  using Figure = std::optional<double> analyze::EndAccuracy::*;
  const auto of = [](std::vector<LayerId> LayerPair::* side, Figure figure, bool is_base) {
    return [side, figure, is_base](const PairRow& row, const CompareContext& context) {
      const std::size_t engine = is_base ? row.difference->base : row.difference->engine;
      return analyze::accuracy_of(*context.comparison->engines[engine].model, row.pair().*side).*
             figure;
    };
  };
  const auto has_both = [](const PairRow& row, const CompareContext& context) {
    const auto& engines = context.comparison->engines;
    return analyze::have_accuracy(*engines[row.difference->base].model,
                                  *engines[row.difference->engine].model);
  };
  using End = analyze::EndAccuracy;
  return PairFields("", "")
      .field("a_simulated_db", "dB",
             "SQNR of what a writes, in the model's own arithmetic. Present if both have records.",
             of(&LayerPair::a, &End::simulated_db, true))
      .field("b_simulated_db", "dB", "The same for b.",
             of(&LayerPair::b, &End::simulated_db, false))
      .field("a_engine_db", "dB", "The same for a in the engine.",
             of(&LayerPair::a, &End::engine_db, true))
      .field("b_engine_db", "dB", "The same for b.", of(&LayerPair::b, &End::engine_db, false))
      .where(has_both, 4);
}

const analyze::LayerChange& noise_of(const PairRow& row) { return row.pair().noise; }

PairFields change_fields() {
  const auto detail = Fields<ChangeDetail>("ChangeDetail", "Both sides of a change.")
                          .field("change", "", "What is different.", &ChangeDetail::kind)
                          .field("from", "", "Its value in the first engine.", &ChangeDetail::from)
                          .field("to", "", "Its value in the other one.", &ChangeDetail::to);
  return PairFields("", "")
      .field("changes", "", "What is different.",
             [](const PairRow& row) -> const std::vector<analyze::ChangeKind>& {
               return row.pair().changes;
             })
      .list("details", "The same with the values of both sides, where both are known.", detail,
            [](const PairRow& row, const CompareContext& context) {
              std::vector<ChangeDetail> details =
                  change_details(*context.comparison, *row.difference, row.pair());
              std::erase_if(details, [](const ChangeDetail& one) {
                return one.from.empty() && one.to.empty();
              });
              return details;
            });
}

// For both sides: their layers taken together, seen from outside.
template <typename Value>
Fields<PairSides> sides_of(std::string_view of_a, std::string_view of_b,
                           std::string_view description, Value SideFacts::* fact) {
  return Fields<PairSides>("", "")
      .maybe(of_a, "", description, [fact](const PairSides& sides) { return sides.a.*fact; })
      .maybe(of_b, "", description, [fact](const PairSides& sides) { return sides.b.*fact; });
}

}  // namespace

std::vector<PairRow> pair_rows(const Comparison& comparison, const SelectedPairs& selected) {
  std::vector<PairRow> rows;
  for (std::size_t i = 0; i < selected.size(); ++i) {
    for (const std::size_t index : selected[i]) {
      rows.push_back({&comparison.differences[i], index});
    }
  }
  return rows;
}

const PairFields& pair_fields() {
  static const auto kFields =
      PairFields("ComparedPair", "Layers of two engines that do the same.")
          .field("engine", "", "Position in engines of b; a is the first engine.",
                 [](const PairRow& row) { return row.difference->engine; })
          .field("index", "", "For planex compare --pair.", &PairRow::index)
          .with(layer_list_fields())
          .field("name", "", "Short names of both sides.",
                 [](const PairRow& row, const CompareContext& context) {
                   return context.names->pair(*row.difference, row.pair());
                 })
          .field("match", "", "exact: by name; similar: by shape or order.",
                 [](const PairRow& row) { return match_text(row.pair().by); })
          .one_of({"exact", "similar", "source", "none"})
          .field("match_by", "", "Evidence for the match.",
                 [](const PairRow& row) { return row.pair().by; })
          .with(time_fields_of_pair())
          .field("ratio", "ratio",
                 "b divided by a: below 1 is faster. Null where a side is missing.",
                 [](const PairRow& row) { return row.pair().ratio; })
          .field("cause", "", "Where the difference comes from, leaving out reformats in the pair.",
                 [](const PairRow& row) { return row.pair().cause; })
          .with(exceeds_noise_fields(), noise_of)
          .with(interval_fields(), noise_of)
          .field("noise_source", "", "What the noise of the times is estimated from.",
                 [](const PairRow& row) { return row.pair().noise.source; })
          .with(change_fields())
          .with(accuracy_fields());
  return kFields;
}

const PairFields& pair_table_fields() {
  const auto names = [](std::vector<LayerId> LayerPair::* side, bool is_base) {
    return [side, is_base](const PairRow& row, const CompareContext& context) {
      return context.names->layers(is_base ? row.difference->base : row.difference->engine,
                                   row.pair().*side);
    };
  };
  static const auto kFields =
      PairFields("PairTableRow", "Layers of two engines that do the same.")
          .field("engine", "", "The engine that is compared with the first.",
                 [](const PairRow& row, const CompareContext& context) -> const std::string& {
                   return context.comparison->engines[row.difference->engine].label;
                 })
          .field("pair", "count", "For planex compare --pair.", &PairRow::index)
          .maybe("a", "", "Its layers in the first engine.", names(&LayerPair::a, true))
          .maybe("b", "", "Its layers in the other one.", names(&LayerPair::b, false))
          .field("match", "", "Evidence for the match.",
                 [](const PairRow& row) { return row.pair().by; })
          .with(time_fields_of_pair())
          .field("speed_up", "", "a divided by b.",
                 [](const PairRow& row) {
                   const auto& ratio = row.pair().ratio;
                   return ratio && *ratio > 0 ? std::optional(1 / *ratio) : std::nullopt;
                 })
          .with(exceeds_noise_fields(), noise_of)
          .field("cause", "", "Where the difference comes from.",
                 [](const PairRow& row) { return row.pair().cause; })
          .maybe("changes", "", "What is different, in words.",
                 [](const PairRow& row, const CompareContext& context) {
                   return change_text(
                       change_details(*context.comparison, *row.difference, row.pair()),
                       *context.comparison, *row.difference);
                 });
  return kFields;
}

const Fields<PairSides, CompareContext>& pair_sides_fields() {
  static const auto kFields =
      Fields<PairSides, CompareContext>("PairSidesRow", "A pair, and what both sides are.")
          .with(pair_table_fields(), &PairSides::row)
          .with(sides_of("a_type", "b_type", "Type of the layer that most of the work is in.",
                         &SideFacts::type),
                std::identity{})
          .with(sides_of("a_in", "b_in", "Type of what flows in.", &SideFacts::input_precision),
                std::identity{})
          .with(sides_of("a_out", "b_out", "Type of what flows out.", &SideFacts::output_precision),
                std::identity{})
          .with(sides_of("a_computes_in", "b_computes_in", "Type that the kernel computes in.",
                         &SideFacts::compute_precision),
                std::identity{})
          .with(sides_of("a_tactic", "b_tactic", "The kernel.", &SideFacts::tactic),
                std::identity{})
          .with(sides_of("a_in_format", "b_in_format",
                         "Type and layout of what flows in, as written.", &SideFacts::input_format),
                std::identity{})
          .with(
              sides_of("a_out_format", "b_out_format",
                       "Type and layout of what flows out, as written.", &SideFacts::output_format),
              std::identity{});
  return kFields;
}

}  // namespace planex::render
