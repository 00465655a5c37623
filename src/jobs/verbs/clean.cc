#include "jobs/verbs/clean.h"

#include <utility>

#include "base/try.h"
#include "jobs/clean_file.h"
#include "jobs/model_output.h"
#include "render/fields/clean.h"
#include "render/text/clean_text.h"
#include "session/answer/format.h"

namespace planex::jobs {

session::Options options_of(CleanRequest& request) { return {PLANEX_CLEAN_OPTIONS(PLANEX_BIND)}; }

Result<Answer> run(const CleanRequest& request, const Context& context) {
  PLANEX_ASSIGN(ModelOutput files, ModelOutput::open(request.output, request.model, context));
  auto outcome =
      clean_file(request.model, files.staged(),
                 {.only = request.only, .skipped = request.skipped, .opset = request.opset});
  if (!outcome) return fail(files.settled(outcome.error()));
  outcome->output = request.output;
  const session::Writers writers{
      .document = {render::clean_document(), *outcome},
      .rows = [&] { return record::rows_of(outcome->steps, render::clean_step_fields()); },
      .text =
          [&](const render::TableStyle& style) {
            return render::clean_text(*outcome, request.all, style);
          }};
  return files.commit_with(writers, ".clean.json", context);
}

}  // namespace planex::jobs
