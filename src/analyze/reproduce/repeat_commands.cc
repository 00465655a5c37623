#include "analyze/reproduce/repeat_commands.h"

#include "analyze/reproduce/engine_commands.h"
#include "analyze/reproduce/engine_facts.h"
#include "base/text.h"

namespace planex::analyze {
namespace {

using base::shell_word;
using model::PlanModel;

// Names of commands in trtexec's logs and in the manifests of planex's drivers.
std::string what_of(std::string_view section, std::string_view key) {
  if (section == "commands") return "made these files";
  return key == "trtexec (build)" ? "built the engine" : "wrote the log";
}

// benchmark_app's report lists its options by name, in the order given.
std::string benchmark_line(const PlanModel& model, std::string& file) {
  std::string line;
  for (std::size_t row = 0; row < model.metadata.row_count(); ++row) {
    if (model.text(model.metadata.section[row]) != kBenchmarkOptions) continue;
    if (line.empty()) {
      line = "benchmark_app";
      file = model.text(model.metadata.file[row]);
    }
    line += ' ';
    line += shell_word(model.text(model.metadata.key[row]));
    const std::string_view value = model.text(model.metadata.value[row]);
    if (value.empty()) continue;
    line += ' ';
    line += shell_word(value);
  }
  return line;
}

}  // namespace

std::string_view to_string(CommandOrigin origin) {
  switch (origin) {
    case CommandOrigin::kRecorded:
      return "recorded";
    case CommandOrigin::kOptions:
      return "options";
    case CommandOrigin::kMade:
      return "made";
  }
  return {};
}

std::vector<RepeatCommand> repeat_commands(const PlanModel& model) {
  std::vector<RepeatCommand> commands;
  const model::MetadataTable& table = model.metadata;
  for (std::size_t row = 0; row < table.row_count(); ++row) {
    const std::string_view section = model.text(table.section[row]);
    if (section != "command" && section != "commands") continue;
    commands.push_back({.origin = CommandOrigin::kRecorded,
                        .what = what_of(section, model.text(table.key[row])),
                        .command = std::string(model.text(table.value[row])),
                        .file = std::string(model.text(table.file[row]))});
  }
  std::string file;
  if (std::string line = benchmark_line(model, file); !line.empty()) {
    commands.push_back({.origin = CommandOrigin::kOptions,
                        .what = "made these files",
                        .command = std::move(line),
                        .file = std::move(file)});
  }
  const EngineFacts facts(model);
  if (std::string line = run_again_command(facts); !line.empty()) {
    commands.push_back({.origin = CommandOrigin::kMade,
                        .what = facts.producer() == "tensorrt-rtx"
                                    ? "builds it again, for the log that planex reads"
                                    : "builds and measures it again",
                        .command = std::move(line),
                        .file = {}});
  }
  return commands;
}

}  // namespace planex::analyze
