// Shared by verbs that run engines: the model, how it is built and measured, and where.
#pragma once

#include <CLI/CLI.hpp>

#include <optional>
#include <string>
#include <vector>

#include "cli/command.h"
#include "drive/driver.h"
#include "drive/interrupt.h"

namespace planex::cli {

class ProcessOptions {
 public:
  // CLI11 loses what follows `--` after the words of a list: those words are kept here.
  std::vector<std::string> without_dashes(std::vector<std::string> words);
  // `model`: its help text. `also`: files in the folder, as in FileUse::also.
  void add(CLI::App& app, const char* model, std::vector<std::string> also = {});
  // Call it last, as positional words are taken in order. `more`: added to the help.
  void add_words(CLI::App& app, const std::string& more = {});
  // After parsing; without engine and flags. Errors: kUsage.
  Result<drive::ProcessRequest> request(const Environment& environment);
  // Words for the engines' own programs. After request().
  const std::vector<std::string>& words() const { return words_; }

 private:
  Result<void> read_clocks();

  drive::ProcessRequest request_;
  std::vector<std::string> words_, after_dashes_;
  const CLI::Option* launcher_timeout_ = nullptr;
  // "auto", or MHz; empty: clocks are left unchanged.
  std::string lock_clocks_;
};

// Names that --engine accepts.
std::vector<std::string> engine_ids();

// Adds a hint to the help of the engine's program: its flags are not in the --help of a verb.
Error with_engine_hint(Error error);

// What every verb that runs engines does with its result: if a signal stopped it, the signal
// decides the exit code.
Result<int> after_interrupt(Result<int> code, const drive::InterruptScope& interrupt);

}  // namespace planex::cli
