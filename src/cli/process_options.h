// What verbs that run engines share: the model, how it is built and measured, and where.
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
  // CLI11 loses what follows `--` where words of a list came before it: they are kept here.
  std::vector<std::string> without_dashes(std::vector<std::string> words);
  // `model`: what the help says of it. `also`: files in the folder, as FileUse::also has them.
  void add(CLI::App& app, const char* model, std::vector<std::string> also = {});
  // Last, as positional words are taken in order. `more`: what the help adds.
  void add_words(CLI::App& app, const std::string& more = {});
  // After parsing; without engine and flags. Errors: kUsage.
  Result<drive::ProcessRequest> request(const Environment& environment);
  // Words for the engines' own programs. After request().
  const std::vector<std::string>& words() const { return words_; }

 private:
  Result<void> read_clocks();

  drive::ProcessRequest request_;
  std::vector<std::string> words_, after_dashes_;
  std::string launcher_;
  std::optional<double> timeout_s_, launcher_timeout_s_;
  // "auto", or MHz; empty: clocks are left alone.
  std::string lock_clocks_;
};

// Names that --engine takes.
std::vector<std::string> engine_ids();

// Flags of the engine's program are its own, so --help of a verb doesn't tell of them.
Error with_engine_hint(Error error);

// What every verb that runs engines does with its result: a signal that ended it is its exit code.
Result<int> after_interrupt(Result<int> code, const drive::InterruptScope& interrupt);

}  // namespace planex::cli
