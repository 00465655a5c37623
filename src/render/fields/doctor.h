// What doctor says (analyze/doctor.h).
#ifndef PLANEX_RENDER_FIELDS_DOCTOR_H_
#define PLANEX_RENDER_FIELDS_DOCTOR_H_

#include "analyze/doctor.h"
#include "record/fields.h"

namespace planex::render {

// planex.doctor/1
const record::Document<analyze::DoctorReport>& doctor_document();

}  // namespace planex::render

#endif  // PLANEX_RENDER_FIELDS_DOCTOR_H_
