#include <algorithm>
#include <string>
#include <vector>

#include "base/text.h"
#include "base/try.h"
#include "cli/commands.h"

namespace planex::cli {
namespace {

using base::format;

struct Verb {
  std::string name;
  std::string description;
  std::vector<std::string> options;  // --long names
};

// Read off the parser, so that completion can't know less or more than the program.
std::vector<Verb> verbs_of(const CLI::App& app) {
  std::vector<Verb> verbs;
  for (const CLI::App* sub : app.get_subcommands(nullptr)) {
    Verb verb{sub->get_name(), sub->get_description(), {}};
    for (const CLI::Option* option : sub->get_options()) {
      for (const std::string& name : option->get_lnames()) verb.options.push_back("--" + name);
    }
    std::ranges::sort(verb.options);
    verbs.push_back(std::move(verb));
  }
  return verbs;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

std::string verb_names(const std::vector<Verb>& verbs) {
  std::vector<std::string> names;
  for (const Verb& verb : verbs) names.push_back(verb.name);
  return joined(names);
}

std::string bash(const std::vector<Verb>& verbs) {
  std::string text =
      "# bash completion of planex: planex completion bash > "
      "~/.local/share/bash-completion/completions/planex\n"
      "_planex() {\n"
      "  local word=\"${COMP_WORDS[COMP_CWORD]}\" verb=\"${COMP_WORDS[1]}\"\n"
      "  COMPREPLY=()\n"
      "  if [[ $COMP_CWORD -eq 1 ]]; then\n";
  text += format(
      "    mapfile -t COMPREPLY < <(compgen -W \"{}\" -- \"$word\"; compgen -f -- \"$word\")\n",
      verb_names(verbs));
  text += "    return\n  fi\n  if [[ $word == -* ]]; then\n    case $verb in\n";
  for (const Verb& verb : verbs) {
    text += format("      {}) mapfile -t COMPREPLY < <(compgen -W \"{}\" -- \"$word\") ;;\n",
                   verb.name, joined(verb.options));
  }
  text +=
      "    esac\n    return\n  fi\n"
      "  mapfile -t COMPREPLY < <(compgen -f -- \"$word\")\n"
      "}\n"
      "complete -o filenames -F _planex planex\n";
  return text;
}

// A description inside single quotes and square brackets.
std::string plain(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '\'' || c == '[' || c == ']' || c == ':') {
      result += ' ';
    } else {
      result += c;
    }
  }
  return result;
}

std::string zsh(const std::vector<Verb>& verbs) {
  std::string text =
      "#compdef planex\n"
      "# zsh completion of planex: planex completion zsh > a folder of $fpath, as _planex\n"
      "_planex() {\n  local -a verbs\n  verbs=(\n";
  for (const Verb& verb : verbs)
    text += format("    '{}:{}'\n", verb.name, plain(verb.description));
  text +=
      "  )\n  if (( CURRENT == 2 )); then\n    _describe verb verbs\n    _files\n    return\n  fi\n"
      "  case $words[2] in\n";
  for (const Verb& verb : verbs) {
    text += format("    {}) _arguments '*:file:_files'", verb.name);
    for (const std::string& option : verb.options) text += format(" '{}'", option);
    text += " ;;\n";
  }
  text += "    *) _files ;;\n  esac\n}\n_planex \"$@\"\n";
  return text;
}

std::string fish(const std::vector<Verb>& verbs) {
  std::string text =
      "# fish completion of planex: planex completion fish > "
      "~/.config/fish/completions/planex.fish\n";
  for (const Verb& verb : verbs) {
    text += format("complete -c planex -n __fish_use_subcommand -a {} -d '{}'\n", verb.name,
                   plain(verb.description));
    for (const std::string& option : verb.options) {
      text += format("complete -c planex -n '__fish_seen_subcommand_from {}' -l {}\n", verb.name,
                     option.substr(2));
    }
  }
  return text;
}

class CompletionCommand final : public Command {
 public:
  explicit CompletionCommand(const CLI::App& app) : app_(app) {}

  std::string_view name() const override { return "completion"; }
  std::string_view summary() const override { return "Completion for bash, zsh or fish"; }
  std::string_view examples() const override {
    return "source <(planex completion bash)\n"
           "planex completion fish > ~/.config/fish/completions/planex.fish";
  }
  void add_options(CLI::App& app) override {
    app.add_option("SHELL", shell_, "bash, zsh or fish")
        ->required()
        ->check(CLI::IsMember({"bash", "zsh", "fish"}))
        ->type_name("");
  }
  Result<int> run(const Environment&) override {
    const std::vector<Verb> verbs = verbs_of(app_);
    const std::string text = shell_ == "bash"  ? bash(verbs)
                             : shell_ == "zsh" ? zsh(verbs)
                                               : fish(verbs);
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) {
      return fail(ErrorCode::kIo, "can't write to standard output");
    }
    return kExitFine;
  }

 private:
  const CLI::App& app_;
  std::string shell_;
};

}  // namespace

std::unique_ptr<Command> make_completion_command(const CLI::App& app) {
  return std::make_unique<CompletionCommand>(app);
}

}  // namespace planex::cli
