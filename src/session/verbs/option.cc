#include "session/verbs/option.h"

#include <algorithm>
#include <concepts>
#include <iterator>
#include <type_traits>
#include <utility>

#include "base/numbers.h"
#include "base/text.h"
#include "base/try.h"

namespace planex::session {
namespace {

using base::format;
using base::quoted;

Result<void> read(bool& target, std::string_view value, const How&) {
  if (value != "true" && value != "false") {
    return fail(ErrorCode::kUsage, format("{} is neither true nor false", quoted(value)));
  }
  target = value == "true";
  return {};
}

Result<void> read(std::string& target, std::string_view value, const How&) {
  target = value;
  return {};
}

template <typename T>
  requires(std::integral<T> || std::floating_point<T>)
Result<void> read(T& target, std::string_view value, const How& how) {
  if constexpr (std::floating_point<T>) {
    if (how.is_ratio) {
      PLANEX_ASSIGN(target, ratio_of(value));
      return {};
    }
  }
  if (const auto number = base::number_in<T>(value)) {
    target = *number;
    return {};
  }
  return fail(ErrorCode::kUsage,
              format("{} is not a {}", quoted(value),
                     std::floating_point<T> ? "number" : "whole number that fits"));
}

Result<void> read(std::chrono::milliseconds& target, std::string_view value, const How&) {
  PLANEX_ASSIGN(target, seconds_of(value));
  return {};
}

template <typename T>
Result<void> read(std::optional<T>& target, std::string_view value, const How& how) {
  return read(target.emplace(), value, how);
}

Result<void> read(std::vector<std::string>& target, std::string_view value, const How&) {
  target.emplace_back(value);
  return {};
}

std::string seconds_text(std::chrono::milliseconds time) {
  return format("{}", std::chrono::duration<double>(time).count());
}

// Whether it is one of the option's words; an option without words takes any.
Result<void> check_choice(const How& how, std::string_view value) {
  if (how.choices.empty() || std::ranges::find(how.choices, value) != how.choices.end()) return {};
  return fail(ErrorCode::kUsage, format("{} is invalid; expected one of {}", quoted(value),
                                        base::join_words(how.choices)));
}

template <typename T>
Result<void> check_limits(const T& value, const How& how) {
  if constexpr (requires { value.has_value(); }) {
    return value ? check_limits(*value, how) : Result<void>();
  } else if constexpr (std::is_arithmetic_v<T>) {
    const auto number = static_cast<double>(value);
    // Also true for NaN.
    if (how.from && !(number >= *how.from)) {
      return fail(ErrorCode::kUsage, format("{} is less than {}", number, *how.from));
    }
    if (how.above && !(number > *how.above)) {
      return fail(ErrorCode::kUsage, format("{} is not more than {}", number, *how.above));
    }
    if (how.to && !(number <= *how.to)) {
      return fail(ErrorCode::kUsage, format("{} is more than {}", number, *how.to));
    }
  }
  return {};
}

Result<void> choose(const WordMember& member, std::string_view value) {
  const auto found = std::ranges::find(member.words, value);
  if (found == member.words.end()) {
    return fail(ErrorCode::kUsage, format("{} is invalid; expected one of {}", quoted(value),
                                          base::join_words(member.words)));
  }
  member.choose(static_cast<std::size_t>(found - member.words.begin()));
  return {};
}

}  // namespace

void add(Options& options, Options more) {
  options.insert(options.end(), std::make_move_iterator(more.begin()),
                 std::make_move_iterator(more.end()));
}

bool names_file(const Option& option) {
  const How& how = option.how;
  return how.reads || how.reads_all || how.writes || how.writes_folder || how.updates ||
         !how.updates_with.empty();
}

Result<std::chrono::milliseconds> seconds_of(std::string_view text) {
  const std::optional<double> number = base::number_in<double>(text);
  // Also false for NaN.
  if (!number || !(*number > 0)) {
    return fail(ErrorCode::kUsage, format("{} is not a positive number of seconds", quoted(text)));
  }
  return std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::duration<double>(*number));
}

Result<double> ratio_of(std::string_view text) {
  std::string_view digits = base::trimmed(text);
  const bool is_percent = digits.ends_with('%');
  if (is_percent) digits = base::trimmed(digits.substr(0, digits.size() - 1));
  constexpr double kPercent = 100, kMaxRatio = 10;
  const std::optional<double> number = base::number_in<double>(digits);
  const double ratio = number.value_or(-1) / (is_percent ? kPercent : 1);
  // Also false for NaN.
  if (!(ratio >= 0 && ratio <= kMaxRatio)) {
    return fail(ErrorCode::kUsage, format("is {}", quoted(text)),
                "It is a percentage such as 3%, or a ratio such as 0.03.");
  }
  return ratio;
}

Result<void> assign(const Option& option, std::string_view value) {
  return std::visit(
      [&](const auto& member) -> Result<void> {
        if constexpr (std::is_same_v<std::remove_cvref_t<decltype(member)>, WordMember>) {
          return choose(member, value);
        } else {
          PLANEX_TRY(check_choice(option.how, value));
          PLANEX_TRY(read(*member, value, option.how));
          return check_limits(*member, option.how);
        }
      },
      option.member);
}

std::vector<std::string> values_of(const Option& option) {
  return std::visit(
      [](const auto& member) -> std::vector<std::string> {
        using T = std::remove_cvref_t<decltype(member)>;
        if constexpr (std::is_same_v<T, WordMember>) {
          return {std::string(member.words[member.chosen])};
        } else if constexpr (std::is_same_v<T, std::vector<std::string>*>) {
          return *member;
        } else if constexpr (std::is_same_v<T, std::string*>) {
          return member->empty() ? std::vector<std::string>() : std::vector{*member};
        } else if constexpr (std::is_same_v<T, bool*>) {
          return *member ? std::vector<std::string>{"true"} : std::vector<std::string>();
        } else if constexpr (std::is_same_v<T, std::chrono::milliseconds*>) {
          return {seconds_text(*member)};
        } else if constexpr (std::is_same_v<T, std::optional<std::chrono::milliseconds>*>) {
          return *member ? std::vector{seconds_text(**member)} : std::vector<std::string>();
        } else if constexpr (requires { member->has_value(); }) {
          return *member ? std::vector{format("{}", **member)} : std::vector<std::string>();
        } else {
          return {format("{}", *member)};
        }
      },
      option.member);
}

Result<const Option*> find_option(const Options& options, std::string_view name) {
  std::vector<std::string_view> names;
  for (const Option& option : options) {
    if (option.name == name || (!option.how.old.empty() && option.how.old == name)) return &option;
    names.push_back(option.name);
  }
  const auto near = base::nearest(name, names);
  return fail(ErrorCode::kUsage, format("there is no option {}", quoted(name)),
              near ? format("did you mean {}?", *near)
                   : format("the options are {}", base::join_words(names)));
}

}  // namespace planex::session
