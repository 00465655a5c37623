#include "render/fields/documents.h"

#include <algorithm>
#include <vector>

#include "render/fields/doctor.h"
#include "render/fields/engines.h"
#include "render/fields/layout.h"
#include "render/fields/lint.h"
#include "render/fields/speed.h"
#include "render/fields/summary.h"
#include "render/fields/tables.h"
#include "render/fields/timing.h"

namespace planex::render {

std::span<const record::DocumentInfo> described_documents() {
  static const std::vector<record::DocumentInfo> kDocuments = [] {
    std::vector<record::DocumentInfo> all = {
        doctor_document(), engines_document(), error_document(),        layout_document(),
        lint_document(),   opened_document(),  page_version_document(), schema_document(),
        speed_document(),  summary_document(), timing_document(),
    };
    for (const TableDocument& document : table_documents()) all.emplace_back(document);
    std::ranges::sort(all, {}, &record::DocumentInfo::id);
    return all;
  }();
  return kDocuments;
}

}  // namespace planex::render
