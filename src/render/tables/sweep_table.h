// The cells of a sweep as a table: the value on each axis, then the figures.
#pragma once

#include <cstdint>

#include "analyze/sweep.h"
#include "model/data_table.h"

namespace planex::render {

// All columns, or those that matter on a screen.
enum class SweepColumns : std::uint8_t { kAll, kFew };
model::DataTable sweep_table(const analyze::Sweep& sweep, SweepColumns columns);

}  // namespace planex::render
