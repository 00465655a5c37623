// Accepted findings: each with a reason, and a day on which to reconsider it.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/date.h"
#include "planex/error.h"

namespace planex::lint {

// Every text that is not empty must match the finding; at least one of the first four is set.
struct Waiver {
  std::string rule;           // id
  std::string layer;          // whole name
  std::string layer_pattern;  // regular expression (RE2), matches anywhere in the name
  std::string fingerprint;
  std::string reason;
  std::string by;
  // The last day on which it is in effect.
  std::optional<base::Date> expires;
};

// Waivers, made for matching many findings. Immutable; may be shared by threads.
class Waivers {
 public:
  // More patterns than this are refused: each is matched against each name.
  static constexpr std::size_t kMaxPatterns = 1000;
  static constexpr std::size_t kMaxPatternBytes = 1000;

  // Errors: kBadInput with a pointer into the file ("/waivers/3/layer_regex"): nothing says what it
  // applies to, no reason, the same waiver twice, an invalid pattern, too many patterns.
  // Cost: O(waivers · log).
  static Result<Waivers> make(std::vector<Waiver> waivers, base::Date today, std::string file);

  Waivers(Waivers&&) noexcept;
  Waivers& operator=(Waivers&&) noexcept;
  ~Waivers();

  const std::string& file() const;
  std::span<const Waiver> list() const;
  bool is_expired(std::size_t waiver) const;

  // The first one in effect; null if there is none. Adds one to `match_counts` of each that
  // matches, expired ones too. Cost: O(log(waivers) + name), the name once per set of patterns.
  std::optional<std::size_t> match(std::string_view rule, std::string_view layer,
                                   std::string_view fingerprint,
                                   std::span<std::size_t> match_counts) const;

 private:
  class State;
  explicit Waivers(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

}  // namespace planex::lint
