#include "jobs/optimize/by_hand.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <variant>
#include <vector>

#include "base/text.h"

namespace planex::jobs {

Recipe float_recipe(const Recipe& recipe) {
  if (recipe.float_model.empty()) return recipe;
  return {.model = recipe.float_model, .words = recipe.words, .by_hand = recipe.float_by_hand};
}

const std::string& model_by_hand(const Recipe& recipe) {
  return recipe.by_hand.empty() ? recipe.model : recipe.by_hand;
}

std::string file_by_hand(std::string_view model, std::string_view what) {
  std::string_view stem = model.substr(model.find_last_of('/') + 1);
  if (stem.ends_with(".onnx")) stem.remove_suffix(std::string_view(".onnx").size());
  return base::format("{}.{}.onnx", stem, what);
}

std::string data_by_hand(const DataOptions& data) {
  const DataOptions plain;
  std::string words = base::format(" --data {}", base::shell_word(data.path));
  if (!data.preparation.empty()) {
    words += base::format(" --prep {}", base::shell_word(data.preparation));
  }
  for (const std::string& shape : data.shapes) {
    words += base::format(" --shape {}", base::shell_word(shape));
  }
  if (data.seed != plain.seed) words += base::format(" --seed {}", data.seed);
  return words;
}

std::string search_by_hand(const std::string& model, const session::Options& options,
                           const session::Options& plain) {
  constexpr std::string_view kOfMachine[] = {"program", "python", "launcher", "fresh",
                                             "print-plan"};
  std::string command = base::format("planex optimize {}", base::shell_word(model));
  for (std::size_t i = 0; i < options.size(); ++i) {
    const session::Option& option = options[i];
    if (option.how.is_argument || option.how.is_output || option.how.for_programs ||
        std::ranges::find(kOfMachine, option.name) != std::end(kOfMachine)) {
      continue;
    }
    const std::vector<std::string> values = session::values_of(option);
    if (values == session::values_of(plain[i])) continue;
    for (const std::string& value : values) {
      const bool is_flag = std::holds_alternative<bool*>(option.member);
      const std::string_view joint = value.starts_with('-') ? "=" : " ";
      command += base::format(" --{}", option.name);
      if (!is_flag) command += base::format("{}{}", joint, base::shell_word(value));
    }
  }
  return command + " -o again/";
}

std::string process_by_hand(const drive::ProcessRequest& process, const Recipe& recipe) {
  std::string command = base::format("planex process {} --engine {}",
                                     base::shell_word(model_by_hand(recipe)), process.engine);
  for (const std::string& shape : process.shapes) {
    command += base::format(" --shape {}", base::shell_word(shape));
  }
  if (process.threads) command += base::format(" --threads {}", *process.threads);
  if (!process.program.empty()) {
    command += base::format(" --program {}", base::shell_word(process.program));
  }
  if (!process.python.empty()) {
    command += base::format(" --python {}", base::shell_word(process.python));
  }
  if (!process.launcher.empty()) {
    std::string launcher;
    for (const std::string& word : process.launcher) {
      launcher += (launcher.empty() ? "" : " ") + base::shell_word(word);
    }
    command += base::format(" --launcher {}", base::shell_word(launcher));
  }
  command += " -o run/";
  std::string words;
  for (const auto* list : {&process.flags, &recipe.words}) {
    for (const std::string& word : *list) words += " " + base::shell_word(word);
  }
  if (!words.empty()) command += " --" + words;
  return command;
}

}  // namespace planex::jobs
