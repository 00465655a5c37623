// Every document whose fields are described.
#ifndef PLANEX_RENDER_FIELDS_DOCUMENTS_H_
#define PLANEX_RENDER_FIELDS_DOCUMENTS_H_

#include <span>

#include "record/fields.h"

namespace planex::render {

// By id.
std::span<const record::DocumentInfo> described_documents();

}  // namespace planex::render

#endif  // PLANEX_RENDER_FIELDS_DOCUMENTS_H_
