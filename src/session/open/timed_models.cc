#include "session/open/timed_models.h"

#include <deque>

#include "base/files.h"
#include "base/try.h"
#include "session/open/engine.h"

namespace planex::session {

Result<std::vector<analyze::RepeatedMedian>> timed_models(
    std::span<const std::vector<std::string>> models) {
  std::deque<analyze::MeasuredRun> measured;
  std::vector<analyze::RepeatedRuns> runs(models.size());
  for (std::size_t model = 0; model < models.size(); ++model) {
    for (const std::string& path : models[model]) {
      PLANEX_ASSIGN(const Engine engine, open_engine({.path = path}, base::disk()));
      const auto& run = measured.emplace_back(analyze::measure_run(engine.model));
      if (run.median_ms && *run.median_ms > 0) runs[model].push_back(&run);
    }
  }
  const analyze::RunSpread spread = analyze::spread_of(runs);
  std::vector<analyze::RepeatedMedian> medians;
  for (const analyze::RepeatedRuns& of_model : runs) {
    medians.push_back(analyze::repeated_median(of_model, spread));
  }
  return medians;
}

}  // namespace planex::session
