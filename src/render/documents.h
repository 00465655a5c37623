// Every JSON document that planex writes, by its id: planex.lint/2.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "record/fields.h"

namespace planex::render {

// Those with described fields: all except planex.plan/1, which is the schema of the model. By id.
std::span<const record::DocumentInfo> described_documents();

// Those that the report's page and the index of `planex serve` read.
std::span<const record::DocumentInfo> page_documents();
// Those that the C++ library provides as structs: facts about engines, not what the page and the
// server send each other, nor tables whose columns are chosen.
std::span<const record::DocumentInfo> struct_documents();

// Sorted.
std::vector<std::string> document_ids();
// The JSON Schema by id, or by what the id has between dot and slash: lint. Null: no such document.
std::optional<std::string> document_schema(std::string_view id);

}  // namespace planex::render
