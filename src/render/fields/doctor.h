// What doctor says (analyze/doctor.h).
#pragma once

#include "analyze/doctor.h"
#include "record/fields.h"

namespace planex::render {

// planex.doctor/1
const record::Document<analyze::DoctorReport>& doctor_document();

}  // namespace planex::render
