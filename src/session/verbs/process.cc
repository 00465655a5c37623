#include "session/verbs/process.h"

namespace planex::session {

Options options_of(drive::ProcessRequest& request) { return {PLANEX_PROCESS_OPTIONS(PLANEX_BIND)}; }

void choose_engine(Options& options) {
  for (Option& option : options) {
    if (option.name != "engine") continue;
    for (const drive::DriverInfo& driver : drive::drivers()) {
      option.how.choices.emplace_back(driver.id);
    }
  }
}

Options options_of(drive::SweepOptions& request) {
  constexpr std::string_view kScheduling = "Scheduling by another program";
  Options options = {PLANEX_SWEEP_OPTIONS(PLANEX_BIND)};
  choose_engine(options);
  return options;
}

}  // namespace planex::session
