#include "session/verbs/process.h"

namespace planex::session {

Options options_of(drive::ProcessRequest& request) { return {PLANEX_PROCESS_OPTIONS(PLANEX_BIND)}; }

}  // namespace planex::session
