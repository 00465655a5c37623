#include "analyze/summary/headline.h"

#include <algorithm>
#include <map>

#include "analyze/work/generated_kernels.h"
#include "analyze/work/sums.h"

namespace planex::analyze {
namespace {

using model::Family;
using model::LayerId;
using model::PlanModel;

constexpr double kMinFloat = 0.1;
constexpr double kMinFloatCount = 0.25;
// Share of the time of all layers of the type: then the more specific fact explains most of it.
constexpr double kMinOfType = 2.0 / 3;
constexpr double kMinRepeated = 0.15;
constexpr std::int64_t kMinEqual = 6;

bool is_conversion(const PlanModel& model, LayerId layer) {
  return model.does_work(layer) && model.layers.is_reformat.get(layer.index()) == 1;
}

// Kernel and shapes: layers that share them do the same work. By FNV-1a.
std::uint64_t work_key(const PlanModel& model, LayerId layer) {
  const model::LayersTable& layers = model.layers;
  const std::size_t row = layer.index();
  std::uint64_t key = 14695981039346656037U;
  const auto mix = [&](std::uint64_t value) { key = (key ^ value) * 1099511628211U; };
  mix(layers.type[row].index());
  mix(layers.tactic[row].index());
  mix(static_cast<std::uint64_t>(layers.family[row]));
  const model::RowRange ports = model.ports_of(layer);
  for (std::size_t port = ports.first; port < ports.end(); ++port) {
    mix(static_cast<std::uint64_t>(model.ports.direction[port]));
    mix(static_cast<std::uint64_t>(model.ports.dtype[port]));
    for (const std::int64_t dim : model.ports.dims[port]) mix(static_cast<std::uint64_t>(dim));
  }
  return key;
}

class HeadlineFinder {
 public:
  HeadlineFinder(const PlanModel& model, const Reconciliation& time) : model_(model), time_(time) {}

  std::optional<Headline> find() {
    if (auto headline = quantized_in_float()) return headline;
    const auto sum = time_.layers_ms();
    if (!sum || !(*sum > 0) || no_measure(model_, time_)) return std::nullopt;
    add_up();
    if (timed_ == 1 && time_.layers_without_time == 0) {
      longest_.kind = HeadlineKind::kOnly;
      finish(longest_);
      return longest_;
    }
    for (auto& [type, of_type] : types_) offer(of_type, 0, 1);
    const auto largest_type = best_;
    best_.reset();
    offer(longest_, kMinLayer, 1);
    for (auto& [key, repeated] : repeated_) offer(repeated, kMinRepeated, kMinEqual);
    if (largest_type && (!best_ || best_->share < largest_type->share * kMinOfType)) {
      best_ = largest_type;
    }
    // One conversion is described by the time of all of them.
    if (best_ && is_conversion(model_, best_->layer)) best_.reset();
    offer(reformats_, kMinReformats, 1);
    return best_;
  }

 private:
  bool anything_is_quantized() const {
    const auto& types = model_.ports.dtype.values();
    return std::ranges::any_of(types, [](model::DType type) { return model::is_quantized(type); });
  }

  // What should run quantized but does not.
  std::optional<Headline> quantized_in_float() {
    if (!anything_is_quantized()) return std::nullopt;
    const QuantizationExplanation quantization = explain_quantization(model_, time_);
    // Where the builder chose by calibration, the model asks for no particular layer.
    if (quantization.form == QuantizationForm::kNone ||
        quantization.form == QuantizationForm::kCalibrated) {
      return float32_rest(quantization);
    }
    const bool is_timed = !no_measure(model_, time_);
    const LayerTotals& expanded = quantization.weight_kernels;
    if (is_timed && expanded.share.value_or(0) >= kMinFloat &&
        expanded.share >= quantization.fell_back.share) {
      return Headline{.kind = HeadlineKind::kWeightsExpanded,
                      .layer = first_fallen(quantization),
                      .count = static_cast<std::int64_t>(expanded.count),
                      .time_ms = expanded.time_ms.value_or(0),
                      .share = *expanded.share};
    }
    const LayerTotals& fell_back = quantization.fell_back;
    Headline headline{.kind = HeadlineKind::kQuantizedInFloat,
                      .layer = first_fallen(quantization),
                      .count = static_cast<std::int64_t>(fell_back.count),
                      .asked = static_cast<std::int64_t>(quantization.requested.count),
                      .time_ms = fell_back.time_ms.value_or(0),
                      .share = fell_back.share.value_or(0),
                      .is_timed = is_timed && fell_back.share.has_value()};
    const bool is_much = headline.is_timed
                             ? headline.share >= kMinFloat
                             : static_cast<double>(headline.count) >=
                                   kMinFloatCount * static_cast<double>(headline.asked);
    if (headline.count == 0 || headline.layer.is_null() || !is_much) {
      return float32_rest(quantization);
    }
    for (const FallbackGroup& group : fallback_groups(quantization)) {
      const QuantizationRow& first = *group.rows.front();
      if (first.reason == FallbackReason::kUnknown || first.run == QuantizedRun::kWritesFloat) {
        continue;
      }
      headline.why = first;
      headline.why_count = static_cast<std::int64_t>(group.rows.size());
      break;
    }
    return headline;
  }

