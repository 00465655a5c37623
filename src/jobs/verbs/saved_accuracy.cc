#include "jobs/verbs/saved_accuracy.h"

#include <utility>

#include "arrays/accuracy.h"
#include "arrays/open_arrays.h"
#include "base/files.h"
#include "base/text.h"
#include "base/try.h"
#include "render/fields/accuracy.h"
#include "render/text/accuracy_text.h"
#include "session/answer/format.h"

namespace planex::jobs {
namespace {

// What is compared, as indices into one file or two.
struct Runs {
  std::size_t reference = 0, subject = 0;
};

// Of two runs the first is the reference.
Result<Runs> runs_of_one(const AccuracyRequest& request, const arrays::SavedArrays& saved) {
  const std::vector<std::string>& runners = request.runners;
  const std::string& file = request.reference;
  const std::size_t count = saved.runs.size();
  // Both were named: comparing a file with itself should show that nothing differs.
  if (count == 1 && !request.subject.empty()) {
    for (const std::string& runner : runners) PLANEX_TRY(run_called(saved, file, runner));
    return Runs{0, 0};
  }
  if (count < 2) {
    return fail({.code = ErrorCode::kUsage,
                 .message = base::format("the file has {}: there is nothing to compare it with",
                                         base::counted(count, "run")),
                 .file = file,
                 .hint = "name a second file: planex accuracy REF SUBJECT"});
  }
  if (runners.size() == 2) {
    PLANEX_ASSIGN(const std::size_t first, run_called(saved, file, runners[0]));
    PLANEX_ASSIGN(const std::size_t second, run_called(saved, file, runners[1]));
    return Runs{first, second};
  }
  if (runners.size() == 1) {
    PLANEX_ASSIGN(const std::size_t subject, run_called(saved, file, runners[0]));
    if (subject != 0) return Runs{0, subject};
    return fail({.code = ErrorCode::kUsage,
                 .message = "--runner names the first run of the file, which is the reference",
                 .file = file,
                 .hint = "name both: --runner REFERENCE --runner SUBJECT"});
  }
  if (count == 2) return Runs{0, 1};
  // Fails with a list of the runs.
  PLANEX_TRY(run_called(saved, file, {}));
  return Runs{0, 1};
}

// A single name applies to the file that has several runs.
Result<Runs> runs_of_two(const AccuracyRequest& request, const arrays::SavedArrays& reference,
                         const arrays::SavedArrays& subject) {
  const std::vector<std::string>& runners = request.runners;
  const auto name_for = [&](std::size_t side, const arrays::SavedArrays& saved) -> std::string {
    if (runners.size() == 2) return runners[side];
    return runners.size() == 1 && saved.runs.size() > 1 ? runners[0] : std::string();
  };
  if (runners.size() == 1 && reference.runs.size() < 2 && subject.runs.size() < 2) {
    PLANEX_TRY(run_called(subject, request.subject, runners[0]));
  }
  PLANEX_ASSIGN(const std::size_t first,
                run_called(reference, request.reference, name_for(0, reference)));
  PLANEX_ASSIGN(const std::size_t second,
                run_called(subject, request.subject, name_for(1, subject)));
  return Runs{first, second};
}

std::string document_of(const arrays::AccuracyReport& report, const View& view) {
  return session::write(
      {.document = {render::accuracy_document(), report},
       .rows = [&]() -> session::Rows {
         return record::rows_of(report.tensors, render::tensor_accuracy_fields());
       },
       .markdown = [&] { return render::accuracy_markdown(report); },
       .text =
           [&](const render::TableStyle& style) { return render::accuracy_text(report, style); }},
      view);
}

}  // namespace

Result<Answer> compare_saved(const AccuracyRequest& request, const Context& context) {
  PLANEX_ASSIGN(const arrays::SavedArrays reference,
                arrays::open_arrays(request.reference, base::disk()));
  const bool is_one_file = request.subject.empty() || request.subject == request.reference;
  const std::string& subject_path = is_one_file ? request.reference : request.subject;
  arrays::SavedArrays other;
  if (!is_one_file) {
    PLANEX_ASSIGN(other, arrays::open_arrays(request.subject, base::disk()));
  }
  const arrays::SavedArrays& subject = is_one_file ? reference : other;
  PLANEX_ASSIGN(const Runs runs, is_one_file ? runs_of_one(request, reference)
                                             : runs_of_two(request, reference, subject));
  const arrays::AccuracyRequest asked{
      .tolerance = {.absolute = request.absolute, .relative = request.relative},
      .with_classes = request.has_classes,
      .fail_below_db = request.fail_below_db};
  auto compared = arrays::compare_arrays(reference.runs[runs.reference], subject.runs[runs.subject],
                                         reference.has_file_names || subject.has_file_names, asked);
  if (!compared) {
    Error error = std::move(compared).error();
    error.file = subject_path;
    return fail(std::move(error));
  }
  arrays::AccuracyReport report = *std::move(compared);
  report.reference.path = request.reference;
  report.subject.path = subject_path;
  report.reference.format = to_string(reference.format);
  report.subject.format = to_string(subject.format);
  for (const arrays::SavedArrays* side : {&reference, &subject}) {
    if (side == &reference || !is_one_file) {
      report.remarks.insert(report.remarks.end(), side->remarks.begin(), side->remarks.end());
    }
  }
  return Answer{.document = document_of(report, context.view),
                .is_met = report.failed_count() == 0};
}

}  // namespace planex::jobs
