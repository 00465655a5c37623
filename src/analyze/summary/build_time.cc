#include "analyze/summary/build_time.h"

#include <cmath>

#include "base/numbers.h"

namespace planex::analyze {
namespace {

class BuildTimeFinder {
 public:
  explicit BuildTimeFinder(const model::PlanModel& model)
      : model_(model), choices_(model.tactic_choices) {}

  BuildTime find() {
    list_phases();
    return std::move(result_);
  }

 private:
  bool has_several_versions() const {
    for (std::size_t row = 0; row < choices_.row_count(); ++row) {
      if (choices_.version.get(row).value_or(0) > 0) return true;
    }
    return false;
  }

  std::optional<double> build_seconds(std::string_view key) const {
    const model::MetadataTable& metadata = model_.metadata;
    for (std::size_t row = 0; row < metadata.row_count(); ++row) {
      if (model_.text(metadata.section[row]) != "build") continue;
      if (model_.text(metadata.key[row]) != key) continue;
      const std::string_view value = model_.text(metadata.value[row]);
      const auto seconds = base::leading_number<double>(value);
      if (seconds && std::isfinite(*seconds) && *seconds >= 0) return seconds;
    }
    return std::nullopt;
  }

  void add_phase(std::string_view phase, std::string_view within, std::optional<double> seconds) {
    if (seconds) result_.phases.push_back({.phase = phase, .within = within, .seconds = *seconds});
  }

  void list_phases() {
    result_.build_s = build_seconds("engine_build_s");
    // Only for the version that was kept, where there were several.
    if (!result_.build_s && !has_several_versions()) {
      result_.build_s = build_seconds("engine_generation_s");
    }
    double layers_s = 0, conversions_s = 0;
    bool has_layers = false, has_conversions = false;
    for (std::size_t row = 0; row < choices_.row_count(); ++row) {
      const auto seconds = choices_.profiling_s.get(row);
      if (!seconds) continue;
      const bool is_conversion = model_.text(choices_.kind[row]) == "reformat";
      (is_conversion ? conversions_s : layers_s) += *seconds;
      (is_conversion ? has_conversions : has_layers) = true;
    }
    const auto known = [](bool is_known, double seconds) {
      return is_known ? std::optional(seconds) : std::nullopt;
    };
    constexpr std::string_view kSelection = "tactic-selection", kLayers = "timing-layers";
    // Only trtexec times parsing, and its "Engine built in" includes it.
    if (build_seconds("engine_build_s")) add_phase("parsing", {}, build_seconds("parse_s"));
    add_phase("graph-construction", {}, build_seconds("graph_construction_s"));
    add_phase("graph-optimization", {}, build_seconds("graph_optimization_s"));
    add_phase(kSelection, {}, build_seconds("tactic_selection_s"));
    add_phase(kLayers, kSelection, known(has_layers, layers_s));
    // Where layers are timed, compiling is part of that; without a device it comes later.
    add_phase("compiling-subgraphs", has_layers ? kLayers : std::string_view(),
              build_seconds("subgraph_compilation_s"));
    add_phase("timing-conversions", kSelection, known(has_conversions, conversions_s));
    for (BuildPhase& phase : result_.phases) {
      if (result_.build_s && *result_.build_s > 0) phase.share = phase.seconds / *result_.build_s;
      if (!phase.within.empty()) continue;
      result_.accounted_s = result_.accounted_s.value_or(0) + phase.seconds;
    }
    if (result_.build_s && *result_.build_s > 0 && result_.accounted_s) {
      result_.accounted_share = *result_.accounted_s / *result_.build_s;
    }
  }

  const model::PlanModel& model_;
  const model::TacticChoicesTable& choices_;
  BuildTime result_;
};

}  // namespace

BuildTime find_build_time(const model::PlanModel& model) { return BuildTimeFinder(model).find(); }

}  // namespace planex::analyze
