#include "lint/actions.h"

#include <algorithm>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "base/text.h"
#include "lint/advice.h"
#include "lint/evidence.h"
#include "lint/quantization.h"

namespace planex::lint {
namespace {

using base::format;
using model::Action;
using model::Certainty;

// Less than this share of a saving is rounding.
constexpr double kNothing = 1e-9;

// Times of saved layers, each counted once. Findings of one rule that name a layer each have their
// share of it; across rules, the one that saves most of the layer counts.
class Ledger {
 public:
  struct Grant {
    double ms = 0;
    // The owner of the rest: the one that was granted most of the layer before.
    std::optional<std::size_t> other;
  };

  Grant claim(LayerId layer, std::string_view rule, double ms, double layer_ms, std::size_t by) {
    Entry& entry = entries_[layer.index()];
    double& of_rule = sum_of(entry, rule);
    of_rule = std::min(of_rule + ms, layer_ms);
    Grant grant{.other = entry.by};
    if (of_rule > entry.taken_ms) {
      grant.ms = of_rule - entry.taken_ms;
      entry.taken_ms = of_rule;
      if (!entry.by || grant.ms > entry.largest_ms) {
        entry.by = by;
        entry.largest_ms = grant.ms;
      }
    }
    return grant;
  }

 private:
  struct Entry {
    std::vector<std::pair<std::string_view, double>> rules;
    double taken_ms = 0, largest_ms = 0;
    std::optional<std::size_t> by;
  };

  static double& sum_of(Entry& entry, std::string_view rule) {
    for (auto& [known, ms] : entry.rules) {
      if (known == rule) return ms;
    }
    return entry.rules.emplace_back(rule, 0).second;
  }

  std::unordered_map<std::size_t, Entry> entries_;
};

struct Claim {
  LayerId layer;
  std::string_view rule;
  double ms = 0;
};

// Shares of the time of all layers.
constexpr double kLittle = 0.05, kMuch = 0.1;

// An action before its layers' times are divided.
struct Draft {
  std::vector<std::size_t> causes, symptoms;
  std::vector<Claim> claims;
  double alone_ms = 0;
  std::unordered_map<std::size_t, double> granted;  // by layer
  double granted_ms = 0;
  std::optional<std::size_t> joined;  // the draft that does all of it
};

class ActionFinder {
 public:
  ActionFinder(std::span<const FindingToMend> findings, const Context& context)
      : findings_(findings), context_(context) {}

  std::vector<Action> find() {
    group();
    for (std::size_t i = 0; i < drafts_.size(); ++i) claim(i);
    divide();
    join_covered();
    is_disturbed_ = std::ranges::any_of(
        findings_, [](const FindingToMend& one) { return one.rule->info->discredits_times; });
    std::vector<Action> actions;
    for (const Draft& draft : drafts_) {
      if (!draft.joined) actions.push_back(finish(draft));
    }
    limit(actions);
    return ranked(std::move(actions));
  }

 private:
  const Finding& finding(std::size_t i) const { return *findings_[i].finding; }
  const RuleInfo& info(std::size_t i) const { return *findings_[i].rule->info; }

  // What to do, as far as two findings can ask for the same.
  std::string key_of(std::size_t i) const {
    if (!info(i).option.empty()) return format("option {}", info(i).option);
    const Finding& one = finding(i);
    if (one.fix == kAllowHalfFix) return format("option {}", kHalfPrecisionOption);
    if (one.quantized_tensors.empty()) return format("fix {}", one.fix);
    std::vector<std::size_t> tensors;
    for (const TensorId tensor : one.quantized_tensors) tensors.push_back(tensor.index());
    std::ranges::sort(tensors);
    return format("tensors {}", fmt::join(tensors, " "));
  }

