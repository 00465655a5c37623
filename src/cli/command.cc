#include "cli/command.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <charconv>
#include <cstdio>
#include <cstdlib>

#include "base/files.h"
#include "base/try.h"

namespace planex::cli {
namespace {

constexpr int kUsualWidth = 120;

// Files and pipes get whole lines; a terminal its own width.
int terminal_width() {
  if (::isatty(STDOUT_FILENO) == 0) return 0;
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return kUsualWidth;
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

void OutputOptions::add(CLI::App& app, std::vector<std::string> formats) {
  format_ = formats.front();
  app.add_option("--format", format_, "How the result is written")
      ->check(CLI::IsMember(formats))
      ->capture_default_str();
  app.add_option("-o,--output", output_, "Write to this file instead of standard output")
      ->type_name("FILE");
  app.add_option("--color", color_, "Colour in text")
      ->check(CLI::IsMember({"auto", "always", "never"}))
      ->capture_default_str();
  app.add_option("--width", width_, "Width of text in cells; 0 cuts nothing [the terminal's]")
      ->check(CLI::NonNegativeNumber)
      ->type_name("N");
  app.add_flag("--wide", wide_, "Cut no names");
}

Result<View> OutputOptions::view() const {
  View view;
  if (format_ == "json") view.format = Format::kJson;
  if (format_ == "csv") view.format = Format::kCsv;
  if (format_ == "markdown") view.format = Format::kMarkdown;
  if (format_ == "junit") view.format = Format::kJunit;
  if (format_ == "sarif") view.format = Format::kSarif;
  view.wide = wide_;
  // A file loses nothing, unless a width was asked for.
  view.width = width_ >= 0 ? width_ : output_.empty() ? terminal_width() : 0;
  view.color = output_.empty() ? wants_color(color_, STDOUT_FILENO) : color_ == "always";
  return view;
}

Result<void> OutputOptions::write(std::string_view document) const {
  if (!output_.empty()) return base::write_file_atomically(output_, document);
  return write_pieces({}, [&](const DocumentSink& write) { return write(document); });
}

namespace {

constexpr const char* kPlan =
    "A layer file, a log, an archive, a folder, or a common prefix of an engine's files";

}  // namespace

void PlanOptions::add(CLI::App& app) {
  app.add_option("PLAN", request_.path, kPlan)->required()->type_name("");
  add_files(app);
}

void PlanOptions::add_several(CLI::App& app) {
  app.add_option_function<std::vector<std::string>>(
         "PLAN",
         [this](const std::vector<std::string>& paths) {
           request_.path = paths.front();
           further_.assign(paths.begin() + 1, paths.end());
         },
         kPlan)
      ->required()
      ->type_name("PLAN [PLAN…]");
  add_files(app);
}

void PlanOptions::add_files(CLI::App& app) {
  const auto file = [&](const char* option, std::optional<std::string>& target,
                        const char* description) {
    app.add_option(option, target, description)->type_name("FILE");
  };
  file("--graph", request_.graph, "The layer file");
  app.add_option("--profile", profile_,
                 "The per-layer times; or a number: the optimisation profile to show")
      ->type_name("FILE|N");
  app.add_option("--run", request_.run,
                 "Of a log of several runs the one to show; planex doctor lists them")
      ->check(CLI::PositiveNumber)
      ->type_name("N");
  file("--times", request_.times, "The times of inferences");
  file("--metadata", request_.metadata, "Options and device");
  file("--log", request_.log, "The log of the build or of the run");
  file("--nsight", request_.nsight, "Nsight Systems' trace, exported to SQLite: kernels of layers");
  file("--model", request_.source_model, "The ONNX model that the engine was made of");
  app.add_option("--name", request_.name, "How to call the engine")->type_name("NAME");
}

OpenRequest PlanOptions::request() const {
  OpenRequest request = request_;
  set_profile(profile_, request);
  return request;
}

Result<Session> PlanOptions::open() const {
  std::vector<OpenRequest> requests = {this->request()};
  const OpenRequest& first = requests.front();
  const bool names_files = first.graph || first.profile || first.times || first.metadata ||
                           first.log || first.source_model || first.profile_index || first.run ||
                           first.name;
  if (names_files && !further_.empty()) {
    return fail(ErrorCode::kUsage, "options that name files, or the engine, are for one PLAN");
  }
  for (const std::string& path : further_) requests.push_back({.path = path});
  return Session::open(requests);
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
  if (path.empty()) {
    PLANEX_TRY(produce(to_standard_output));
    if (std::fflush(stdout) != 0) return fail(ErrorCode::kIo, "can't write to standard output");
    return {};
  }
  PLANEX_ASSIGN(base::FileWriter file, base::FileWriter::create(path));
  PLANEX_TRY(produce([&](std::string_view piece) { return file.write(piece); }));
  return file.finish();
}

void print_error(const Error& error) {
  const std::string text = describe(error, wants_color("auto", STDERR_FILENO));
  std::fwrite(text.data(), 1, text.size(), stderr);
}

}  // namespace planex::cli
