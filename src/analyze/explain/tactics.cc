#include "analyze/explain/tactics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <span>
#include <string>
#include <tuple>
#include <unordered_map>

#include "analyze/timing/timer_step.h"
#include "base/numbers.h"
#include "base/text.h"

namespace planex::analyze {
namespace {

using base::StringId;
using model::LayerId;
using model::PlanModel;

constexpr std::string_view kReformat = "Optimizer Reformat(";

// The tensor in "Optimizer Reformat(x -> <out>)" and "Optimizer Reformat(<in> -> x)"; empty for
// others, as up to 8.0 all reformats have one name.
std::string_view tensor_of(std::string_view name) {
  if (!name.starts_with(kReformat) || !name.ends_with(')')) return {};
  name = name.substr(kReformat.size(), name.size() - kReformat.size() - 1);
  constexpr std::string_view kIn = "<in> -> ", kOut = " -> <out>";
  if (name.starts_with(kIn)) return name.substr(kIn.size());
  return name.ends_with(kOut) ? name.substr(0, name.size() - kOut.size()) : std::string_view();
}

// Strides that depend on shapes can be the same text for different work.
bool is_symbolic(std::string_view formats) { return formats.find('#') != formats.npos; }

// The formats in a list; commas within brackets belong to a format.
std::vector<std::string_view> split_formats(std::string_view list) {
  std::vector<std::string_view> formats;
  std::size_t depth = 0, begin = 0;
  for (std::size_t at = 0; at <= list.size(); ++at) {
    const bool is_end = at == list.size();
    if (!is_end && list[at] == '(') ++depth;
    if (!is_end && list[at] == ')' && depth > 0) --depth;
    if (!is_end && (list[at] != ',' || depth > 0)) continue;
    const std::string_view one = base::trimmed(list.substr(begin, at - begin));
    if (!one.empty()) formats.push_back(one);
    begin = at + 1;
  }
  return formats;
}

bool is_skipped(std::string_view outcome) { return outcome.starts_with("skipped"); }

class TacticsExplainer {
 public:
  explicit TacticsExplainer(const PlanModel& model)
      : model_(model), choices_(model.tactic_choices), tactics_(model.tactics) {}

  TacticExplanation run() {
    index_candidates();
    gather();
    measure_noise();
    index_conversions();
    for (LayerTactics& layer : result_.layers) explain(layer);
    list_skipped();
    result_.build = find_build_time(model_);
    return std::move(result_);
  }

 private:
  std::string_view kind(std::size_t choice) const { return model_.text(choices_.kind[choice]); }
  // Tactics tried for a version that did not become the engine do not belong to the engine.
  bool is_of_engine(std::size_t choice) const { return choices_.is_kept.get(choice) != 0; }

  // Rows of `tactics` by choice: begin_[choice] to begin_[choice + 1] of order_.
  void index_candidates() {
    begin_.assign(choices_.row_count() + 1, 0);
    for (std::size_t row = 0; row < tactics_.row_count(); ++row) {
      if (!tactics_.choice_id.is_null(row)) ++begin_[tactics_.choice_id[row].index() + 1];
    }
    for (std::size_t i = 1; i < begin_.size(); ++i) begin_[i] += begin_[i - 1];
    order_.resize(begin_.back());
    std::vector<std::size_t> next = begin_;
    for (std::size_t row = 0; row < tactics_.row_count(); ++row) {
      if (tactics_.choice_id.is_null(row)) continue;
      order_[next[tactics_.choice_id[row].index()]++] = row;
    }
  }

  std::span<const std::size_t> candidates_of(std::size_t choice) const {
    return std::span(order_).subspan(begin_[choice], begin_[choice + 1] - begin_[choice]);
  }

  void gather() {
    std::unordered_map<std::uint64_t, std::size_t> place;  // by layer, or by name
    constexpr std::uint64_t kNames = std::uint64_t{1} << 32;
    for (std::size_t row = 0; row < choices_.row_count(); ++row) {
      result_.versions = std::max(result_.versions, choices_.version.get(row).value_or(0) + 1);
      if (!is_of_engine(row)) continue;
      if (kind(row) == "reformat") {
        result_.conversions += choices_.time_ms.is_null(row) ? 0 : 1;
        continue;
      }
      if (kind(row) != "layer") continue;
      ++result_.choices;
      const std::string_view answer = model_.text(choices_.answer[row]);
      result_.cached += answer == "cached" ? 1 : 0;
      result_.has_times = result_.has_times || !choices_.time_ms.is_null(row);
      result_.silent += answer == "silent" ? 1 : 0;
      result_.candidates += static_cast<std::int64_t>(candidates_of(row).size());
      const LayerId id = choices_.layer_id[row];
      const StringId name = choices_.layer[row];
      if (id.is_null() && name.is_null()) continue;
      const std::uint64_t key = id.is_null() ? kNames + name.index() : id.index();
      const auto [found, is_new] = place.try_emplace(key, result_.layers.size());
      if (is_new) result_.layers.push_back({.layer = id, .name = name});
      LayerTactics& layer = result_.layers[found->second];
      layer.choices.push_back(row);
      if (choices_.is_used.get(row) == 1) layer.used = row;
      if (const auto seconds = choices_.profiling_s.get(row)) {
        layer.profiling_s = layer.profiling_s.value_or(0) + *seconds;
      }
      for (const std::size_t candidate : candidates_of(row)) {
        ++layer.candidates;
        layer.skipped += is_skipped(model_.text(tactics_.outcome[candidate])) ? 1 : 0;
      }
    }
    result_.layer_count = static_cast<std::int64_t>(result_.layers.size());
    std::ranges::stable_sort(result_.layers, {}, [](const LayerTactics& layer) {
      return std::pair(layer.layer.is_null(), layer.layer.is_null() ? 0 : layer.layer.index());
    });
  }

