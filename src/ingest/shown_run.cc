#include "ingest/shown_run.h"

#include "base/text.h"

namespace planex::ingest {

using base::format;

void report_shown_run(const ShownRun& run, const Artefact& artefact, model::ModelBuilder& builder) {
  const bool is_asked_for = artefact.run.has_value();
  std::string message = format("the log contains {} runs; run {}, from line {} on, is shown{}",
                               run.count, run.shown + 1, run.first_line, run.with);
  if (is_asked_for) {
    message += " as requested";
  } else {
    message += format(
        ": {}; `planex doctor` lists the runs, --run N shows another",
        run.why.empty() ? std::string_view("the last of the runs with the most details") : run.why);
  }
  builder.add_diagnostic(
      {.code = "several-runs",
       .severity = is_asked_for ? model::Severity::kInfo : model::Severity::kWarning,
       .message = std::move(message),
       .file = artefact.path,
       .byte_offset = run.begin});
}

Error no_such_run(std::size_t count, const Artefact& artefact) {
  return {.code = ErrorCode::kUsage,
          .message = format("--run {}: {}", *artefact.run,
                            count == 1 ? std::string("the log contains one run")
                                       : format("the log contains {} runs", count)),
          .file = artefact.path,
          .hint = format("list the runs with planex doctor {}", base::shell_word(artefact.path))};
}

}  // namespace planex::ingest
