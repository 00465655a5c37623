// The JSON documents that planex writes, by their ids: planex.lint/2. Those of `planex explain` are
// its topics' (session/documents.h has all).
#pragma once

#include <span>
#include <string_view>

#include "record/fields.h"

namespace planex::render {

// Those with described fields: planex.plan/1 is the schema of the model. By id.
std::span<const record::DocumentInfo> described_documents();

// Those that the report's page and the index of `planex serve` read.
std::span<const record::DocumentInfo> page_documents();
// Those that the C++ library provides as structs: facts about engines, not what the page and the
// server send each other, nor tables whose columns are chosen.
std::span<const record::DocumentInfo> struct_documents();

// Of planex.lint/2: lint.
std::string_view document_name(std::string_view id);

}  // namespace planex::render