  void measure_noise() {
    using Key =
        std::tuple<std::string_view, std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>;
    std::map<Key, double> first;
    std::vector<double> differences, times;
    const auto word = [](StringId id) {
      return id.is_null() ? UINT32_MAX : static_cast<std::uint32_t>(id.index());
    };
    for (std::size_t choice = 0; choice < choices_.row_count(); ++choice) {
      if (kind(choice) == "operation") continue;
      const std::string_view name = model_.text(choices_.layer[choice]);
      const std::string_view of = kind(choice) == "reformat" ? tensor_of(name) : name;
      const bool is_known = !of.empty() &&
                            !is_symbolic(model_.text(choices_.input_formats[choice])) &&
                            !is_symbolic(model_.text(choices_.output_formats[choice]));
      for (const std::size_t row : candidates_of(choice)) {
        const auto ms = tactics_.time_ms.get(row);
        if (!ms || *ms <= 0 || model_.text(tactics_.outcome[row]) != "timed") continue;
        times.push_back(*ms);
        if (!is_known || tactics_.runner.is_null(row)) continue;
        const Key key{of, word(choices_.input_formats[choice]),
                      word(choices_.output_formats[choice]), word(tactics_.runner[row]),
                      word(tactics_.tactic[row])};
        const auto [found, is_new] = first.try_emplace(key, *ms);
        if (is_new) continue;
        differences.push_back(std::abs(*ms - found->second) / std::min(*ms, found->second));
      }
    }
    TacticNoise& noise = result_.noise;
    noise.repeats = static_cast<std::int64_t>(differences.size());
    if (noise.repeats >= kMinRepeats) {
      const auto middle = differences.begin() + static_cast<std::ptrdiff_t>(differences.size() / 2);
      std::ranges::nth_element(differences, middle);
      noise.share = *middle;
    }
    std::ranges::sort(times);
    if (!times.empty()) noise.step_ms = timer_step(times);
  }

  // Conversions between two formats, by tensor.
  void index_conversions() {
    for (std::size_t row = 0; row < choices_.row_count(); ++row) {
      if (kind(row) != "reformat" || !is_of_engine(row) || choices_.time_ms.is_null(row)) continue;
      Conversions& between = conversions_[{model_.text(choices_.input_formats[row]),
                                           model_.text(choices_.output_formats[row])}];
      const double ms = choices_.time_ms[row];
      between.first_ms.emplace(tensor_of(model_.text(choices_.layer[row])), ms);
      between.least_ms = std::min(between.least_ms.value_or(ms), ms);
    }
  }

  // The time for the tensor; else for the only tensor that has this reformat, as the same strides
  // of other tensors can mean another size.
  std::optional<double> conversion_ms(std::string_view from, std::string_view to,
                                      std::string_view tensor) const {
    if (from == to) return 0;
    const auto found = conversions_.find({from, to});
    if (found == conversions_.end()) return std::nullopt;
    const Conversions& between = found->second;
    const auto own = tensor.empty() ? between.first_ms.end() : between.first_ms.find(tensor);
    if (own != between.first_ms.end()) return own->second;
    const bool is_of_one = between.first_ms.size() == 1 && !between.first_ms.begin()->first.empty();
    return is_of_one ? between.least_ms : std::nullopt;
  }

  // Cost of giving a layer other formats than those it uses, while its neighbours keep theirs.
  std::optional<double> conversions_ms(LayerId layer, std::size_t used, std::size_t other) const {
    double sum = 0;
    for (const bool is_input : {true, false}) {
      const model::Text& column = is_input ? choices_.input_formats : choices_.output_formats;
      const std::vector<std::string_view> mine = split_formats(model_.text(column[used])),
                                          others = split_formats(model_.text(column[other]));
      if (mine.size() != others.size()) return std::nullopt;
      std::vector<std::string_view> tensors(mine.size());
      if (!layer.is_null()) {
        const model::RowRange ports = model_.ports_of(layer);
        for (std::size_t port = ports.first; port < ports.end(); ++port) {
          const auto index = model_.ports.index.get(port).value_or(-1);
          const auto direction = is_input ? model::Direction::kInput : model::Direction::kOutput;
          if (model_.ports.direction[port] != direction || index < 0) continue;
          if (static_cast<std::size_t>(index) >= tensors.size()) continue;
          const model::TensorId tensor = model_.ports.tensor_id[port];
          if (tensor.is_null()) continue;
          tensors[static_cast<std::size_t>(index)] =
              model_.text(model_.tensors.name[tensor.index()]);
        }
      }
      for (std::size_t i = 0; i < mine.size(); ++i) {
        const auto ms = is_input ? conversion_ms(mine[i], others[i], tensors[i])
                                 : conversion_ms(others[i], mine[i], tensors[i]);
        if (!ms) return std::nullopt;
        sum += *ms;
      }
    }
    return sum;
  }

