#include "cli/command.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <system_error>

#include "base/files.h"
#include "base/printable.h"
#include "base/read_files.h"
#include "base/text.h"
#include "base/try.h"
#include "cli/file_options.h"
#include "cli/standard_input.h"
#include "cli/verb_options.h"
#include "session/doctor_model.h"
#include "session/open/internals.h"
#include "session/verbs/requests.h"

namespace planex::cli {
namespace {

constexpr const char* kOutputGroup = "Output";

constexpr std::size_t kUsualWidth = 120;

// The format that a file extension stands for.
struct FileEnding {
  std::string_view ending, format;
};
constexpr FileEnding kEndings[] = {
    {".txt", "text"},  {".log", "text"},    {".json", "json"},
    {".csv", "csv"},   {".md", "markdown"}, {".markdown", "markdown"},
    {".xml", "junit"}, {".sarif", "sarif"}, {".sarif.json", "sarif"}};

CLI::Validator count_from(std::int64_t least) {
  return CLI::Validator(
      [least](std::string& text) {
        std::int64_t value = 0;
        const char* end = text.data() + text.size();
        const auto parsed = std::from_chars(text.data(), end, value);
        if (parsed.ec == std::errc() && parsed.ptr == end && value >= least) return std::string();
        return base::format("{} is not a whole number of {} or more", base::quoted(text), least);
      },
      "");
}

Error overwrites_input(const std::string& output) {
  return {.code = ErrorCode::kUsage,
          .message = "the output would overwrite an input file",
          .file = output,
          .hint = "choose another name for -o"};
}

Result<void> to_standard_output(std::string_view piece) {
  if (std::fwrite(piece.data(), 1, piece.size(), stdout) == piece.size()) return {};
  return fail(ErrorCode::kIo, "can't write to standard output");
}

}  // namespace

int exit_code_of(const Error& error) {
  switch (error.code) {
    case ErrorCode::kUsage:
      return kExitUsage;
    case ErrorCode::kNotFound:
    case ErrorCode::kBadInput:
    case ErrorCode::kUnsupported:
    case ErrorCode::kIo:
      return kExitBadInput;
    case ErrorCode::kExternalTool:
      return kExitExternalTool;
    case ErrorCode::kCancelled:
      return kExitCancelled;
    case ErrorCode::kInternal:
      break;
  }
  return kExitInternal;
}

bool wants_color(std::string_view choice, int file_descriptor) {
  if (choice == "always") return true;
  if (choice == "never") return false;
  // https://no-color.org: set and not empty.
  const char* no_color = std::getenv("NO_COLOR");
  if (no_color != nullptr && *no_color != '\0') return false;
  const char* terminal = std::getenv("TERM");
  if (terminal != nullptr && std::string_view(terminal) == "dumb") return false;
  return ::isatty(file_descriptor) != 0;
}

// Files and pipes get lines of any length; a terminal gets its own width.
std::size_t terminal_width(int file_descriptor) {
  if (::isatty(file_descriptor) == 0) return 0;
  winsize size{};
  if (::ioctl(file_descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return kUsualWidth;
}

CLI::Validator count_from_zero() { return count_from(0); }
CLI::Validator count_from_one() { return count_from(1); }

void OutputOptions::add(CLI::App& app, std::vector<std::string> formats) {
  const std::string format =
      base::format("Output format [default: by the extension of -o, else {}]", formats.front());
  add_format(app, std::move(formats), format);
  writes_output(app.add_option("-o,--output", output_, "Write to FILE instead of standard output"))
      ->type_name("FILE")
      ->group(kOutputGroup);
  add_looks(app);
}

void OutputOptions::add_view(CLI::App& app, std::vector<std::string> formats) {
  const std::string format = base::format("Output format [{}]", formats.front());
  add_format(app, std::move(formats), format);
  add_looks(app);
}

void OutputOptions::add_format(CLI::App& app, std::vector<std::string> formats,
                               const std::string& description) {
  formats_ = std::move(formats);
  app.add_option("--format", format_, description)
      ->check(CLI::IsMember(formats_))
      ->group(kOutputGroup);
}

void OutputOptions::add_looks(CLI::App& app) {
  app.add_option("--color", color_, "Color the text")
      ->check(CLI::IsMember({"auto", "always", "never"}))
      ->capture_default_str()
      ->group(kOutputGroup);
  app.add_option("--width", width_, "Text width in columns; 0: no limit [the terminal's]")
      ->check(count_from_zero())
      ->type_name("N")
      ->group(kOutputGroup);
  app.add_flag("--wide", wide_, "Don't shorten names")->group(kOutputGroup);
}

Result<void> OutputOptions::settle_format() {
  if (output_ == kStandardOutput) output_.clear();
  if (!format_.empty()) return {};
  const std::string name = base::lower(base::file_name_of(output_));
  const std::size_t dot = name.rfind('.');
  // A pipe, a device, or a name that says nothing.
  const bool has_ending =
      dot != name.npos && dot > 0 && base::disk().kind(output_) != base::PathKind::kOther;
  const FileEnding* best = nullptr;
  for (const FileEnding& known : kEndings) {
    if (!name.ends_with(known.ending)) continue;
    if (best == nullptr || known.ending.size() > best->ending.size()) best = &known;
  }
  const std::vector<std::string_view> choices(formats_.begin(), formats_.end());
  if (!has_ending) {
    format_ = formats_.front();
  } else if (best == nullptr) {
    return fail(
        ErrorCode::kUsage,
        base::format("can't tell the format from {}", base::quoted(base::file_name_of(output_))),
        base::format("name one with --format: {}", base::join_words(choices)));
  } else if (std::ranges::find(formats_, best->format) == formats_.end()) {
    return fail(ErrorCode::kUsage,
                base::format("{} means {}, which this verb does not write",
                             base::quoted(base::file_name_of(output_)), best->format),
                base::format("choose one with --format: {}", base::join_words(choices)));
  } else {
    format_ = best->format;
  }
  return {};
}

Result<View> OutputOptions::view() {
  PLANEX_TRY(settle_format());
  View view;
  if (format_ == "json") view.format = Format::kJson;
  if (format_ == "csv") view.format = Format::kCsv;
  if (format_ == "markdown") view.format = Format::kMarkdown;
  if (format_ == "junit") view.format = Format::kJunit;
  if (format_ == "sarif") view.format = Format::kSarif;
  view.wide = wide_;
  // A file gets lines of any length, unless a width was given.
  view.width = width_ >= 0       ? width_
               : output_.empty() ? static_cast<int>(terminal_width(STDOUT_FILENO))
                                 : 0;
  view.color = output_.empty() ? wants_color(color_, STDOUT_FILENO) : color_ == "always";
  return view;
}

Result<void> OutputOptions::write(std::string document) const {
  // Data is written unchanged, but not to a terminal, which would interpret it.
  const bool is_shown = format_ == "text" || (output_.empty() && ::isatty(STDOUT_FILENO) != 0);
  if (is_shown) document = base::printable_document(std::move(document));
  PLANEX_TRY(check_inputs());
  return write_pieces(output_, [&](const DocumentSink& write) { return write(document); });
}

namespace {

constexpr const char* kFilesGroup = "Files of the engine";
constexpr const char* kPlan =
    "A layer file, a log, an archive, a folder, a common prefix of an engine's files, or - for "
    "standard input";

}  // namespace

void PlanOptions::add(CLI::App& app, bool is_required) {
  reads_files(app.add_option("PLAN", request_.path, kPlan))->required(is_required)->type_name("");
  add_files(app);
}

void PlanOptions::add_several(CLI::App& app) {
  reads_files(app.add_option_function<std::vector<std::string>>(
                  "PLAN",
                  [this](const std::vector<std::string>& paths) {
                    request_.path = paths.front();
                    further_.assign(paths.begin() + 1, paths.end());
                  },
                  kPlan))
      ->required()
      ->type_name("PLAN [PLAN…]");
  add_files(app);
}

void PlanOptions::add_files(CLI::App& app) {
  cli::add_options(app, session::options_of(request_), {.group = kFilesGroup});
}

OpenRequest PlanOptions::request() const {
  OpenRequest request = request_;
  set_profile(std::exchange(request.profile, {}), request);
  return request;
}

Result<Session> open_session(std::span<const OpenRequest> requests, const std::string& output) {
  std::vector<OpenRequest> named(requests.begin(), requests.end());
  // Results may keep reading from these as long as the program runs.
  static std::vector<std::shared_ptr<const base::FileSource>> kept;
  PLANEX_ASSIGN(const auto files, files_of(named));
  kept.push_back(files);
  PLANEX_ASSIGN(Session session,
                session::Internals::open(
                    named, std::vector<const base::FileSource*>(named.size(), files.get())));
  for (const std::string& input : session.input_files()) {
    if (output.empty() || !base::is_same_file(input, output)) continue;
    if (base::disk().kind(output) == base::PathKind::kFolder) continue;
    return fail(overwrites_input(output));
  }
  return session;
}

Result<std::vector<OpenRequest>> PlanOptions::requests() const {
  std::vector<OpenRequest> requests = {this->request()};
  OpenRequest first = requests.front();
  const bool names_files =
      std::ranges::any_of(session::options_of(first), [](const session::Option& option) {
        return !option.how.is_argument && !session::values_of(option).empty();
      });
  if (names_files && !further_.empty()) {
    return fail(ErrorCode::kUsage, "options that name files or the engine work with one PLAN only");
  }
  for (const std::string& path : further_) requests.push_back({.path = path});
  // A model before engines is the model that they were built from.
  const auto is_model = [](const std::string& path) { return session::as_model(path).has_value(); };
  if (requests.size() > 1 && is_model(requests.front().path) &&
      std::ranges::none_of(further_, is_model)) {
    const std::string model = requests.front().path;
    requests.erase(requests.begin());
    for (OpenRequest& request : requests) request.source_model = model;
  }
  return requests;
}

Result<Session> PlanOptions::open(const std::string& output) const {
  PLANEX_ASSIGN(const std::vector<OpenRequest> requests, this->requests());
  return open_session(requests, output);
}

void set_profile(const std::optional<std::string>& text, OpenRequest& request) {
  if (!text) return;
  std::int64_t index = 0;
  const char* end = text->data() + text->size();
  const auto parsed = std::from_chars(text->data(), end, index);
  if (parsed.ec == std::errc() && parsed.ptr == end && index >= 0) {
    request.profile_index = index;
  } else {
    request.profile = text;
  }
}

Result<void> write_pieces(const std::string& path,
                          const std::function<Result<void>(const DocumentSink&)>& produce) {
  if (path.empty() || path == kStandardOutput) {
    PLANEX_TRY(produce(to_standard_output));
    if (std::fflush(stdout) != 0) return fail(ErrorCode::kIo, "can't write to standard output");
    return {};
  }
  PLANEX_ASSIGN(base::FileWriter file, base::FileWriter::create(path));
  PLANEX_TRY(produce([&](std::string_view piece) { return file.write(piece); }));
  PLANEX_TRY(check_inputs());
  return file.finish();
}

Result<void> check_unread(const std::string& output) {
  if (base::was_read(output)) return fail(overwrites_input(output));
  return {};
}

Result<int> print_beside(std::string_view document, bool is_output_taken) {
  if (is_output_taken) {
    print_words(document);
    return kExitFine;
  }
  PLANEX_TRY(write_pieces({}, [&](const DocumentSink& write) { return write(document); }));
  return kExitFine;
}

Result<void> check_inputs() {
  if (!base::has_a_file_changed()) return {};
  return fail(ErrorCode::kIo, "a file changed while it was read",
              "run the command again when the file is complete");
}

void print_words(std::string_view words) {
  const std::string text = base::printable_document(std::string(words));
  std::fwrite(text.data(), 1, text.size(), stderr);
}

void print_error(const Error& error) {
  print_words(describe(error, wants_color("auto", STDERR_FILENO)));
}

}  // namespace planex::cli
