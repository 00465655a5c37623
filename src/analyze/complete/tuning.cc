#include "analyze/complete/tuning.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "analyze/complete/one_run.h"
#include "analyze/work/remark.h"
#include "base/numbers.h"
#include "base/text.h"

namespace planex::analyze {
namespace {

using base::format;
using model::PlanModel;

constexpr std::string_view kOfCache = "tuning iteration ", kOfLog = "tuning log iteration ";

// "-a=on -b=2" by knob.
std::map<std::string_view, std::string_view> knobs_of(std::string_view route) {
  std::map<std::string_view, std::string_view> knobs;
  while (!route.empty()) {
    const std::size_t end = std::min(route.find(' '), route.size());
    std::string_view word = route.substr(0, end);
    route.remove_prefix(std::min(end + 1, route.size()));
    while (word.starts_with('-')) word.remove_prefix(1);
    const std::size_t equals = word.find('=');
    if (equals != word.npos) knobs[word.substr(0, equals)] = word.substr(equals + 1);
  }
  return knobs;
}

void set_field(TunedRoute& route, std::string_view key, std::string_view value, bool is_cache) {
  if (key == "route") route.route = value;
  if (key == "mean gpu ms" && (is_cache || !route.mean_ms)) {
    route.mean_ms = base::finite(base::number_in<double>(value));
  }
  if (key == "crashed") route.has_crashed = true;
  if (key == "error") route.error = value;
  if (key == "accuracy loss") route.accuracy_loss = value;
}

std::string knobs_text(const std::vector<std::string>& knobs) {
  constexpr std::size_t kMost = 4;
  std::string text;
  for (std::size_t i = 0; i < std::min(kMost, knobs.size()); ++i) {
    text += format("{}{}", text.empty() ? "" : ", ", knobs[i]);
  }
  if (knobs.size() > kMost) text += format(" and {} more", knobs.size() - kMost);
  return text.empty() ? "no known knob" : text;
}

double ahead(const TunedRoute& slower, const TunedRoute& faster) {
  return *slower.mean_ms > 0 ? 1 - *faster.mean_ms / *slower.mean_ms : 0;
}

std::string percent(double ratio) { return format("{:.2g} %", ratio * 100); }

std::string times_text(const TuningSearch& search) {
  constexpr std::size_t kMost = 8;
  std::string text;
  std::size_t count = 0;
  for (const TunedRoute& route : search.routes) {
    if (!route.mean_ms || ++count > kMost) continue;
    text += format("{}{:.3g}", text.empty() ? "" : ", ", *route.mean_ms);
  }
  if (count > kMost) text += format(" and {} more", count - kMost);
  return text;
}

void report_crashes(PlanModel& model, const TuningSearch& search) {
  std::size_t count = 0;
  const TunedRoute* first = nullptr;
  for (const TunedRoute& route : search.routes) {
    if (!route.has_crashed) continue;
    ++count;
    if (first == nullptr) first = &route;
  }
  if (count == 0) return;
  remark_once(
      model, "tuning-crashed",
      format("{} of {} could not be built or run and {} no time; iteration {}: {}", count,
             base::counted(search.routes.size(), "route"), count == 1 ? "has" : "have",
             first->iteration, first->error.empty() ? "the files do not say why" : first->error),
      model::Severity::kWarning);
}

std::string accuracy_text(const TuningSearch& search) {
  const TunedRoute& winner = search.routes[*search.winner];
  return winner.accuracy_loss.empty() ? std::string("; its accuracy was not compared")
                                      : format("; its accuracy loss is {}", winner.accuracy_loss);
}

void report_winner(PlanModel& model, const TuningSearch& search) {
  const TunedRoute& winner = search.routes[*search.winner];
  std::string text;
  double lead = 0;
  if (!search.standard) {
    text = format("iteration {} is the fastest; the default route has no time", winner.iteration);
  } else if (*search.standard == *search.winner) {
    text = "no route was faster than the default";
  } else {
    const TunedRoute& standard = search.routes[*search.standard];
    lead = ahead(standard, winner);
    text = format("iteration {} is {} ahead of the default route ({})", winner.iteration,
                  percent(lead), knobs_text(changed_knobs(standard.route, winner.route)));
  }
  if (search.runner_up) {
    const TunedRoute& second = search.routes[*search.runner_up];
    text += format("{} {} ahead of the runner-up, iteration {}", lead > 0 ? " and" : ", and it is",
                   percent(ahead(second, winner)), second.iteration);
    if (search.standard && *search.runner_up != *search.standard) {
      const auto& standard = search.routes[*search.standard];
      text += format(" ({})", knobs_text(changed_knobs(standard.route, second.route)));
    }
  }
  text += accuracy_text(search);
  remark_once(model, "tuning-winner", text, model::Severity::kWarning);
  if (lead <= 0) return;
  const std::string basis = format(
      "each route was measured once, one after the other, so these files do not show how much two "
      "measurements of one engine differ here; planex assumes up to {} for one measurement per "
      "side (if runs differ by 3 % or less)",
      percent(kOneRunASide));
  remark_once(model, "tuning-not-proven",
              lead <= kOneRunASide
                  ? format("the lead proves nothing: {}, and it is within that", basis)
                  : format("the lead is more than chance explains, but the fastest of {} is also "
                           "selected for its luck: {}",
                           base::counted(search.routes.size(), "route"), basis),
              model::Severity::kWarning);
  const TunedRoute& standard = search.routes[*search.standard];
  const std::string build =
      format("trtexec --onnx={} --skipInference",
             base::shell_word(search.model.empty() ? "MODEL.onnx" : search.model));
  remark_once(model, "tuning-to-settle",
              format("to settle this, build both and measure them alternately: {0} {1} "
                     "--saveEngine=default.plan; {0} {2} --saveEngine=winner.plan; for i in 1 2 3 "
                     "4 5; do for e in default winner; do trtexec --loadEngine=$e.plan "
                     "--exportTimes=$e.$i.times.json; done; done",
                     build, base::shell_word(format("--setBuildRoute={}", standard.route)),
                     base::shell_word(format("--setBuildRoute={}", winner.route))),
              model::Severity::kWarning);
}

}  // namespace

std::vector<std::string> changed_knobs(const std::string& from, const std::string& to) {
  const auto before = knobs_of(from), after = knobs_of(to);
  std::vector<std::string> changed;
  for (const auto& [knob, value] : after) {
    const auto found = before.find(knob);
    if (found == before.end()) {
      changed.push_back(format("{} {}", knob, value));
    } else if (found->second != value) {
      changed.push_back(format("{} {} → {}", knob, found->second, value));
    }
  }
  for (const auto& [knob, value] : before) {
    if (!after.contains(knob)) changed.push_back(format("{} {} → not set", knob, value));
  }
  return changed;
}

std::optional<TuningSearch> find_tuning(const PlanModel& model) {
  const model::MetadataTable& table = model.metadata;
  std::map<std::int64_t, TunedRoute> routes;
  TuningSearch search;
  bool is_found = false;
  for (std::size_t row = 0; row < table.row_count(); ++row) {
    const std::string_view section = model.text(table.section[row]);
    if (!section.starts_with("tuning")) continue;
    const std::string_view key = model.text(table.key[row]), value = model.text(table.value[row]);
    const bool is_cache = section.starts_with(kOfCache);
    if (is_cache || section.starts_with(kOfLog)) {
      const auto iteration =
          base::number_in<std::int64_t>(section.substr(is_cache ? kOfCache.size() : kOfLog.size()));
      if (!iteration) continue;
      TunedRoute& route = routes[*iteration];
      route.iteration = *iteration;
      set_field(route, key, value, is_cache);
      is_found = true;
    } else if (section == "tuning" || section == "tuning log") {
      is_found = true;
      if (key == "default route") search.default_route = value;
      if (key == "search") search.algorithm = value;
      if (key == "model") search.model = value;
    }
  }
  if (!is_found) return std::nullopt;
  for (auto& [iteration, route] : routes) search.routes.push_back(std::move(route));
  // The first iteration is the default route.
  if (search.default_route.empty() && routes.contains(0)) {
    search.default_route = search.routes.front().route;
  }
  for (std::size_t i = 0; i < search.routes.size(); ++i) {
    const TunedRoute& route = search.routes[i];
    if (!route.mean_ms || *route.mean_ms <= 0 || route.has_crashed) continue;
    const bool is_standard = route.iteration == 0 || route.route == search.default_route;
    if (is_standard && !search.standard) search.standard = i;
    if (!search.winner || *route.mean_ms < *search.routes[*search.winner].mean_ms) {
      search.runner_up = std::exchange(search.winner, i);
    } else if (!search.runner_up || *route.mean_ms < *search.routes[*search.runner_up].mean_ms) {
      search.runner_up = i;
    }
  }
  return search;
}

void report_tuning(PlanModel& model) {
  const auto search = find_tuning(model);
  if (!search) return;
  const auto measured = static_cast<std::size_t>(std::ranges::count_if(
      search->routes, [](const TunedRoute& route) { return route.mean_ms.has_value(); }));
  std::string text =
      format("a search over {}{}", base::counted(search->routes.size(), "build route"),
             search->algorithm.empty() ? std::string() : format(" ({})", search->algorithm));
  text += measured == 0
              ? "; the files contain no times"
              : format(": mean GPU times {} ms, one measurement each", times_text(*search));
  if (measured > 0 && measured < search->routes.size()) {
    text += format("; {} of the routes have no time", search->routes.size() - measured);
  }
  remark_once(model, "tuning-search", text, model::Severity::kWarning);
  report_crashes(model, *search);
  if (search->winner && measured > 1) report_winner(model, *search);
}

}  // namespace planex::analyze
