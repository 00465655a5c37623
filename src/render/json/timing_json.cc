#include "render/json/documents.h"
#include "render/sentences.h"
#include "render/timing_sentences.h"

namespace planex::render {
namespace {

using analyze::SteadyState;

void write_range(JsonWriter& json, const analyze::SampleRange& range) {
  json.member("first", range.first)
      .member("last", range.last)
      .member("count", range.count)
      .member("start_ms", range.start_ms)
      .member("end_ms", range.end_ms);
}

void write_period(JsonWriter& json, std::string_view key,
                  const std::optional<analyze::Period>& period) {
  json.key(key);
  if (!period) {
    json.null();
    return;
  }
  json.begin_object()
      .member("period_ms", period->ms)
      .member("period_samples", period->samples)
      .member("regular_in", period->regular_in)
      .member("event_count", period->event_count)
      .member("hit_ratio", period->hit_ratio)
      .member("tolerance", period->tolerance)
      .member("p_value", period->p_value)
      .end_object();
}

void write_warm_up(JsonWriter& json, const std::optional<analyze::WarmUp>& warm_up) {
  json.key("warm_up");
  if (!warm_up) {
    json.null();
    return;
  }
  json.begin_object();
  write_range(json, warm_up->range);
  json.member("from_ms", warm_up->from_ms).member("to_ms", warm_up->to_ms).end_object();
}

void write_drift(JsonWriter& json, const std::optional<analyze::Drift>& drift) {
  json.key("drift");
  if (!drift) {
    json.null();
    return;
  }
  json.begin_object()
      .member("is_significant", drift->is_significant)
      .member("change_ratio", drift->change_ratio)
      .member("per_1000_samples_ratio", drift->per_1000_samples_ratio)
      .member("per_second_ratio", drift->per_second_ratio)
      .member("p_value", drift->p_value)
      .end_object();
}

void write_modes(JsonWriter& json, const std::optional<analyze::Modes>& modes) {
  json.key("modes");
  if (!modes) {
    json.null();
    return;
  }
  json.begin_object()
      .member("low_ms", modes->low_ms)
      .member("high_ms", modes->high_ms)
      .member("low_share", modes->low_share)
      .member("high_share", modes->high_share)
      .member("change_ratio", modes->change_ratio)
      .member("bic_gain", modes->bic_gain)
      .member("mean_run", modes->mean_run);
  write_period(json, "period", modes->period);
  json.end_object();
}

void write_spikes(JsonWriter& json, const std::optional<analyze::Spikes>& spikes) {
  json.key("spikes");
  if (!spikes) {
    json.null();
    return;
  }
  json.begin_object()
      .member("threshold_ratio", spikes->threshold_ratio)
      .member("count", spikes->count)
      .member("share", spikes->share)
      .member("cost_share", spikes->cost_share)
      .member("median_ms", spikes->median_ms)
      .member("max_ms", spikes->max_ms)
      .member("burst_count", spikes->burst_count);
  write_period(json, "period", spikes->period);
  write_period(json, "inner_period", spikes->inner_period);
  json.end_object();
}

void write_trusted(JsonWriter& json, const std::optional<analyze::TrustedFigures>& trusted) {
  json.key("trusted");
  if (!trusted) {
    json.null();
    return;
  }
  json.begin_object();
  write_range(json, trusted->range);
  json.member("share", trusted->share)
      .member("median_ms", trusted->median_ms)
      .member("median_low_ms", trusted->median_low_ms)
      .member("median_high_ms", trusted->median_high_ms)
      .member("mean_ms", trusted->mean_ms)
      .member("min_ms", trusted->min_ms)
      .member("max_ms", trusted->max_ms)
      .member("p90_ms", trusted->p90_ms)
      .member("p95_ms", trusted->p95_ms)
      .member("p99_ms", trusted->p99_ms)
      .member("variation", trusted->variation)
      .member("autocorrelation", trusted->autocorrelation)
      .member("effective_count", trusted->effective_count)
      .end_object();
}

void write_conclusion(JsonWriter& json, const Conclusion& conclusion) {
  json.key("conclusion").begin_object().member("headline", conclusion.headline);
  json.text_member("text", conclusion.text).end_object();
}

void write_remarks(JsonWriter& json, const model::PlanModel& model,
                   const analyze::Summary& summary) {
  json.key("remarks").begin_array();
  if (summary.steady_state) {
    for (const TimingStatement& remark : timing_statements(model, *summary.steady_state)) {
      json.begin_object().member("id", remark.id).member("text", remark.text).end_object();
    }
  }
  json.end_array();
}

void write_phases(JsonWriter& json, const SteadyState& state) {
  json.key("phases").begin_array();
  for (const analyze::TimingPhase& phase : state.phases) {
    json.begin_object();
    write_range(json, phase.range);
    json.member("is_warm_up", phase.is_warm_up)
        .member("is_trusted", phase.is_trusted)
        .member("median_ms", phase.median_ms)
        .member("spread_ratio", phase.spread_ratio)
        .member("change_ratio", phase.change_ratio)
        .member("spike_count", phase.spike_count)
        .end_object();
  }
  json.end_array();
}

void write_changes(JsonWriter& json, const SteadyState& state) {
  json.key("steps").begin_array();
  for (const analyze::Step& step : state.steps) {
    json.begin_object()
        .member("at", step.at)
        .member("at_ms", step.at_ms)
        .member("before_ms", step.before_ms)
        .member("after_ms", step.after_ms)
        .member("change_ratio", step.change_ratio)
        .end_object();
  }
  json.end_array().key("excursions").begin_array();
  for (const analyze::Excursion& excursion : state.excursions) {
    json.begin_object();
    write_range(json, excursion.range);
    json.member("median_ms", excursion.median_ms)
        .member("change_ratio", excursion.change_ratio)
        .end_object();
  }
  json.end_array();
}

void write_numbers(JsonWriter& json, std::string_view key, const std::vector<double>& numbers) {
  json.key(key).begin_array();
  for (const double number : numbers) json.value(number);
  json.end_array();
}

void write_figures(JsonWriter& json, std::string_view key,
                   const std::optional<analyze::SampleFigures>& figures) {
  json.key(key);
  if (!figures) {
    json.null();
    return;
  }
  json.begin_object()
      .member("count", figures->count)
      .member("mean_ms", figures->mean_ms)
      .member("median_ms", figures->median_ms)
      .member("min_ms", figures->min_ms)
      .member("max_ms", figures->max_ms)
      .member("p90_ms", figures->p90_ms)
      .member("p95_ms", figures->p95_ms)
      .member("p99_ms", figures->p99_ms)
      .end_object();
}

void write_bins(JsonWriter& json, std::string_view key,
                const std::optional<analyze::SampleBins>& bins) {
  json.key(key);
  if (!bins) {
    json.null();
    return;
  }
  json.begin_object().member("start_ms", bins->start_ms).member("step_ms", bins->step_ms);
  json.key("counts").begin_array();
  for (const std::int64_t count : bins->counts) json.value(count);
  json.end_array().key("trusted").begin_array();
  for (const std::int64_t count : bins->trusted) json.value(count);
  json.end_array().member("below", bins->below).member("above", bins->above).end_object();
}

template <typename Number>
void write_column(JsonWriter& json, std::string_view key, const std::vector<Number>& numbers) {
  json.key(key).begin_array();
  for (const Number number : numbers) json.value(number);
  json.end_array();
}

void write_buckets(JsonWriter& json, const analyze::SampleBuckets& buckets) {
  if (buckets.first.empty()) return;
  json.key("series").begin_object();
  write_column(json, "first", buckets.first);
  write_column(json, "min_ms", buckets.min_ms);
  // One sample a part: min and max are the same.
  if (buckets.max_ms != buckets.min_ms) write_column(json, "max_ms", buckets.max_ms);
  write_column(json, "running_ms", buckets.running_ms);
  if (!buckets.start_ms.empty()) write_column(json, "start_ms", buckets.start_ms);
  json.end_object();
}

void write_samples(JsonWriter& json, const analyze::TimingSamples& samples, SampleDetail detail) {
  json.key("samples").begin_object().member("count", samples.sample_count);
  json.key("fields").begin_array();
  for (const analyze::FieldSamples& field : samples.fields) {
    json.begin_object()
        .member("field", field.field)
        .member("is_end_to_end", field.is_end_to_end)
        .text_member("same_as", field.same_as);
    write_figures(json, "all", field.all);
    write_figures(json, "trusted", field.trusted);
    json.member("step_ms", field.step_ms);
    write_bins(json, "bins", field.bins);
    write_bins(json, "middle_bins", field.middle_bins);
    if (detail == SampleDetail::kCourse) write_buckets(json, field.buckets);
    json.end_object();
  }
  json.end_array().end_object();
}

void write_waterfall(JsonWriter& json, const std::vector<analyze::WaterfallStep>& steps) {
  json.key("waterfall").begin_array();
  for (const analyze::WaterfallStep& step : steps) {
    json.begin_object()
        .member("kind", to_string(step.kind))
        .member("is_sum", is_sum(step.kind))
        .text_member("type", step.type);
    json.text_member("family", to_string(step.family));
    json.member("count", step.count)
        .member("from_ms", step.from_ms)
        .member("to_ms", step.to_ms)
        .end_object();
  }
  json.end_array();
}

}  // namespace

void write_steady_state(JsonWriter& json, const analyze::Summary& summary, TimingDetail detail) {
  json.key("steady_state");
  if (!summary.steady_state) {
    json.null();
    return;
  }
  const SteadyState& state = *summary.steady_state;
  json.begin_object()
      .member("verdict", to_string(state.verdict))
      .member("text", steadiness_text(state))
      .member("field", state.field)
      .member("sample_count", state.sample_count)
      .member("unusable_count", state.unusable_count)
      .member("duration_ms", state.duration_ms)
      .member("overlapping_share", state.overlapping_share)
      .member("concurrent", state.concurrent)
      .member("variation", state.variation)
      .member("step_count", state.steps.size())
      .key("levels")
      .begin_array();
  for (const analyze::Level& level : state.levels) {
    json.begin_object().member("median_ms", level.median_ms).member("share", level.share);
    json.end_object();
  }
  json.end_array();
  write_warm_up(json, state.warm_up);
  write_drift(json, state.drift);
  write_modes(json, state.modes);
  write_spikes(json, state.spikes);
  write_trusted(json, state.trusted);
  json.key("clocks").begin_object().member("likely_unlocked", !state.clock_signs.empty());
  json.key("signs").begin_array();
  for (const analyze::ClockSign sign : state.clock_signs) json.value(to_string(sign));
  json.end_array().end_object();
  if (detail == TimingDetail::kAll) {
    write_phases(json, state);
    write_changes(json, state);
    json.key("series").begin_object();
    write_numbers(json, "median_ms", state.overview.median_ms);
    write_numbers(json, "max_ms", state.overview.max_ms);
    json.end_object();
  }
  json.end_object();
}

void write_timing(JsonWriter& json, const model::PlanModel& model, const analyze::Summary& summary,
                  const analyze::TimingExplanation& timing, SampleDetail detail) {
  const model::EngineTable& engine = model.engine;
  json.begin_object().member("schema", "planex.timing/2").key("engine").begin_object();
  json.member("name", model.text(engine.name[0]));
  json.text_member("producer", model.text(engine.producer[0]));
  json.text_member("producer_version", model.text(engine.producer_version[0]));
  json.text_member("device", model.text(engine.device[0]));
  json.end_object();
  write_conclusion(json, timing_conclusion(summary));
  write_remarks(json, model, summary);
  write_end_to_end(json, summary.time);
  write_steady_state(json, summary, TimingDetail::kAll);
  write_samples(json, timing.samples, detail);
  write_waterfall(json, timing.waterfall);
  json.end_object();
}

std::string timing_json(const model::PlanModel& model, const analyze::Summary& summary,
                        const analyze::TimingExplanation& timing) {
  JsonWriter json(JsonStyle::kPretty);
  write_timing(json, model, summary, timing, SampleDetail::kFigures);
  return json.take() + "\n";
}

}  // namespace planex::render
