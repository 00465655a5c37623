#include "render/fields/optimize.h"

#include <cmath>
#include <optional>

#include "render/words/optimize_sentences.h"

namespace planex::render {
namespace {

using analyze::OptimizeOutcome;
using analyze::OptimizeStep;
using analyze::TimedMedian;
using record::Fields;

Fields<TimedMedian> timed_fields() {
  return Fields<TimedMedian>("OptimizeTime", "The time of an inference, over several builds.")
      .field("median_ms", "ms", "Geometric mean of the builds' medians; null: none has one.",
             &TimedMedian::median_ms)
      .field("low_ms", "ms", "Low end of its 95 % interval; null: too few builds.",
             &TimedMedian::low_ms)
      .field("high_ms", "ms", "High end.", &TimedMedian::high_ms)
      .field("run_count", "count", "How many builds were measured.", &TimedMedian::run_count)
      .field("memory_bytes", "bytes",
             "Weights, and activations at their peak, the same in each build; null: not known.",
             &TimedMedian::memory_bytes);
}

}  // namespace

const Fields<OptimizeStep>& optimize_step_fields() {
  static const auto kFields =
      Fields<OptimizeStep>("OptimizeStep", "Something that was tried on the best so far.")
          .field("id", "", "Its name.", &OptimizeStep::id)
          .field("kind", "", "clean, precision, advice or options.", &OptimizeStep::kind)
          .field("what", "", "What it does, in a sentence.", &OptimizeStep::what)
          .maybe("basis", "", "The kept step that it was tried on; left out: the model as it is.",
                 &OptimizeStep::basis)
          .maybe("command", "", "What does the same by hand.", &OptimizeStep::command)
          .maybe("group", "", "Those that went through one tournament; left out: it was none.",
                 &OptimizeStep::group)
          .maybe("said", "", "What making it came to, such as 805 → 159 nodes.",
                 &OptimizeStep::said)
          .field("state", "",
                 "kept; not-faster: slower, or within the noise; not-smaller: it needs as much "
                 "memory; "
                 "not-confirmed: faster at first, not in fresh runs; dropped: others of its group "
                 "did better beside the best, so it "
                 "was not raced; predicted: it was built, and is predicted to be faster, but "
                 "nothing could be measured; not-predicted: built, and nothing says that it is "
                 "faster; too-far: its results miss the goal; too-late: an inference takes longer "
                 "than "
                 "max_latency_ms; unchanged: there was nothing to change; failed: it could not be "
                 "built, run or judged; not-tried: the time was "
                 "used up, or the goal does not allow it.",
                 [](const OptimizeStep& step) { return to_string(step.state); })
          .maybe("reason", "", "Why it was not kept.", &OptimizeStep::reason)
          .field("change_ratio", "ratio",
                 "Its time divided by that of what it was tried on, minus 1, in turns; of a kept "
                 "step in the runs that confirm it; of a dropped one the mean of its runs beside "
                 "the best. With the aim memory, the same of memory_bytes.",
                 &OptimizeStep::change_ratio)
          .field("low_ratio", "ratio", "Low end of the 95 % interval.", &OptimizeStep::low_ratio)
          .field("high_ratio", "ratio", "High end.", &OptimizeStep::high_ratio)
          .field("predicted_ratio", "ratio",
                 "What that was predicted to be, from what its layers read, write and compute at "
                 "least on the device; null: not predicted.",
                 &OptimizeStep::predicted_ratio)
          .maybe("why_not_predicted", "", "Why there is no prediction.",
                 &OptimizeStep::why_not_predicted)
          .object("before", "What it was tried on, in the same turns.", timed_fields(),
                  &OptimizeStep::before)
          .object("after", "With it.", timed_fields(), &OptimizeStep::after)
          .field("sqnr_db", "dB",
                 "SQNR of the worst output against the float model; null: not judged, or equal.",
                 [](const OptimizeStep& step) -> std::optional<double> {
                   if (!step.sqnr_db || !std::isfinite(*step.sqnr_db)) return std::nullopt;
                   return step.sqnr_db;
                 })
          .field("is_equal", "", "No output differs.",
                 [](const OptimizeStep& step) {
                   return step.sqnr_db && std::isinf(*step.sqnr_db) && *step.sqnr_db > 0;
                 })
          .field("top1_ratio", "ratio",
                 "Rows of classes whose largest is the same; null: no classes, or not judged.",
                 &OptimizeStep::top1_ratio)
          .field("layer_count", "count", "Layers of the engine that do work; null: not built.",
                 &OptimizeStep::layer_count)
          .field("latency_ms", "ms",
                 "Median time of an inference, while others run beside it; null: not measured.",
                 &OptimizeStep::latency_ms)
          .field("duration_s", "s", "How long it took to make, judge, build and measure it.",
                 &OptimizeStep::seconds);
  return kFields;
}

const record::Document<OptimizeOutcome>& optimize_document() {
  static const record::Document<OptimizeOutcome> kDocument = {
      "planex.optimize/1",
      "A model that was optimized for an engine: planex optimize --format json",
      Fields<OptimizeOutcome>("Optimize", "What was tried, what is proven faster, and by how much.")
          .field("model", "", "The model as it is.", &OptimizeOutcome::model)
          .maybe("model_sha256", "",
                 "SHA-256 of that file: 64 hexadecimal digits; left out: nothing was tried.",
                 &OptimizeOutcome::model_sha256)
          .field("folder", "", "The folder of the result.", &OptimizeOutcome::folder)
          .field("engine", "", "The engine that it was optimized for.", &OptimizeOutcome::engine)
          .field("aim", "",
                 "latency: all times are those of an inference; throughput: those per inference "
                 "while several run at once, 1000 divided by inferences per second; memory: steps "
                 "are judged by memory_bytes, times are those of an inference.",
                 [](const OptimizeOutcome& outcome) { return to_string(outcome.aim); })
          .field("max_latency_ms", "ms", "What an inference may take at most; null: any time.",
                 &OptimizeOutcome::max_latency_ms)
          .field("goal", "", "same, or the goal that was set, such as 20 dB.",
                 &OptimizeOutcome::goal)
          .field("budget_s", "s", "The time that was allowed.", &OptimizeOutcome::budget_seconds)
          .field("duration_s", "s", "The time that was used.", &OptimizeOutcome::spent_seconds)
          .field("sample_count", "count", "Samples that results were compared on.",
                 &OptimizeOutcome::sample_count)
          .field("is_interrupted", "", "It was stopped before its end.",
                 &OptimizeOutcome::is_interrupted)
          .object("first", "The model as it is, in turns with the best.", timed_fields(),
                  &OptimizeOutcome::first)
          .object("best", "The best, in the same turns.", timed_fields(), &OptimizeOutcome::best)
          .field("change_ratio", "ratio",
                 "Time of the best divided by that of the first, minus 1, or with the aim memory "
                 "their "
                 "memory_bytes; null: nothing was kept, or nothing measured.",
                 &OptimizeOutcome::change_ratio)
          .field("low_ratio", "ratio", "Low end of its 95 % interval.", &OptimizeOutcome::low_ratio)
          .field("high_ratio", "ratio", "High end.", &OptimizeOutcome::high_ratio)
          .field(
              "is_measured", "",
              "Inferences were measured; false: the engine was built but could not run here, and "
              "gains are predictions.",
              &OptimizeOutcome::is_measured)
          .field("predicted_ratio", "ratio",
                 "What the change was predicted to be; null: not predicted, or nothing was kept.",
                 &OptimizeOutcome::predicted_ratio)
          .maybe("why_not_predicted", "", "Why there is no prediction.",
                 &OptimizeOutcome::why_not_predicted)
          .maybe("predicted_device", "", "The device whose limits predictions are made with.",
                 &OptimizeOutcome::predicted_device)
          .field("sentences", "", "The conclusions, in words.", optimize_sentences)
          .list("steps", "In the order in which they were tried.", optimize_step_fields(),
                &OptimizeOutcome::steps)
          .field("kept", "",
                 "The steps that were kept, in their order: proven, or predicted where "
                 "nothing could be measured.",
                 &OptimizeOutcome::kept)
          .maybe("best_model", "", "The best model; left out: the model stays as it is.",
                 &OptimizeOutcome::best_model)
          .maybe("best_engine", "", "The best engine's file to open.",
                 &OptimizeOutcome::best_engine)
          .maybe("command", "", "Builds and measures the best.", &OptimizeOutcome::command)
          .maybe("rerun", "", "Searches again, with the model and the options of this search.",
                 &OptimizeOutcome::rerun)
          .field("notes", "", "What the user should know.", &OptimizeOutcome::notes)};
  return kDocument;
}

}  // namespace planex::render
