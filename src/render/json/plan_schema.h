// The JSON Schema of planex.plan/1, from the schema of the model.
#pragma once

#include <string>

namespace planex::render {

// Indented, with a line break at its end. The document is read as well as written: unknown values
// may be null or missing, and a tensor or operation may be just its name.
std::string plan_schema();

}  // namespace planex::render
