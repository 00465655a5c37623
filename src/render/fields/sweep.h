// planex.sweep/1: builds of a model over a grid.
#pragma once

#include "analyze/sweep.h"
#include "record/fields.h"

namespace planex::render {

const record::Fields<analyze::SweepCell>& sweep_cell_fields();
const record::Document<analyze::Sweep>& sweep_document();

}  // namespace planex::render
