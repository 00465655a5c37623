// Every JSON document that planex writes, those of the topics of `planex explain` too.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "record/fields.h"

namespace planex::session {

// Those with described fields: all except planex.plan/1, which is the schema of the model. By id.
std::span<const record::DocumentInfo> all_documents();
// Those that the C++ library provides as structs: facts about engines, not what the page and the
// server send each other, nor tables whose columns are chosen.
std::vector<record::DocumentInfo> all_structs();

// Sorted.
std::vector<std::string> all_document_ids();
// The JSON Schema by id, or by what the id has between dot and slash: lint. Null: no such document.
std::optional<std::string> schema_of_document(std::string_view id);

}  // namespace planex::session
