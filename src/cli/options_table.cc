#include "cli/options_table.h"

#include <map>
#include <string_view>
#include <tuple>
#include <vector>

#include "base/text.h"
#include "cli/file_options.h"
#include "cli/help_text.h"

namespace planex::cli {
namespace {

// A pipe would end the cell.
std::string cell(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '|') result += '\\';
    result += c;
  }
  return result;
}

std::string code(const std::string& text) {
  return text.empty() ? std::string() : base::format("`{}`", text);
}

}  // namespace

std::string options_table(CLI::App& app) {
  using Meaning = std::tuple<std::string, std::string, std::string>;
  std::map<Meaning, std::vector<std::string>> verbs;
  for (CLI::App* verb : app.get_subcommands([](CLI::App*) { return true; })) {
    for (const CLI::Option* option : verb->get_options()) {
      if (option->get_positional() || option->get_lnames().empty()) continue;
      if (option->get_lnames().front() == "help") continue;
      verbs[{"--" + option->get_lnames().front(), value_name(*option), option->get_description()}]
          .push_back(verb->get_name());
    }
  }
  std::string text =
      "# Options\n\n"
      "All options of all verbs. An option that has several rows says something else in some "
      "verbs.\n"
      "`planex VERB --help` has those of one verb, with examples.\n\n"
      "| option | value | what it does | verbs |\n"
      "|---|---|---|---|\n";
  for (const auto& [meaning, names] : verbs) {
    const auto& [option, value, description] = meaning;
    std::string listed;
    for (const std::string& name : names) listed += (listed.empty() ? "" : ", ") + name;
    text += base::format("| {} | {} | {} | {} |\n", code(option), cell(code(value)),
                         cell(description), listed);
  }
  return text;
}

}  // namespace planex::cli