  // Half of such an engine runs in FP32 because TensorRT was not allowed FP16, or the model is FP32
  // there.
  std::optional<Headline> float32_rest(const QuantizationExplanation& quantization) const {
    if (!model_.text(model_.engine.producer[0]).starts_with("tensorrt")) return std::nullopt;
    Headline headline{.kind = HeadlineKind::kFloat32Rest, .count = 0};
    std::int64_t quantized = 0;
    double longest_ms = -1;
    for (const QuantizationRow& row : quantization.rows) {
      if (model::is_quantized(row.input)) {
        ++quantized;
        continue;
      }
      // Layers that should be quantized but are not have a reason of their own, as do expanded
      // weights.
      const bool is_asked =
          row.requested == Requested::kYes && quantization.form != QuantizationForm::kCalibrated;
      if (is_asked || !row.weight_kernel.is_null()) continue;
      if (row.input != model::DType::kFp32 && row.input != model::DType::kTf32) return std::nullopt;
      ++headline.count;
      headline.time_ms += row.time_ms.value_or(0);
      if (row.time_ms.value_or(0) <= longest_ms) continue;
      longest_ms = row.time_ms.value_or(0);
      headline.layer = row.layer;
    }
    headline.share = time_.share(headline.time_ms).value_or(0);
    if (headline.count == 0 || quantized < headline.count || headline.share < kMinFloat ||
        no_measure(model_, time_)) {
      return std::nullopt;
    }
    return headline;
  }

  static LayerId first_fallen(const QuantizationExplanation& quantization) {
    for (const QuantizationRow& row : quantization.rows) {
      if (row.requested == Requested::kYes && row.run != QuantizedRun::kQuantized &&
          row.run != QuantizedRun::kWritesFloat) {
        return row.layer;
      }
    }
    return LayerId();
  }

  void add_up() {
    reformats_.kind = HeadlineKind::kReformats;
    reformats_.count = 0;
    for (std::size_t row = 0; row < model_.layers.row_count(); ++row) {
      const LayerId layer(row);
      const auto ms = layer_time(model_, row, time_.basis);
      if (!ms || !model_.is_shown(layer)) continue;
      if (*ms > longest_.time_ms) longest_ = {.layer = layer, .time_ms = *ms};
      if (!model_.does_work(layer)) continue;
      ++timed_;
      if (is_conversion(model_, layer)) {
        add(layer, *ms, reformats_);
        continue;
      }
      const base::StringId type = model_.layers.type[row];
      if (!model_.text(type).empty()) {
        const auto [of_type, is_first] = types_.try_emplace(type.index());
        if (is_first) of_type->second = {.kind = HeadlineKind::kType, .count = 0};
        add(layer, *ms, of_type->second);
      }
      if (model_.ports_of(layer).count > 0) {
        const auto [entry, is_new] = repeated_.try_emplace(work_key(model_, layer));
        if (is_new) entry->second = {.kind = HeadlineKind::kRepeated, .count = 0};
        add(layer, *ms, entry->second);
      }
    }
  }

  static void add(LayerId layer, double ms, Headline& of) {
    if (of.count++ == 0) of.layer = layer;
    of.time_ms += ms;
  }

