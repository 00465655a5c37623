#include <algorithm>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "base/files.h"
#include "base/text.h"
#include "base/try.h"
#include "cli/commands.h"
#include "cli/process_options.h"
#include "cli/progress_line.h"
#include "drive/driver.h"
#include "drive/interrupt.h"

namespace planex::cli {
namespace {

using base::shell_word;

class ProcessCommand final : public Command {
 public:
  std::string_view name() const override { return "process"; }
  std::string_view summary() const override {
    return "Compile a model with an engine, measure it, and write the engine's files";
  }
  std::string_view examples() const override {
    return "planex process model.onnx -o run/\n"
           "planex process model.onnx -o run/ --precision bf16 --threads 2\n"
           "planex process model.onnx -o run/ --shape input=8x3x224x224\n"
           "planex process model.onnx -o run/ --threads 2 -- --streams 4\n"
           "planex process model.onnx -o run/ --engine trtexec fp16 memPoolSize=workspace:4096\n"
           "planex process model.onnx -o run/ --engine trtexec --launcher \"ssh box\"\n"
           "planex process model.onnx -o run/ --engine openvino --engine onnxruntime\n"
           "planex process model.onnx -o run/ --print-only\n"
           "planex process model.onnx --engine onnxruntime -- --help";
  }
  std::vector<std::string> translated(std::vector<std::string> words) const override {
    return options_.without_dashes(std::move(words));
  }
  void add_options(CLI::App& app) override {
    options_.add(app, "The model, as ONNX");
    app.add_option("--engine", engines_,
                   "The engine to build with; repeat it to compare several [openvino]")
        ->allow_extra_args(false)
        ->check(CLI::IsMember(engine_ids()));
    app.add_flag("--print-only", print_only_, "Print the commands instead of running them");
    app.add_flag("--print-script", print_script_,
                 "Print the script that drives an engine through its Python package");
    options_.add_words(app, " ENGINE:WORD applies to one of several engines");
  }
  Result<int> run(const Environment& environment) override {
    PLANEX_ASSIGN(request_, options_.request(environment));
    if (engines_.empty()) engines_.emplace_back("openvino");
    if (print_script_) return print_script();
    if (request_.model.empty()) {
      return fail(ErrorCode::kUsage, "MODEL is required", "planex process model.onnx -o run/");
    }
    const drive::InterruptScope interrupt;
    return after_interrupt(run_all(interrupt.cancellation()), interrupt);
  }

 private:
  Result<int> run_all(const drive::Cancellation& cancellation) {
    if (print_only_) return print_commands(cancellation);
    if (engines_.size() == 1) {
      PLANEX_ASSIGN(const auto graph, run_one(request_of(engines_.front()), cancellation));
      if (graph) print_words("next: planex summary " + shell_word(*graph) + "\n");
      return kExitFine;
    }
    std::vector<OpenRequest> opened;
    int worst = kExitFine;
    for (const std::string& engine : engines_) {
      auto graph = run_one(request_of(engine), cancellation);
      if (!graph && graph.error().code == ErrorCode::kCancelled) return fail(graph.error());
      if (!graph) {
        // The others may still work.
        print_words(base::format("{}:\n", engine));
        print_error(graph.error());
        worst = std::max(worst, exit_code_of(graph.error()));
      } else if (*graph) {
        opened.push_back({.path = std::move(**graph), .name = engine});
      }
    }
    if (!opened.empty()) PLANEX_TRY(write_report(std::move(opened)));
    return worst;
  }

  // Words that begin with another engine's name don't apply to this one.
  drive::ProcessRequest request_of(const std::string& engine) const {
    drive::ProcessRequest request = request_;
    request.engine = engine;
    if (engines_.size() == 1) {
      request.flags = options_.words();
      return request;
    }
    request.output_dir = base::join_path(request_.output_dir, engine);
    // --program usually names trtexec; planex has its own program for OpenVINO.
    const bool has_trtexec = std::ranges::find(engines_, "trtexec") != engines_.end();
    if (has_trtexec && engine != "trtexec") request.program.clear();
    for (const std::string& word : options_.words()) {
      const std::size_t colon = word.find(':');
      const std::string name = word.substr(0, colon);
      const bool has_name =
          colon != word.npos && std::ranges::find(engines_, name) != engines_.end();
      if (!has_name) request.flags.push_back(word);
      if (has_name && name == engine) request.flags.push_back(word.substr(colon + 1));
    }
    return request;
  }

