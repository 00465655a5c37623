#include "analyze/complete/olive.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <set>
#include <string_view>
#include <tuple>

#include "analyze/complete/one_run.h"
#include "analyze/work/remark.h"
#include "base/numbers.h"
#include "base/text.h"

namespace planex::analyze {
namespace {

using base::format;
using model::PlanModel;

constexpr std::string_view kCandidate = "olive candidate ", kMetric = "olive metric ";
constexpr std::string_view kSetting = "set ", kFigure = "metric ";

struct MetricOrder {
  std::optional<double> priority;
  bool is_higher_better = false;
};

void set_olive_field(OliveModel& node, std::string_view key, std::string_view value) {
  if (key == "model") node.id = value;
  if (key == "parent") node.parent = value;
  if (key == "pass") node.pass = value;
  if (key == "file") node.file = value;
  if (key == "failed") node.has_failed = true;
  if (key == "front") node.is_on_front = true;
  if (key.starts_with(kSetting)) node.settings.emplace_back(key.substr(kSetting.size()), value);
  if (key.starts_with(kFigure)) {
    if (const auto number = base::finite(base::number_in<double>(value))) {
      node.metrics[std::string(key.substr(kFigure.size()))] = *number;
    }
  }
}

std::optional<double> objective_of(const OliveSearch& search, std::size_t index) {
  const auto& metrics = search.models[index].metrics;
  const auto found = metrics.find(search.objective);
  return found == metrics.end() ? std::nullopt : std::optional(found->second);
}

bool is_better(const OliveSearch& search, double figure, double other) {
  return search.is_higher_better ? figure > other : figure < other;
}

// Metrics have the names that users gave them, and no units: Olive's latencies are milliseconds.
bool is_latency(const OliveSearch& search) {
  return base::lower(search.objective).find("latency") != std::string::npos;
}
bool is_speed(const OliveSearch& search) {
  return is_latency(search) ||
         base::lower(search.objective).find("throughput") != std::string::npos;
}

std::string figure_text(const OliveSearch& search, double figure) {
  return format("{:.4g}{}", figure, is_latency(search) ? " ms" : "");
}

// By how much of the other's figure it is better; negative: it is worse.
double lead_over(const OliveSearch& search, double figure, double other) {
  if (other == 0 || figure == 0) return 0;
  return search.is_higher_better ? 1 - other / figure : 1 - figure / other;
}

void choose_objective(OliveSearch& search, const std::map<std::string, MetricOrder>& orders) {
  // Those that are only watched have the priority -1.
  const auto rank = [](const MetricOrder& order) {
    return order.priority && *order.priority > 0 ? *order.priority
                                                 : std::numeric_limits<double>::infinity();
  };
  const auto best = std::ranges::min_element(orders, [&](const auto& one, const auto& other) {
    return rank(one.second) < rank(other.second);
  });
  if (best == orders.end()) return;
  search.objective = best->first;
  search.is_higher_better = best->second.is_higher_better;
}

void rank_candidates(OliveSearch& search) {
  for (std::size_t i = 0; i < search.models.size(); ++i) {
    const OliveModel& node = search.models[i];
    if (node.parent.empty()) {
      if (!search.input) search.input = i;
      continue;
    }
    const auto figure = objective_of(search, i);
    if (!figure || node.has_failed) continue;
    if (!search.winner || is_better(search, *figure, *objective_of(search, *search.winner))) {
      search.runner_up = std::exchange(search.winner, i);
    } else if (!search.runner_up ||
               is_better(search, *figure, *objective_of(search, *search.runner_up))) {
      search.runner_up = i;
    }
  }
}

std::string settings_text(const OliveSearch& search, const OliveModel& node) {
  constexpr std::size_t kMost = 6;
  std::string text;
  std::size_t count = 0;
  for (const auto& setting : node.settings) {
    const bool is_varied = std::ranges::any_of(search.models, [&](const OliveModel& other) {
      return other.pass == node.pass &&
             std::ranges::find(other.settings, setting) == other.settings.end();
    });
    if (!is_varied || ++count > kMost) continue;
    text += format("{}{} {}", text.empty() ? "" : ", ", setting.first, setting.second);
  }
  if (count > kMost) text += format(" and {} more", count - kMost);
  return text;
}

std::size_t measured_candidates(const OliveSearch& search) {
  std::size_t count = 0;
  for (const OliveModel& node : search.models) {
    count += !node.parent.empty() && node.metrics.contains(search.objective) ? 1U : 0U;
  }
  return count;
}

void report_failures(PlanModel& model, const OliveSearch& search) {
  const OliveModel* first = nullptr;
  std::size_t count = 0;
  for (const OliveModel& node : search.models) {
    if (!node.has_failed) continue;
    ++count;
    if (first == nullptr) first = &node;
  }
  if (count == 0) return;
  remark_once(model, "olive-failed",
              format("{} of {} could not be made; the first is {}, by {}: the footprint does not "
                     "say why, Olive's log does",
                     count, base::counted(search.models.size(), "model"), first->id, first->pass),
              model::Severity::kWarning);
}

// What the search found, in words; the lead over the input model if that was measured.
std::optional<double> report_best(PlanModel& model, const OliveSearch& search) {
  const std::size_t winner = *search.winner;
  const double best = *objective_of(search, winner);
  std::optional<double> lead;
  std::string first;
  if (search.input) {
    if (const auto figure = objective_of(search, *search.input)) {
      lead = lead_over(search, best, *figure);
      first = figure_text(search, *figure);
    }
  }
  std::string text = format("{} is the best candidate by {}: {} ({})", search.models[winner].id,
                            search.objective, figure_text(search, best), passes_of(search, winner));
  if (!lead) {
    text += "; the input model was not measured, so nothing says whether any of them gains";
  } else if (*lead > 0) {
    text += format(", {:.2g} % ahead of the input model ({})", *lead * 100, first);
  } else {
    text += format(
        "; none is ahead of the input model ({}): Olive compares candidates with each other, and "
        "saves one of them also if all are worse",
        first);
  }
  if (search.runner_up) {
    const std::size_t second = *search.runner_up;
    text += format("; it is {:.2g} % ahead of the runner-up, {} ({})",
                   lead_over(search, best, *objective_of(search, second)) * 100,
                   search.models[second].id, passes_of(search, second));
  }
  remark_once(model, "olive-best", text, model::Severity::kWarning);
  return lead;
}

void report_proof(PlanModel& model, const OliveSearch& search, std::optional<double> lead) {
  const std::string basis = format(
      "each candidate was measured once, one after the other, so the footprint does not show how "
      "much two measurements of one model differ here; planex assumes up to {:.2g} % for one "
      "measurement per side (if runs differ by 3 % or less)",
      kOneRunASide * 100);
  const std::size_t count = measured_candidates(search);
  std::string text;
  if (!lead || std::abs(*lead) <= kOneRunASide) {
    text = format("that proves nothing: {}{}", basis, lead ? ", and it is within that" : "");
  } else {
    text = "the lead is more than chance explains";
    if (count > 1) text += format(", but the best of {} is also selected for its luck", count);
    text += ": " + basis;
  }
  remark_once(model, "olive-not-proven", text, model::Severity::kWarning);
  const OliveModel& winner = search.models[*search.winner];
  const auto process = [](std::string_view file, std::string_view side) {
    return format("planex process {} --engine onnxruntime -o {}$i", base::shell_word(file), side);
  };
  const OliveModel* input = search.input ? &search.models[*search.input] : nullptr;
  const bool has_input_file = input != nullptr && !input->file.empty();
  remark_once(
      model, "olive-to-settle",
      format("to settle this, measure both in turns (the footprint does not say which provider "
             "Olive used; this is the processor): for i in 1 2 3; do {}; {}; done; planex compare "
             "--base first1 --base first2 --base first3 --candidate best1 --candidate best2 "
             "--candidate best3",
             process(has_input_file ? input->file : "MODEL.onnx", "first"),
             process(winner.file.empty() ? "BEST.onnx" : winner.file, "best")),
      model::Severity::kWarning);
}

}  // namespace

std::optional<OliveSearch> find_olive_search(const PlanModel& model) {
  const model::MetadataTable& table = model.metadata;
  std::map<std::size_t, OliveModel> nodes;
  std::map<std::string, MetricOrder> orders;
  for (std::size_t row = 0; row < table.row_count(); ++row) {
    const std::string_view section = model.text(table.section[row]);
    if (!section.starts_with("olive ")) continue;
    const std::string_view key = model.text(table.key[row]), value = model.text(table.value[row]);
    if (section.starts_with(kMetric)) {
      MetricOrder& order = orders[std::string(section.substr(kMetric.size()))];
      if (key == "priority") order.priority = base::number_in<double>(value);
      if (key == "better") order.is_higher_better = value == "higher";
    } else if (section.starts_with(kCandidate)) {
      const auto number = base::number_in<std::uint32_t>(section.substr(kCandidate.size()));
      if (!number) continue;
      OliveModel& node = nodes[*number];
      node.number = *number;
      set_olive_field(node, key, value);
    }
  }
  if (nodes.empty()) return std::nullopt;
  OliveSearch search;
  for (auto& [number, node] : nodes) search.models.push_back(std::move(node));
  choose_objective(search, orders);
  if (!search.objective.empty()) rank_candidates(search);
  return search;
}

std::string passes_of(const OliveSearch& search, std::size_t index) {
  std::vector<std::string> steps;
  const OliveModel* node = &search.models[index];
  // A file can say that a model is its own ancestor.
  std::set<const OliveModel*> seen;
  while (!node->parent.empty() && seen.insert(node).second) {
    const std::string settings = settings_text(search, *node);
    steps.push_back(settings.empty() ? node->pass : format("{} ({})", node->pass, settings));
    const auto parent = std::ranges::find(search.models, node->parent, &OliveModel::id);
    if (parent == search.models.end()) break;
    node = &*parent;
  }
  std::string text;
  for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
    text += format("{}{}", text.empty() ? "" : ", ", *step);
  }
  return text.empty() ? "the file does not say by which pass" : text;
}

