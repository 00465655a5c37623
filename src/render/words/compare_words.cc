#include "render/words/compare_words.h"

#include <algorithm>
#include <cmath>

#include "analyze/timing/doubtful_times.h"
#include "base/text.h"
#include "render/words/numbers.h"
#include "render/words/short_names.h"

namespace planex::render {
namespace {

using analyze::Cause;
using analyze::ChangeKind;
using analyze::Comparison;
using analyze::EngineDifference;
using analyze::LayerPair;
using base::counted;
using base::format;
using model::DType;
using model::LayerId;
using model::PlanModel;

constexpr std::string_view kMinusSign = "−";

const PlanModel& base_model(const Comparison& comparison, const EngineDifference& difference) {
  return *comparison.engines[difference.base].model;
}
const PlanModel& other_model(const Comparison& comparison, const EngineDifference& difference) {
  return *comparison.engines[difference.engine].model;
}

std::string precision(DType type) { return std::string(to_string(type)); }

std::string dims(const std::optional<std::span<const std::int64_t>>& of) {
  return of ? dims_text(*of) : std::string();
}

std::string layout(model::Layout of) { return std::string(to_string(of)); }

ChangeDetail detail_of(ChangeKind kind, const analyze::SideFacts& a, const analyze::SideFacts& b) {
  const auto others = [](const analyze::SideFacts& facts) {
    return format("{}", facts.layer_count - facts.reformat_count);
  };
  const auto both = [&](std::string from, std::string to) {
    return ChangeDetail{kind, std::move(from), std::move(to)};
  };
  switch (kind) {
    case ChangeKind::kAdded:
    case ChangeKind::kRemoved:
    case ChangeKind::kTime:
      return both({}, {});
    case ChangeKind::kFused:
    case ChangeKind::kSplit:
    case ChangeKind::kRegrouped:
      return both(others(a), others(b));
    case ChangeKind::kReformatsRemoved:
    case ChangeKind::kReformatsAdded:
      return both(format("{}", a.reformat_count), format("{}", b.reformat_count));
    case ChangeKind::kType:
      return both(std::string(a.type), std::string(b.type));
    case ChangeKind::kInputPrecision:
      return both(precision(a.input_precision), precision(b.input_precision));
    case ChangeKind::kOutputPrecision:
      return both(precision(a.output_precision), precision(b.output_precision));
    case ChangeKind::kComputePrecision:
      return both(precision(a.compute_precision), precision(b.compute_precision));
    case ChangeKind::kTactic:
      return both(std::string(a.tactic), std::string(b.tactic));
    case ChangeKind::kInputLayout:
      return both(layout(a.input_layout), layout(b.input_layout));
    case ChangeKind::kOutputLayout:
      return both(layout(a.output_layout), layout(b.output_layout));
    case ChangeKind::kInputDims:
      return both(dims(a.input_dims), dims(b.input_dims));
    case ChangeKind::kOutputDims:
      break;
  }
  return both(dims(a.output_dims), dims(b.output_dims));
}

// The names of a cause's layers, if only one pair has this cause.
std::string only_pair(const EngineDifference& difference, const LayerNames& names, Cause cause) {
  const LayerPair* only = nullptr;
  for (const LayerPair& pair : difference.layers.pairs) {
    if (pair.cause != cause) continue;
    if (only != nullptr) return {};
    only = &pair;
  }
  if (only == nullptr) return {};
  const bool of_base = !only->a.empty() && cause != Cause::kSplit;
  return of_base ? names.layers(difference.base, only->a)
                 : names.layers(difference.engine, only->b);
}

std::string count_of(std::int64_t count, std::string_view word) {
  return counted(static_cast<std::size_t>(count), word);
}

// "15 samples, about 120 needed", of the run that is in doubt.
std::string samples_text(const analyze::Verdict& verdict) {
  const analyze::VerdictSide& side =
      verdict.is_candidate_unclear ? verdict.candidate : verdict.base;
  std::string text = side.run_count == 1 ? count_of(side.sample_count, "sample")
                                         : format("{} of {}", count_of(side.sample_count, "sample"),
                                                  count_of(side.run_count, "run"));
  if (verdict.needed_sample_count) {
    text += format(", about {} {}needed", *verdict.needed_sample_count,
                   side.run_count == 1 ? "" : "a run ");
  }
  return text;
}

// How to take more samples, with the tool that measured the engine.
std::string rerun_text(const PlanModel& model, const analyze::Verdict& verdict) {
  if (!verdict.needed_sample_count || model.engine.row_count() == 0) return {};
  const std::string_view producer = model.text(model.engine.producer[0]);
  if (producer == "openvino") {
    return format("; rerun planex process with -- --iterations {}", *verdict.needed_sample_count);
  }
  if (producer == "tensorrt") {
    return format("; rerun trtexec with --iterations={}", *verdict.needed_sample_count);
  }
  return {};
}

std::string unclear_text(const analyze::Verdict& verdict) {
  using analyze::UnclearReason;
  switch (verdict.unclear_reason) {
    case UnclearReason::kNone:
      break;
    case UnclearReason::kNoTimes:
      return "one of them has no times";
    case UnclearReason::kLayerSumsOnly:
      return "only sums of layer times, so no interval";
    case UnclearReason::kNoSamples:
      return "no samples, so no interval";
    case UnclearReason::kDifferentFigures:
      return "one has compute times, the other latencies";
    case UnclearReason::kTooFewSamples:
      return samples_text(verdict);
    case UnclearReason::kDifferentStreams:
      return "inferences of one overlap more than those of the other";
    case UnclearReason::kDrift:
      return "the times of a run drift";
    case UnclearReason::kSteps:
      return "a run has several levels";
    case UnclearReason::kTwoModes:
      return "a run has two modes";
    case UnclearReason::kSingleRun:
      return format("{}, and runs of one engine can differ by {:.1f} %",
                    verdict.base.run_count == 1 && verdict.candidate.run_count == 1
                        ? "one run of each"
                        : "too few runs",
                    verdict.run_difference_ratio.value_or(0) * 100);
    case UnclearReason::kBusyMachine:
      return format("the machine was busy, and CPU time per inference changed by {}",
                    signed_percent(verdict.cpu_change_ratio.value_or(0)));
  }
  return "";
}

// "; measure each three times (--base, --candidate), 5 times if runs do differ by that much".
// It takes at least three runs to tell how much runs differ.
std::string needed_runs_text(const analyze::Verdict& verdict) {
  constexpr std::int64_t kFewest = 3;
  std::string text = "; measure each three times (--base, --candidate)";
  if (verdict.needed_run_count && *verdict.needed_run_count > kFewest) {
    text += format(", {} times if runs do differ by that much", *verdict.needed_run_count);
  }
  return text;
}

// "is 8.3 × as fast as", "takes 12.0 % longer than": where the noise is unknown.
std::string plain_change(double ratio) {
  constexpr double kAsMultiple = 0.5;
  const double speed = 1 / (1 + ratio);
  if (speed >= 1 + kAsMultiple) return format("is {:.1f} × as fast as", speed);
  if (ratio >= kAsMultiple) return format("takes {:.1f} × as long as", 1 + ratio);
  if (ratio == 0) return "takes as long as";
  return format("takes {:.1f} % {} than", std::fabs(ratio) * 100,
                ratio < 0 ? "less time" : "longer");
}

}  // namespace

std::string signed_number(double number, int decimals) {
  const std::string digits = format("{:.{}f}", std::fabs(number), decimals);
  const bool is_zero = digits.find_first_not_of("0.") == digits.npos;
  if (is_zero) return digits;
  return format("{}{}", number < 0 ? kMinusSign : "+", digits);
}

std::string exact_ms_text(const std::optional<analyze::Femtoseconds>& time, int decimals) {
  return time ? format("{:.{}f}", analyze::milliseconds(*time), decimals) : "–";
}

std::string delta_ms_text(const std::optional<analyze::Femtoseconds>& delta, int decimals) {
  return delta ? signed_number(analyze::milliseconds(*delta), decimals) : "–";
}

std::string speed_up_text(double ratio) {
  const double speed_up = 1 / ratio;
  return format("{:.{}f}", speed_up, speed_up < 0.1 ? 3 : 2);
}

std::string signed_percent(double ratio) {
  return format("{} %", signed_number(ratio * 100, std::fabs(ratio) < 0.01 ? 2 : 1));
}

LayerNames::LayerNames(const Comparison& comparison, Names names) : comparison_(comparison) {
  if (names == Names::kFull) return;
  for (const analyze::ComparedEngine& engine : comparison.engines) {
    short_names_.push_back(short_names(*engine.model));
  }
}

std::string LayerNames::layers(std::size_t engine, std::span<const LayerId> layers) const {
  constexpr std::size_t kMax = 3;
  const PlanModel& model = *comparison_.engines[engine].model;
  std::string text;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    if (!short_names_.empty() && layers.size() > kMax && i + 1 == kMax) {
      return text + format(" + {} more", layers.size() - i);
    }
    // Full names have " + " in them.
    if (i > 0) text += short_names_.empty() ? " | " : " + ";
    text += short_names_.empty() ? model.text(model.layers.name[layers[i].index()])
                                 : std::string_view(short_names_[engine][layers[i].index()]);
  }
  return text;
}

