// `planex doctor`, and errors as people read them.
#pragma once

#include <string>

#include "analyze/doctor.h"
#include "planex/error.h"
#include "render/text/table_text.h"

namespace planex::render {

std::string doctor_text(const analyze::DoctorReport& report, const TableStyle& style);

// First line: what and where, whole and on one line. Then context, then what to do.
std::string error_text(const Error& error, bool color);

}  // namespace planex::render
