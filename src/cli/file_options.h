// Which options name files, and whether those are read or written. Declared where the option is
// defined; used by the guard that keeps a command from overwriting what it reads, and by `planex
// schema --files`.
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
  kReads,       // a file, or some files of a folder
  kReadsAll,    // the same, but every file in a folder counts as read: samples
  kReadsWords,  // a command, or @FILE: each word in it that is a file
  kWrites,
  kWritesFolder,
  kUpdates,  // reads it, then writes it
};
std::string_view to_string(FileRole role);

struct FileUse {
  FileRole role = FileRole::kReads;
  // For a written file: the option that causes the writing; empty: it is always written.
  std::string when = {};
  // Further files that are written with it: "*" is the name, "%" the name without its extension.
  std::vector<std::string> also = {};
  // "-" is standard output.
  bool takes_standard_output = false;
};

// These declare it, and return the option.
CLI::Option* uses_files(CLI::Option* option, const FileUse& use);
CLI::Option* reads_files(CLI::Option* option, FileRole role = FileRole::kReads);
// -o of a verb: "-" is standard output.
CLI::Option* writes_output(CLI::Option* option, std::vector<std::string> also = {});
// Any other file; it needs a name.
CLI::Option* writes_file(CLI::Option* option, std::vector<std::string> also = {});
CLI::Option* writes_folder(CLI::Option* option, std::vector<std::string> also = {});

// What was declared for an option.
std::optional<FileUse> file_use(CLI::Option& option);

// The name of an option in messages and lists: "-o", "--data", "MODEL".
std::string option_name(const CLI::Option& option);

// Before a verb runs: checks that no file it will write is also read, or written by another option,
// by whatever path. The files with a model's weights count as read; those of an engine are known
// once it is open (base::was_read). Errors: kUsage; file is set.
Result<void> check_files(CLI::App& verb);

// One line per option that takes a value: verb, option, type, what it does with files, and what is
// written beside it, separated by tabs.
std::string file_options_table(CLI::App& app);

}  // namespace planex::cli
