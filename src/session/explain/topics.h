// All topics of `planex explain`.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "record/fields.h"
#include "session/explain/topic.h"

namespace planex::session {

// As the build found them.
std::span<const Topic* const> topics_by_folder();

// Those about an engine first, by name.
std::span<const Topic* const> topics();

// Errors: kUsage (no such topic; the message names all).
Result<const Topic*> find_topic(std::string_view name);

std::vector<record::DocumentInfo> topic_documents();
// Those about an engine that are structs of planex/results.h.
std::vector<record::DocumentInfo> topic_structs();

}  // namespace planex::session
