#include "analyze/headline.h"

#include <map>

#include "analyze/generated_kernels.h"
#include "analyze/sums.h"

namespace planex::analyze {
namespace {

using model::Family;
using model::LayerId;
using model::PlanModel;

constexpr double kMinReformats = 0.05;
constexpr double kMinLayer = 0.25;
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
    const auto sum = time_.layers_ms();
    if (!sum || !(*sum > 0)) return std::nullopt;
    // The first inference also loads and compiles kernels: its layers' shares are no one's.
    const auto& end = time_.end_to_end;
    if (end && end->source == "times" && end->count == 1) return std::nullopt;
    add_up();
    if (timed_ == 1 && time_.layers_without_time == 0) {
      longest_.kind = HeadlineKind::kOnly;
      finish(longest_);
      return longest_;
    }
    offer(reformats_, kMinReformats, 1);
    offer(longest_, kMinLayer, 1);
    for (auto& [key, repeated] : repeated_) offer(repeated, kMinRepeated, kMinEqual);
    return best_;
  }

 private:
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
      } else if (model_.ports_of(layer).count > 0) {
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
  // Of no reformats the sum is known: nothing.
  if (load.count == 0 && time.layers_ms()) load.time_ms = 0;
  load.share = time.share(load.time_ms);
  return load;
}

std::optional<Headline> find_headline(const PlanModel& model, const Reconciliation& time) {
  return HeadlineFinder(model, time).find();
}

}  // namespace planex::analyze
