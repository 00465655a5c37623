#include "lint/waivers.h"

#include <re2/re2.h>
#include <re2/set.h>

#include <algorithm>
#include <array>
#include <map>
#include <tuple>
#include <utility>

#include "base/text.h"
#include "base/try.h"

namespace planex::lint {
namespace {

using base::format;

// Rule, layer and fingerprint; an empty one matches all.
using Key = std::tuple<std::string_view, std::string_view, std::string_view>;

re2::RE2::Options options() {
  re2::RE2::Options options;
  options.set_log_errors(false);
  return options;
}

// The patterns of one rule, or of all rules, matched at once: linear in the name, however many.
struct PatternSet {
  std::unique_ptr<re2::RE2::Set> set;
  std::vector<std::size_t> waivers;  // by the set's number
};

// The text and "any"; once if they are the same.
class Parts {
 public:
  explicit Parts(std::string_view text) : both_{text, {}}, count_(text.empty() ? 1 : 2) {}
  const std::string_view* begin() const { return both_.data(); }
  const std::string_view* end() const { return both_.data() + count_; }

 private:
  std::array<std::string_view, 2> both_;
  std::size_t count_;
};

}  // namespace

class Waivers::State {
 public:
  State(std::vector<Waiver> waivers, base::Date today, std::string path)
      : file(std::move(path)), list(std::move(waivers)) {
    for (const Waiver& waiver : list) {
      expired.push_back(waiver.expires.has_value() && *waiver.expires < today);
    }
  }

  Result<void> index() {
    std::size_t pattern_count = 0;
    for (std::size_t i = 0; i < list.size(); ++i) {
      const Waiver& waiver = list[i];
      PLANEX_TRY(check(i));
      if (waiver.layer_pattern.empty()) {
        const auto [same, is_new] =
            exact_.try_emplace({waiver.rule, waiver.layer, waiver.fingerprint}, i);
        if (!is_new) {
          return wrong(
              i, "",
              format("this matches the same findings as /waivers/{}: keep one", same->second));
        }
        continue;
      }
      if (++pattern_count > kMaxPatterns) {
        return wrong(
            i, "layer_regex",
            format("there are more than {} patterns; name layers, or waive a rule", kMaxPatterns));
      }
      PLANEX_TRY(add_pattern(i));
    }
    for (auto& [rule, patterns] : patterns_) {
      if (patterns.set->Compile()) continue;
      return wrong(patterns.waivers.front(), "layer_regex",
                   "this and the other patterns of its rule are too large together");
    }
    return {};
  }

  std::optional<std::size_t> match(std::string_view rule, std::string_view layer,
                                   std::string_view fingerprint,
                                   std::span<std::size_t> match_counts) const {
    std::optional<std::size_t> first;
    const auto take = [&](std::size_t waiver) {
      ++match_counts[waiver];
      if (!expired[waiver] && (!first || waiver < *first)) first = waiver;
    };
    for (const std::string_view a : Parts(rule)) {
      for (const std::string_view b : Parts(layer)) {
        for (const std::string_view c : Parts(fingerprint)) {
          const auto found = exact_.find(Key(a, b, c));
          if (found != exact_.end()) take(found->second);
        }
      }
      const auto patterns = patterns_.find(a);
      if (patterns == patterns_.end()) continue;
      for (const std::size_t waiver : matching(patterns->second, layer)) {
        const std::string& wanted = list[waiver].fingerprint;
        if (wanted.empty() || wanted == fingerprint) take(waiver);
      }
    }
    return first;
  }

  std::string file;
  std::vector<Waiver> list;  // never changed after it is indexed: the keys point into it
  std::vector<bool> expired;

 private:
  Failure wrong(std::size_t waiver, std::string_view key, std::string message) const {
    return fail({.code = ErrorCode::kBadInput,
                 .message = std::move(message),
                 .file = file,
                 .json_pointer = format("/waivers/{}{}{}", waiver, key.empty() ? "" : "/", key)});
  }

  Result<void> check(std::size_t i) const {
    const Waiver& waiver = list[i];
    if (base::trimmed(waiver.reason).empty()) {
      return wrong(i, "reason", "a waiver needs a \"reason\"");
    }
    if (waiver.rule.empty() && waiver.layer.empty() && waiver.layer_pattern.empty() &&
        waiver.fingerprint.empty()) {
      return wrong(i, "",
                   "a waiver needs a \"rule\", a \"layer\", a \"layer_regex\" or a "
                   "\"fingerprint\": this one would waive everything");
    }
    if (!waiver.layer.empty() && !waiver.layer_pattern.empty()) {
      return wrong(i, "layer_regex", "a waiver has a \"layer\" or a \"layer_regex\", not both");
    }
    return {};
  }

  Result<void> add_pattern(std::size_t i) {
    const Waiver& waiver = list[i];
    if (waiver.layer_pattern.size() > kMaxPatternBytes) {
      return wrong(i, "layer_regex", format("a pattern has at most {} bytes", kMaxPatternBytes));
    }
    PatternSet& patterns = patterns_[waiver.rule];
    if (!patterns.set) {
      patterns.set = std::make_unique<re2::RE2::Set>(options(), re2::RE2::UNANCHORED);
    }
    std::string problem;
    if (patterns.set->Add(waiver.layer_pattern, &problem) < 0) {
      return wrong(i, "layer_regex",
                   format("{} is not a valid regular expression: {}",
                          base::quoted(waiver.layer_pattern), problem));
    }
    patterns.waivers.push_back(i);
    return {};
  }

  std::vector<std::size_t> matching(const PatternSet& patterns, std::string_view name) const {
    std::vector<int> numbers;
    re2::RE2::Set::ErrorInfo error{};
    std::vector<std::size_t> waivers;
    const re2::StringPiece piece(name.data(), name.size());
    if (!patterns.set->Match(piece, &numbers, &error) && error.kind != re2::RE2::Set::kNoError) {
      // Together, the patterns need too large a machine for this name: match them one by one.
      for (const std::size_t waiver : patterns.waivers) {
        const re2::RE2 single(list[waiver].layer_pattern, options());
        if (re2::RE2::PartialMatch(piece, single)) waivers.push_back(waiver);
      }
      return waivers;
    }
    for (const int number : numbers) {
      waivers.push_back(patterns.waivers[static_cast<std::size_t>(number)]);
    }
    return waivers;
  }

  std::map<Key, std::size_t> exact_;
  std::map<std::string_view, PatternSet> patterns_;  // by rule; empty: of all rules
};

Waivers::Waivers(std::unique_ptr<State> state) : state_(std::move(state)) {}
Waivers::Waivers(Waivers&&) noexcept = default;
Waivers& Waivers::operator=(Waivers&&) noexcept = default;
Waivers::~Waivers() = default;

Result<Waivers> Waivers::make(std::vector<Waiver> waivers, base::Date today, std::string file) {
  auto state = std::make_unique<State>(std::move(waivers), today, std::move(file));
  PLANEX_TRY(state->index());
  return Waivers(std::move(state));
}

const std::string& Waivers::file() const { return state_->file; }
std::span<const Waiver> Waivers::list() const { return state_->list; }
bool Waivers::is_expired(std::size_t waiver) const { return state_->expired[waiver]; }

std::optional<std::size_t> Waivers::match(std::string_view rule, std::string_view layer,
                                          std::string_view fingerprint,
                                          std::span<std::size_t> match_counts) const {
  return state_->match(rule, layer, fingerprint, match_counts);
}

}  // namespace planex::lint
