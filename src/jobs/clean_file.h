// Simplifies a model's file: for `planex clean`, and as a step of `planex optimize`.
#pragma once

#include <string>

#include "clean/clean.h"
#include "clean/outcome.h"
#include "planex/error.h"

namespace planex::jobs {

// Writes the simplified model to `output`, without its external data. Errors: those of
// clean::clean_model(), with the model's file; kIo.
Result<clean::CleanOutcome> clean_file(const std::string& model, const std::string& output,
                                       const clean::CleanOptions& options);

// For whoever quantizes a model: what simplifying it first would take away, and the command. Empty
// where that is little, or where the model can't be simplified.
std::string note_on_cleaning(const std::string& model);

}  // namespace planex::jobs