  void group() {
    std::unordered_map<std::string, std::size_t> known;
    std::vector<std::optional<std::size_t>> draft_of(findings_.size());
    for (std::size_t i = 0; i < findings_.size(); ++i) {
      const Finding& one = finding(i);
      if (one.suppression || one.folded_into || one.fix.empty()) continue;
      const auto [entry, is_new] = known.try_emplace(key_of(i), drafts_.size());
      if (is_new) drafts_.emplace_back();
      drafts_[entry->second].causes.push_back(i);
      draft_of[i] = entry->second;
    }
    for (std::size_t i = 0; i < findings_.size(); ++i) {
      const Finding& one = finding(i);
      if (one.suppression || !one.folded_into || !draft_of[*one.folded_into]) continue;
      drafts_[*draft_of[*one.folded_into]].symptoms.push_back(i);
    }
    for (Draft& draft : drafts_) {
      // The one that saves most asks for it.
      const auto lead = std::ranges::max_element(
          draft.causes, {}, [&](std::size_t i) { return finding(i).estimated_ms.value_or(-1); });
      std::rotate(draft.causes.begin(), lead, lead + 1);
    }
  }

  void claim(std::size_t index) {
    Draft& draft = drafts_[index];
    // An option changes everything that is built: what is known about a part of it does not limit
    // its gain.
    const bool is_option = finding(draft.causes.front()).action == ActionKind::kOption;
    const auto is_unknown = [&](std::size_t i) { return !finding(i).estimated_ms; };
    if (is_option && std::ranges::any_of(draft.causes, is_unknown)) return;
    for (const auto* list : {&draft.causes, &draft.symptoms}) {
      for (const std::size_t i : *list) {
        const Finding& one = finding(i);
        for (const SavedTime& saved : one.savings) {
          if (saved.ms) draft.claims.push_back({saved.layer, one.rule, *saved.ms});
        }
        // A stated time is a part of its layer's time; if it is about the whole engine, it is not
        // limited by what the others save.
        if (!one.savings.empty() || !one.estimated_ms || one.layer.is_null()) continue;
        draft.claims.push_back({one.layer, one.rule, *one.estimated_ms});
      }
    }
    Ledger own;
    for (const Claim& one : draft.claims) {
      draft.alone_ms += own.claim(one.layer, one.rule, one.ms, worth(one.layer), index).ms;
    }
  }

  double worth(LayerId layer) const { return context_.worth_ms(layer).value_or(0); }