std::string LayerNames::pair(const EngineDifference& difference, const LayerPair& pair) const {
  const std::string a = layers(difference.base, pair.a);
  const std::string b = layers(difference.engine, pair.b);
  if (pair.a.empty() || a == b) return b;
  if (pair.b.empty()) return a;
  return format("{} → {}", a, b);
}

std::vector<ChangeDetail> change_details(const Comparison& comparison,
                                         const EngineDifference& difference,
                                         const LayerPair& pair) {
  std::vector<ChangeDetail> details;
  if (pair.changes.empty()) return details;
  const analyze::SideFacts a = analyze::side_facts(base_model(comparison, difference), pair.a);
  const analyze::SideFacts b = analyze::side_facts(other_model(comparison, difference), pair.b);
  for (const ChangeKind kind : pair.changes) details.push_back(detail_of(kind, a, b));
  return details;
}

std::string change_text(const std::vector<ChangeDetail>& details, const Comparison& comparison,
                        const EngineDifference& difference, std::size_t most) {
  std::string text;
  std::size_t count = 0;
  const auto add = [&](std::string words) {
    ++count;
    if (count > most && count - most > 1) return;
    if (!text.empty()) text += ", ";
    text += count > most ? "…" : words;
  };
  for (const auto& [kind, from, to] : details) {
    switch (kind) {
      case ChangeKind::kAdded:
        add(format("only in {}", comparison.engines[difference.engine].label));
        break;
      case ChangeKind::kRemoved:
        add(format("only in {}", comparison.engines[difference.base].label));
        break;
      case ChangeKind::kFused:
      case ChangeKind::kSplit:
      case ChangeKind::kRegrouped:
        add(format("{} → {} layers", from, to));
        break;
      case ChangeKind::kReformatsRemoved:
      case ChangeKind::kReformatsAdded:
        add(format("{} → {} reformats", from, to));
        break;
      case ChangeKind::kType:
        add(format("{} → {}", from, to));
        break;
      case ChangeKind::kInputPrecision:
        add(format("in {} → {}", from, to));
        break;
      case ChangeKind::kOutputPrecision:
        add(format("out {} → {}", from, to));
        break;
      case ChangeKind::kComputePrecision:
        add(format("computes in {} → {}", from, to));
        break;
      case ChangeKind::kTactic:
        add("another kernel");
        break;
      case ChangeKind::kInputLayout:
        add(format("in {} → {}", from, to));
        break;
      case ChangeKind::kOutputLayout:
        add(format("out {} → {}", from, to));
        break;
      case ChangeKind::kInputDims:
        add(format("in {} → {}", from, to));
        break;
      case ChangeKind::kOutputDims:
        add(format("out {} → {}", from, to));
        break;
      case ChangeKind::kTime:
        break;
    }
  }
  return text;
}

