// For platforms without other programs and without a processor to measure.
#include "session/machine/this_machine.h"

namespace planex::session {

std::vector<analyze::DoctorEngine> installed_engines(const std::string&, std::string_view) {
  return {};
}

Result<model::DeviceTable> table_of_this_cpu(const analyze::DeviceFacts&, const ExplainRequest&) {
  return model::DeviceTable();
}

}  // namespace planex::session
