#include "cli/verb_options.h"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <type_traits>

#include "base/text.h"
#include "cli/command.h"
#include "cli/file_options.h"

namespace planex::cli {
namespace {

using session::Option;
using session::WordMember;

std::string flag_of(const Option& option) { return base::format("--{}", option.name); }

// As the parser takes it: "-o,--output", "--layer-precisions,--layerPrecisions", "MODEL".
std::string names_of(const Option& option) {
  const session::How& how = option.how;
  if (how.is_argument) return std::string(option.metavar);
  std::string names = how.is_output ? "-o," + flag_of(option) : flag_of(option);
  if (!how.spelling.empty()) names += base::format(",--{}", how.spelling);
  return names;
}

std::string help_of(const Option& option, const OptionLooks& looks) {
  std::string help(option.help);
  if (!looks.shows_topic || option.how.topic.empty()) return help;
  // "speed: your own device table"
  help.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(help.front())));
  return base::format("{}: {}", option.how.topic, help);
}

std::vector<std::string> words_in(std::string_view text, char between = ' ') {
  std::vector<std::string> words;
  while (!text.empty()) {
    const std::string_view word = base::take_part(text, between);
    if (!word.empty()) words.emplace_back(word);
  }
  return words;
}

CLI::Validator ratio() {
  return CLI::Validator(
      [](std::string& text) {
        const auto read = session::ratio_of(text);
        return read ? std::string()
                    : base::format("{}, expected a percentage such as 3%, or a ratio such as 0.03",
                                   read.error().message);
      },
      "");
}

class Adder {
 public:
  Adder(CLI::App& app, const Option& option, const OptionLooks& looks)
      : app_(app), option_(option), name_(names_of(option)), help_(help_of(option, looks)) {}

  CLI::Option* operator()(bool* target) { return app_.add_flag(name_, *target, help_); }

  CLI::Option* operator()(const WordMember& member) {
    const std::vector<std::string> words(member.words.begin(), member.words.end());
    auto* added = app_.add_option_function<std::string>(
        name_,
        [member](const std::string& word) {
          const auto found = std::ranges::find(member.words, word);
          member.choose(static_cast<std::size_t>(found - member.words.begin()));
        },
        help_);
    return added->check(CLI::IsMember(words))->default_str(words[member.chosen]);
  }

  CLI::Option* operator()(std::vector<std::string>* target) {
    if (option_.how.splits_words) {
      return described(app_.add_option_function<std::string>(
          name_, [target](const std::string& text) { *target = words_in(text); }, help_));
    }
    CLI::Option* added = chosen(valued(*target))->allow_extra_args(option_.how.several_words);
    return option_.how.commas ? added->delimiter(',') : added;
  }
  CLI::Option* operator()(std::string* target) {
    CLI::Option* added = chosen(valued(*target));
    return option_.how.shows_initial && !target->empty() ? added->capture_default_str() : added;
  }
  CLI::Option* operator()(std::optional<std::string>* target) { return chosen(valued(*target)); }

  CLI::Option* operator()(double* target) {
    if (!option_.how.is_ratio) return number(*target);
    constexpr double kPercent = 100;
    return ratio_into(*target)->default_str(base::format("{:g}%", *target * kPercent));
  }
  CLI::Option* operator()(std::optional<double>* target) {
    return option_.how.is_ratio ? ratio_into(*target) : limited(valued(*target));
  }
  CLI::Option* operator()(std::chrono::milliseconds* target) { return seconds_into(*target); }
  CLI::Option* operator()(std::optional<std::chrono::milliseconds>* target) {
    return seconds_into(*target);
  }
  template <typename T>
  CLI::Option* operator()(std::optional<T>* target) {
    return limited(valued(*target));
  }
  template <typename T>
  CLI::Option* operator()(T* target) {
    return number(*target);
  }

