#include "ingest/tensorrt/log/report_lines.h"

#include <algorithm>
#include <string>

#include "base/text.h"
#include "ingest/tensorrt/log/line_filter.h"
#include "ingest/tensorrt/log/log_numbers.h"
#include "ingest/tensorrt/log/trtexec_headings.h"

namespace planex::ingest::tensorrt {
namespace {

using base::format;
using model::Severity;

// What can be guessed from graph files: "8.6+", "8.5", "8.2–8.4". An exact version has three parts.
bool is_exact(std::string_view version) { return std::ranges::count(version, '.') >= 2; }

// Major and minor of "8.6", as one comparable number.
std::optional<int> rank_of(std::string_view version) {
  const std::size_t dot = version.find('.');
  if (dot == version.npos) return std::nullopt;
  std::string_view rest = version.substr(dot + 1);
  std::size_t digits = 0;
  while (digits < rest.size() && rest[digits] >= '0' && rest[digits] <= '9') ++digits;
  const auto major = count_of(version.substr(0, dot)), minor = count_of(rest.substr(0, digits));
  constexpr std::int64_t kMax = 1000;
  if (!major || !minor || *major > kMax || *minor >= kMax) return std::nullopt;
  return static_cast<int>(*major * kMax + *minor);
}

// Whether an exact version can belong to a class: "8.6+" is from 8.6 on, "8.2–8.4" is in between.
bool fits_class(std::string_view exact, std::string_view era) {
  // "10.x": the digits before the x, with their dot.
  if (era.ends_with(".x")) return exact.starts_with(era.substr(0, era.size() - 1));
  const auto version = rank_of(exact), first = rank_of(era);
  if (!version || !first) return true;
  if (era.ends_with('+')) return *version >= *first;
  constexpr std::string_view kDash = "–";
  const std::size_t dash = era.find(kDash);
  const auto last = dash == era.npos ? first : rank_of(era.substr(dash + kDash.size()));
  return *version >= *first && *version <= last.value_or(*version);
}

}  // namespace

bool ReportLines::take(const LogLine& line) {
  note_profiler(line);
  note_parser(line);
  is_bare_section_ = line.severity == LogSeverity::kNone &&
                     (is_bare_section_ || is_trtexec_heading(base::trimmed(line.text)) ||
                      is_profile_header(line.text));
  if (is_bare_section_ && !line.text.starts_with(kBannerStart)) {
    LogLine said = line;
    said.severity = LogSeverity::kInfo;
    if (is_trtexec_heading(base::trimmed(line.text))) said.text = base::trimmed(line.text);
    if (take_report(said)) return true;
  }
  if (line.severity == LogSeverity::kNone) {
    const bool expected = table_.is_open() || messages_.awaits_more();
    if (!expected && !begins_like_words(line.text)) return false;
    if (line.text.starts_with(kBannerStart)) return true;
    return table_.take(line) || build_.take_bare(line) || messages_.take(line);
  }
  return take_report(line);
}

bool ReportLines::take_report(const LogLine& line) {
  if (measurement_.take(line)) return true;
  if (dla_.take(line)) return true;
  const bool warned = messages_.take(line);
  if (warned) return true;
  const bool in_section = sections_.take(line);
  return table_.take(line) || in_section || build_.take(line);
}

// Nsight Compute prints "==PROF== Connected to process 1", nvprof "==1== NVPROF is profiling".
void ReportLines::note_profiler(const LogLine& line) {
  if (!profiler_.empty() || line.severity != LogSeverity::kNone || !line.text.starts_with("==")) {
    return;
  }
  if (line.text.starts_with("==PROF== ")) profiler_ = "Nsight Compute (==PROF==)";
  if (line.text.find("== NVPROF is profiling") != line.text.npos) profiler_ = "nvprof";
  profiler_offset_ = line.byte_offset;
}

// A parser that checks a model before importing it says so, and TensorRT's builders print their
// memory before any parser runs.
void ReportLines::note_parser(const LogLine& line) {
  has_memory_lines_ = has_memory_lines_ || line.text.starts_with("[MemUsage");
  has_checked_model_ = has_checked_model_ || line.text.starts_with(kStaticCheck) ||
                       line.text.find("onnxOpCheckers.cpp") != line.text.npos;
}

int ReportLines::major_version() const {
  std::string version(build_.version());
  if (version.empty()) version = banner_version(run_.opening.version_digits);
  return static_cast<int>(
      count_of(std::string_view(version).substr(0, version.find('.'))).value_or(0));
}

void ReportLines::set_producer() {
  model::EngineTable& engine = builder_.model().engine;
  base::StringPool& strings = builder_.strings();
  // In a log that ends in the parser, the only signs of TensorRT-RTX are missing lines.
  const bool is_rtx_parser =
      run_.opening.program.empty() && has_checked_model_ && !has_memory_lines_;
  const bool is_rtx = build_.is_rtx() || is_rtx_parser ||
                      base::contains_ignoring_case(run_.opening.program, "rtx") ||
                      base::contains_ignoring_case(run_.opening.command, "tensorrt_rtx");
  if (engine.producer.is_null(0)) {
    engine.producer.set(0, strings.intern(is_rtx ? "tensorrt-rtx" : "tensorrt"));
  }
  std::string version(build_.version());
  std::string_view evidence = "the log's line \"TensorRT version\"";
  if (version.empty()) {
    version = banner_version(run_.opening.version_digits);
    evidence = "the log's first line";
  }
  if (version.empty()) return;
  const std::string_view known = builder_.model().text(engine.producer_version[0]);
  if (!known.empty() && known != version) {
    const bool fits = is_exact(known) ? false : fits_class(version, known);
    if (!fits) {
      builder_.add_diagnostic(
          {.code = "version-conflict",
           .message = format("the log is from TensorRT {}, but the engine's files are from {} "
                             "({}): the log may belong to another run",
                             version, known, builder_.model().text(engine.version_evidence[0])),
           .file = artefact_.path});
    }
    if (is_exact(known) || !fits) return;
  }
  engine.producer_version.set(0, strings.intern(version));
  engine.version_evidence.set(0, strings.intern(evidence));
}

// The builder of TensorRT-RTX never names itself; a program around it may.
void ReportLines::report_version() {
  const model::EngineTable& engine = builder_.model().engine;
  if (builder_.model().text(engine.producer[0]) != "tensorrt-rtx" ||
      !engine.producer_version.is_null(0)) {
    return;
  }
  builder_.add_diagnostic(
      {.code = "version-unknown",
       .severity = Severity::kInfo,
       .message = "the log does not record the version of TensorRT-RTX; to record it, let the "
                  "program print a line \"TensorRT-RTX version: 1.2.3\"",
       .file = artefact_.path});
}

void ReportLines::report_ending() {
  model::EngineTable& engine = builder_.model().engine;
  const bool has_layers = builder_.model().layers.row_count() > 0;
  const bool has_opening = run_.opening.word == BannerWord::kRunning;
  const bool has_engine =
      build_.has_engine() || table_.has_rows() || sections_.has_section(kPerformanceSection);
  const bool unfinished = run_.outcome == BannerWord::kNone && (has_opening || !has_engine);
  const bool failed = run_.outcome == BannerWord::kFailed || (unfinished && messages_.has_errors());
  if (failed) {
    RunFailure failure = messages_.failure();
    if (failure.words.empty()) {
      failure.words =
          "the log has no error line because stderr was not captured; run it again with 2>&1 to "
          "see why";
    }
    // A file that can't be loaded says nothing about a build.
    const bool is_load =
        !has_engine && !build_.has_begun() &&
        (failure.kind == MessageKind::kLoad || has_option(run_.opening.command, "loadEngine"));
    std::string_view code = "build-failed", what = "the build failed and there is no engine";
    if (has_engine) {
      code = "run-failed";
      what = "the engine was built, but running it failed";
    } else if (is_load) {
      code = "load-failed";
      what = "the engine could not be loaded";
    }
    builder_.add_diagnostic({.code = code,
                             .severity = Severity::kError,
                             .message = format("{}: {}", what, failure.words),
                             .file = artefact_.path});
    if (!messages_.refused_option().empty()) {
      builder_.add_metadata("build", "refused option", messages_.refused_option(), artefact_.path);
    }
    if (!has_layers) engine.detail.set(0, builder_.strings().intern("failed"));
    return;
  }
  const bool cut = unfinished && (has_opening || build_.has_begun());
  if (cut || table_.is_cut()) {
    builder_.add_diagnostic(
        {.code = "log-cut",
         .message = has_opening ? "the log ends before trtexec's last line: it was truncated, or "
                                  "the run was stopped; whatever trtexec prints at the end is "
                                  "missing"
                                : "the log ends before the engine is built: it was truncated, or "
                                  "the build was stopped",
         .file = artefact_.path,
         .byte_offset = run_.end});
  }
  if (!has_layers && !cut) {
    builder_.add_diagnostic(
        {.code = "log-without-layers",
         .message = "the log lists no layers; run trtexec with --verbose "
                    "--profilingVerbosity=detailed, or better, with --exportLayerInfo=FILE",
         .file = artefact_.path});
  }
}

std::size_t ReportLines::finish() {
  const std::size_t rows_before = builder_.model().metadata.row_count();
  const bool loads = has_option(run_.opening.command, "loadEngine") ||
                     !sections_.value("build_options", "Load engine").empty() ||
                     sections_.value("model_options", "Format") == "*";
  constexpr int kNoDefaultsFrom = 10;
  const bool whole = scope_ == Scope::kWholeRun;
  sections_.add_rows({.build_options_are_defaults = loads && major_version() < kNoDefaultsFrom,
                      .build_only = !whole},
                     artefact_, builder_);
  if (!run_.opening.command.empty()) {
    builder_.add_metadata("command", whole ? "trtexec" : "trtexec (build)", run_.opening.command,
                          artefact_.path);
  }
  build_.finish(artefact_, builder_);
  std::size_t rows = 0;
  if (whole) {
    measurement_.add_rows(sections_, major_version(), run_.opening.command, artefact_, builder_);
    rows += table_.join(artefact_, builder_);
  }
  dla_.finish(artefact_, builder_);
  if (whole) {
    if (measurement_.summary_left_out()) {
      builder_.add_diagnostic(
          {.code = "no-end-to-end",
           .severity = Severity::kInfo,
           .message = "trtexec printed no performance summary because its profiler slows "
                      "inferences down; with --separateProfileRun it measures both",
           .file = artefact_.path});
    }
  }
  set_producer();
  if (whole) {
    report_version();
    report_ending();
  }
  messages_.add_diagnostics(artefact_, builder_);
  if (whole && !profiler_.empty()) {
    builder_.add_diagnostic(
        {.code = "run-under-profiler",
         .message = format("the run was under {}, which stops at every kernel and runs some of "
                           "them many times: none of its times are the engine's own; measure again "
                           "without it",
                           profiler_),
         .file = artefact_.path,
         .byte_offset = profiler_offset_});
  }
  return rows + builder_.model().metadata.row_count() - rows_before;
}

}  // namespace planex::ingest::tensorrt
