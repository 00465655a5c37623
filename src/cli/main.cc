// The command line: finds the verb, runs it, turns its error into words and an exit code.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>

#include "base/files.h"
#include "base/read_files.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/file_options.h"
#include "cli/help_text.h"
#include "cli/old_spellings.h"
#include "cli/standard_input.h"
#include "planex/version.h"

namespace planex::cli {
namespace {

using base::format;

constexpr std::string_view kDescription =
    "planex shows what an inference engine does: its layers, their precision and layout, where the "
    "time goes and why, what to fix, and what changed.";

std::string program_folder() {
  std::array<char, 4096> path;
  const ssize_t length = ::readlink("/proc/self/exe", path.data(), path.size());
  if (length <= 0) return {};
  return std::string(base::folder_of({path.data(), static_cast<std::size_t>(length)}));
}

Error usage_error(std::string message, std::string hint) {
  return {.code = ErrorCode::kUsage, .message = std::move(message), .hint = std::move(hint)};
}

// The flag or verb most likely meant by the first argument that the parser did not accept.
Error extras_error(const CLI::App& app, const std::string& word) {
  const CLI::App* scope = &app;
  for (const CLI::App* sub : app.get_subcommands()) scope = sub;
  std::vector<std::string> names;
  for (const CLI::Option* option : scope->get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    for (const std::string& name : option->get_snames()) names.push_back("-" + name);
  }
  const std::vector<std::string_view> candidates(names.begin(), names.end());
  const std::string verb = scope == &app ? "planex" : "planex " + scope->get_name();
  if (!word.starts_with('-')) {
    return usage_error(format("{} does not accept {}", verb, base::quoted(word)),
                       format("{} --help shows what it accepts", verb));
  }
  const auto near = base::nearest(word.substr(0, word.find('=')), candidates);
  return usage_error(format("{} has no flag {}{}", verb, word.substr(0, 80),
                            near ? format("; did you mean {}?", *near) : ""),
                     format("{} --help lists all", verb));
}

// What other programs call our verbs.
struct Synonym {
  std::string_view word, verb;
};
constexpr Synonym kSynonyms[] = {
    {"benchmark", "process"}, {"build", "process"},   {"check", "lint"},
    {"convert", "export"},    {"diagnose", "doctor"}, {"diff", "compare"},
    {"dir", "list"},          {"graph", "draw"},      {"html", "report"},
    {"info", "summary"},      {"inspect", "summary"}, {"kernels", "explain"},
    {"ls", "list"},           {"memory", "explain"},  {"plot", "draw"},
    {"precision", "explain"}, {"print", "layers"},    {"profile", "process"},
    {"reformats", "explain"}, {"render", "draw"},     {"run", "process"},
    {"show", "summary"},      {"speed", "explain"},   {"sql", "query"},
    {"stats", "summary"},     {"svg", "draw"},        {"table", "layers"},
    {"ui", "serve"},          {"view", "report"},     {"visualize", "draw"},
    {"web", "serve"},         {"why", "explain"}};

std::optional<std::string_view> likely_verb(std::string_view word,
                                            std::span<const std::string_view> names) {
  const auto* synonym = std::ranges::find(kSynonyms, word, &Synonym::word);
  if (synonym != std::end(kSynonyms)) return synonym->verb;
  return base::nearest(word, names);
}

// A folder of engines has no summary of its own.
bool has_several_engines(const std::string& path) {
  if (base::disk().kind(path) != base::PathKind::kFolder) return false;
  const auto here = find_engines(path, 0);
  if (!here || !here->empty()) return here && here->size() > 1;
  const auto below = find_engines(path, 1);
  return below && !below->empty();
}

// `planex FILE` is `planex summary FILE`, `planex help VERB` is `planex VERB --help`. A word that
// is neither verb nor file gets a hint.
Result<std::vector<std::string>> with_verb(std::vector<std::string> words,
                                           std::span<const std::unique_ptr<Command>> commands) {
  if (words.empty()) return words;
  if (words.front() == kStandardInputWord) words.insert(words.begin(), "summary");
  if (words.front().starts_with('-')) return words;
  std::vector<std::string_view> names;
  for (const auto& command : commands) names.push_back(command->name());
  if (std::ranges::find(names, words.front()) != names.end()) return words;
  if (words.front() == "help") {
    words.erase(words.begin());
    if (words.empty()) return words;
    words.resize(1);
    words.emplace_back("--help");
    if (std::ranges::find(names, words.front()) != names.end()) return words;
  }
  const auto near = likely_verb(words.front(), names);
  const bool exists = base::disk().kind(words.front()) != base::PathKind::kMissing;
  const bool looks_like_path = words.front().find_first_of("/.") != std::string::npos;
  if (!exists && !looks_like_path) {
    return fail(usage_error(
        format("planex has no verb {} and there is no such file{}", base::quoted(words.front()),
               near ? format("; did you mean {}?", *near) : ""),
        format("verbs: {}", base::join_words(names))));
  }
  words.insert(words.begin(), has_several_engines(words.front()) ? "list" : "summary");
  return words;
}

// Creating options takes time, and only those of the chosen verb are used.
bool needs_options(const Command& command, const std::vector<std::string>& words) {
  if (words.empty()) return false;
  const std::string& first = words.front();
  // Completion and the manual need the names of all options.
  if (first == command.name() || first == "completion" || first == "man") return true;
  const auto describes_all = [](const std::string& word) {
    return word == "--files" || word == "--options" || word == "--verbs";
  };
  if (first == "schema" && std::ranges::any_of(words, describes_all)) return true;
  // A flag before the verb.
  return first.starts_with('-') && words.size() > 1;
}

int run(int argc, char** argv) {
  CLI::App app{std::string(kDescription), "planex"};
  app.require_subcommand(0, 1);
  app.formatter(std::make_shared<HelpText>(terminal_width(STDOUT_FILENO)));
  app.set_version_flag("-V,--version", std::string("planex ") + PLANEX_VERSION);
  app.get_option("--help")->description("Print this help and exit");
  app.get_option("--version")->description("Print the version and exit");
  std::string footer =
      "\n`planex FILE` is short for `planex summary FILE`; FILE can be - for standard "
      "input.\n`planex help VERB` shows examples.\n\nExit codes:\n";
  for (const ExitCode& one : kExitCodes) {
    const std::string code =
        one.code == kExitSignal ? std::string("128 + N") : format("{}", one.code);
    footer += format("  {:<9}{}\n", code, one.meaning);
  }
  app.footer(footer);
  const auto commands = make_commands(app);
  auto words = with_verb(std::vector<std::string>(argv + 1, argv + argc), commands);
  if (!words) {
    print_error(words.error());
    return exit_code_of(words.error());
  }
  for (const auto& command : commands) {
    CLI::App* sub =
        app.add_subcommand(std::string(command->name()), std::string(command->summary()));
    if (!needs_options(*command, *words)) continue;
    sub->footer(HelpText::footer_of(command->examples()));
    command->add_options(*sub);
    if (words->empty() || words->front() != command->name()) continue;
    *words =
        command->translated(with_todays_names(command->name(), {words->begin() + 1, words->end()}));
    words->insert(words->begin(), std::string(command->name()));
  }
  if (words->empty()) {
    std::fputs(app.help().c_str(), stdout);
    return kExitFine;
  }
  try {
    std::ranges::reverse(*words);  // CLI11 takes them from the back.
    app.parse(*words);
  } catch (const CLI::ExtrasError&) {
    const std::vector<std::string> extras = app.remaining(true);
    print_error(extras_error(app, extras.empty() ? std::string() : extras.front()));
    return kExitUsage;
  } catch (const CLI::CallForHelp&) {
    const auto chosen = app.get_subcommands();
    std::fputs((chosen.empty() ? app.help() : chosen.front()->help("planex")).c_str(), stdout);
    return kExitFine;
  } catch (const CLI::CallForVersion&) {
    std::printf("planex %s\n", PLANEX_VERSION);
    return kExitFine;
  } catch (const CLI::ParseError& error) {
    const auto chosen = app.get_subcommands();
    print_error(
        usage_error(error.what(), format("planex {}--help shows how",
                                         chosen.empty() ? "" : chosen.front()->get_name() + " ")));
    return kExitUsage;
  }
  for (const auto& command : commands) {
    if (!app.got_subcommand(std::string(command->name()))) continue;
    if (const auto safe = check_files(*app.get_subcommand(std::string(command->name()))); !safe) {
      print_error(safe.error());
      return exit_code_of(safe.error());
    }
    const auto code = command->run({.program_dir = program_folder()});
    if (code) return *code;
    std::fflush(stdout);
    print_error(code.error());
    return exit_code_of(code.error());
  }
  std::fputs(app.help().c_str(), stdout);
  return kExitFine;
}

}  // namespace
}  // namespace planex::cli

