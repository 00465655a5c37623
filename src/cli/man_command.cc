#include <algorithm>
#include <cstdio>
#include <string>

#include "base/text.h"
#include "base/try.h"
#include "cli/commands.h"
#include "cli/help_text.h"
#include "planex/version.h"

namespace planex::cli {
namespace {

using base::format;

// Text escaped for roff: a backslash, and a dot or a quote at the beginning of a line, have a
// meaning there.
std::string roff(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '\\') {
      result += "\\e";
    } else if (c == '-') {
      result += "\\-";
    } else {
      const bool begins_line = result.empty() || result.back() == '\n';
      if (begins_line && (c == '.' || c == '\'')) result += "\\&";
      result += c;
    }
  }
  return result;
}

std::string man_of_option(const CLI::Option& option) {
  std::string head;
  for (const std::string& name : option.get_snames()) head += format("\\-{}, ", name);
  for (const std::string& name : option.get_lnames()) head += format("\\-\\-{}, ", roff(name));
  if (!head.empty()) head.resize(head.size() - 2);
  if (head.empty()) head = roff(option.get_name(true));
  std::string text = format(".TP\n\\fB{}\\fR", head);
  const std::string value = option.get_lnames().empty() ? "" : value_name(option);
  if (!value.empty()) text += format(" \\fI{}\\fR", roff(value));
  return text + "\n" + roff(option.get_description()) + "\n";
}

// The start of every page. `name` as in planex-summary(1).
std::string man_head(std::string_view name, std::string_view description) {
  std::string title(name);
  std::ranges::transform(title, title.begin(), [](char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  });
  return format(".TH {} 1 \"\" \"planex {}\" \"User Commands\"\n.SH NAME\n{} \\- {}\n", roff(title),
                PLANEX_VERSION, roff(name), roff(description));
}

// Examples and options.
std::string man_of_verb(const CLI::App& verb) {
  std::string text = format(".PP\n.EX\n{}.EE\n", roff(verb.get_footer()));
  for (const CLI::Option* option : verb.get_options()) text += man_of_option(*option);
  return text;
}

std::string exit_status() {
  std::string text = ".SH EXIT STATUS\n";
  for (const ExitCode& one : kExitCodes) {
    text += one.code == kExitSignal ? format(".TP\n.B 128 + N\n{}\n", roff(one.meaning))
                                    : format(".TP\n.B {}\n{}\n", one.code, roff(one.meaning));
  }
  return text;
}

std::string man_page_of_verb(const CLI::App& verb) {
  const std::string name = "planex-" + verb.get_name();
  std::string text = man_head(name, verb.get_description());
  text += format(".SH SYNOPSIS\n.B planex {}\n[options] ...\n", roff(verb.get_name()));
  text += ".SH DESCRIPTION\n" + roff(verb.get_description()) + ".\n" + man_of_verb(verb);
  text += exit_status();
  return text + ".SH SEE ALSO\n.BR planex (1)\n";
}

std::string man_page(const CLI::App& app) {
  std::string text = man_head("planex", "what an inference engine does");
  text += ".SH SYNOPSIS\n.B planex\n.I VERB\n[options] ...\n.br\n.B planex\n.I FILE\n";
  text += format(".SH DESCRIPTION\n{}\n.SH VERBS\n", roff(app.get_description()));
  for (const CLI::App* verb : app.get_subcommands(nullptr)) {
    text += format(".SS planex {}\n{}\n", roff(verb->get_name()), roff(verb->get_description()));
    text += man_of_verb(*verb);
  }
  text += exit_status();
  return text;
}

class ManCommand final : public Command {
 public:
  explicit ManCommand(const CLI::App& app) : app_(app) {}

  std::string_view name() const override { return "man"; }
  std::string_view summary() const override { return "Print the manual page"; }
  std::string_view examples() const override {
    return "planex man > planex.1\n"
           "planex man summary > planex-summary.1";
  }
  void add_options(CLI::App& app) override {
    app.add_option("VERB", verb_, "The page of one verb [the page of planex, with all verbs]")
        ->type_name("");
  }
  Result<int> run(const Environment&) override {
    PLANEX_ASSIGN(const std::string text, page());
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) {
      return fail(ErrorCode::kIo, "can't write to standard output");
    }
    return kExitFine;
  }

 private:
  Result<std::string> page() const {
    if (verb_.empty()) return man_page(app_);
    for (const CLI::App* verb : app_.get_subcommands(nullptr)) {
      if (verb->get_name() == verb_) return man_page_of_verb(*verb);
    }
    return fail({.code = ErrorCode::kUsage,
                 .message = format("planex has no verb {}", base::quoted(verb_)),
                 .hint = "planex --help lists all"});
  }

  const CLI::App& app_;
  std::string verb_;
};

}  // namespace

std::unique_ptr<Command> make_man_command(const CLI::App& app) {
  return std::make_unique<ManCommand>(app);
}

}  // namespace planex::cli
