#include <functional>
#include <optional>
#include <vector>

#include "render/fields/compare.h"
#include "render/fields/compare_parts.h"
#include "render/fields/tactics.h"

namespace planex::render {
namespace {

using analyze::CauseRow;
using analyze::EngineDifference;
using analyze::Femtoseconds;
using analyze::PairCounts;
using analyze::PairList;
using analyze::SettingDifference;
using analyze::TypeChange;
using analyze::UnchangedScatter;
using analyze::Verdict;
using analyze::VerdictSide;
using record::Fields;

using DifferenceFields = Fields<EngineDifference, CompareContext>;

Fields<VerdictSide> side_fields() {
  return Fields<VerdictSide>("VerdictSide", "One side of a comparison: a run, or several.")
      .field("run_count", "count", "Runs of the engine.", &VerdictSide::run_count)
      .field("median_ms", "ms", "Geometric mean of the medians of the runs.",
             &VerdictSide::median_ms)
      .field("sample_count", "count", "Samples of all runs.", &VerdictSide::sample_count)
      .field("greatest_deviation_ratio", "ratio",
             "The largest deviation of a run's median from median_ms; 0 for one run.",
             &VerdictSide::greatest_deviation_ratio);
}

Fields<Verdict> gate_fields() {
  return Fields<Verdict>("VerdictGate", "Whether a slow-down fails.")
      .field("result", "",
             "off; passed: the whole interval is at or below the threshold; failed: above it; "
             "undecided: the interval contains the threshold; unknown: nothing to judge by.",
             &Verdict::gate)
      .field("threshold_ratio", "ratio", "The slow-down above which the gate fails.",
             &Verdict::gate_threshold_ratio)
      .field("low_ratio", "ratio",
             "What the gate judges by: like low_ratio of the verdict, but for a machine with a "
             "constant clock if no run was repeated.",
             &Verdict::gate_low_ratio)
      .field("high_ratio", "ratio", "The upper end of that interval.", &Verdict::gate_high_ratio)
      .field("detectable_ratio", "ratio",
             "The smallest true slow-down that would fail in 9 of 10 such comparisons.",
             &Verdict::gate_detectable_ratio)
      .field("fails", "", "The gate fails.", &Verdict::fails);
}

Fields<Verdict> interval_fields_of_verdict() {
  return Fields<Verdict>("", "")
      .field("change_ratio", "ratio", "Candidate divided by base, minus 1.", &Verdict::change_ratio)
      .field("low_ratio", "ratio", "Lower end of the 95 % interval of change_ratio.",
             &Verdict::low_ratio)
      .field("high_ratio", "ratio", "Upper end of that interval.", &Verdict::high_ratio)
      .field("within_runs_low_ratio", "ratio",
             "low_ratio without the differences between runs: how precisely these particular runs "
             "are known.",
             &Verdict::within_runs_low_ratio)
      .field("within_runs_high_ratio", "ratio", "The same for high_ratio.",
             &Verdict::within_runs_high_ratio)
      .field("run_spread_ratio", "ratio",
             "Standard deviation of a run's median from run to run: measured or assumed.",
             &Verdict::run_spread_ratio)
      .field("is_run_spread_measured", "",
             "run_spread_ratio is measured: there are four runs or more.",
             &Verdict::is_run_spread_measured)
      .field("run_difference_ratio", "ratio",
             "The difference that unchanged engines stay within in 95 of 100 comparisons, given "
             "how much runs differ.",
             &Verdict::run_difference_ratio)
      .field("detectable_ratio", "ratio",
             "The smallest true slow-down that would be judged slower in 9 of 10 such comparisons.",
             &Verdict::detectable_ratio)
      .field("needed_sample_count", "count",
             "Samples that a run would have needed for its own error not to exceed the differences "
             "between runs; null if more would not help.",
             &Verdict::needed_sample_count)
      .field("needed_run_count", "count",
             "Runs of each engine needed to judge a change as large as change_ratio, if runs keep "
             "differing by run_spread_ratio; null if it is judged, or if 20 would not be enough.",
             &Verdict::needed_run_count)
      .field("cpu_change_ratio", "ratio",
             "Like change_ratio, for CPU time per inference; null if a run does not record it, or "
             "runs differ in their number of threads.",
             &Verdict::cpu_change_ratio);
}

Fields<Verdict> engine_verdict_fields() {
  return Fields<Verdict>("Verdict", "Whether the candidate is slower than the base.")
      .field("judgement", "",
             "slower: the whole interval is above 0; faster: below; within-noise: it contains 0; "
             "unclear: see the reason; unknown: there is nothing to judge by.",
             &Verdict::judgement)
      .field("unclear_reason", "", "Why there is no clear judgment.", &Verdict::unclear_reason)
      .field("source", "", "Where the times are from.", &Verdict::source)
      .maybe(
          "field", "",
          "Which figure: compute or latency; cpu_time, CPU time per inference, where a machine was "
          "busy and runs have one thread; null for sums of layers.",
          &Verdict::field)
      .with(interval_fields_of_verdict())
      .object("base", "", side_fields(), &Verdict::base)
      .object("candidate", "", side_fields(), &Verdict::candidate)
      .maybe("method", "", "What the interval is, in words.", &Verdict::method)
      .object("gate", "", gate_fields(), std::identity{});
}

// A cause among those of its difference.
struct CauseOf {
  const CauseRow* row;
  const EngineDifference* difference;

