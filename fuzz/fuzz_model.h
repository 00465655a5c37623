// What every target does with what a reader gave it.
#pragma once

#include <string>

#include "model/plan_model.h"
#include "planex/error.h"

namespace planex::fuzz {

// Completes and summarises the model and looks at every cell, so that the sanitizers see any view
// of memory that is gone. Returns what is wrong with it, or nothing.
std::string use(model::PlanModel model);

// Where two models differ first in what they show, or empty: "has 3 rows of ports, not 4".
std::string first_difference(const model::PlanModel& expected, const model::PlanModel& found);

// An error of a reader names its file and says something.
std::string check(const Error& error);

}  // namespace planex::fuzz
