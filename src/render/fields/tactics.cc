#include "render/fields/tactics.h"

#include <functional>
#include <optional>
#include <string_view>

#include "render/fields/columns.h"
#include "render/fields/common.h"
#include "render/words/tactic_sentences.h"

namespace planex::render {
namespace {

using analyze::BuildPhase;
using analyze::LayerTactics;
using analyze::TacticDifference;
using analyze::TacticDifferences;
using analyze::TacticExplanation;
using model::PlanModel;
using model::TacticChoicesTable;
using model::TacticsTable;
using record::Fields;

using LayerFields = Fields<LayerTactics, PlanModel>;
using MaybeRow = std::optional<std::size_t>;

template <typename Column>
RowFields choices_column(Column TacticChoicesTable::* column, std::string_view name) {
  return column_field(column_info("tactic_choices", name), &PlanModel::tactic_choices, column);
}
template <typename Column>
RowFields tactics_column(Column TacticsTable::* column, std::string_view name) {
  return column_field(column_info("tactics", name), &PlanModel::tactics, column);
}

RowFields candidate_fields() {
  return RowFields("TacticCandidate", "A tactic that the builder tried, or skipped.")
      .with(tactics_column(&TacticsTable::runner, "runner"))
      .with(tactics_column(&TacticsTable::tactic, "tactic"))
      .with(tactics_column(&TacticsTable::tactic_name, "tactic_name"))
      .with(tactics_column(&TacticsTable::time_ms, "time_ms"))
      .with(tactics_column(&TacticsTable::outcome, "outcome"))
      .with(tactics_column(&TacticsTable::is_chosen, "is_chosen"))
      .with(tactics_column(&TacticsTable::requested_bytes, "requested_bytes"))
      .with(tactics_column(&TacticsTable::available_bytes, "available_bytes"));
}

RowFields skipped_fields() {
  return RowFields("SkippedTactic", "A tactic that was not tried.")
      .maybe("layer", "", "The name that the builder gave the layer.",
             [](std::size_t row, const PlanModel& model) {
               return model.text(model.tactic_choices.layer[model.tactics.choice_id[row].index()]);
             })
      .with(candidate_fields());
}

RowFields choice_fields() {
  return RowFields("TacticChoice", "What was chosen for one combination of formats.")
      .with(choices_column(&TacticChoicesTable::choice_id, "choice_id"))
      .with(choices_column(&TacticChoicesTable::input_formats, "input_formats"))
      .with(choices_column(&TacticChoicesTable::output_formats, "output_formats"))
      .with(choices_column(&TacticChoicesTable::answer, "answer"))
      .with(choices_column(&TacticChoicesTable::runner, "runner"))
      .with(choices_column(&TacticChoicesTable::tactic, "tactic"))
      .with(choices_column(&TacticChoicesTable::tactic_name, "tactic_name"))
      .with(choices_column(&TacticChoicesTable::time_ms, "time_ms"))
      .with(choices_column(&TacticChoicesTable::candidates, "candidates"))
      .with(choices_column(&TacticChoicesTable::profiling_s, "profiling_s"))
      .with(choices_column(&TacticChoicesTable::is_used, "is_used"));
}

// The text of a cell in a row that may be missing; empty is null.
template <typename Table>
auto text_at(MaybeRow LayerTactics::* row, Table PlanModel::* table, model::Text Table::* column) {
  return [row, table, column](const LayerTactics& layer, const PlanModel& model) {
    const MaybeRow at = layer.*row;
    return at ? model.text((model.*table.*column)[*at]) : std::string_view();
  };
}

LayerFields layer_head_fields() {
  const auto choice = [](MaybeRow LayerTactics::* row, model::Text TacticChoicesTable::* column) {
    return text_at(row, &PlanModel::tactic_choices, column);
  };
  const auto tactic = [](MaybeRow LayerTactics::* row, model::Text TacticsTable::* column) {
    return text_at(row, &PlanModel::tactics, column);
  };
  return LayerFields("LayerTactics", "What the builder chose for a layer, and what it considered.")
      .field("layer_id", "", "The layer; null: the engine has none of this name.",
             [](const LayerTactics& layer) { return known(layer.layer); })
      .maybe(
          "name", "", "Name as the builder wrote it.",
          [](const LayerTactics& layer, const PlanModel& model) { return model.text(layer.name); })
      .maybe("runner", "", "Implementation that the engine uses; null: unknown.",
             choice(&LayerTactics::used, &TacticChoicesTable::runner))
      .maybe("tactic", "", "Its tactic.", choice(&LayerTactics::used, &TacticChoicesTable::tactic))
      .maybe("tactic_name", "", "The kernel's name.",
             choice(&LayerTactics::used, &TacticChoicesTable::tactic_name))
      .field("time_ms", "ms", "Its time, as the builder measured it.", &LayerTactics::time_ms)
      .maybe("input_formats", "", "Formats that the layer reads.",
             choice(&LayerTactics::used, &TacticChoicesTable::input_formats))
      .maybe("output_formats", "", "Formats that it writes.",
             choice(&LayerTactics::used, &TacticChoicesTable::output_formats))
      .maybe("runner_up_runner", "", "Implementation of the fastest other in the same formats.",
             tactic(&LayerTactics::runner_up, &TacticsTable::runner))
      .maybe("runner_up", "", "Its tactic.",
             tactic(&LayerTactics::runner_up, &TacticsTable::tactic))
      .maybe("runner_up_name", "", "Its kernel's name.",
             tactic(&LayerTactics::runner_up, &TacticsTable::tactic_name))
      .field("runner_up_ms", "ms", "Its time.", &LayerTactics::runner_up_ms)
      .field("margin_ms", "ms", "runner_up_ms - time_ms.", &LayerTactics::margin_ms)
      .field("margin_share", "ratio", "margin_ms divided by time_ms.", &LayerTactics::margin_share)
      .field("is_within_noise", "",
             "Whether the margin is within the timer's noise; null: the log does not say.",
             &LayerTactics::is_within_noise)
      .maybe("faster_input_formats", "", "Formats in which the layer was faster, if any.",
             choice(&LayerTactics::faster, &TacticChoicesTable::input_formats))
      .maybe("faster_output_formats", "", "Formats that it writes in that case.",
             choice(&LayerTactics::faster, &TacticChoicesTable::output_formats))
      .maybe("faster_tactic_name", "", "The kernel's name in these formats.",
             choice(&LayerTactics::faster, &TacticChoicesTable::tactic_name))
      .field("faster_ms", "ms", "Its time in these formats.", &LayerTactics::faster_ms)
      .field("gain_ms", "ms", "time_ms - faster_ms.", &LayerTactics::gain_ms)
      .field("conversion_ms", "ms",
             "Time of conversions to and from these formats, if its neighbors keep theirs; null: "
             "one was not timed.",
             &LayerTactics::conversion_ms)
      .field("lost_to", "",
             "Why they are not used: conversion (it costs more than it gains), other, unknown.",
             &LayerTactics::lost_to)
      .field(
          "choices", "count", "Combinations of formats that the builder considered.",
          [](const LayerTactics& layer) { return static_cast<std::int64_t>(layer.choices.size()); })
      .field("candidates", "count", "Tactics in all of them.", &LayerTactics::candidates)
      .field("skipped", "count", "Tactics that were not tried.", &LayerTactics::skipped)
      .field("profiling_s", "s", "Time spent timing them.", &LayerTactics::profiling_s);
}

Fields<BuildPhase> build_phase_fields() {
  return Fields<BuildPhase>("BuildPhase", "What the build spent time on.")
      .field("phase", "",
             "parsing, graph-construction, graph-optimization, tactic-selection, timing-layers, "
             "compiling-subgraphs or timing-conversions.",
             &BuildPhase::phase)
      .maybe("within", "", "The phase that it is part of.", &BuildPhase::within)
      .field("seconds", "s", "Sum over all versions of the engine that the builder made.",
             &BuildPhase::seconds)
      .field("share", "ratio", "Share of the whole build.", &BuildPhase::share);
}

}  // namespace

const LayerFields& tactic_row_fields() {
  static const LayerFields kFields = layer_head_fields();
  return kFields;
}

const TacticFields& tactics_fields() {
  static const TacticFields kFields =
      TacticFields("Tactics", "What the builder tried, from a verbose log.")
          .field("layer_count", "count", "Layers that tactics were tried for.",
                 &TacticExplanation::layer_count)
          .field("choices", "count", "Combinations of layers and formats that were considered.",
                 &TacticExplanation::choices)
          .field("cached", "count", "Those that the timing cache answered, as the log says.",
                 &TacticExplanation::cached)
          .field("silent", "count",
                 "Those that the log does not mention: up to 8.6 the timing cache's answers.",
                 &TacticExplanation::silent)
          .field("candidates", "count", "Tactics in these combinations.",
                 &TacticExplanation::candidates)
          .field("skipped_workspace", "count", "Not tried for lack of workspace.",
                 &TacticExplanation::skipped_workspace)
          .field("skipped_memory", "count", "Not tried for lack of the device's memory.",
                 &TacticExplanation::skipped_memory)
          .field("skipped_error", "count", "Failed, so they have no time.",
                 &TacticExplanation::skipped_error)
          .field("conversions", "count", "Conversions of tensors that have a time.",
                 &TacticExplanation::conversions)
          .field("known", "count", "Layers whose choice is known.", &TacticExplanation::known)
          .field("with_runner_up", "count", "Layers that had a second candidate with a time.",
                 &TacticExplanation::with_runner_up)
          .field("within_noise", "count", "Layers whose margin is within the timer's noise.",
                 &TacticExplanation::within_noise)
          .field("faster_elsewhere", "count", "Layers that were faster in other formats.",
                 &TacticExplanation::faster_elsewhere)
          .field("lost_to_conversion", "count",
                 "Of these, layers for which conversions cost at least what they gain.",
                 &TacticExplanation::lost_to_conversion)
          .field("versions", "count", "Versions of the engine that the builder made.",
                 &TacticExplanation::versions)
          .field("repeats", "count", "Tactics that were timed again under the same conditions.",
                 [](const TacticExplanation& of) { return of.noise.repeats; })
          .field("noise_share", "ratio",
                 "Median difference of both times; null where fewer than five were.",
                 [](const TacticExplanation& of) { return of.noise.share; })
          .field("timer_step_ms", "ms", "Step of the timer, where the times have one.",
                 [](const TacticExplanation& of) { return of.noise.step_ms; })
          .with(build_time_fields(), &TacticExplanation::build)
          .field("sentences", "", "The conclusions, in words.",
                 [](const TacticExplanation& of, const PlanModel& model) {
                   return tactic_sentences(model, of);
                 })
          .list("layers", "Layers of the engine in execution order, then others.",
                layer_head_fields()
                    .list("formats", "Combinations of formats that were considered.",
                          choice_fields(), &LayerTactics::choices)
                    .list("tactics", "Candidates in the formats that are used, fastest first.",
                          candidate_fields(), &LayerTactics::fastest_first),
                &TacticExplanation::layers)
          .list("skipped", "Tactics that were not tried, most bytes first.", skipped_fields(),
                &TacticExplanation::skipped);
  return kFields;
}

const Fields<analyze::BuildTime>& build_time_fields() {
  using analyze::BuildTime;
  static const auto kFields =
      Fields<BuildTime>("BuildTime", "Time that building the engine took.")
          .field("build_s", "s", "Time of the whole build.", &BuildTime::build_s)
          .field("accounted_s", "s", "Sum of the phases that are part of no other.",
                 &BuildTime::accounted_s)
          .field("accounted_share", "ratio", "Share of build_s.", &BuildTime::accounted_share)
          .list("phases", "What the build spent its time on.", build_phase_fields(),
                &BuildTime::phases);
  return kFields;
}

const Fields<TacticDifferences>& tactic_differences_fields() {
  static const auto kFields = [] {
    const auto layers =
        Fields<TacticDifference>("TacticDifference", "A layer whose kernel differs.")
            .field("layer", "", "Name, as both builders wrote it.", &TacticDifference::layer)
            .maybe("a_runner", "", "Implementation in the first engine.",
                   &TacticDifference::a_runner)
            .maybe("a_tactic", "", "Its tactic.", &TacticDifference::a_tactic)
            .maybe("a_tactic_name", "", "The kernel's name.", &TacticDifference::a_name)
            .field("a_ms", "ms", "Its time.", &TacticDifference::a_ms)
            .maybe("b_runner", "", "Implementation in the other one.", &TacticDifference::b_runner)
            .maybe("b_tactic", "", "Its tactic.", &TacticDifference::b_tactic)
            .maybe("b_tactic_name", "", "The kernel's name.", &TacticDifference::b_name)
            .field("b_ms", "ms", "Its time.", &TacticDifference::b_ms)
            .field("are_formats_same", "", "Both read and write the same formats.",
                   &TacticDifference::are_formats_same)
            .field("are_candidates_same", "", "Both builds had the same candidates.",
                   &TacticDifference::are_candidates_same)
            .field("a_margin_ms", "ms",
                   "How much longer the other engine's winner took in the first build; null if it "
                   "was not a candidate.",
                   &TacticDifference::a_margin_ms)
            .field("b_margin_ms", "ms",
                   "How much longer the first engine's winner took in the other build.",
                   &TacticDifference::b_margin_ms)
            .field("is_within_noise", "",
                   "Both margins are within the noise between the builds; null: unknown.",
                   &TacticDifference::is_within_noise);
    return Fields<TacticDifferences>("TacticDifferences", "Where two builds chose differently.")
        .field("sentence", "", "The conclusions, in words.", &tactic_difference_text)
        .field("compared", "count", "Layers of the same name whose choice is known in both.",
               &TacticDifferences::compared)
        .field("same_formats", "count", "Of `layers`, those with the same formats.",
               &TacticDifferences::same_formats)
        .field("same_candidates", "count", "Of `layers`, those with the same candidates.",
               &TacticDifferences::same_candidates)
        .field("within_noise", "count", "Of `layers`, those within the noise.",
               &TacticDifferences::within_noise)
        .field("timed_in_both", "count", "Candidates that both builds timed.",
               &TacticDifferences::timed_in_both)
        .field("noise_share", "ratio",
               "Median difference of their times; null where fewer than five were.",
               &TacticDifferences::noise_share)
        .list("layers", "Layers with a different kernel or different formats.", layers,
              &TacticDifferences::layers);
  }();
  return kFields;
}

const record::Document<TacticExplanation, PlanModel>& tactics_document() {
  static const record::Document<TacticExplanation, PlanModel> kDocument = {
      "planex.explain-tactics/1", "Tactics: planex explain tactics --format json",
      TacticFields("ExplainTactics", "Which kernel was chosen for each layer, and why.")
          .with(engine_name_fields<TacticExplanation>())
          .with(tactics_fields())};
  return kDocument;
}

}  // namespace planex::render