  // The file to open, or nothing if there is none, as after -- --help.
  static Result<std::optional<std::string>> run_one(const drive::ProcessRequest& request,
                                                    const drive::Cancellation& cancellation) {
    PLANEX_ASSIGN(const drive::ProcessOutcome outcome, process(request, cancellation));
    if (!outcome.text.empty()) {
      // -- --help and the like: the engine's program answered instead of running.
      std::fputs(outcome.text.c_str(), stdout);
      return std::optional<std::string>();
    }
    for (const std::string& note : outcome.notes) print_words("note: " + note + "\n");
    for (const drive::Artefact& artefact : outcome.artefacts) {
      std::printf("%s\n", artefact.path.c_str());
    }
    std::printf("%s\n", outcome.manifest.c_str());
    print_result(request.engine, outcome.engine);
    return std::optional(outcome.engine);
  }

  // The progress line is gone when this returns.
  static Result<drive::ProcessOutcome> process(const drive::ProcessRequest& request,
                                               const drive::Cancellation& cancellation) {
    ProgressLine progress;
    return drive::process(request, progress, cancellation);
  }

  Result<void> write_report(std::vector<OpenRequest> requests) const {
    for (OpenRequest& request : requests) {
      if (base::disk().kind(request_.model) == base::PathKind::kFile) {
        request.source_model = request_.model;
      }
    }
    PLANEX_ASSIGN(const auto session, Session::open(requests));
    PLANEX_ASSIGN(const std::string page, session.report({}));
    const std::string path = base::join_path(request_.output_dir, "report.html");
    PLANEX_TRY(base::write_file_atomically(path, page));
    std::printf("%s\n", path.c_str());
    return {};
  }

  // Prints what was measured. The files exist either way, so failing to read them is not an error.
  static void print_result(const std::string& engine, const std::string& graph) {
    const OpenRequest request{.path = graph};
    const auto session = Session::open(std::span(&request, 1));
    if (!session) return;
    const EngineOverview overview = session->overview();
    std::string line = base::format("result: {}: ", engine);
    if (overview.latency_ms) {
      line += base::format("latency {} (median), ", time_words(*overview.latency_ms));
    }
    line += base::counted(static_cast<std::size_t>(overview.layer_count), "layer");
    if (overview.finding_count > 0) {
      line +=
          base::format(", {}; planex lint shows them",
                       base::counted(static_cast<std::size_t>(overview.finding_count), "finding"));
    }
    print_words(line + "\n");
  }

  // Three digits in the unit that fits.
  static std::string time_words(double ms) {
    constexpr double kPerSecond = 1000, kPerMs = 1000;
    if (ms >= kPerSecond) return base::format("{:.3g} s", ms / kPerSecond);
    return ms >= 1 ? base::format("{:.3g} ms", ms) : base::format("{:.3g} µs", ms * kPerMs);
  }

  Result<int> print_commands(const drive::Cancellation& cancellation) {
    for (const std::string& engine : engines_) {
      PLANEX_ASSIGN(const auto lines, drive::planned_commands(request_of(engine), cancellation));
      for (const std::string& line : lines) std::printf("%s\n", line.c_str());
    }
    return kExitFine;
  }

  Result<int> print_script() {
    PLANEX_ASSIGN(const std::string_view script, drive::driver_script(engines_.front()));
    std::fwrite(script.data(), 1, script.size(), stdout);
    return kExitFine;
  }

  mutable ProcessOptions options_;
  drive::ProcessRequest request_;
  std::vector<std::string> engines_;
  bool print_only_ = false;
  bool print_script_ = false;
};

}  // namespace

std::unique_ptr<Command> make_process_command() { return std::make_unique<ProcessCommand>(); }

}  // namespace planex::cli