  void explain(LayerTactics& layer) {
    if (!layer.used) return;
    ++result_.known;
    const std::span<const std::size_t> candidates = candidates_of(*layer.used);
    layer.fastest_first.assign(candidates.begin(), candidates.end());
    std::ranges::stable_sort(layer.fastest_first, {}, [&](std::size_t row) {
      return tactics_.time_ms.get(row).value_or(INFINITY);
    });
    for (const std::size_t row : layer.fastest_first) {
      if (tactics_.is_chosen.get(row) == 1) {
        layer.winner = row;
      } else if (!layer.runner_up && !tactics_.time_ms.is_null(row)) {
        layer.runner_up = row;
      }
    }
    layer.time_ms = choices_.time_ms.get(*layer.used);
    if (layer.runner_up) layer.runner_up_ms = tactics_.time_ms.get(*layer.runner_up);
    if (layer.time_ms && layer.runner_up_ms) {
      ++result_.with_runner_up;
      layer.margin_ms = *layer.runner_up_ms - *layer.time_ms;
      if (*layer.time_ms > 0) layer.margin_share = *layer.margin_ms / *layer.time_ms;
      judge(layer);
    }
    find_faster(layer);
  }

  void judge(LayerTactics& layer) {
    const TacticNoise& noise = result_.noise;
    if (noise.step_ms && *layer.margin_ms <= *noise.step_ms) {
      layer.is_within_noise = true;
    } else if (noise.share && layer.margin_share) {
      layer.is_within_noise = *layer.margin_share <= *noise.share;
    }
    result_.within_noise += layer.is_within_noise.value_or(false) ? 1 : 0;
  }

  void find_faster(LayerTactics& layer) {
    if (!layer.time_ms) return;
    for (const std::size_t choice : layer.choices) {
      const auto ms = choices_.time_ms.get(choice);
      if (!ms || choice == *layer.used || *ms >= layer.faster_ms.value_or(*layer.time_ms)) continue;
      layer.faster = choice;
      layer.faster_ms = ms;
    }
    if (!layer.faster) return;
    ++result_.faster_elsewhere;
    layer.gain_ms = *layer.time_ms - *layer.faster_ms;
    layer.conversion_ms = conversions_ms(layer.layer, *layer.used, *layer.faster);
    layer.lost_to = !layer.conversion_ms                     ? LostTo::kUnknown
                    : *layer.conversion_ms >= *layer.gain_ms ? LostTo::kConversion
                                                             : LostTo::kOther;
    result_.lost_to_conversion += layer.lost_to == LostTo::kConversion ? 1 : 0;
  }

  void list_skipped() {
    for (const LayerTactics& layer : result_.layers) {
      for (const std::size_t choice : layer.choices) {
        for (const std::size_t row : candidates_of(choice)) {
          const std::string_view outcome = model_.text(tactics_.outcome[row]);
          if (!is_skipped(outcome)) continue;
          result_.skipped.push_back(row);
          result_.skipped_workspace += outcome == "skipped-workspace" ? 1 : 0;
          result_.skipped_memory += outcome == "skipped-memory" ? 1 : 0;
          result_.skipped_error += outcome == "skipped-error" ? 1 : 0;
        }
      }
    }
    std::ranges::stable_sort(result_.skipped, std::ranges::greater(), [&](std::size_t row) {
      return tactics_.requested_bytes.get(row).value_or(-1);
    });
  }

  const PlanModel& model_;
  const model::TacticChoicesTable& choices_;
  const model::TacticsTable& tactics_;
  TacticExplanation result_;
  std::vector<std::size_t> begin_, order_;
  struct Conversions {
    std::map<std::string_view, double> first_ms;
    std::optional<double> least_ms;
  };
  std::map<std::pair<std::string_view, std::string_view>, Conversions> conversions_;
};

}  // namespace

std::string_view to_string(LostTo cause) {
  switch (cause) {
    case LostTo::kConversion:
      return "conversion";
    case LostTo::kOther:
      return "other";
    case LostTo::kUnknown:
      return "unknown";
  }
  return "";
}

TacticExplanation explain_tactics(const PlanModel& model) { return TacticsExplainer(model).run(); }

}  // namespace planex::analyze
