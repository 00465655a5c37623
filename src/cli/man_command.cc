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

// Text as roff takes it: a backslash, and a dot or a quote at the begin of a line, mean something.
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

std::string man_page(const CLI::App& app) {
  std::string text = format(".TH PLANEX 1 \"\" \"planex {}\"\n.SH NAME\nplanex \\- {}\n",
                            PLANEX_VERSION, "what an inference engine does");
  text += ".SH SYNOPSIS\n.B planex\n.I VERB\n[options] ...\n.br\n.B planex\n.I FILE\n";
  text += format(".SH DESCRIPTION\n{}\n.SH VERBS\n", roff(app.get_description()));
  for (const CLI::App* verb : app.get_subcommands(nullptr)) {
    text += format(".SS planex {}\n{}\n", roff(verb->get_name()), roff(verb->get_description()));
    text += format(".PP\n.EX\n{}.EE\n", roff(verb->get_footer()));
    for (const CLI::Option* option : verb->get_options()) text += man_of_option(*option);
  }
  text +=
      ".SH EXIT STATUS\n0 fine; 1 findings or a regression; 2 usage; 3 bad input; 4 a program that "
      "planex started failed; 70 a bug of planex; 128 + N stopped by signal N.\n";
  return text;
}

class ManCommand final : public Command {
 public:
  explicit ManCommand(const CLI::App& app) : app_(app) {}

  std::string_view name() const override { return "man"; }
  std::string_view summary() const override { return "Print the manual page"; }
  std::string_view examples() const override { return "planex man > planex.1"; }
  void add_options(CLI::App&) override {}
  Result<int> run(const Environment&) override {
    const std::string text = man_page(app_);
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) {
      return fail(ErrorCode::kIo, "can't write to standard output");
    }
    return kExitFine;
  }

 private:
  const CLI::App& app_;
};

}  // namespace

std::unique_ptr<Command> make_man_command(const CLI::App& app) {
  return std::make_unique<ManCommand>(app);
}

}  // namespace planex::cli
