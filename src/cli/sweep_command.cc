#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/files.h"
#include "base/text.h"
#include "base/try.h"
#include "cli/commands.h"
#include "cli/process_options.h"
#include "cli/progress_line.h"
#include "cli/verb_options.h"
#include "drive/interrupt.h"
#include "drive/sweep.h"
#include "planex/sweep.h"
#include "render/json/json_writer.h"
#include "session/verbs/process.h"

namespace planex::cli {
namespace {

using base::counted;
using base::format;
using drive::PlannedRun;
using drive::SweepPlan;

// On a terminal, a line for the current run; elsewhere, one line per finished run.
class SweepLine final : public drive::SweepProgress {
 public:
  SweepLine() : terminal_(::isatty(STDERR_FILENO) != 0), start_(Clock::now()) {}

  void begin_run(const SweepPlan&, const PlannedRun& run, std::size_t done,
                 std::size_t total) override {
    label_ = format("{} of {}{}: {}", done + 1, total, time_left(done, total), run.id);
    run_start_ = Clock::now();
    if (terminal_) line_.emplace();
  }
  void update(std::string_view, std::string_view phase, double done) override {
    if (line_) line_->update(label_, phase, done);
  }
  void end_run(const PlannedRun&, const Error* error) override {
    line_.reset();
    if (error != nullptr) {
      print_words(format("{}: {}\n", label_, error->message));
    } else if (!terminal_) {
      print_words(format("{}: {:.1f} s\n", label_, seconds(run_start_)));
    }
  }

 private:
  using Clock = std::chrono::steady_clock;
  static double seconds(Clock::time_point since) {
    return std::chrono::duration<double>(Clock::now() - since).count();
  }
  std::string time_left(std::size_t done, std::size_t total) const {
    if (done == 0) return {};
    constexpr double kSecondsPerMinute = 60;
    const double left =
        seconds(start_) / static_cast<double>(done) * static_cast<double>(total - done);
    return left < 2 * kSecondsPerMinute ? format(", {:.0f} s left", left)
                                        : format(", {:.0f} min left", left / kSecondsPerMinute);
  }

  const bool terminal_;
  const Clock::time_point start_;
  Clock::time_point run_start_;
  std::string label_;
  std::optional<ProgressLine> line_;
};

// For programs: one line with a JSON object per finished run.
class SweepLines final : public drive::SweepProgress {
 public:
  void begin_run(const SweepPlan&, const PlannedRun&, std::size_t done,
                 std::size_t total) override {
    done_ = done;
    total_ = total;
  }
  void update(std::string_view, std::string_view, double) override {}
  void end_run(const PlannedRun& run, const Error* error) override {
    render::JsonWriter json;
    json.begin_object()
        .text_member("run", run.id)
        .member("state", error == nullptr ? "done" : "failed")
        .member("done", static_cast<std::int64_t>(done_ + 1))
        .member("total", static_cast<std::int64_t>(total_))
        .end_object();
    print_words(json.take() + "\n");
  }

 private:
  std::size_t done_ = 0, total_ = 0;
};

std::string note_json(const std::string& note) {
  render::JsonWriter json;
  json.begin_object().text_member("note", note).end_object();
  return json.take();
}

class SweepCommand final : public Command {
 public:
  std::string_view name() const override { return "sweep"; }
  std::string_view summary() const override {
    return "Build and measure a model over a grid: batch, threads, precision, any option";
  }
  std::string_view examples() const override {
    return "planex sweep model.onnx -o sweep/ --vary batch=1,2,4,8 --vary threads=1,2\n"
           "planex sweep model.onnx -o sweep/ --vary precision=f32,bf16 --repeat 5\n"
           "planex sweep model.onnx -o sweep/ --vary shape:input=1x3x224x224,1x3x320x320\n"
           "planex sweep model.onnx -o sweep/ --engine trtexec --vary builderOptimizationLevel=3,5 "
           "--vary fp16=on,off\n"
           "planex sweep sweep/\n"
           "planex sweep sweep/ --format csv\n"
           "planex report sweep/ -o report.html";
  }
  std::vector<std::string> translated(std::vector<std::string> words) const override {
    return options_.without_dashes(std::move(words));
  }
  void add_options(CLI::App& app) override {
    options_.add(app, "The model, as ONNX; or the folder of a sweep, to show it again",
                 {"*/sweep.csv", "*/report.html", "*/sweep.json"});
    cli::add_options(app, session::options_of(sweep_));
    output_.add_view(app, {"text", "json", "csv", "markdown"});
    options_.add_words(app);
  }
  Result<int> run(const Environment& environment) override {
    PLANEX_ASSIGN(view_, output_.view());
    PLANEX_ASSIGN(request_.process, options_.request(environment));
    const std::string& model = request_.process.model;
    if (model.empty()) {
      return fail(ErrorCode::kUsage, "MODEL is required",
                  "planex sweep model.onnx -o sweep/ --vary batch=1,2,4");
    }
    if (base::disk().kind(model) == base::PathKind::kFolder) return show(model);
    if (request_.process.output_dir.empty()) {
      return fail(ErrorCode::kUsage, "a sweep needs its own folder", "-o sweep/");
    }
    request_.process.engine = sweep_.engine;
    request_.process.flags = options_.words();
    request_.repeats = sweep_.repeats;
    request_.is_fresh = sweep_.is_fresh;
    for (const std::string& text : sweep_.vary) {
      PLANEX_ASSIGN(drive::GridAxis axis, drive::parse_axis(text));
      request_.axes.push_back(std::move(axis));
    }
    const drive::InterruptScope interrupt;
    if (sweep_.ends_with_parent) drive::interrupt_with_parent();
    return after_interrupt(do_all(interrupt.cancellation()), interrupt);
  }

