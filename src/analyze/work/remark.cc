#include "analyze/work/remark.h"

#include <algorithm>

namespace planex::analyze {

void remark_once(model::PlanModel& model, std::string_view code, std::string_view message,
                 model::Severity severity) {
  model::DiagnosticsTable& diagnostics = model.diagnostics;
  const base::StringId id = model.strings.intern(code);
  if (std::ranges::find(diagnostics.code.values(), id) != diagnostics.code.values().end()) return;
  const std::size_t row = diagnostics.add_row();
  diagnostics.code.set(row, id);
  diagnostics.severity.set(row, severity);
  diagnostics.message.set(row, model.strings.add(message));
}

}  // namespace planex::analyze