std::string_view cause_text(Cause cause) {
  switch (cause) {
    case Cause::kReformatsRemoved:
      return "removed reformats";
    case Cause::kReformatsAdded:
      return "added reformats";
    case Cause::kReformatsKept:
      return "reformats in both";
    case Cause::kRemoved:
      return "removed layers";
    case Cause::kAdded:
      return "added layers";
    case Cause::kFused:
      return "fused";
    case Cause::kSplit:
      return "split";
    case Cause::kRegrouped:
      return "regrouped";
    case Cause::kPrecision:
      return "another precision";
    case Cause::kDims:
      return "other dimensions";
    case Cause::kKernel:
      return "another kernel or layout";
    case Cause::kSame:
      return "no other differences";
    case Cause::kNoWork:
      break;
  }
  return "records without work";
}

std::string cause_clause(const EngineDifference& difference, const LayerNames& names,
                         const analyze::CauseRow& row) {
  const std::string name = only_pair(difference, names, row.cause);
  const auto named = [&](std::string_view verb) {
    if (name.empty())
      return format("{} {}", count_of(std::max(row.a_layers, row.b_layers), "layer"), verb);
    return format("{} {}", name, verb);
  };
  switch (row.cause) {
    case Cause::kReformatsRemoved:
      return format("{} removed", count_of(row.a_layers, "reformat"));
    case Cause::kReformatsAdded:
      return format("{} added", count_of(row.b_layers, "reformat"));
    case Cause::kReformatsKept:
      return format("{} kept", count_of(row.b_layers, "reformat"));
    case Cause::kRemoved:
      return named("removed");
    case Cause::kAdded:
      return named("added");
    case Cause::kFused:
      return name.empty()
                 ? format("{} fused into {}", count_of(row.a_layers, "layer"), row.b_layers)
                 : named("fused");
    case Cause::kSplit:
      return name.empty()
                 ? format("{} split into {}", count_of(row.a_layers, "layer"), row.b_layers)
                 : named("split");
    case Cause::kRegrouped:
      return named("regrouped");
    case Cause::kPrecision:
      return named("in another precision");
    case Cause::kDims:
      return named("of other dimensions");
    case Cause::kKernel:
      return named("with another kernel or layout");
    case Cause::kSame:
      return named("as before");
    case Cause::kNoWork:
      break;
  }
  return "records without work";
}