 private:
  Result<int> do_all(const drive::Cancellation& cancellation) {
    if (sweep_.prints_only) return print_commands(cancellation);
    PLANEX_ASSIGN(const SweepPlan plan, drive::plan_sweep(request_, cancellation));
    if (sweep_.lists_runs) return list(plan);
    if (plan.other_cells > 0) {
      note(format("{} of an earlier grid in the folder, left unchanged",
                  counted(plan.other_cells, "cell")));
    }
    if (sweep_.collects) return finish(kExitFine);
    if (sweep_.failed) {
      PLANEX_TRY(drive::record_failure(plan, sweep_.only, *sweep_.failed));
      return kExitFine;
    }
    auto outcome = run_all(plan, cancellation);
    if (!outcome) {
      if (outcome.error().code == ErrorCode::kCancelled) return fail(stopped());
      return fail(outcome.error());
    }
    for (const std::string& text : outcome->notes) note(text);
    if (outcome->kept > 0 && sweep_.only.empty() && !sweep_.has_json_progress) {
      print_words(format("{} finished before, done now: {}\n", counted(outcome->kept, "run"),
                         outcome->finished));
    }
    // A cell that can't be built is a result, unless no cell can be built.
    const bool has_any = outcome->finished + outcome->kept > 0;
    const int code =
        has_any || !outcome->first_error ? kExitFine : exit_code_of(*outcome->first_error);
    if (!sweep_.only.empty()) {
      if (outcome->first_error) print_error(*outcome->first_error);
      return code;
    }
    return finish(code);
  }

  Result<drive::SweepOutcome> run_all(const SweepPlan& plan,
                                      const drive::Cancellation& cancellation) {
    if (sweep_.has_json_progress) {
      SweepLines lines;
      return drive::run_sweep(plan, sweep_.only, lines, cancellation);
    }
    SweepLine line;
    return drive::run_sweep(plan, sweep_.only, line, cancellation);
  }

  void note(const std::string& text) const {
    print_words((sweep_.has_json_progress ? note_json(text) : "note: " + text) + "\n");
  }

  static Error stopped() {
    return {
        .code = ErrorCode::kCancelled,
        .message = "stopped; finished runs are kept, and the same command continues from there"};
  }

  // Prints its table, and writes table and report beside the runs.
  Result<int> finish(int code) const {
    const std::string& folder = request_.process.output_dir;
    PLANEX_ASSIGN(const Sweep sweep, Sweep::open(folder));
    PLANEX_ASSIGN(const std::string rows, sweep.document({.format = Format::kCsv}));
    std::vector<std::string> written = {base::join_path(folder, "sweep.csv")};
    PLANEX_TRY(base::write_file_atomically(written.front(), rows));
    auto page = sweep.report({});
    if (page) {
      written.push_back(base::join_path(folder, "report.html"));
      PLANEX_TRY(base::write_file_atomically(written.back(), *page));
    } else if (page.error().code != ErrorCode::kNotFound) {
      return fail(page.error());
    }
    PLANEX_ASSIGN(const std::string document, sweep.document(view_));
    std::fputs(document.c_str(), stdout);
    // Other formats are for programs: names of files would not be part of the format.
    for (const std::string& file : written) {
      output_.format() == "text" ? static_cast<void>(std::printf("%s\n", file.c_str()))
                                 : print_words(file + "\n");
    }
    return code;
  }

  Result<int> show(const std::string& folder) const {
    if (!sweep_.vary.empty() || !request_.process.output_dir.empty()) {
      return fail(ErrorCode::kUsage,
                  format("{} is a folder: to sweep, name a model", base::quoted(folder)),
                  "planex sweep DIR shows the sweep in it");
    }
    PLANEX_ASSIGN(const Sweep sweep, Sweep::open(folder));
    PLANEX_ASSIGN(const std::string document, sweep.document(view_));
    std::fputs(document.c_str(), stdout);
    return kExitFine;
  }

  static Result<int> list(const SweepPlan& plan) {
    for (const PlannedRun& run : plan.runs) {
      // Ids have no character that JSON would escape; a line break in inputs is between members.
      std::string inputs = run.inputs_json;
      std::erase(inputs, '\n');
      std::printf("{\"run\":\"%s\",\"state\":\"%s\",\"inputs\":%s}\n", run.id.c_str(),
                  std::string(to_string(run.standing)).c_str(), inputs.c_str());
    }
    return kExitFine;
  }

  Result<int> print_commands(const drive::Cancellation& cancellation) const {
    PLANEX_ASSIGN(const auto cells, drive::grid_cells(request_.process, request_.axes));
    for (const drive::GridCell& cell : cells) {
      drive::ProcessRequest request = cell.request;
      request.output_dir = drive::run_folder(request_.process.output_dir, cell.id, 1);
      PLANEX_ASSIGN(const auto lines, drive::planned_commands(request, cancellation));
      for (const std::string& line : lines) std::printf("%s\n", line.c_str());
    }
    return kExitFine;
  }

  mutable ProcessOptions options_;
  OutputOptions output_;
  View view_;
  drive::SweepRequest request_;
  drive::SweepOptions sweep_;
};

}  // namespace

std::unique_ptr<Command> make_sweep_command() { return std::make_unique<SweepCommand>(); }

}  // namespace planex::cli