  void divide() {
    std::vector<std::size_t> order(drafts_.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::ranges::stable_sort(order, std::ranges::greater{},
                             [&](std::size_t i) { return drafts_[i].alone_ms; });
    Ledger ledger;
    for (const std::size_t i : order) {
      Draft& draft = drafts_[i];
      std::unordered_map<std::size_t, double> others;  // by draft
      for (const Claim& one : draft.claims) {
        const auto grant = ledger.claim(one.layer, one.rule, one.ms, worth(one.layer), i);
        if (grant.ms > 0) draft.granted[one.layer.index()] += grant.ms;
        draft.granted_ms += grant.ms;
        if (grant.other && *grant.other != i) others[*grant.other] += one.ms;
      }
      if (!(draft.alone_ms > 0) || draft.granted_ms > draft.alone_ms * kNothing) continue;
      draft.granted.clear();
      draft.granted_ms = 0;
      for (const auto& [other, ms] : others) {
        const double most = draft.joined ? others[*draft.joined] : -1;
        if (ms > most || (ms == most && other < *draft.joined)) draft.joined = other;
      }
    }
  }

  // Each joins one that came before it, so every chain ends.
  void join_covered() {
    for (const Draft& draft : drafts_) {
      if (!draft.joined) continue;
      std::size_t root = *draft.joined;
      while (drafts_[root].joined) root = *drafts_[root].joined;
      Draft& other = drafts_[root];
      other.causes.insert(other.causes.end(), draft.causes.begin(), draft.causes.end());
      other.symptoms.insert(other.symptoms.end(), draft.symptoms.begin(), draft.symptoms.end());
    }
  }

  std::optional<Certainty> certainty_of(const Action& action, std::size_t lead) const {
    if (action.kind == ActionKind::kMeasureAgain) return std::nullopt;
    // A user's rule has no evidence except the user's word.
    const auto& proof = finding(lead).proof;
    if (!proof) return Certainty::kLikely;
    if (*proof != Proof::kNotProven) {
      const bool is_proven = action.estimated_ms && !is_disturbed_ && !falls_short(lead);
      return is_proven ? Certainty::kProven : Certainty::kLikely;
    }
    // The files show what is removed, whether it was timed or not.
    const bool is_shown = action.estimated_ms || !finding(lead).savings.empty();
    return is_shown ? Certainty::kLikely : Certainty::kNotProven;
  }

  // Pairs of other engines prove nothing for one where a measurement gained less.
  bool falls_short(std::size_t lead) const {
    const model::PlanModel& model = context_.model();
    return lint::falls_short(info(lead).id, model.text(model.engine.producer[0]));
  }

  std::string what_of(const Draft& draft, ActionKind kind) const {
    std::vector<std::string_view> fixes;
    for (const std::size_t i : draft.causes) {
      const std::string_view fix = finding(i).fix;
      if (std::ranges::find(fixes, fix) == fixes.end()) fixes.push_back(fix);
      // Edits that are merged differ only in their wording; one measurement can fix everything it
      // is asked to.
      if (kind != ActionKind::kMeasureAgain) break;
    }
    std::string text;
    for (const std::string_view fix : fixes) {
      text += format("{}{}{}", text.empty() ? "" : " ", as_sentence(std::string(fix)),
                     fix.ends_with('.') ? "" : ".");
    }
    return text;
  }

  std::vector<model::ActionLayer> layers_of(const Draft& draft) const {
    std::vector<LayerId> layers;
    for (const auto* list : {&draft.causes, &draft.symptoms}) {
      for (const std::size_t i : *list) {
        const Finding& one = finding(i);
        if (!one.layer.is_null()) layers.push_back(one.layer);
        layers.insert(layers.end(), one.also_about.begin(), one.also_about.end());
        for (const SavedTime& saved : one.savings) layers.push_back(saved.layer);
      }
    }
    std::ranges::sort(layers);
    const auto rest = std::ranges::unique(layers);
    layers.erase(rest.begin(), rest.end());
    std::vector<model::ActionLayer> result;
    for (const LayerId layer : layers) {
      const auto granted = draft.granted.find(layer.index());
      result.push_back({.layer = layer});
      if (granted != draft.granted.end()) result.back().ms = granted->second;
    }
    return result;
  }

  Action finish(const Draft& draft) const {
    const std::size_t lead = draft.causes.front();
    Action action{.kind = finding(lead).action};
    action.what = what_of(draft, action.kind);
    action.layers = layers_of(draft);
    action.findings = draft.causes;
    action.findings.insert(action.findings.end(), draft.symptoms.begin(), draft.symptoms.end());
    if (draft.granted_ms > 0) action.estimated_ms = draft.granted_ms;
    action.certainty = certainty_of(action, lead);
    if (action.kind == ActionKind::kEdit || action.kind == ActionKind::kOption) {
      action.command = findings_[lead].rule->command;
    }
    if (action.estimated_ms) add_range(action);
    return action;
  }

  // What past fixes gained or, if none was measured, at most what the layers take, including the
  // profiling overhead, which disappears as well.
  void add_range(Action& action) const {
    double all_ms = 0, with_profiling_ms = 0;
    for (const model::ActionLayer& layer : action.layers) {
      const double time = context_.time_ms(layer.layer).value_or(0);
      all_ms += time;
      if (!layer.ms) continue;
      with_profiling_ms += *layer.ms * std::max(1.0, time / worth(layer.layer));
    }
    if (action.certainty == Certainty::kProven) {
      action.low_ms = *action.estimated_ms * kLowestRatio;
      action.high_ms =
          std::max(*action.estimated_ms, std::min(*action.estimated_ms * kHighestRatio, all_ms));
    } else {
      action.high_ms = std::max(*action.estimated_ms, with_profiling_ms);
    }
  }

  // Together, all of them save at most one inference.
  void limit(std::vector<Action>& actions) const {
    const auto whole = context_.end_to_end_ms();
    const auto sum = model::total_of(actions).estimated_ms;
    if (!whole || !sum) return;
    const double ratio = *sum > *whole ? *whole / *sum : 1;
    double above_ms = 0;  // sum of the high ends beyond the estimates
    for (const Action& action : actions) {
      if (action.estimated_ms) above_ms += *action.high_ms - *action.estimated_ms;
    }
    const double room_ms = *whole - *sum * ratio;
    const double rest = above_ms > room_ms ? std::max(0.0, room_ms) / above_ms : 1;
    if (ratio == 1 && rest == 1) return;
    for (Action& action : actions) {
      if (!action.estimated_ms) continue;
      const double above = (*action.high_ms - *action.estimated_ms) * rest;
      *action.estimated_ms *= ratio;
      if (action.low_ms) *action.low_ms *= ratio;
      action.high_ms = *action.estimated_ms + above;
      for (model::ActionLayer& layer : action.layers) {
        if (layer.ms) *layer.ms *= ratio;
      }
    }
  }

  // Of the time of all layers; null where that is not known.
  std::optional<double> share_of(double ms) const {
    const auto all = context_.total_ms();
    return all && *all > 0 ? std::optional(ms / *all) : std::nullopt;
  }

  // Whether it is about a large part of the time.
  bool touches_much(const Action& action) const {
    double ms = 0;
    for (const model::ActionLayer& layer : action.layers) {
      ms += context_.time_ms(layer.layer).value_or(0);
    }
    return share_of(ms).value_or(0) >= kMuch;
  }

  // Ascending: what comes first. A small gain does not rank above an action that is about a large
  // part of the time but whose gain can't be known.
  auto place_of(const Action& action) const {
    enum : std::uint8_t {
      kCannotJudge,
      kGains,
      kGainsUnknownOfMuch,
      kGainsLittle,
      kGainsUnknown,
      kLooks,
      kUnproven
    };
    const std::size_t lead = action.findings.front();
    auto group = kGainsUnknown;
    if (action.kind == ActionKind::kMeasureAgain) {
      const bool discredits = std::ranges::any_of(
          action.findings, [&](std::size_t i) { return info(i).discredits_times; });
      group = discredits ? kCannotJudge : kLooks;
    } else if (action.certainty == Certainty::kNotProven) {
      group = kUnproven;
    } else if (action.estimated_ms) {
      group = share_of(*action.estimated_ms).value_or(1) < kLittle ? kGainsLittle : kGains;
    } else if (touches_much(action)) {
      group = kGainsUnknownOfMuch;
    }
    // Findings are in the order of the registry. Within a group, advice that was followed and
    // gained comes before untried advice.
    const bool is_untried = action.certainty != Certainty::kProven;
    return std::tuple(group, is_untried, -action.estimated_ms.value_or(0), finding(lead).severity,
                      lead);
  }

  std::vector<Action> ranked(std::vector<Action> actions) const {
    std::ranges::sort(actions, {}, [&](const Action& action) { return place_of(action); });
    for (std::size_t i = 0; i < actions.size(); ++i) {
      if (actions[i].certainty != Certainty::kNotProven) {
        actions[i].rank = static_cast<std::int64_t>(i) + 1;
      }
      for (const std::size_t one : actions[i].findings) findings_[one].finding->in_action = i;
    }
    return actions;
  }

  std::span<const FindingToMend> findings_;
  const Context& context_;
  std::vector<Draft> drafts_;
  bool is_disturbed_ = false;
};

}  // namespace

std::vector<Action> find_actions(std::span<const FindingToMend> findings, const Context& context) {
  return ActionFinder(findings, context).find();
}

}  // namespace planex::lint
