// Sentences about the machine that the times were measured on.
#pragma once

#include <string>

#include "analyze/machine/machine_state.h"

namespace planex::render {

// "1110 to 1410 MHz, median 1110", "1410 MHz".
std::string range_text(const analyze::MachineFigure& figure);

// "GPU clock 1110 to 1410 MHz, median 1110; the power cap held it down for 65 % of the time; …".
std::string machine_text(const analyze::MachineState& machine);

// "the GPU's clock fell from 1410 to 1110 MHz at inference 812 (power cap)".
std::string cause_text(const analyze::MachineCause& cause);
// All of them.
std::string causes_text(const analyze::MachineState& machine);

}  // namespace planex::render
