#include <cstdio>

#include "base/text.h"
#include "base/try.h"
#include "cli/commands.h"
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
    return "Compile a model, profile it on this machine, and write the engine's files";
  }
  std::string_view examples() const override {
    return "planex process model.onnx -o run/\n"
           "planex process model.onnx -o run/ --precision bf16 --threads 2\n"
           "planex process model.onnx -o run/ --shape input=8x3x224x224\n"
           "planex process model.onnx -o run/ --print-only\n"
           "planex process model.onnx -- --help";
  }
  void add_options(CLI::App& app) override {
    app.add_option("MODEL", request_.model, "The model, as ONNX")->required()->type_name("");
    app.add_option("-o,--output", request_.output_dir, "The folder for the files")
        ->type_name("DIR")
        ->capture_default_str();
    std::vector<std::string> engines;
    for (const drive::DriverInfo& driver : drive::drivers()) engines.emplace_back(driver.id);
    const auto flag_of_engine = [&](const char* name, const char* description, const char* type) {
      app.add_option_function<std::vector<std::string>>(
             name,
             [this, name](const std::vector<std::string>& values) {
               for (const std::string& value : values) {
                 engine_flags_.emplace_back(name);
                 engine_flags_.push_back(value);
               }
             },
             description)
          ->allow_extra_args(false)
          ->type_name(type);
    };
    flag_of_engine("--shape", "Shape of an input; once per input", "NAME=1x3x8x8");
    flag_of_engine("--threads", "Threads of one inference [1]", "N");
    flag_of_engine("--precision", "fp32, bf16 or fp16 for what the model does not quantize [fp32]",
                   "TYPE");
    app.add_option("--engine", request_.engine, "The engine to build with")
        ->check(CLI::IsMember(engines))
        ->capture_default_str();
    app.add_option("--launcher", launcher_,
                   "Prefix of every command, such as \"ssh host\" or \"srun -n 1\"")
        ->type_name("WORDS");
    app.add_flag("--print-only", print_only_, "Print the commands instead of running them");
    app.add_option("FLAGS", request_.flags,
                   "After --: flags for the engine's own driver; -- --help lists them")
        ->type_name("");
  }
  Result<int> run(const Environment& environment) override {
    request_.program_dir = environment.program_dir;
    request_.flags.insert(request_.flags.begin(), engine_flags_.begin(), engine_flags_.end());
    std::size_t at = 0;
    while (at < launcher_.size()) {
      const std::size_t end = std::min(launcher_.find(' ', at), launcher_.size());
      if (end > at) request_.launcher.push_back(launcher_.substr(at, end - at));
      at = end + 1;
    }
    if (print_only_) return print_commands();
    const drive::InterruptScope interrupt;
    auto done = process(interrupt.cancellation());
    if (!done && done.error().code == ErrorCode::kCancelled && interrupt.signal() != 0) {
      print_error(done.error());
      return kExitSignal + interrupt.signal();
    }
    if (!done) return fail(with_hint(std::move(done).error()));
    const drive::ProcessOutcome& outcome = *done;
    if (!outcome.text.empty()) {
      // -- --help and the like: the engine's program answered instead of running.
      std::fputs(outcome.text.c_str(), stdout);
      return kExitFine;
    }
    for (const std::string& note : outcome.notes) {
      print_words("note: " + note + "\n");
    }
    for (const drive::Artefact& artefact : outcome.artefacts) {
      std::printf("%s\n", artefact.path.c_str());
    }
    std::printf("%s\n", outcome.manifest.c_str());
    std::string folder = request_.output_dir;
    if (!folder.empty() && !folder.ends_with('/')) folder += '/';
    const std::string graph = folder + outcome.name + ".graph.json";
    print_result(graph);
    print_words("next: planex summary " + shell_word(graph) + "\n");
    return kExitFine;
  }

 private:
  // The line of progress is gone when this returns.
  Result<drive::ProcessOutcome> process(const drive::Cancellation& cancellation) const {
    ProgressLine progress;
    return drive::process(request_, progress, cancellation);
  }

  // What was measured. The files are there either way, so it is no error where they can't be read.
  static void print_result(const std::string& graph) {
    const OpenRequest request{.path = graph};
    const auto session = Session::open(std::span(&request, 1));
    if (!session) return;
    const EngineOverview overview = session->overview();
    std::string line = "result: ";
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

  // Flags of the engine's program are its own, so `planex process --help` doesn't tell of them.
  static Error with_hint(Error error) {
    if (error.code == ErrorCode::kUsage && error.hint.empty()) {
      error.hint = "planex process MODEL -- --help lists the engine's flags";
    }
    return error;
  }

  Result<int> print_commands() {
    PLANEX_ASSIGN(const auto commands, drive::planned_commands(request_));
    for (const std::vector<std::string>& command : commands) {
      std::string line;
      for (const std::string& word : command) {
        if (!line.empty()) line += ' ';
        line += shell_word(word);
      }
      std::printf("%s\n", line.c_str());
    }
    return kExitFine;
  }

  drive::ProcessRequest request_;
  std::string launcher_;
  // Those of the engine's own program that are taken without --.
  std::vector<std::string> engine_flags_;
  bool print_only_ = false;
};

}  // namespace

std::unique_ptr<Command> make_process_command() { return std::make_unique<ProcessCommand>(); }

}  // namespace planex::cli
