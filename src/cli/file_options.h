// What options name files, and whether those are read or written: declared where the option is, and
// read by the guard that lets no command write over what it reads, and by `planex schema --files`.
#pragma once

#include <CLI/CLI.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "planex/error.h"

namespace planex::cli {

enum class FileRole : std::uint8_t {
  kReads,       // a file; or a folder, of which some files are
  kReadsAll,    // the same, but all that a folder holds counts as read: samples
  kReadsWords,  // a command, or @FILE: each word of it that is a file
  kWrites,
  kWritesFolder,
  kUpdates,  // reads it, and writes it again
};
std::string_view to_string(FileRole role);

struct FileUse {
  FileRole role = FileRole::kReads;
  // Of one that is written: the option that makes it so; empty: it always is.
  std::string when = {};
  // Further files that are written with it: "*" is the name, "%" the name without its ending.
  std::vector<std::string> also = {};
  // "-" is standard output.
  bool takes_standard_output = false;
};

// Declare it. Each gives the option back.
CLI::Option* uses_files(CLI::Option* option, const FileUse& use);
CLI::Option* reads_files(CLI::Option* option, FileRole role = FileRole::kReads);
// -o of a verb: "-" is standard output.
CLI::Option* writes_output(CLI::Option* option, std::vector<std::string> also = {});
// Any other file, which has to have a name.
CLI::Option* writes_file(CLI::Option* option, std::vector<std::string> also = {});
CLI::Option* writes_folder(CLI::Option* option, std::vector<std::string> also = {});

// What was declared of an option.
std::optional<FileUse> file_use(CLI::Option& option);

// "-o", "--data", "MODEL": as messages and lists call an option.
std::string option_name(const CLI::Option& option);

// Before a verb runs: that none of the files it will write is one that it reads, or another one
// that it writes, by whatever path. The files with a model's weights count as read; those of an
// engine are known once it is open (base::was_read). Errors: kUsage; file is set.
Result<void> check_files(CLI::App& verb);

// One line for each option that takes a value: verb, option, type, what it does with files, and
// what is written beside it, with tabs between.
std::string file_options_table(CLI::App& app);

}  // namespace planex::cli