std::string difference_text(const EngineDifference& difference, const LayerNames& names) {
  const analyze::PairList& layers = difference.layers;
  if (!layers.delta) return {};
  constexpr std::size_t kMax = 4;
  constexpr int kDecimals = 3;
  std::string text =
      format("{} ms Σ layers", signed_number(analyze::milliseconds(*layers.delta), kDecimals));
  std::vector<const analyze::CauseRow*> causes;
  for (const analyze::CauseRow& row : layers.causes) {
    if (row.a_time != row.b_time) causes.push_back(&row);
  }
  std::ranges::stable_sort(causes, [](const auto* x, const auto* y) {
    const auto size = [](const analyze::CauseRow* row) {
      return std::abs(row->b_time - row->a_time);
    };
    return size(x) > size(y);
  });
  for (std::size_t i = 0; i < causes.size(); ++i) {
    text += i == 0 ? ": " : ", ";
    if (i == kMax) return text + "…";
    text += format(
        "{} ({})", cause_clause(difference, names, *causes[i]),
        signed_number(analyze::milliseconds(causes[i]->b_time - causes[i]->a_time), kDecimals));
  }
  return text;
}

namespace {

std::string judgement_text(const Comparison& comparison, const EngineDifference& difference) {
  using analyze::Judgement;
  const analyze::Verdict& verdict = difference.verdict;
  const std::string& a = comparison.engines[difference.base].label;
  const std::string& b = comparison.engines[difference.engine].label;
  std::string interval;
  if (verdict.low_ratio && verdict.high_ratio) {
    interval = format("95 % interval {} to {}", signed_percent(*verdict.low_ratio),
                      signed_percent(*verdict.high_ratio));
  }
  std::string change = verdict.change_ratio ? signed_percent(*verdict.change_ratio) : "";
  if (verdict.field == "cpu_time") change += " of CPU time per inference";
  const auto in_brackets = [&](std::string text) {
    return text.empty() ? text : format(" ({})", text);
  };
  switch (verdict.judgement) {
    case Judgement::kSlower:
    case Judgement::kFaster: {
      const bool slower = verdict.judgement == Judgement::kSlower;
      return format("{} is {} than {}: {}{}", b, slower ? "slower" : "faster", a, change,
                    in_brackets(interval));
    }
    case Judgement::kWithinNoise: {
      std::string text = format("no difference beyond noise between {} and {}: {}{}", a, b, change,
                                in_brackets(interval));
      if (verdict.detectable_ratio) {
        text += format("; a slow-down of {:.1f} % would have been detected",
                       *verdict.detectable_ratio * 100);
      }
      if (!verdict.is_run_spread_measured && verdict.run_spread_ratio.value_or(0) > 0) {
        text += ", a smaller one with three runs of each";
      }
      return text;
    }
    case Judgement::kUnclear: {
      const PlanModel& model = verdict.is_candidate_unclear ? other_model(comparison, difference)
                                                            : base_model(comparison, difference);
      std::string way_on;
      if (verdict.unclear_reason == analyze::UnclearReason::kTooFewSamples)
        way_on = rerun_text(model, verdict);
      if (verdict.unclear_reason == analyze::UnclearReason::kSingleRun && verdict.change_ratio) {
        // The change is large, so it is said first.
        return format("{} {} {}{}, but not significantly: {}{}", b,
                      plain_change(*verdict.change_ratio), a, in_brackets(interval),
                      unclear_text(verdict), needed_runs_text(verdict));
      }
      return format(
          "whether {} is faster than {} is unclear: {}{}{}", b, a, unclear_text(verdict),
          change.empty() ? "" : in_brackets(interval.empty() ? change : change + ", " + interval),
          way_on);
    }
    case Judgement::kUnknown: {
      using analyze::UnclearReason;
      if (verdict.unclear_reason == UnclearReason::kNone ||
          verdict.unclear_reason == UnclearReason::kNoTimes)
        break;
      const bool has_medians = verdict.unclear_reason == UnclearReason::kNoSamples ||
                               verdict.unclear_reason == UnclearReason::kLayerSumsOnly;
      if (has_medians && verdict.change_ratio) {
        return format("{} {} {}; {}", b, plain_change(*verdict.change_ratio), a,
                      unclear_text(verdict));
      }
      return format("no verdict on {} and {}: {}{}", a, b, unclear_text(verdict),
                    in_brackets(change));
    }
  }
  return format("there are no times to compare {} and {}", a, b);
}

}  // namespace

