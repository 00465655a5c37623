#include "session/verbs/process.h"

namespace planex::session {

Options options_of(drive::ProcessRequest& request) { return {PLANEX_PROCESS_OPTIONS(PLANEX_BIND)}; }

Options options_of(drive::SweepOptions& request) {
  constexpr std::string_view kScheduling = "Scheduling by another program";
  Options options = {PLANEX_SWEEP_OPTIONS(PLANEX_BIND)};
  for (Option& option : options) {
    if (option.name != "engine") continue;
    for (const drive::DriverInfo& driver : drive::drivers()) {
      option.how.choices.emplace_back(driver.id);
    }
  }
  return options;
}

}  // namespace planex::session
