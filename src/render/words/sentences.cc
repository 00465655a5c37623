#include "render/words/sentences.h"

#include <algorithm>

#include "base/text.h"
#include "render/words/numbers.h"
#include "render/words/quantization_sentences.h"
#include "render/words/tactic_sentences.h"

namespace planex::render {
namespace {

using analyze::Headline;
using analyze::Summary;
using base::counted;
using base::format;

// A share in words that people remember.
std::string share_words(double share) {
  if (share >= 0.45 && share < 0.55) return "Half";
  if (share >= 0.30 && share < 0.37) return "A third";
  if (share >= 0.23 && share < 0.27) return "A quarter";
  if (share >= 0.18 && share < 0.22) return "A fifth";
  // Less than all is never printed as 100 %.
  if (share < 1 && share >= 0.995) return "More than 99 %";
  return format("{:.0f} %", share * 100);
}

// "2 DLA parts, 5 GPU layers, 12 fallbacks": where a log or a profile contains little more.
std::optional<Conclusion> dla_conclusion(const model::PlanModel& model, const Summary& summary) {
  const std::string_view detail = model.text(model.engine.detail[0]);
  if (!summary.dla || (detail != "names-only" && detail != "no-layers")) return std::nullopt;
  const analyze::DlaReport& dla = *summary.dla;
  Conclusion result{detail == "names-only" ? dla_counts(dla) + "." : dla_fallbacks_words(dla) + ".",
                    ""};
  if (dla.wait_ms && dla.wait_share) {
    result.text = format(
        "{} of the layer time, {} ms, is spent waiting for the DLA: this is the time of its parts, "
        "whose own rows show only their start.",
        share_words(*dla.wait_share), ms_text(*dla.wait_ms));
  } else if (summary.time.basis == analyze::TimeBasis::kNone) {
    result.text = "There are no layer times.";
  }
  return result;
}

std::optional<Conclusion> names_only_conclusion(const model::PlanModel& model,
                                                const Summary& summary) {
  if (model.text(model.engine.detail[0]) != "names-only") return std::nullopt;
  // Names show quantizers and reformats, and a profile shows their times: often the most important
  // fact.
  const auto& reformats = summary.reformats;
  const auto longest = summary.top_layers.empty()
                           ? std::nullopt
                           : model.layers.share.get(summary.top_layers.front().layer.index());
  const double share = reformats ? reformats->share.value_or(0) : 0;
  if (share >= analyze::kMinReformats &&
      (longest.value_or(0) < analyze::kMinLayer || *longest <= share)) {
    return Conclusion{
        format("{} of the layer time goes into conversions of type or layout.", share_words(share)),
        format("{} of {} only {}, judging by {} names: {} ms, {} of Σ layers. Types, shapes and "
               "tensors are not in the files. planex explain reformats lists them.",
               reformats->count, counted(static_cast<std::size_t>(summary.layer_count), "layer"),
               reformats->count == 1 ? "converts" : "convert",
               reformats->count == 1 ? "its" : "their", ms_text(reformats->time_ms.value_or(0)),
               percent_text(share))};
  }
  if (!model.strings.find("only-times").is_null()) {  // the reader's word for it
    return Conclusion{
        format("Times of {} only.",
               counted(static_cast<std::size_t>(summary.record_count), "layer")),
        "There is a profile but no layer file, so no types, shapes, precisions or tensors."};
  }
  // Only TensorRT engines keep just names, unless they are built to keep more.
  const std::string_view producer = model.text(model.engine.producer[0]);
  const bool tensorrt = producer == "tensorrt" || producer == "tensorrt-rtx";
  Conclusion result{
      format("{} only.", counted(static_cast<std::size_t>(summary.record_count), "layer name")),
      tensorrt ? "The engine was built with profiling verbosity layer_names_only, the "
                 "default: no types, shapes, precisions or tensors."
               : "No types, shapes, precisions or tensors."};
  result.text += summary.time.basis == analyze::TimeBasis::kNone
                     ? " No profile was given, so there are no times."
                     : " The profile gives each layer's time.";
  return result;
}

// How a log without an engine ended.
bool is_ending(const analyze::DiagnosticGroup& group) {
  return group.code == "build-failed" || group.code == "load-failed";
}

// What the log says about a build that produced no engine, or about a load that failed.
std::optional<Conclusion> failed_conclusion(const model::PlanModel& model, const Summary& summary) {
  if (model.text(model.engine.detail[0]) != "failed") return std::nullopt;
  Conclusion result{"The build failed.", "There is no engine: only the log can be shown."};
  for (const analyze::DiagnosticGroup& group : summary.diagnostics) {
    if (!is_ending(group)) continue;
    if (group.code == "load-failed") result.headline = "The engine could not be loaded.";
    // "the build failed and there is no engine: why".
    const std::size_t colon = group.message.find(": ");
    result.text = colon == std::string::npos ? group.message : group.message.substr(colon + 2);
    if (!result.text.empty() && result.text[0] >= 'a' && result.text[0] <= 'z') {
      result.text[0] = static_cast<char>(result.text[0] - 'a' + 'A');
    }
    if (!result.text.ends_with('.')) result.text += '.';
    break;
  }
  return result;
}

// "The device computes 2.500 ms of an inference of 6.400 ms.": why a program is slower than it.
std::optional<Conclusion> host_times_conclusion(const Summary& summary) {
  if (!summary.host_times) return std::nullopt;
  const analyze::HostTimes& host = *summary.host_times;
  const auto median_of = [&](std::string_view id) -> std::optional<double> {
    const auto part = std::ranges::find(host.parts, id, &analyze::HostPart::id);
    return part == host.parts.end() ? std::nullopt : part->median_ms;
  };
  const auto latency = median_of("latency"), compute = median_of("compute");
  if (!latency || !compute || host.has_no_transfers) return std::nullopt;
  Conclusion result{format("The device computes {} ms of an inference of {} ms.", ms_text(*compute),
                           ms_text(*latency)),
                    ""};
  const auto to = median_of("h2d"), from = median_of("d2h");
  if (to && from) {
    result.text =
        format("Transfers take {} ms to the device and {} ms back. ", ms_text(*to), ms_text(*from));
  }
  if (const auto enqueue = median_of("enqueue")) {
    result.text += format("The host enqueues it in {} ms. ", ms_text(*enqueue));
  }
  result.text += "The log lists no layers.";
  return result;
}

// For an engine that is known only from its log, if the log contains too little.
std::optional<Conclusion> no_layers_conclusion(const model::PlanModel& model,
                                               const Summary& summary) {
  if (model.text(model.engine.detail[0]) != "no-layers") return std::nullopt;
  const auto has_kind = [&](std::string_view kind) {
    return std::ranges::any_of(model.files.kind.values(), [&](base::StringId file_kind) {
      return model.text(file_kind) == kind;
    });
  };
  if (has_kind("tensorrt-tuning-cache") && !has_kind("tensorrt-log")) {
    return Conclusion{"A search over build routes.",
                      "Its cache contains a time for each engine and no layers; what that proves "
                      "is explained below."};
  }
  if (has_kind("olive-footprint")) {
    return Conclusion{"A search by Olive.",
                      "Its footprint contains figures of each candidate and no layers; what they "
                      "prove is explained below."};
  }
  const auto& warnings = summary.accuracy_warnings;
  if (!warnings.empty()) {
    Conclusion result{"The builder warns that results can suffer.",
                      sentence(std::string(warnings.front().cause))};
    if (warnings.size() > 1) {
      result.text += format(" {} below.",
                            counted(warnings.size() - 1, "more warning is", "more warnings are"));
    }
    return result;
  }
  if (summary.build && summary.build->build_s.value_or(0) >= analyze::kLongBuild_s) {
    const analyze::BuildPhase* phase = main_phase(*summary.build);
    return Conclusion{
        format("The build took {:.0f} s.", *summary.build->build_s),
        phase == nullptr
            ? std::string("The log does not say what took most of it; --verbose does.")
            : format("{} of it is {}.", share_words(*phase->share), phase_text(phase->phase))};
  }
  if (auto host = host_times_conclusion(summary)) return host;
  return Conclusion{"The log lists no layers.",
                    "It contains options, memory and messages; layers need verbose messages from a "
                    "build with profiling verbosity detailed, or a layer file."};
}

// For a log that records only where nodes run.
std::optional<Conclusion> placement_conclusion(const model::PlanModel& model,
                                               const Summary& summary) {
  const std::string_view detail = model.text(model.engine.detail[0]);
  if (!summary.providers || (detail != "names-only" && detail != "no-layers")) return std::nullopt;
  const auto& providers = summary.providers->providers;
  Conclusion result{"Why nodes fell back.",
                    "The log does not list which provider runs which node: that needs its verbose "
                    "messages."};
  if (!providers.empty()) {
    result.headline.clear();
    for (const analyze::ProviderLoad& load : providers) {
      result.headline +=
          format("{}{} on {}", result.headline.empty() ? "" : ", ",
                 load.layer_count ? counted(static_cast<std::size_t>(*load.layer_count), "node")
                                  : std::string("nodes"),
                 load.provider);
    }
    result.headline += ".";
    result.text = "A session log has no times, types or shapes: those are in a profile.";
  }
  if (providers.size() == 1) {
    result.headline = format("All nodes run on {}.", providers.front().provider);
  }
  return result;
}

std::optional<Conclusion> model_conclusion(const model::PlanModel& model, const Summary& summary) {
  if (!model.is_uncompiled()) return std::nullopt;
  if (summary.model_plan && !summary.model_plan->coarse_scales.empty()) {
    const auto& all = summary.model_plan->coarse_scales;
    const auto& worst = *std::ranges::min_element(all, {}, &analyze::CoarseScaleFact::step_count);
    Conclusion result{"A scale of this model loses values.", sentence(worst.sentence)};
    result.text += format(" {}", sentence(worst.cure));
    if (all.size() > 1) result.text += format(" {} more like it.", all.size() - 1);
    return result;
  }
  return Conclusion{"A model, not an engine.",
                    "Nothing is compiled yet: there are no times, no kernels, and no precisions "
                    "that an engine chose."};
}

// "20 of 25 layers are of type Convolution, and 24 read FP16."; "9 layers are of 6 types, and …".
std::string made_of_words(const Summary& summary) {
  const auto layers = static_cast<std::size_t>(summary.layer_count);
  if (summary.by_type.empty() || summary.by_type.front().key.empty()) return "No layer times.";
  const auto of_all = [&](std::int64_t count) {
    return base::part_of_all(static_cast<std::size_t>(count), layers, "layer");
  };
  const analyze::Group& type = summary.by_type.front();
  const bool is_most = type.count * 2 >= summary.layer_count;
  std::string words =
      is_most
          ? format("{} {} of type {}", of_all(type.count), type.count == 1 ? "is" : "are", type.key)
          : format("{} are of {} types", counted(layers, "layer"), summary.by_type.size());
  const auto precision = std::ranges::max_element(summary.by_precision, {}, &analyze::Group::count);
  if (precision != summary.by_precision.end() && !precision->key.empty()) {
    words +=
        format(", and {} {} {}",
               layers == 1                               ? std::string("it")
               : precision->count == summary.layer_count ? std::string(layers == 2 ? "both" : "all")
                                                         : format("{}", precision->count),
               precision->count == 1 ? "reads" : "read", precision->key);
  }
  return sentence(std::move(words));
}

// Without times, what costs most is unknown: it says what the engine consists of instead.
std::optional<Conclusion> no_times_conclusion(const Summary& summary) {
  if (summary.time.basis != analyze::TimeBasis::kNone || summary.layer_count == 0) {
    return std::nullopt;
  }
  const std::string words = made_of_words(summary);
  const auto& end = summary.time.end_to_end;
  if (end && end->median_ms) {
    return Conclusion{
        words, format("An inference takes {} ms; the files do not record what each layer takes.",
                      ms_text(*end->median_ms))};
  }
  return Conclusion{words, "There are no times in the files."};
}

// Findings on exactly the layers that the headline is about.
std::string warnings_clause(const Headline& headline) {
  if (headline.warnings == 0) return {};
  return format(" {} about {}.",
                counted(static_cast<std::size_t>(headline.warnings), "warning is", "warnings are"),
                headline.count == 1 ? "it" : "them");
}

// "attention kernels"; "layers" where it is not known what they do.
std::string equal_layers(std::string_view work) {
  return work.empty() ? "layers" : format("{} kernels", work);
}

// "conv1 takes 0.029 ms of 0.359 ms.", the first of several with what each takes.
std::string layer_clause(const model::PlanModel& model, const Headline& headline,
                         const Summary& summary) {
  const std::string name = base::quoted(model.text(model.layers.name[headline.layer.index()]), 120);
  const std::string sum = ms_text(summary.time.layers_ms().value_or(headline.time_ms));
  if (headline.kind == analyze::HeadlineKind::kOnly) {
    return format("{} takes {} ms.", name, ms_text(headline.time_ms));
  }
  if (headline.count == 1) {
    return format("{} takes {} ms of {} ms.", name, ms_text(headline.time_ms), sum);
  }
  return format("{} and {} more with the same kernel and shapes take {} ms of {} ms, {} µs each.",
                name, headline.count - 1, ms_text(headline.time_ms), sum,
                us_text(headline.time_ms * 1000 / static_cast<double>(headline.count)));
}

// "Convolution takes 65 % of the layer time, conversions of type or layout 25 %."
Conclusion type_conclusion(const analyze::Group& group, const Headline& headline,
                           const Summary& summary) {
  Conclusion result{format("{} takes {:.0f} % of the layer time", group.key, headline.share * 100),
                    format("{} of type {}: {} of Σ layers.",
                           counted(static_cast<std::size_t>(headline.count), "layer"), group.key,
                           percent_text(headline.share))};
  const auto& reformats = summary.reformats;
  if (reformats && reformats->share.value_or(0) >= analyze::kMinReformats) {
    result.headline += format(", conversions of type or layout {:.0f} %", *reformats->share * 100);
    result.text += format(" {} of {} {}: {} ms, {} of Σ layers.", reformats->count,
                          counted(static_cast<std::size_t>(summary.layer_count), "layer"),
                          reformats->count == 1 ? "is a reformat" : "are reformats",
                          ms_text(reformats->time_ms.value_or(0)), percent_text(*reformats->share));
  } else if (!summary.by_precision.empty() && summary.by_precision.front().share) {
    const analyze::Group& precision = summary.by_precision.front();
    if (!precision.key.empty()) {
      result.text +=
          format(" {} of the layer time reads {}.", percent_text(*precision.share), precision.key);
    }
  }
  result.headline += ".";
  return result;
}

// "8 of 15 convolutions and matrix products that the model quantizes compute in float."
Conclusion quantized_in_float_conclusion(const model::PlanModel& model, const Headline& headline,
                                         const Summary& summary) {
  const auto asked = static_cast<std::size_t>(headline.asked);
  const std::string layers =
      counted(asked, "convolution or matrix product", "convolutions and matrix products");
  Conclusion result;
  result.headline =
      format("{} {} that the model quantizes {} in float.",
             headline.count == headline.asked ? "All" : format("{} of", headline.count), layers,
             headline.count == 1 ? "computes" : "compute");
  if (headline.count == headline.asked && asked == 1) {
    result.headline =
        "The convolution or matrix product that the model quantizes computes in float.";
  }
  if (headline.is_timed) {
    const auto& reformats = summary.reformats;
    const bool converts = reformats && reformats->share.value_or(0) >= analyze::kMinReformats;
    result.text = format(
        "{} {} ms, {} of Σ layers{}. ", headline.count == 1 ? "It takes" : "They take",
        ms_text(headline.time_ms), percent_text(headline.share),
        converts ? format("; conversions of type or layout {}", percent_text(*reformats->share))
                 : "");
  } else {
    result.text = format("The first is {}. ",
                         base::quoted(model.text(model.layers.name[headline.layer.index()]), 120));
  }
  if (!headline.why) {
    result.text += "planex explain quantization says why.";
    return result;
  }
  std::string reason = headline.why_count > 1 ? fallback_kind(*headline.why) : std::string();
  if (reason.empty()) reason = fallback_text(model, *headline.why);
  if (headline.why_count > 1 && reason.starts_with("it ")) reason = "each " + reason.substr(3);
  result.text +=
      format("Why{}: {}. ",
             headline.why_count == headline.count ? std::string()
                                                  : format(" ({} of them)", headline.why_count),
             reason);
  const std::string advice = fallback_advice(model, *headline.why);
  result.text += advice.empty() ? "planex explain quantization lists them." : advice + ".";
  return result;
}

// "6 convolutions and matrix products compute in FP32 in an engine that otherwise is quantized."
Conclusion float32_rest_conclusion(const model::PlanModel& model, const Headline& headline) {
  const bool is_one = headline.count == 1;
  return {format("{} of the layer time is spent in FP32, in an otherwise quantized engine.",
                 share_words(headline.share)),
          format("{} left unquantized {} {} ms, and none runs in FP16; the longest is {}. planex "
                 "lint says how to allow FP16.",
                 counted(static_cast<std::size_t>(headline.count), "convolution or matrix product",
                         "convolutions and matrix products"),
                 is_one ? "takes" : "take", ms_text(headline.time_ms),
                 base::quoted(model.text(model.layers.name[headline.layer.index()]), 120))};
}

// Times that exist but do not represent the engine.
std::optional<Conclusion> no_measure_conclusion(const model::PlanModel& model,
                                                const Summary& summary) {
  if (summary.time.basis == analyze::TimeBasis::kNone) return std::nullopt;
  const auto reason = analyze::no_measure(model, summary.time);
  if (!reason) return std::nullopt;
  return Conclusion{
      "The layer times do not represent the engine.",
      format("They {}.{}", model::words_of(*reason),
             *reason == model::NoMeasure::kFirstInference ? " Measure more inferences." : "")};
}

std::optional<Conclusion> headline_conclusion(const model::PlanModel& model,
                                              const Summary& summary) {
  if (!summary.headline) return std::nullopt;
  const Headline& headline = *summary.headline;
  const std::string share = share_words(headline.share);
  switch (headline.kind) {
    case analyze::HeadlineKind::kReformats:
      return Conclusion{
          format("{} of the layer time goes into conversions of type or layout.", share),
          format("{} of {} {}: {} ms, {} of Σ layers.{}", headline.count,
                 counted(static_cast<std::size_t>(summary.layer_count), "layer"),
                 headline.count == 1 ? "is a reformat" : "are reformats", ms_text(headline.time_ms),
                 percent_text(headline.share), warnings_clause(headline))};
    case analyze::HeadlineKind::kRepeated:
      return Conclusion{format("{} of the layer time is {} equal {}.", share, headline.count,
                               equal_layers(analyze::work_of_layer(model, headline.layer))),
                        layer_clause(model, headline, summary) + warnings_clause(headline)};
    case analyze::HeadlineKind::kQuantizedInFloat:
      return quantized_in_float_conclusion(model, headline, summary);
    case analyze::HeadlineKind::kFloat32Rest:
      return float32_rest_conclusion(model, headline);
    case analyze::HeadlineKind::kWeightsExpanded:
      return Conclusion{
          format("{} of the layer time converts quantized weights to float, in every inference.",
                 share),
          format("{}: {} ms, {} of Σ layers. planex explain quantization says why.",
                 counted(static_cast<std::size_t>(headline.count), "layer does it", "layers do it"),
                 ms_text(headline.time_ms), percent_text(headline.share))};
    case analyze::HeadlineKind::kType: {
      const auto group =
          std::ranges::find(summary.by_type, model.text(model.layers.type[headline.layer.index()]),
                            [](const analyze::Group& one) { return std::string_view(one.key); });
      if (group == summary.by_type.end()) break;
      return type_conclusion(*group, headline, summary);
    }
    case analyze::HeadlineKind::kOnly:
      return Conclusion{"The engine is one layer.",
                        layer_clause(model, headline, summary) + warnings_clause(headline)};
    case analyze::HeadlineKind::kLayer:
      break;
  }
  return Conclusion{format("{} of the layer time is one layer.", share),
                    layer_clause(model, headline, summary) + warnings_clause(headline)};
}

// "0.30 s" since the first sample; empty where times are not known.
std::string seconds_in_brackets(std::optional<double> ms) {
  return ms ? format(" ({:.2f} s)", *ms / 1000) : std::string();
}

// A warm-up of at most this many samples is given as a count, not as a position.
constexpr std::int64_t kFirstFew = 3;

std::string steady_text(const analyze::SteadyState& state) {
  const std::string all = grouped(state.sample_count);
  const auto& warm_up = state.warm_up;
  switch (state.verdict) {
    case analyze::Steadiness::kTooFew:
      return format("{} are too few to judge steadiness",
                    counted(static_cast<std::size_t>(state.sample_count), "sample"));
    case analyze::Steadiness::kSteady:
      return format("steady: all {} samples", all);
    case analyze::Steadiness::kAfterStart:
      if (warm_up->range.count <= kFirstFew) {
        return format("steady: all but the first{} of {} samples",
                      warm_up->range.count == 1 ? "" : format(" {}", warm_up->range.count), all);
      }
      return format("steady from sample {}{}", grouped(warm_up->range.last + 1),
                    seconds_in_brackets(warm_up->range.end_ms));
    case analyze::Steadiness::kDrifts:
      return format("drifts: {:+.1f} % in {}", state.drift->change_ratio * 100,
                    state.duration_ms ? format("{:.2f} s", *state.duration_ms / 1000)
                                      : format("{} samples", all));
    case analyze::Steadiness::kSteps:
      return format("not steady: {} between {}, {:.1f} % apart",
                    counted(state.steps.size(), "step"), counted(state.levels.size(), "level"),
                    (state.levels.back().median_ms / state.levels.front().median_ms - 1) * 100);
    case analyze::Steadiness::kTwoModes:
      return format("two values: {} ms ({:.0f} %) and {} ms ({:.0f} %)",
                    ms_text(state.modes->low_ms), state.modes->low_share * 100,
                    ms_text(state.modes->high_ms), state.modes->high_share * 100);
  }
  return {};
}

std::string spikes_text(const analyze::Spikes& spikes) {
  // As a share of all time.
  constexpr double kWorthSaying = 0.001;
  if (spikes.period) {
    const bool bursts = spikes.count >= 2 * spikes.period->event_count;
    return format("{}spikes {}", bursts ? "bursts of " : "", period_text(*spikes.period));
  }
  if (spikes.cost_share < kWorthSaying) return {};
  std::string text = format("{} of the samples are spikes", percent_text(spikes.share));
  if (spikes.inner_period) text += format(", in bursts {}", period_text(*spikes.inner_period));
  return text;
}

}  // namespace

std::string others_text(const analyze::OtherRecords& others) {
  constexpr std::size_t kMax = 2;
  std::string text = "no layer";
  for (std::size_t i = 0; i < std::min(kMax, others.types.size()); ++i) {
    text += format("{}{}", i == 0 ? ": " : ", ", others.types[i]);
  }
  if (others.types.size() > kMax) text += ", …";
  return text;
}

std::string plus_others_text(std::optional<double> others_ms) {
  if (others_ms.value_or(0) <= 0) return {};
  return format(" + {} ms in records that do no work", ms_text(*others_ms));
}

std::string sentence(std::string clause) {
  if (!clause.empty() && clause[0] >= 'a' && clause[0] <= 'z') {
    clause[0] = static_cast<char>(clause[0] - 'a' + 'A');
  }
  return clause + ".";
}

std::string unlinked_text(const model::PlanModel& model) {
  if (model.ports.row_count() > 0 || model.layers.row_count() < 2) return {};
  const bool is_tensorrt = model.text(model.engine.producer[0]).starts_with("tensorrt");
  return format("no edges: the files do not record what layers read and write{}",
                is_tensorrt ? "; --profilingVerbosity=detailed does" : "");
}

std::string period_text(const analyze::Period& period) {
  if (!period.ms || period.regular_in == "samples") {
    return format("every {:.0f} samples", period.samples);
  }
  return format("every {:.{}f} ms", *period.ms, *period.ms < 10 ? 1 : 0);
}

std::string steadiness_text(const analyze::SteadyState& state) {
  std::string text = steady_text(state);
  const bool warm_up_is_told = state.verdict == analyze::Steadiness::kAfterStart;
  if (state.warm_up && !warm_up_is_told && state.warm_up->range.count > kFirstFew) {
    text += format("; warm-up until sample {}{}", grouped(state.warm_up->range.last + 1),
                   seconds_in_brackets(state.warm_up->range.end_ms));
  }
  if (state.modes && state.verdict != analyze::Steadiness::kTwoModes) {
    text += format("; two values {} apart", percent_text(state.modes->change_ratio));
  }
  if (state.spikes) {
    if (const std::string spikes = spikes_text(*state.spikes); !spikes.empty()) {
      text += "; " + spikes;
    }
  }
  if (state.concurrent > 1) text += format("; {} concurrent inferences", state.concurrent);
  if (state.unusable_count > 0) {
    text += format("; {} left out: no positive time",
                   counted(static_cast<std::size_t>(state.unusable_count), "sample"));
  }
  return text;
}

std::string dla_fallbacks_words(const analyze::DlaReport& dla) {
  const auto count = static_cast<std::size_t>(dla.fallback_count);
  return format("{} fell back from the DLA to the GPU", counted(count, "layer"));
}

std::string dla_counts(const analyze::DlaReport& dla) {
  std::string text = format("{}, {}", counted(static_cast<std::size_t>(dla.part_count), "DLA part"),
                            counted(static_cast<std::size_t>(dla.gpu_layer_count), "GPU layer"));
  if (dla.fallback_count > 0) {
    text += format(", {}", counted(static_cast<std::size_t>(dla.fallback_count), "fallback"));
  }
  return text;
}

std::optional<Conclusion> conclusion(const model::PlanModel& model, const Summary& summary) {
  if (auto result = failed_conclusion(model, summary)) return result;
  if (auto result = model_conclusion(model, summary)) return result;
  if (auto result = placement_conclusion(model, summary)) return result;
  if (auto result = dla_conclusion(model, summary)) return result;
  if (auto result = names_only_conclusion(model, summary)) return result;
  if (auto result = no_layers_conclusion(model, summary)) return result;
  if (auto result = headline_conclusion(model, summary)) return result;
  if (auto result = no_measure_conclusion(model, summary)) return result;
  return no_times_conclusion(summary);
}

bool is_said_already(const analyze::DiagnosticGroup& group, std::string_view detail,
                     const std::vector<analyze::DiagnosticGroup>& all) {
  const std::string_view code = group.code;
  if (code == "no-tensors") return true;  // of counters without their graph, whatever the detail
  if (detail == "names-only") return code == "names-only" || code == "only-times";
  if (detail == "log") return code == "names-only" || code == "layers-without-detail";
  if (detail == "no-layers") return code == "no-layers" || code == "log-without-layers";
  if (detail != "failed") return false;
  if (is_ending(group) || code == "no-layers" || code == "log-without-layers") return true;
  // The error that the build ended with, as the log has it.
  const std::size_t quote = group.message.find('"');
  if (code != "trt-error" || group.count > 1 || quote == std::string::npos) return false;
  const auto failure = std::ranges::find_if(all, is_ending);
  return failure != all.end() &&
         failure->message.find(group.message.substr(quote)) != std::string::npos;
}

std::string producer_text(const model::PlanModel& model) {
  const std::string_view producer = model.text(model.engine.producer[0]);
  const std::string_view version = model.text(model.engine.producer_version[0]);
  std::string name(producer);
  if (producer == "tensorrt") name = "TensorRT";
  if (producer == "tensorrt-rtx") name = "TensorRT-RTX";
  if (producer == "openvino") name = "OpenVINO";
  if (producer == "onnxruntime") name = "ONNX Runtime";
  if (model.is_uncompiled()) return "ONNX model, nothing compiled";
  return version.empty() ? name + ", version not in the file" : format("{} {}", name, version);
}

std::string precision_flow_text(const model::PlanModel& model, model::LayerId layer) {
  const std::string_view in = to_string(model.layers.precision[layer.index()]);
  const std::string_view out = to_string(model.layers.output_precision[layer.index()]);
  if (in.empty() && out.empty()) return "–";
  if (in == out || out.empty()) return std::string(in);
  return format("{} → {}", in.empty() ? "–" : in, out);
}

}  // namespace planex::render
