// What documents say about the machine that times were measured on (analyze/machine_state.h).
#pragma once

#include "analyze/machine/machine_state.h"
#include "record/fields.h"

namespace planex::render {

const record::Fields<analyze::MachineState>& machine_fields();

}  // namespace planex::render
