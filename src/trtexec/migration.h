// A trtexec command of an older TensorRT, rewritten for TensorRT 11.
//
// From 11.0 on every network is strongly typed: types come from the model, and the options that
// chose them are gone. What the old options asked for is kept here, for the code that edits the
// model.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "planex/error.h"

namespace planex::trtexec {

enum class OptionChange : std::uint8_t {
  kKept,
  kReplaced,  // another option says the same
  kRemoved,   // 11 does it anyway, or the model says it now
  kLost       // nothing in 11 replaces it
};
std::string_view to_string(OptionChange change);

struct MigratedOption {
  std::string option;  // as given
  OptionChange change = OptionChange::kKept;
  std::string now;  // its replacement; empty: none
  std::string why;  // one sentence; empty: kept as it was
};

// What --inputIOFormats and --outputIOFormats say of one input or output, up to 10.16.
struct IoFormat {
  std::string type;    // "fp16"; empty: not given
  std::string layout;  // "chw", "hwc8+chw16"
};

struct Migration {
  std::vector<std::string> before;      // words before the options: variables, the program
  std::vector<std::string> after;       // words after them: where a shell puts what is printed
  std::string model;                    // of --onnx
  std::vector<MigratedOption> options;  // in the order given, --onnx among them

  // What the options requested for types.
  bool has_fp16 = false, has_bf16 = false;
  bool has_int8 = false;         // by --int8, --best or a calibration cache
  bool has_constraints = false;  // --precisionConstraints=obey or prefer
  std::string layer_precisions, layer_output_types;
  // One for all, or one per tensor in the model's order; empty: not given.
  std::vector<IoFormat> inputs, outputs;
};

// Words of a line as a POSIX shell splits them: quotes and backslashes, no variables.
// Errors: kUsage (a quote that is not closed).
Result<std::vector<std::string>> shell_words(std::string_view line);

// `command`: as typed into a shell, or the line of a log that shows it ("&&&& RUNNING ... # ...").
// Errors: kUsage (no trtexec, no --onnx, a word that is not an option, invalid formats).
Result<Migration> migrate(std::string_view command);

// The command for TensorRT 11, ready to paste into a shell. `model` is what it builds.
std::string migrated_command(const Migration& migration, std::string_view model);

}  // namespace planex::trtexec
