// Nsight Systems' SQLite export (`nsys export --type sqlite`): kernels under the layers that launch
// them. Described in docs/design/0031-kernels-under-layers.md.
#pragma once

#include <memory>
#include <string_view>

#include "base/files.h"
#include "ingest/reader.h"

namespace planex::ingest::nsight {

Confidence sniff_export(std::string_view head);

// A database with many tables lists them wherever there is room, so its start may name none.
bool may_be_export(std::string_view head);
// If the file is damaged or truncated, this can't be known; then reading it reports the error,
// because otherwise the missing part would go unnoticed. Cost: O(tables).
bool is_export(std::shared_ptr<const base::Bytes> bytes);

// Adds `kernels` and the kernel times of layers, which must already be in the model. Kernels
// without a layer, and the reasons, are reported as diagnostics.
Result<void> read_export(const Artefact& artefact, model::ModelBuilder& builder);

}  // namespace planex::ingest::nsight
