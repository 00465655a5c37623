// Nsight Systems' SQLite export (`nsys export --type sqlite`): kernels under the layers that launch
// them. docs/design/0031-kernels-under-layers.md says how.
#pragma once

#include <memory>
#include <string_view>

#include "base/files.h"
#include "ingest/reader.h"

namespace planex::ingest::nsight {

Confidence sniff_export(std::string_view head);

// A database with many tables lists them wherever there was room, so its start may name none.
bool may_be_export(std::string_view head);
// Of one that is damaged or was cut it can't be known; then reading it says what is wrong, as
// nobody would miss what was left out without a word. Cost: O(tables).
bool is_export(std::shared_ptr<const base::Bytes> bytes);

// Adds `kernels` and the kernel times of layers, which must be there; what found no layer, and why,
// is told in diagnostics.
Result<void> read_export(const Artefact& artefact, model::ModelBuilder& builder);

}  // namespace planex::ingest::nsight
