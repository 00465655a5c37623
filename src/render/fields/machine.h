// What documents say of the machine that times were measured on (analyze/machine_state.h).
#ifndef PLANEX_RENDER_FIELDS_MACHINE_H_
#define PLANEX_RENDER_FIELDS_MACHINE_H_

#include "analyze/machine_state.h"
#include "record/fields.h"

namespace planex::render {

const record::Fields<analyze::MachineState>& machine_fields();

}  // namespace planex::render

#endif  // PLANEX_RENDER_FIELDS_MACHINE_H_
