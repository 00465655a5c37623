// Shared by the verbs: options, output, exit codes.
#pragma once

#include <CLI/CLI.hpp>

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "planex/error.h"
#include "planex/session.h"

namespace planex::cli {

// The documented exit codes.
inline constexpr int kExitFine = 0;
inline constexpr int kExitFindings = 1;
inline constexpr int kExitUsage = 2;
inline constexpr int kExitBadInput = 3;
inline constexpr int kExitExternalTool = 4;
// A gate could not decide: it has neither passed nor failed.
inline constexpr int kExitUnjudged = 5;
inline constexpr int kExitInternal = 70;
// As a shell reports a program that a signal stopped: 130 after Ctrl-C.
inline constexpr int kExitSignal = 128;
inline constexpr int kExitCancelled = kExitSignal + 2;

// Their meanings in help and manual, in this order; the table of docs/reference/formats.md has the
// same codes. 128 stands for all codes from 128 on.
struct ExitCode {
  int code;
  std::string_view meaning;
};
inline constexpr ExitCode kExitCodes[] = {
    {kExitFine, "success"},
    {kExitFindings, "findings, a regression or a missed goal, if an option asks for this"},
    {kExitUsage, "wrong usage"},
    {kExitBadInput, "a file is missing, damaged, not recognized, or can't be written"},
    {kExitExternalTool, "a program that planex started failed"},
    {kExitUnjudged, "a gate could not decide"},
    {kExitInternal, "a bug in planex"},
    {kExitSignal, "stopped by signal N"}};

int exit_code_of(const Error& error);

// What main() knows and verbs need.
struct Environment {
  // The folder of the running program; its helper programs are there, too.
  std::string program_dir;
};

// A verb describes itself to the parser, and runs if it was chosen.
class Command {
 public:
  virtual ~Command() = default;
  virtual std::string_view name() const = 0;
  virtual std::string_view summary() const = 0;
  // One example per line, each a whole command.
  virtual std::string_view examples() const = 0;
  // The words after the verb in the form that the parser accepts; for other spellings of our flags.
  virtual std::vector<std::string> translated(std::vector<std::string> words) const {
    return words;
  }
  virtual void add_options(CLI::App& app) = 0;
  // Returns the exit code. Errors are printed by the caller.
  virtual Result<int> run(const Environment& environment) = 0;
};

// --format, -o, --color, --width, --wide.
class OutputOptions {
 public:
  // `formats`: those the verb has, the default first.
  void add(CLI::App& app, std::vector<std::string> formats);
  // Without -o, for verbs that write to standard output only.
  void add_view(CLI::App& app, std::vector<std::string> formats);
  // Decides the format first: from --format, else from the extension of -o. Errors: kUsage.
  Result<View> view();
  // After view().
  const std::string& format() const { return format_; }
  // Empty: standard output.
  const std::string& file() const { return output_; }
  // Writes to -o, atomically, or to standard output. Errors: kIo.
  Result<void> write(std::string document) const;

 private:
  Result<void> settle_format();
  void add_format(CLI::App& app, std::vector<std::string> formats, const std::string& description);
  void add_looks(CLI::App& app);

  std::vector<std::string> formats_;
  std::string format_;
  std::string output_;
  std::string color_ = "auto";
  int width_ = -1;
  bool wide_ = false;
};

// PLAN, and the options for files with other names.
class PlanOptions {
 public:
  void add(CLI::App& app, bool is_required = true);
  // One PLAN or more; the options that name files work with a single one only.
  void add_several(CLI::App& app);
  OpenRequest request() const;
  // One per PLAN; an ONNX model that comes before engines is their source model. Errors: kUsage
  // (several, and options for one).
  Result<std::vector<OpenRequest>> requests() const;
  // Errors: those of open_session; kUsage (several engines, and options for one).
  Result<Session> open(const std::string& output = {}) const;

 private:
  void add_files(CLI::App& app);

  OpenRequest request_;
  std::vector<std::string> further_;
};

// Opens engines for a document that is written to `output`, if that is not empty. Errors: those of
// Session::open; kUsage (the output is one of the files that the engines are read from).
Result<Session> open_session(std::span<const OpenRequest> requests, const std::string& output = {});

// --profile takes a file, or the index of an optimization profile; a file whose name is a number
// can be written ./0.
void set_profile(const std::optional<std::string>& text, OpenRequest& request);

// Width of a terminal in cells; 0: the stream is not a terminal.
std::size_t terminal_width(int file_descriptor);

// Checks for a number of at least 0 (or 1), with a readable message.
CLI::Validator count_from_zero();
CLI::Validator count_from_one();

// Whether a stream is a terminal that takes colour.
bool wants_color(std::string_view choice, int file_descriptor);

// -o - writes to standard output, as does a missing -o where that is the default.
inline constexpr std::string_view kStandardOutput = "-";

// Writes a document that comes in pieces: to a file, atomically, or where `path` is empty or "-" to
// standard output. Errors: those of `produce`; kIo.
Result<void> write_pieces(const std::string& path,
                          const std::function<Result<void>(const DocumentSink&)>& produce);

// For verbs that open many engines, or read files without opening an engine: checks that the output
// is not one of the files that were read. Errors: kUsage.
Result<void> check_unread(const std::string& output);

// Prints what a verb reports about the file that it wrote: to standard output, or to standard error
// if the file itself went to standard output. Returns kExitFine. Errors: kIo.
Result<int> print_beside(std::string_view document, bool is_output_taken);

// Before a document is written: checks that the files it was made from are unchanged. Errors: kIo.
Result<void> check_inputs();

// Writes to standard error, for people. What a terminal would interpret is escaped.
void print_words(std::string_view words);
void print_error(const Error& error);

}  // namespace planex::cli
