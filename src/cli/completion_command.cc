#include <algorithm>
#include <string>
#include <vector>

#include "base/text.h"
#include "base/try.h"
#include "cli/commands.h"

namespace planex::cli {
namespace {

using base::format;

struct Flag {
  std::string name;  // --long
  std::string description;
  // Its possible values, if they are a list.
  std::vector<std::string> values;
  bool takes_value = false;
};

struct Verb {
  std::string name;
  std::string description;
  std::vector<Flag> flags;
  // Words that can follow the verb, if they are a list: topics.
  std::vector<std::string> words;
};

// The parser shows the choices of an option as "TEXT:{a,b}".
std::vector<std::string> choices_of(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const std::size_t first = type.find('{'), last = type.rfind('}');
  std::vector<std::string> values;
  if (first == type.npos || last == type.npos) return values;
  std::string_view rest = std::string_view(type).substr(first + 1, last - first - 1);
  while (!rest.empty()) {
    values.emplace_back(base::take_part(rest, ','));
  }
  return values;
}

// Names of columns and rules, which the parser does not check.
std::vector<std::string> known_values(std::string_view verb, std::string_view flag) {
  if (verb == "layers" && (flag == "--columns" || flag == "--sort")) return layer_column_names();
  if (verb == "lint" && (flag == "--rule" || flag == "--no-rule" || flag == "--explain")) {
    return lint_rule_ids();
  }
  if (verb == "lint" && flag == "--pack") {
    return {"generic", "tensorrt", "tensorrt-rtx", "openvino", "onnxruntime"};
  }
  if (verb == "export" && flag == "--table") return export_tables();
  return {};
}

// Taken from the parser, so that completion knows exactly what the program knows.
std::vector<Verb> verbs_of(const CLI::App& app) {
  std::vector<Verb> verbs;
  for (const CLI::App* sub : app.get_subcommands(nullptr)) {
    Verb verb{sub->get_name(), sub->get_description(), {}, {}};
    for (const CLI::Option* option : sub->get_options()) {
      if (option->get_positional() && option->get_lnames().empty()) {
        const std::vector<std::string> words = choices_of(*option);
        verb.words.insert(verb.words.end(), words.begin(), words.end());
      }
      for (const std::string& name : option->get_lnames()) {
        Flag flag{"--" + name, option->get_description(), choices_of(*option),
                  option->get_type_size() != 0};
        if (flag.values.empty()) flag.values = known_values(verb.name, flag.name);
        verb.flags.push_back(std::move(flag));
      }
    }
    std::ranges::sort(verb.flags, {}, &Flag::name);
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
  text += "    return\n  fi\n  case \"$verb ${COMP_WORDS[COMP_CWORD-1]}\" in\n";
  for (const Verb& verb : verbs) {
    for (const Flag& flag : verb.flags) {
      if (flag.values.empty()) continue;
      text += format(
          "    '{} {}') mapfile -t COMPREPLY < <(compgen -W \"{}\" -- \"$word\"); return ;;\n",
          verb.name, flag.name, joined(flag.values));
    }
  }
  text += "  esac\n  if [[ $word == -* ]]; then\n    case $verb in\n";
  for (const Verb& verb : verbs) {
    std::vector<std::string> names;
    for (const Flag& flag : verb.flags) names.push_back(flag.name);
    text += format("      {}) mapfile -t COMPREPLY < <(compgen -W \"{}\" -- \"$word\") ;;\n",
                   verb.name, joined(names));
  }
  text += "    esac\n    return\n  fi\n  local words=\"\"\n  case $verb in\n";
  for (const Verb& verb : verbs) {
    if (!verb.words.empty()) {
      text += format("    {}) [[ $COMP_CWORD -eq 2 ]] && words=\"{}\" ;;\n", verb.name,
                     joined(verb.words));
    }
  }
  text +=
      "  esac\n"
      "  mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\"; compgen -f -- \"$word\")\n"
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
    text += format("    {}) _arguments", verb.name);
    // Counted with planex and the verb before it.
    if (!verb.words.empty()) text += format(" '2:word:({})'", joined(verb.words));
    text += " '*:file:_files'";
    for (const Flag& flag : verb.flags) {
      text += format(" '{}[{}]", flag.name, plain(flag.description));
      if (!flag.values.empty()) {
        text += format(":value:({})", joined(flag.values));
      } else if (flag.takes_value) {
        text += ":value:_files";
      }
      text += "'";
    }
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
    const std::string seen = format("__fish_seen_subcommand_from {}", verb.name);
    if (!verb.words.empty()) {
      text += format("complete -c planex -n '{}' -a '{}'\n", seen, joined(verb.words));
    }
    for (const Flag& flag : verb.flags) {
      text += format("complete -c planex -n '{}' -l {} -d '{}'", seen, flag.name.substr(2),
                     plain(flag.description));
      if (!flag.values.empty()) {
        text += format(" -x -a '{}'", joined(flag.values));
      } else if (flag.takes_value) {
        text += " -r";
      }
      text += "\n";
    }
  }
  return text;
}

class CompletionCommand final : public Command {
 public:
  explicit CompletionCommand(const CLI::App& app) : app_(app) {}

  std::string_view name() const override { return "completion"; }
  std::string_view summary() const override {
    return "Print the completion script for bash, zsh or fish";
  }
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