namespace {

// Deletes the files being written; the program then ends as the signal would have ended it.
void end_by_signal(int signal) {
  planex::base::remove_temporary_files();
  ::signal(signal, SIG_DFL);
  ::raise(signal);
}

void handle_signals() {
  planex::base::survive_shortened_files();
  // A full quota or a file size limit then fails the write, instead of ending the program.
  ::signal(SIGXFSZ, SIG_IGN);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    // Ignored ones (nohup) stay ignored.
    if (::signal(signal, end_by_signal) == SIG_IGN) ::signal(signal, SIG_IGN);
  }
}

}  // namespace

int main(int argc, char** argv) {
  handle_signals();
  planex::base::remember_read_files();
  int code = planex::cli::kExitInternal;
  try {
    code = planex::cli::run(argc, argv);
  } catch (const std::bad_alloc&) {
    std::fputs("error: out of memory\n", stderr);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "error: a bug in planex: %s\n  please report it with the command line\n",
                 error.what());
  }
  // Part of the output was read after the files were checked: names of layers, a model's data.
  if (planex::base::has_a_file_changed() && code <= planex::cli::kExitFindings) {
    std::fputs("error: a file changed while it was read: the output may be wrong\n", stderr);
    code = planex::cli::kExitBadInput;
  }
  // Leave the tables of a large engine to the system: freeing them takes longer than the summary.
  if (std::fflush(stdout) != 0 && code == planex::cli::kExitFine) {
    std::fputs("error: can't write to standard output\n", stderr);
    code = planex::cli::kExitBadInput;
  }
  std::_Exit(code);
}