std::string verdict_text(const Comparison& comparison, const EngineDifference& difference) {
  std::string text = difference.are_unrelated
                         ? format(
                               "warning: {} and {} have hardly any layers in common: likely "
                               "different models, so no speed-up is given",
                               comparison.engines[difference.base].label,
                               comparison.engines[difference.engine].label)
                         : judgement_text(comparison, difference);
  for (std::size_t i = 0; i < difference.settings.size(); ++i) {
    const analyze::SettingDifference& setting = difference.settings[i];
    text += format("{} {} {} → {}", i == 0 ? "; settings differ:" : ",", setting.label, setting.a,
                   setting.b);
  }
  for (const std::size_t engine : {difference.base, difference.engine}) {
    const analyze::ComparedEngine& compared = comparison.engines[engine];
    if (const auto precision = analyze::unmet_precision(*compared.model)) {
      text += format("; {} was requested for {}, which ran in {}", precision->asked, compared.label,
                     precision->used);
    }
    if (analyze::was_machine_busy(*compared.model)) {
      text += format("; the machine was busy while {} was measured", compared.label);
    }
  }
  return text;
}

std::string gate_text(const analyze::Verdict& verdict) {
  using analyze::GateResult;
  if (verdict.gate == GateResult::kOff) return {};
  const std::string gate = format(
      "gate {}",
      verdict.gate_threshold_ratio ? format("{:.1f} %", *verdict.gate_threshold_ratio * 100) : "");
  switch (verdict.gate) {
    case GateResult::kPassed:
      return gate + ": passed";
    case GateResult::kFailed:
      return gate + ": failed, it is slower than that";
    case GateResult::kUndecided: {
      std::string text = gate + ": undecided";
      // Beyond the threshold, but not known to be slower at all: the wider interval says why.
      const bool is_beyond =
          verdict.gate_low_ratio && *verdict.gate_low_ratio > verdict.gate_threshold_ratio;
      const auto& low = is_beyond ? verdict.low_ratio : verdict.gate_low_ratio;
      const auto& high = is_beyond ? verdict.high_ratio : verdict.gate_high_ratio;
      if (low && high) {
        text += format(", the change is between {} and {}", signed_percent(*low),
                       signed_percent(*high));
      }
      return text;
    }
    case GateResult::kUnknown:
    case GateResult::kOff:
      break;
  }
  return gate + ": nothing to judge by";
}

}  // namespace planex::render