 private:
  CLI::Option* described(CLI::Option* added) {
    // Without, the parser names the type.
    if (option_.metavar.empty()) return added;
    return added->type_name(option_.how.is_argument ? std::string() : std::string(option_.metavar));
  }
  CLI::Option* chosen(CLI::Option* added) {
    const auto& choices = option_.how.choices;
    if (choices.empty()) return added;
    return added->check(CLI::IsMember(std::vector<std::string>(choices.begin(), choices.end())));
  }
  template <typename T>
  CLI::Option* valued(T& target) {
    return described(app_.add_option(name_, target, help_));
  }
  template <typename T>
  CLI::Option* seconds_into(T& target) {
    return described(app_.add_option_function<double>(
                             name_,
                             [&target](const double& seconds) {
                               target = std::chrono::duration_cast<std::chrono::milliseconds>(
                                   std::chrono::duration<double>(seconds));
                             },
                             help_)
                         ->check(CLI::PositiveNumber));
  }
  template <typename T>
  CLI::Option* number(T& target) {
    CLI::Option* added = limited(valued(target));
    return option_.how.shows_initial ? added->capture_default_str() : added;
  }
  template <typename T>
  CLI::Option* ratio_into(T& target) {
    return described(app_.add_option_function<std::string>(
                             name_,
                             [&target](const std::string& text) {
                               // The check lets nothing else through.
                               target = session::ratio_of(text).value_or(0);
                             },
                             help_)
                         ->check(ratio()));
  }
  CLI::Option* limited(CLI::Option* added) {
    const session::How& how = option_.how;
    if (how.from && how.to) return added->check(range());
    if (how.from) return added->check(least());
    return how.above ? added->check(CLI::PositiveNumber) : added;
  }

  bool is_fraction() const {
    return std::holds_alternative<double*>(option_.member) ||
           std::holds_alternative<std::optional<double>*>(option_.member);
  }
  CLI::Validator range() const {
    const session::How& how = option_.how;
    if (is_fraction()) return CLI::Range(*how.from, *how.to);
    return CLI::Range(static_cast<std::int64_t>(*how.from), static_cast<std::int64_t>(*how.to));
  }
  CLI::Validator least() const {
    if (is_fraction()) return CLI::NonNegativeNumber;
    return *option_.how.from > 0 ? count_from_one() : count_from_zero();
  }

  CLI::App& app_;
  const Option& option_;
  std::string name_, help_;
};

void declare_files(CLI::Option* added, const session::How& how) {
  const std::vector<std::string> also(how.also.begin(), how.also.end());
  if (how.reads) reads_files(added);
  if (how.reads_all) reads_files(added, FileRole::kReadsAll);
  if (how.reads_words) reads_files(added, FileRole::kReadsWords);
  if (how.is_output && !how.writes_folder) writes_output(added, also);
  if (how.writes) writes_file(added, also);
  if (how.writes_folder) writes_folder(added, also);
  if (how.updates) uses_files(added, {.role = FileRole::kUpdates});
  if (!how.updates_with.empty()) {
    uses_files(added, {.role = FileRole::kUpdates, .when = std::string(how.updates_with)});
  }
}

}  // namespace

void add_options(CLI::App& app, const session::Options& options, const OptionLooks& looks) {
  const auto is_here = [&](const Option& option) {
    return (looks.has_arguments || !option.how.is_argument) && !option.how.for_programs;
  };
  for (const Option& option : options) {
    if (!is_here(option)) continue;
    CLI::Option* added = std::visit(Adder(app, option, looks), option.member);
    declare_files(added, option.how);
    if (option.how.is_required) added->required();
    if (!looks.group.empty()) added->group(looks.group);
    if (!option.how.group.empty()) added->group(std::string(option.how.group));
  }
  for (const Option& option : options) {
    if (!is_here(option) || option.how.needs.empty()) continue;
    app.get_option(flag_of(option))->needs(app.get_option(std::string(option.how.needs)));
  }
}

}  // namespace planex::cli
