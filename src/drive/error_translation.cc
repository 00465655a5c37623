#include "drive/error_translation.h"

#include <simdjson.h>

#include <array>
#include <cerrno>
#include <csignal>

#include "base/no_room.h"
#include "base/text.h"
#include "drive/unread_nodes.h"

namespace planex::drive {
namespace {

// Where in OpenVINO's message the detail is that ours quotes.
enum class Detail : std::uint8_t {
  kNone,
  kUntilComma,  // After the needle.
  kUntilQuote,
  kWord,
};

struct TranslatedError {
  std::string_view needle;
  ErrorCode code;
  std::string_view message;  // "{}" is the detail.
  std::string_view hint;
  Detail detail = Detail::kNone;
};

// The first row whose needle occurs in the message applies. Checked with OpenVINO 2026.4; an
// unknown message is passed on unchanged.
constexpr TranslatedError kTranslatedErrors[] = {
    {"externally stored data in file (", ErrorCode::kBadInput,
     "the model's data file {} is missing or too short",
     "Put it into the folder of the model file, with the name that the model gives it.",
     Detail::kUntilComma},
    {"Model can't be parsed", ErrorCode::kBadInput, "the model file is damaged or cut short",
     "Compare its size with the original's."},
    {"Unable to read the model", ErrorCode::kBadInput, "OpenVINO can't read the model file",
     "It reads ONNX (.onnx) and its own format (.xml with .bin)."},
    {"Could not open the file", ErrorCode::kNotFound, "OpenVINO can't open the model file", ""},
    {"to_shape was called on a dynamic shape", ErrorCode::kBadInput,
     "an input of the model has no fixed shape", "Give it one: --shape NAME=1x3x224x224."},
    {"Can't set the input tensor", ErrorCode::kBadInput, "an input's shape does not fit the model",
     "Check the shapes given with --shape."},
    {"Unsupported property ", ErrorCode::kUsage, "OpenVINO has no property {}",
     "Check the names given with -- --config.", Detail::kWord},
    {"for property key ", ErrorCode::kUsage, "invalid value for OpenVINO's property {}",
     "Check the values given with -- --config.", Detail::kWord},
    {"While validating node '", ErrorCode::kBadInput,
     "the shapes inside the model do not match at {}",
     "With --shape: the model may only work with the shapes it was exported with, or several "
     "inputs must change together.",
     Detail::kUntilQuote},
    {"bad_alloc", ErrorCode::kExternalTool, "OpenVINO ran out of memory",
     "Free memory, or use a smaller batch: --shape NAME=1x…"},
    {"Cannot allocate memory", ErrorCode::kExternalTool, "OpenVINO ran out of memory",
     "Free memory, or use a smaller batch: --shape NAME=1x…"},
};

std::string_view detail_of(const TranslatedError& row, std::string_view message, std::size_t at) {
  const std::string_view rest = message.substr(at + row.needle.size());
  switch (row.detail) {
    case Detail::kNone:
      return {};
    case Detail::kUntilComma:
      return rest.substr(0, rest.find(','));
    case Detail::kWord:
      return rest.substr(0, rest.find_first_of(" .,;:\n"));
    case Detail::kUntilQuote:
      // "opset1::Add enc0/add (opset1::…": without the list of inputs.
      return base::trimmed(rest.substr(0, std::min(rest.find('\''), rest.find(" ("))));
  }
  return {};
}

std::string fill_in(std::string_view text, std::string_view detail) {
  const std::size_t place = text.find("{}");
  if (place == std::string_view::npos) return std::string(text);
  return base::format("{}{}{}", text.substr(0, place), base::quoted(detail, 200),
                      text.substr(place + 2));
}

// The most informative line: OpenVINO begins with the checks that failed.
std::string_view telling_line(std::string_view message) {
  std::string_view best;
  while (!message.empty()) {
    const std::string_view line = base::trimmed(base::take_part(message, '\n'));
    if (line.empty()) continue;
    const bool is_frame = line.starts_with("Check '") || line.ends_with(':');
    if (!is_frame) return line;
    if (best.empty()) best = line;
  }
  return best;
}

ErrorCode code_of(std::string_view kind) {
  if (kind == "usage") return ErrorCode::kUsage;
  if (kind == "not-found") return ErrorCode::kNotFound;
  if (kind == "bad-input") return ErrorCode::kBadInput;
  if (kind == "unsupported") return ErrorCode::kUnsupported;
  if (kind == "io") return ErrorCode::kIo;
  return ErrorCode::kExternalTool;
}

Error translate_signal(const EngineWords& engine, int signal, std::string_view phase,
                       const std::string& model) {
  Error error;
  error.code = ErrorCode::kExternalTool;
  error.file = model;
  if (signal == SIGKILL) {
    error.message = base::format("{} was killed (SIGKILL) while {}", engine.label, doing(phase));
    error.hint =
        "The system does this when memory runs out: free some, or use a smaller batch: --shape "
        "NAME=1x…";
  } else if (signal == SIGTERM || signal == SIGINT || signal == SIGHUP) {
    error.message = base::format("{} was stopped ({}) while {}", engine.label, signal_name(signal),
                                 doing(phase));
  } else if (signal == SIGXFSZ) {
    // Not a crash: the program does not check whether it may write that much.
    error.code = ErrorCode::kIo;
    error.message = base::format(
        "{} was stopped (SIGXFSZ) while {}: one of its files reached the "
        "size limit",
        engine.label, doing(phase));
    error.hint = base::hint_on_room(EFBIG);
  } else if (signal == SIGILL) {
    error.message = base::format("{} crashed (SIGILL) while {}", engine.label, doing(phase));
    error.hint = engine.illegal_instruction_hint;
  } else {
    error.message =
        base::format("{} crashed ({}) while {}", engine.label, signal_name(signal), doing(phase));
    error.hint = engine.crash_hint;
  }
  return error;
}

std::string text_of(const simdjson::dom::object& json, std::string_view key) {
  std::string_view text;
  return json[key].get(text) == simdjson::SUCCESS ? std::string(text) : std::string();
}

}  // namespace

constexpr EngineWords kOpenvinoWords = {
    .label = "OpenVINO",
    .translate = translate_openvino,
    .illegal_instruction_hint =
        "It used an instruction that this processor lacks; try -- --isa AVX2.",
    .crash_hint =
        "The crash is in OpenVINO, not in planex. onnx.checker.check_model(model, full_check=True) "
        "checks whether the model is valid; if it is, please report the crash to OpenVINO's "
        "developers.",
};

std::string_view doing(std::string_view phase) {
  if (phase == "read") return "reading the model";
  if (phase == "compile") return "compiling the model";
  if (phase == "warmup" || phase == "time") return "timing the model";
  if (phase == "throughput") return "timing parallel inferences";
  if (phase == "profile") return "timing the layers";
  if (phase == "infer") return "running the model";
  if (phase == "prepare") return "reading pictures";
  if (phase == "write") return "writing its files";
  return "starting";
}

std::string last_lines(std::string_view text) {
  std::string lines(base::trimmed(text));
  constexpr std::size_t kMaxContext = 2000;
  if (lines.size() > kMaxContext) {
    lines.erase(0, lines.size() - kMaxContext);
    lines.erase(0, lines.find('\n') + 1);
  }
  return lines;
}

std::optional<DriverError> find_driver_error(std::string_view stderr_tail) {
  const std::size_t start = stderr_tail.rfind("{\"schema\":\"planex.driver-error/1\"");
  if (start == std::string_view::npos) return std::nullopt;
  const std::string_view line = stderr_tail.substr(start, stderr_tail.find('\n', start) - start);
  simdjson::dom::parser parser;
  simdjson::dom::object json;
  if (parser.parse(line.data(), line.size()).get(json) != simdjson::SUCCESS) return std::nullopt;
  DriverError error;
  error.kind = text_of(json, "kind");
  error.phase = text_of(json, "phase");
  error.message = text_of(json, "message");
  error.context = text_of(json, "context");
  error.hint = text_of(json, "hint");
  error.file = text_of(json, "file");
  error.json_pointer = text_of(json, "json_pointer");
  std::uint64_t offset = 0;
  if (json["byte_offset"].get(offset) == simdjson::SUCCESS) error.byte_offset = offset;
  return error;
}

Error translate_driver_error(std::string_view label, const DriverError& driver_error,
                             const std::string& model) {
  Error error;
  error.file = model;
  error.hint = driver_error.hint;
  if (driver_error.kind != "tool") {
    error.code = code_of(driver_error.kind);
    error.message = driver_error.message;
    error.context = driver_error.context;
    error.byte_offset = driver_error.byte_offset;
    error.json_pointer = driver_error.json_pointer;
    if (error.code == ErrorCode::kUsage) error.file.clear();
    // The error is about another file than the model.
    if (error.code == ErrorCode::kIo) error.file = driver_error.file;
    return error;
  }
  error.code = ErrorCode::kExternalTool;
  error.message = base::format("{} failed while {}: {}", label, doing(driver_error.phase),
                               base::quoted(telling_line(driver_error.message), 200));
  error.context = base::format("{}: {}", label, driver_error.message);
  return error;
}

Error translate_openvino(const DriverError& driver_error, const std::string& model,
                         const onnx::Model* source) {
  constexpr std::string_view kLabel = kOpenvinoWords.label;
  if (driver_error.kind != "tool") return translate_driver_error(kLabel, driver_error, model);
  Error error;
  error.file = model;
  error.context = "OpenVINO: " + driver_error.message;
  if (auto nodes = find_unread_nodes(driver_error.message, source)) {
    error.code = nodes->is_unknown_operation ? ErrorCode::kExternalTool : ErrorCode::kBadInput;
    error.message = std::move(nodes->message);
    error.hint = std::move(nodes->hint);
    return error;
  }
  for (const TranslatedError& row : kTranslatedErrors) {
    const std::size_t at = driver_error.message.find(row.needle);
    if (at == std::string::npos) continue;
    error.code = row.code;
    error.message = fill_in(row.message, detail_of(row, driver_error.message, at));
    error.hint = row.hint;
    if (error.code == ErrorCode::kUsage) error.file.clear();
    return error;
  }
  return translate_driver_error(kLabel, driver_error, model);
}

Error translate_outcome(const EngineWords& engine, const SubprocessOutcome& outcome,
                        const std::string& program, std::string_view phase,
                        const std::string& model, bool has_launcher, const onnx::Model* source) {
  Error error;
  switch (outcome.ending) {
    case Ending::kCancelled:
      error.code = ErrorCode::kCancelled;
      error.message = "stopped; nothing was written";
      return error;
    case Ending::kTimedOut:
      error.code = ErrorCode::kExternalTool;
      error.message = base::format("{} took too long while {}", engine.label, doing(phase));
      error.file = model;
      return error;
    case Ending::kSignalled:
      error = translate_signal(engine, outcome.signal, phase, model);
      break;
    case Ending::kExited: {
      if (const auto driver_error = find_driver_error(outcome.stderr_tail)) {
        return engine.translate != nullptr
                   ? engine.translate(*driver_error, model, source)
                   : translate_driver_error(engine.label, *driver_error, model);
      }
      // Shells, and so ssh, report a signal as 128 + its number.
      if (has_launcher && outcome.exit_code > 128 && outcome.exit_code < 128 + 32) {
        error = translate_signal(engine, outcome.exit_code - 128, phase, model);
        break;
      }
      error.code = ErrorCode::kExternalTool;
      error.message =
          base::format("{} ended with exit code {}", base::quoted(program), outcome.exit_code);
      if (has_launcher) error.hint = "Try by hand the command that --print-only shows.";
      break;
    }
  }
  // A crash may come after pages of log.
  error.context = last_lines(outcome.stderr_tail);
  return error;
}

}  // namespace planex::drive
