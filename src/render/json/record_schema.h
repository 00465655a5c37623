// The JSON Schema (draft 2020-12) of a document, from its fields.
#pragma once

#include <string>

#include "record/fields.h"

namespace planex::render {

// Indented, with a line break at its end. Keys that it does not name are allowed: a later version
// of planex may add some. A field has its unit next to its description.
std::string json_schema(const record::DocumentInfo& document);

}  // namespace planex::render
