#include "render/text/doctor_text.h"

#include <algorithm>

#include "base/files.h"
#include "base/text.h"
#include "render/text/grid.h"
#include "render/words/display_width.h"
#include "render/words/numbers.h"
#include "render/words/sentences.h"
#include "render/words/wrap.h"

namespace planex::render {
namespace {

using analyze::DoctorFile;
using analyze::DoctorReport;
using analyze::DoctorRun;
using base::format;

std::string content_text(const DoctorFile& file) {
  // The evidence says what the file is, or that it is unknown.
  if (file.label.empty()) return file.evidence.empty() ? "not recognized" : file.evidence;
  std::string text = file.label;
  if (file.kind == "onnx") {
    // One operation may be in several layers, so the two counts count different things.
    if (file.record_count) {
      text +=
          format(", {}", base::counted(static_cast<std::size_t>(*file.record_count), "operation"));
    }
    if (file.joined_count) {
      text += format(", named {} by layers",
                     base::counted(static_cast<std::size_t>(*file.joined_count), "time"));
    }
  } else {
    if (file.record_count) {
      text += format(", {}", base::counted(static_cast<std::size_t>(*file.record_count), "record"));
    }
    if (file.joined_count) {
      text += format(", {} joined to {} layer", *file.joined_count,
                     file.joined_count == 1 ? "its" : "their");
    }
  }
  if (!file.evidence.empty()) text += format(" ({})", file.evidence);
  return text;
}

// Lines of a context or hint, each indented.
std::string indented(std::string_view text, std::string_view indent) {
  std::string result;
  while (!text.empty()) {
    result.append(indent).append(printable(base::take_part(text, '\n'))).append("\n");
  }
  return result;
}

std::string engines_text(const DoctorReport& report, std::size_t width, bool color) {
  std::string text;
  for (const bool installed : {true, false}) {
    bool any = false;
    for (const analyze::DoctorEngine& engine : report.engines) {
      if (engine.is_installed != installed) continue;
      if (!any) text += installed ? "\n  installed engines\n" : "\n  engines not installed\n";
      any = true;
      const std::string mark =
          installed ? painted("✓", Ink::kFaster, color) : painted("–", Ink::kFaint, color);
      text += wrapped_hanging(format("{}  {}: {}", mark, engine.label, printable(engine.detail)),
                              width, 5, 3);
      if (installed) {
        text += format("       {}\n", printable(engine.command));
      } else {
        text += wrapped(engine.install, width, 7);
      }
    }
  }
  return text;
}

// Those around the one that is shown, where there are more than fit a screen; JSON has them all.
std::string runs_text(const DoctorReport& report, std::size_t width, bool color) {
  if (report.runs.empty()) return {};
  constexpr std::size_t kMaxLines = 40;
  const auto shown = static_cast<std::size_t>(
      std::ranges::find(report.runs, true, &DoctorRun::is_shown) - report.runs.begin());
  std::size_t first = 0;
  const std::size_t count = std::min(report.runs.size(), kMaxLines);
  if (shown + kMaxLines / 2 > count) {
    first = std::min(shown + kMaxLines / 2, report.runs.size()) - count;
  }
  Grid grid(
      {{}, {Alignment::kRight}, {}, {}, {Alignment::kRight}, {Alignment::kRight}, {.wraps = true}});
  for (std::size_t i = first; i < first + count; ++i) {
    const DoctorRun& run = report.runs[i];
    const Ink ink = run.is_shown ? Ink::kPlain : Ink::kFaint;
    const std::string engine =
        run.engine_file.empty() ? "–" : printable(base::file_name_of(run.engine_file));
    // For pasted text, neither the command nor how it ended is known.
    const bool is_script = run.command.empty() && !run.outcome.empty();
    std::string what = is_script ? "built by a script" : printable(run.command);
    if (run.build_line) what += format(" (its build: line {})", *run.build_line);
    if (!run.outcome.empty() && run.outcome != "passed") what = format("{}: {}", run.outcome, what);
    if (run.line) what = format("line {}{}{}", *run.line, what.empty() ? "" : ": ", what);
    grid.add_row({{run.is_shown ? "✓" : "·", run.is_shown ? Ink::kFaster : Ink::kFaint},
                  {format("run {}", run.run), ink},
                  {engine, ink},
                  {run.shapes.empty() ? "–" : printable(run.shapes), ink},
                  {run.median_ms ? format("{} ms", ms_text(*run.median_ms)) : "–", ink},
                  {run.throughput ? format("{}/s", throughput_text(*run.throughput)) : "–", ink},
                  {what, ink}});
  }
  std::string text = format(
      "\n  runs in the log{}\n",
      count < report.runs.size() ? format(", {} of {}", count, report.runs.size()) : std::string());
  for (const std::string& line : grid.lines(width, 2, color)) text += line + "\n";
  return text;
}

}  // namespace

std::string doctor_text(const DoctorReport& report, const TableStyle& style) {
  const std::size_t width = style.wide ? 0 : static_cast<std::size_t>(std::max(style.width, 0));
  std::string text = report.path.empty() ? "this machine\n" : printable(report.path) + "\n";
  if (!report.producer.empty()) {
    std::string line = printable(report.producer);
    if (!report.version_evidence.empty()) {
      line += format(" ({})", printable(report.version_evidence));
    }
    line += report.record_count == 0
                ? std::string(", no layers")
                : format(", {}",
                         base::counted(static_cast<std::size_t>(report.record_count), "record"));
    text += wrapped(line, width, 2);
  }
  if (report.model) {
    text += wrapped(format("{}, {}", report.model->evidence,
                           bytes_text(static_cast<double>(report.model->size_bytes))),
                    width, 2);
  }
  text += engines_text(report, width, style.color);
  if (!report.files.empty()) text += '\n';
  Grid grid({{}, {Alignment::kLeft, true}, {Alignment::kRight}, {.wraps = true}});
  for (const DoctorFile& file : report.files) {
    grid.add_row({{file.used ? "✓" : "·", file.used ? Ink::kFaster : Ink::kFaint},
                  {printable(base::file_name_of(file.path)), file.used ? Ink::kPlain : Ink::kFaint},
                  {bytes_text(static_cast<double>(file.size_bytes)), Ink::kFaint},
                  {content_text(file), file.used ? Ink::kPlain : Ink::kFaint}});
  }
  for (const std::string& line : grid.lines(width, 2, style.color)) text += line + "\n";
  text += runs_text(report, width, style.color);
  if (!report.missing.empty() || !report.diagnostics.empty()) text += '\n';
  for (const analyze::MissingPiece& piece : report.missing) {
    const std::string mark = piece.is_optional ? painted("·", Ink::kFaint, style.color)
                                               : painted("–", Ink::kWarning, style.color);
    text += wrapped_hanging(
        format("{}  {} ({}): {}", mark, piece.what, piece.is_optional ? "optional" : "missing",
               printable(piece.consequence)),
        width, 5, 3);
    text += format("       {}\n", printable(piece.command));  // whole, to be copied
  }
  for (const analyze::DiagnosticGroup& group : report.diagnostics) {
    if (is_said_already(group, report.detail, report.diagnostics)) continue;
    const bool is_note = group.severity == model::Severity::kInfo;
    const std::string mark =
        is_note ? painted("·", Ink::kFaint, style.color) : painted("!", Ink::kWarning, style.color);
    std::string line = format("{}  [{}] {}", mark, group.code, printable(group.message));
    if (group.count > 1) line += format(" (and {} more)", group.count - 1);
    text += wrapped_hanging(line, width, 5, 3);
  }
  if (report.error) text += "\n" + error_text(*report.error, style.color);
  return text;
}

std::string error_text(const Error& error, bool color) {
  std::string text = painted("error:", Ink::kError, color) + " ";
  if (!error.file.empty()) text += printable(error.file) + ": ";
  text += printable(error.message) + "\n";
  if (error.byte_offset) text += format("  at byte {}", *error.byte_offset);
  if (!error.json_pointer.empty()) {
    text += format("{}{}", error.byte_offset ? ", " : "  at ", printable(error.json_pointer));
  }
  if (error.byte_offset || !error.json_pointer.empty()) text += '\n';
  text += indented(error.context, "  ");
  text += indented(error.hint, "  ");
  return text;
}

}  // namespace planex::render
