// The options of a request, bound to one: the command line and planex_call() are made of them. The
// rows themselves are in the headers of the requests (planex/options.h).
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "planex/error.h"
#include "session/answer/words.h"

namespace planex::session {

// What a row says beside name and help. By default all are false, empty or without a limit.
struct How {
  // Its value names a file that is read; or a folder of which every file is read; or a command, or
  // @FILE, of which each word can be a file that is read.
  bool reads = false, reads_all = false, reads_words = false;
  // Or a file that is written; or a folder; or a file that is read, then written: always, or if
  // another option is given.
  bool writes = false, writes_folder = false, updates = false;
  std::string_view updates_with = {};
  // Files that are written beside it: "*" is its name, "%" its name without the extension.
  std::vector<std::string_view> also = {};
  // Its value is a program that is started, or words for one: nothing that somebody who is not
  // trusted may choose.
  bool starts = false;
  // What the verb makes: -o, where "-" is standard output.
  bool is_output = false;
  // A number's limits; `above` is a limit that it may not have itself.
  std::optional<double> from = {}, above = {}, to = {};
  // "3%" or 0.03.
  bool is_ratio = false;
  // The words that a text can be.
  std::vector<std::string_view> choices = {};
  // Lists on the command line: one element per option; or several, with commas; or several words.
  bool commas = false, several_words = false;
  // On the command line one text that is split at blanks.
  bool splits_words = false;
  // Whether help shows the initial value.
  bool shows_initial = true;
  bool is_required = false;
  // The option of the command line that it needs.
  std::string_view needs = {};
  // The topic of `explain` that it is for.
  std::string_view topic = {};
  // On the command line a word without a name.
  bool is_argument = false;
  // The heading that the command line's help has it under.
  std::string_view group = {};
  // Not on the command line, which has another way to say it; or no parameter in Python, which has
  // another way, or no need of it.
  bool for_programs = false, for_people = false;
  // What planex_call() called it before.
  std::string_view old = {};
  // Another spelling on the command line, as in other programs.
  std::string_view spelling = {};
  // In Python: its parameter's name, if it is another ("!layers": the opposite), and its place if
  // it needs no name.
  std::string_view python = {};
  int place = 0;
};

// A member that is one of a few words, whatever its type is.
struct WordMember {
  std::vector<std::string_view> words;
  std::size_t chosen = 0;
  std::function<void(std::size_t)> choose;
};

using Member =
    std::variant<bool*, int*, unsigned*, unsigned long*, unsigned long long*, double*, std::string*,
                 std::optional<unsigned>*, std::optional<long>*, std::optional<long long>*,
                 std::optional<double>*, std::optional<std::string>*, std::vector<std::string>*,
                 std::chrono::milliseconds*, std::optional<std::chrono::milliseconds>*, WordMember>;

struct Option {
  // "no-rule"; its value in help, "RULE"; what it does.
  std::string_view name, metavar, help;
  Member member;
  How how;
};

using Options = std::vector<Option>;

template <typename T>
Member member_of(T& target) {
  if constexpr (std::is_enum_v<T>) {
    const auto choices = words_of(T{});
    WordMember member;
    for (std::size_t i = 0; i < choices.size(); ++i) {
      member.words.emplace_back(choices[i].word);
      if (choices[i].value == target) member.chosen = i;
    }
    member.choose = [&target, choices](std::size_t word) { target = choices[word].value; };
    return member;
  } else {
    return &target;
  }
}

#define PLANEX_BIND(type, bound, initial, option, metavar, help, ...)                           \
  ::planex::session::Option{option, metavar, help, ::planex::session::member_of(request.bound), \
                            ::planex::session::How{__VA_ARGS__}},

// Adds those of another request, in their order.
void add(Options& options, Options more);

// Whether its values are paths.
bool names_file(const Option& option);

// "2.5": seconds, more than none. Errors: kUsage.
Result<std::chrono::milliseconds> seconds_of(std::string_view text);

// "3%" or "0.03" as a ratio, from 0 to 10. Errors: kUsage, with a message that begins with "is".
Result<double> ratio_of(std::string_view text);

// The values of an option as texts that assign() would read. Empty if it is not set; a number and a
// word always have one.
std::vector<std::string> values_of(const Option& option);

// Sets an option as a text has it; adds to a list. Errors: kUsage (not such a value).
Result<void> assign(const Option& option, std::string_view value);

// The option of that name, an old one too. Errors: kUsage, with the nearest, or with all.
Result<const Option*> find_option(const Options& options, std::string_view name);

}  // namespace planex::session