  void offer(Headline& candidate, double min_share, std::int64_t fewest) {
    if (candidate.count < fewest || candidate.layer.is_null()) return;
    candidate.share = time_.share(candidate.time_ms).value_or(0);
    if (candidate.share < min_share || (best_ && best_->share >= candidate.share)) return;
    finish(candidate);
    best_ = candidate;
  }

  bool is_about(LayerId layer, const Headline& headline) const {
    switch (headline.kind) {
      case HeadlineKind::kReformats:
        return is_conversion(model_, layer);
      case HeadlineKind::kRepeated:
        return model_.does_work(layer) &&
               work_key(model_, layer) == work_key(model_, headline.layer);
      case HeadlineKind::kType:
        return model_.does_work(layer) && !is_conversion(model_, layer) &&
               model_.layers.type[layer.index()] == model_.layers.type[headline.layer.index()];
      case HeadlineKind::kQuantizedInFloat:
      case HeadlineKind::kWeightsExpanded:
      case HeadlineKind::kFloat32Rest:
      case HeadlineKind::kLayer:
      case HeadlineKind::kOnly:
        break;
    }
    return layer == headline.layer;
  }

  void finish(Headline& headline) const {
    headline.share = time_.share(headline.time_ms).value_or(0);
    headline.warnings = 0;
    const model::FindingsTable& findings = model_.findings;
    for (std::size_t row = 0; row < findings.row_count(); ++row) {
      const bool asks = findings.severity[row] == model::Severity::kWarning ||
                        findings.severity[row] == model::Severity::kError;
      if (!asks || findings.layer_id.is_null(row)) continue;
      if (is_about(findings.layer_id[row], headline)) ++headline.warnings;
    }
  }

  const PlanModel& model_;
  const Reconciliation& time_;
  std::int64_t timed_ = 0;  // layers that do work
  Headline longest_, reformats_;
  std::map<std::uint64_t, Headline> repeated_;  // by work
  std::map<std::size_t, Headline> types_;       // by text
  std::optional<Headline> best_;
};

}  // namespace

std::string_view work_of_layer(const PlanModel& model, LayerId layer) {
  const model::LayersTable& layers = model.layers;
  const std::size_t row = layer.index();
  const std::string_view kind = generated_kind(model.text(layers.name[row]));
  if (!kind.empty()) return kind;
  switch (layers.family[row]) {
    case Family::kConvolution:
      return "convolution";
    case Family::kGemm:
      return "matrix product";
    case Family::kNorm:
      return "normalization";
    case Family::kPool:
      return "pooling";
    case Family::kPointwise:
      return "pointwise";
    default:
      return {};
  }
}

std::optional<ReformatLoad> reformats_of(const PlanModel& model, const Reconciliation& time) {
  ReformatLoad load;
  bool is_known = false;
  for (std::size_t row = 0; row < model.layers.row_count(); ++row) {
    const LayerId layer(row);
    if (!model.does_work(layer)) continue;
    is_known = is_known || !model.layers.is_reformat.is_null(row);
    if (!is_conversion(model, layer)) continue;
    ++load.count;
    const auto ms = layer_time(model, row, time.basis);
    add_to(load.time_ms, ms);
  }
  if (!is_known) return std::nullopt;
  // The sum over no reformats is known: 0.
  if (load.count == 0 && time.layers_ms()) load.time_ms = 0;
  load.share = time.share(load.time_ms);
  return load;
}

std::optional<model::NoMeasure> no_measure(const PlanModel& model, const Reconciliation& time) {
  const auto& end = time.end_to_end;
  if (end && end->source == "times" && end->count == 1) return model::NoMeasure::kFirstInference;
  const bool is_of_host =
      std::ranges::any_of(model.diagnostics.code.values(), [&](base::StringId code) {
        return model.text(code) == "host-times";  // the reader's word for it
      });
  return is_of_host ? std::optional(model::NoMeasure::kHostTimes) : std::nullopt;
}

std::optional<Headline> find_headline(const PlanModel& model, const Reconciliation& time) {
  return HeadlineFinder(model, time).find();
}

}  // namespace planex::analyze