void report_olive(PlanModel& model) {
  const auto search = find_olive_search(model);
  if (!search) return;
  std::size_t candidates = 0, failed = 0;
  for (const OliveModel& node : search->models) {
    if (node.parent.empty()) continue;
    ++candidates;
    failed += node.has_failed ? 1U : 0U;
  }
  const std::size_t measured = measured_candidates(*search);
  std::string text = format("a search by Olive made {}", base::counted(candidates, "model"));
  if (measured == 0) {
    text += "; the footprint contains no figures of them";
  } else {
    text += format(
        " and measured {} of them once ({}); over how many inferences, the footprint does not say",
        measured, search->objective);
    const std::size_t between = candidates - measured - std::min(failed, candidates - measured);
    if (between > 0) {
      text += format("; {} between passes {} not measured", base::counted(between, "model"),
                     between == 1 ? "was" : "were");
    }
  }
  remark_once(model, "olive-search", text, model::Severity::kWarning);
  report_failures(model, *search);
  if (!search->winner) return;
  const std::optional<double> lead = report_best(model, *search);
  // Only times and rates differ from run to run as those in 0023 do.
  const bool is_clearly_worse = lead && *lead < -kOneRunASide;
  if (is_speed(*search) && !is_clearly_worse) report_proof(model, *search, lead);
}

}  // namespace planex::analyze
