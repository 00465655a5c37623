#include "jobs/timed_runs.h"

#include "base/files.h"
#include "base/text.h"
#include "base/try.h"
#include "drive/driver.h"

namespace planex::jobs {

Result<std::string> time_model(const TimedRun& run, const Shop& shop, const Context& context) {
  drive::ProcessRequest request{.model = run.model,
                                .output_dir = base::join_path(shop.workshop().folder, run.name),
                                .threads = base::format("{}", run.threads),
                                .program_dir = context.program_dir};
  if (run.is_brief) request.flags = {"--profile-ms", "100", "--rounds", "2"};
  PLANEX_ASSIGN(drive::ProcessOutcome outcome,
                drive::process(request, context.progress, context.cancellation));
  return std::move(outcome.engine);
}

}  // namespace planex::jobs