  // Null if the times of the engines are null.
  std::optional<double> ms(Femtoseconds time) const {
    return difference->layers.delta ? std::optional(analyze::milliseconds(time)) : std::nullopt;
  }
};

std::vector<CauseOf> causes_of(const EngineDifference& difference) {
  std::vector<CauseOf> causes;
  for (const CauseRow& row : difference.layers.causes) causes.push_back({&row, &difference});
  return causes;
}

Fields<CauseOf, CompareContext> difference_cause_fields() {
  return Fields<CauseOf, CompareContext>("DifferenceCause",
                                         "The cause of a part of the difference.")
      .field("cause", "", "The cause.", [](const CauseOf& of) { return of.row->cause; })
      .field("text", "", "The cause in words.",
             [](const CauseOf& of) { return cause_text(of.row->cause); })
      .field("clause", "", "The cause as part of a sentence, without its time.",
             [](const CauseOf& of, const CompareContext& context) {
               return cause_clause(*of.difference, *context.names, *of.row);
             })
      .field("pairs", "count", "Pairs of that cause.",
             [](const CauseOf& of) { return of.row->pair_count; })
      .field("a_layers", "count", "Layers of the first engine.",
             [](const CauseOf& of) { return of.row->a_layers; })
      .field("b_layers", "count", "Layers of the other one.",
             [](const CauseOf& of) { return of.row->b_layers; })
      .field("a_ms", "ms", "Their time in the first engine.",
             [](const CauseOf& of) { return of.ms(of.row->a_time); })
      .field("b_ms", "ms", "Their time in the other one.",
             [](const CauseOf& of) { return of.ms(of.row->b_time); })
      .field("delta_ms", "ms", "b minus a.",
             [](const CauseOf& of) { return of.ms(of.row->b_time - of.row->a_time); });
}

Fields<SettingDifference> setting_fields() {
  return Fields<SettingDifference>("SettingDifference",
                                   "A setting that the engines were built or run with.")
      .field("key", "", "Permanent id.", &SettingDifference::key)
      .field("label", "", "What it is, in words.", &SettingDifference::label)
      .maybe("a", "", "What was requested for the first engine.", &SettingDifference::a)
      .maybe("b", "", "What was requested for the other one.", &SettingDifference::b);
}

Fields<TypeChange> type_fields_of_change() {
  const auto delta = Fields<analyze::LayerChange>("", "").field(
      "delta_ms", "ms", "b minus a; null if a layer has no time.",
      &analyze::LayerChange::change_ms);
  return Fields<TypeChange>("TypeDifference", "All layers of a type taken together.")
      .maybe("type", "", "Type in the producer's terms.", &TypeChange::type)
      .field("a_layers", "count", "Layers of the first engine.", &TypeChange::a_layers)
      .field("b_layers", "count", "Layers of the other one.", &TypeChange::b_layers)
      .with(delta, &TypeChange::change)
      .with(interval_fields(), &TypeChange::change)
      .with(exceeds_noise_fields(), &TypeChange::change);
}

Fields<PairList> pair_sum_fields() {
  const auto ms = [](std::optional<Femtoseconds> PairList::* time) {
    return [time](const PairList& list) { return analyze::milliseconds(list.*time); };
  };
  return Fields<PairList>("", "")
      .field("a_ms", "ms", "Sum of layer times of the first engine.", ms(&PairList::a_total))
      .field("b_ms", "ms", "Sum of layer times of the other one.", ms(&PairList::b_total))
      .field("delta_ms", "ms", "b minus a.", ms(&PairList::delta));
}

Fields<PairList> layer_fields_of_difference() {
  const auto counts =
      Fields<PairCounts>("PairCounts", "How many pairs there are.")
          .field("matched", "count", "Layers of both engines.", &PairCounts::matched)
          .field("changed", "count", "Pairs with a change.", &PairCounts::changed)
          .field("only_a", "count", "Layers of the first engine alone.", &PairCounts::only_a)
          .field("only_b", "count", "Layers of the other one alone.", &PairCounts::only_b);
  const auto unchanged =
      Fields<UnchangedScatter>("UnchangedPairs", "Pairs in which only the time differs.")
          .field("pairs", "count", "How many.", &UnchangedScatter::count)
          .field(
              "shift_ratio", "ratio",
              "The common slow-down of all of them, relative to the mean of both times; not noise.",
              &UnchangedScatter::shift_ratio)
          .field("scatter_ms", "ms",
                 "Standard deviation around it, from the median of absolute deviations.",
                 &UnchangedScatter::scatter_ms);
  return Fields<PairList>("", "")
      .object("counts", "", counts, &PairList::counts)
      .object(
          "unchanged",
          "How much the times scatter of pairs in which nothing else differs; a change of a layer "
          "counts as more than noise only if it exceeds this. Null for fewer than six pairs.",
          unchanged, &PairList::unchanged);
}

}  // namespace

const Fields<analyze::LayerChange>& interval_fields() {
  static const auto kFields =
      Fields<analyze::LayerChange>("ChangeInterval", "How sure a change is.")
          .field("low_ms", "ms", "Lower end of the 95 % interval of delta_ms.",
                 &analyze::LayerChange::low_ms)
          .field("high_ms", "ms", "Upper end of that interval.", &analyze::LayerChange::high_ms);
  return kFields;
}

const Fields<analyze::LayerChange>& exceeds_noise_fields() {
  static const auto kFields =
      Fields<analyze::LayerChange>("ExceedsNoise", "Whether a change is more than noise.")
          .field("exceeds_noise", "",
                 "The change is more than noise; null where the noise of the times is unknown.",
                 [](const analyze::LayerChange& change) {
                   return change.changed == analyze::Changed::kUnknown
                              ? std::nullopt
                              : std::optional(change.changed == analyze::Changed::kYes);
                 });
  return kFields;
}

const DifferenceFields& difference_fields() {
  static const auto kFields =
      DifferenceFields("DifferenceMembers", "One engine compared with another.")
          .object("verdict", "", engine_verdict_fields(), &EngineDifference::verdict)
          .field("verdict_sentence", "", "The verdict as the terminal prints it.",
                 [](const EngineDifference& difference, const CompareContext& context) {
                   return verdict_text(*context.comparison, difference);
                 })
          .with(pair_sum_fields(), &EngineDifference::layers)
          .maybe("sentence", "", "The difference of the sums of layer times by its largest causes.",
                 [](const EngineDifference& difference, const CompareContext& context) {
                   return difference_text(difference, *context.names);
                 })
          .field("are_unrelated", "",
                 "So few layers match that the engines likely come from different models; then no "
                 "speed-up is given.",
                 &EngineDifference::are_unrelated)
          .list("settings", "Settings that both engines record and that differ.", setting_fields(),
                &EngineDifference::settings)
          .object("tactics", "Where the builds chose different kernels; null without logs of both.",
                  tactic_differences_fields(), &EngineDifference::tactics)
          .with(layer_fields_of_difference(), &EngineDifference::layers)
          .list("causes", "They add up to delta_ms.", difference_cause_fields(), causes_of)
          .list("types", "All layers of a type taken together, with the noise of the difference.",
                type_fields_of_change(), &EngineDifference::types);
  return kFields;
}

}  // namespace planex::render
